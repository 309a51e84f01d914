//! The rules as a search problem, in the formulation of the course projects.
//!
//! The lowest run of consecutive numbers on the board is extended at its upper
//! end until it ends in R·C, and then downwards to 1. A number whose successor
//! is given may only be written beside that successor: "consecutive numbers
//! are neighbours" is a rule of the puzzle, so an action that breaks it is not
//! an action. The run then continues with the given numbers by itself.
//!
//! No state is reached twice: the next number is always the same at a given
//! depth, so a board fixes the order in which its numbers were written.

use crate::Cost;
use novelo_search::Problem;

use super::grid::Grid;
use super::instance::Board;
use super::written_move;
use crate::bits::Bits;

/// No cell.
const NOWHERE: u16 = u16::MAX;

/// A number written into a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Write {
    /// The cell.
    pub cell: u16,
    /// The number.
    pub value: u16,
}

novelo_search::wire_fields!([] Write { cell: u16, value: u16 });

/// A partly filled board.
///
/// Which number stands where is kept as the way that led to each number
/// written, in two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State<const F: usize> {
    free: Bits<F>,
    ways: [[u64; 2]; F],
    /// The number to write next; 0 when all are written.
    next: u16,
    /// The cell it must be a neighbour of.
    at: u16,
}

novelo_search::wire_fields!([const F: usize] State<F> { free: Bits<F>, ways: [[u64; 2]; F], next: u16, at: u16 });

impl<const F: usize> State<F> {
    /// The empty cells.
    pub fn free(&self) -> Bits<F> {
        self.free
    }

    /// The number to write next; 0 when all are written.
    pub fn next(&self) -> usize {
        self.next as usize
    }

    /// The cell that the next number must be a neighbour of; none at the start
    /// of a board without clues.
    pub fn at(&self) -> Option<usize> {
        (self.at != NOWHERE).then_some(self.at as usize)
    }

    /// The two bits of the way that led to a number.
    fn way(&self, value: usize) -> usize {
        let i = value - 1;
        (self.ways[i / 64][i / 32 % 2] >> (i % 32 * 2) & 3) as usize
    }

    #[inline]
    fn flip_way(&mut self, value: u16, way: u64) {
        let i = value as usize - 1;
        self.ways[i / 64][i / 32 % 2] ^= way << (i % 32 * 2);
    }
}

/// Two runs of given numbers and the empty stretch between them; or one run
/// and the stretch to the end of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The last number before the gap, and its cell; 0, and no cell, on a board
    /// without clues.
    pub from: (usize, usize),
    /// The first number after it, and its cell; none for the stretch to R·C.
    pub to: Option<(usize, usize)>,
}

impl Gap {
    /// How many numbers are missing, on a board whose last number is `last`.
    pub fn missing(&self, last: usize) -> usize {
        self.to.map_or(last, |to| to.0 - 1) - self.from.0
    }
}

/// The neighbours of a cell, in the order in which they are tried.
#[derive(Debug, Clone, Copy)]
struct Neighbours {
    count: u8,
    list: [u16; 4],
}

/// What is to be done after a number was written.
#[derive(Debug, Clone, Copy)]
struct After {
    next: u16,
    /// Where; `NOWHERE` for the cell just written.
    at: u16,
}

/// The order of neighbours: up, left, right, down.
pub const DEFAULT_ORDER: [u8; 4] = *b"ULRD";

/// A board as a search problem.
#[derive(Debug, Clone)]
pub struct Rules<const F: usize> {
    board: Board,
    start: State<F>,
    grid: Grid<F>,
    neighbours: Vec<Neighbours>,
    near: Vec<Bits<F>>,
    /// By number.
    after: Vec<After>,
    /// By number: the cell of its successor, where that is given.
    meets: Vec<u16>,
    gaps: Vec<Gap>,
    /// The smallest number given and its cell.
    lowest: Option<(usize, usize)>,
}

impl<const F: usize> Rules<F> {
    /// The rules for a board of at most 64 · F cells, neighbours being tried in
    /// an order made of the letters U, D, L and R.
    pub fn new(board: &Board, order: [u8; 4]) -> Self {
        let (rows, cols, last) = (board.size.rows, board.size.cols, board.last());
        assert!(last <= 64 * F, "the board is too large for its representation");
        let neighbours: Vec<_> = (0..last).map(|cell| neighbours(cell, rows, cols, order)).collect();
        let near = neighbours.iter().map(|n| {
            let mut set = Bits::EMPTY;
            n.list[..n.count as usize].iter().for_each(|&cell| set.insert(cell as usize));
            set
        });
        let near: Vec<Bits<F>> = near.collect();
        let clues = board.by_value();
        let lowest = clues.first().copied();
        let mut cell_of = vec![NOWHERE; last + 2];
        for &(value, cell) in &clues {
            cell_of[value] = cell as u16;
        }

        // What follows when the run has grown up to a number.
        let down = After {
            next: lowest.map_or(0, |(value, _)| value as u16 - 1),
            at: lowest.map_or(NOWHERE, |l| l.1 as u16),
        };
        let mut after = vec![After { next: 0, at: NOWHERE }; last + 1];
        for value in (1..=last).rev() {
            after[value] = if lowest.is_some_and(|(lowest, _)| value < lowest) {
                After { next: value as u16 - 1, at: NOWHERE }
            } else if value == last {
                down
            } else if cell_of[value + 1] == NOWHERE {
                After { next: value as u16 + 1, at: NOWHERE }
            } else {
                let mut after = after[value + 1];
                if after.at == NOWHERE {
                    after.at = cell_of[value + 1];
                }
                after
            };
        }
        let meets = (0..=last)
            .map(|value| match lowest {
                Some((lowest, _)) if value >= lowest => cell_of[value + 1],
                _ => NOWHERE,
            })
            .collect();

        let mut free = Bits::EMPTY;
        (0..last).filter(|&cell| board.cells[cell] == 0).for_each(|cell| free.insert(cell));
        let mut start = State { free, ways: [[0; 2]; F], next: 1, at: NOWHERE };
        if let Some((value, cell)) = lowest {
            start.next = after[value].next;
            start.at = if after[value].at == NOWHERE { cell as u16 } else { after[value].at };
        }
        let joined = |pair: &[(usize, usize)]| pair[1].0 - pair[0].0 > 1 || near[pair[0].1].has(pair[1].1);
        if !clues.windows(2).all(joined) {
            // Two consecutive numbers are given apart: nothing can be done.
            start = State { free: Bits::EMPTY, next: 1, at: 0, ..start };
        }
        Self {
            board: board.clone(),
            start,
            grid: Grid::new(rows, cols),
            neighbours,
            near,
            after,
            meets,
            gaps: gaps(&clues, last),
            lowest,
        }
    }

    /// The board as given.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The grid of its cells.
    pub fn grid(&self) -> &Grid<F> {
        &self.grid
    }

    /// The neighbours of a cell.
    pub fn near(&self, cell: usize) -> Bits<F> {
        self.near[cell]
    }

    /// The stretches of missing numbers above the lowest given, in order.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The smallest number given and its cell.
    pub fn lowest(&self) -> Option<(usize, usize)> {
        self.lowest
    }

    /// Whether the number to write next extends the run upwards.
    pub fn upwards(&self, state: &State<F>) -> bool {
        self.lowest.is_none_or(|(lowest, _)| state.next() >= lowest)
    }

    /// Two bits for the way between two neighbours.
    #[inline]
    fn way(&self, from: u16, to: u16) -> u64 {
        match to.wrapping_sub(from) {
            1 => 0,
            u16::MAX => 1,
            step if step as usize == self.board.size.cols => 2,
            _ => 3,
        }
    }

    /// The numbers of a state's cells, 0 for empty ones.
    pub fn values(&self, state: &State<F>) -> Vec<u16> {
        let mut values = self.board.cells.clone();
        let cols = self.board.size.cols as isize;
        let step = |value: usize| [1, -1, cols, -cols][state.way(value)];
        let Some(at) = state.at() else { return values };
        let top = if state.next > 0 && self.upwards(state) { state.next() - 1 } else { self.board.last() };
        let Some((lowest, lowest_cell)) = self.lowest else {
            let mut cell = at;
            for value in (1..=top).rev() {
                values[cell] = value as u16;
                if value > 1 {
                    cell = cell.wrapping_add_signed(-step(value));
                }
            }
            return values;
        };
        let mut cell = lowest_cell;
        let mut given = self.board.by_value().into_iter().peekable();
        for value in lowest..=top {
            if let Some((_, clue)) = given.next_if(|&(clue, _)| clue == value) {
                cell = clue;
            } else {
                cell = cell.wrapping_add_signed(step(value));
                values[cell] = value as u16;
            }
        }
        if !self.upwards(state) {
            cell = lowest_cell;
            for value in (state.next() + 1..lowest).rev() {
                cell = cell.wrapping_add_signed(step(value));
                values[cell] = value as u16;
            }
        }
        values
    }
}

fn neighbours(cell: usize, rows: usize, cols: usize, order: [u8; 4]) -> Neighbours {
    let (row, col) = (cell / cols, cell % cols);
    let mut neighbours = Neighbours { count: 0, list: [NOWHERE; 4] };
    for way in order {
        let next = match way {
            b'U' => (row > 0).then(|| cell - cols),
            b'D' => (row + 1 < rows).then(|| cell + cols),
            b'L' => (col > 0).then(|| cell - 1),
            _ => (col + 1 < cols).then(|| cell + 1),
        };
        if let Some(next) = next {
            neighbours.list[neighbours.count as usize] = next as u16;
            neighbours.count += 1;
        }
    }
    neighbours
}

fn gaps(clues: &[(usize, usize)], last: usize) -> Vec<Gap> {
    let between = clues.windows(2).map(|pair| Gap { from: pair[0], to: Some(pair[1]) });
    let end = Gap { from: clues.last().copied().unwrap_or((0, 0)), to: None };
    between.chain([end]).filter(|gap| gap.missing(last) > 0).collect()
}

/// What writing a number changes beside its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    next: u16,
    at: u16,
}

impl<const F: usize> Problem for Rules<F> {
    type State = State<F>;
    type Action = Write;
    type Undo = Before;
    type Cost = Cost;

    const TREE: bool = true;

    fn start(&self) -> State<F> {
        self.start
    }

    #[inline]
    fn is_goal(&self, state: &State<F>) -> bool {
        state.next == 0
    }

    #[inline]
    fn actions(&self, state: &State<F>, out: &mut Vec<Write>) {
        let value = state.next;
        if value == 0 {
            return;
        }
        if state.at == NOWHERE {
            out.extend((0..self.board.last() as u16).map(|cell| Write { cell, value }));
            return;
        }
        let Neighbours { count, list } = self.neighbours[state.at as usize];
        let meets = self.meets[value as usize];
        for &cell in &list[..count as usize] {
            let joins = meets == NOWHERE || self.near[meets as usize].has(cell as usize);
            if state.free.has(cell as usize) && joins {
                out.push(Write { cell, value });
            }
        }
    }

    #[inline]
    fn apply(&self, state: &mut State<F>, Write { cell, value }: Write) -> (Cost, Before) {
        let before = Before { next: state.next, at: state.at };
        state.free.remove(cell as usize);
        if state.at != NOWHERE {
            state.flip_way(value, self.way(state.at, cell));
        }
        let after = self.after[value as usize];
        state.next = after.next;
        state.at = if after.at == NOWHERE { cell } else { after.at };
        (1, before)
    }

    #[inline]
    fn undo(&self, state: &mut State<F>, Write { cell, value }: Write, before: Before) {
        state.next = before.next;
        state.at = before.at;
        state.free.insert(cell as usize);
        if state.at != NOWHERE {
            state.flip_way(value, self.way(state.at, cell));
        }
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

impl<const F: usize> crate::formulation::Rules for Rules<F> {
    fn written(&self, write: Write) -> String {
        written_move(&self.board, write.cell as usize, write.value as usize)
    }
}

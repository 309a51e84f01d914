//! The steps left and a bound on the turns left, by drawing what is forced.
//!
//! Two cells are joined if the path steps between them. A cell that the path
//! passes has two joins, the current cell and the end have one. A cell with no
//! more open joins than it needs has them all; a cell that has all it needs
//! closes the others. Drawn to the end, this shows many dead ends, and the
//! cells where no straight pair of joins is open must turn.

use novelo_search::{Heuristic, Problem, Promise};

use super::instance::{LONGEST, Maze};
use super::moves::Way;
use super::rules::{Rules, STEP, State, TURN};
use crate::bits::Bits;

/// The admissible estimate.
#[derive(Debug, Clone)]
pub struct Turns<const W: usize> {
    rows: usize,
    cols: usize,
    /// The cells that have a cell to their right.
    has_right: Bits<W>,
}

/// Joins from each cell to its right and to the cell below it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Joins<const W: usize> {
    right: Bits<W>,
    down: Bits<W>,
}

/// For each cell, whether it is joined left, right, up, down.
struct Arms<const W: usize> {
    left: Bits<W>,
    right: Bits<W>,
    up: Bits<W>,
    down: Bits<W>,
}

impl<const W: usize> Arms<W> {
    fn any(&self) -> Bits<W> {
        self.left | self.right | self.up | self.down
    }

    fn straight(&self) -> Bits<W> {
        (self.left & self.right) | (self.up & self.down)
    }

    fn two(&self) -> Bits<W> {
        self.straight() | ((self.left | self.right) & (self.up | self.down))
    }

    fn three(&self) -> Bits<W> {
        (self.left & self.right & (self.up | self.down)) | (self.up & self.down & (self.left | self.right))
    }
}

impl<const W: usize> Turns<W> {
    /// For a maze.
    pub fn new(maze: &Maze) -> Self {
        let (rows, cols) = (maze.size.rows, maze.size.cols);
        let has_right = (0..rows * cols).filter(|cell| (cell + 1) % cols != 0).collect();
        Self { rows, cols, has_right }
    }

    fn arms(&self, joins: &Joins<W>) -> Arms<W> {
        Arms {
            left: joins.right.forth(1),
            right: joins.right,
            up: joins.down.forth(self.cols),
            down: joins.down,
        }
    }

    /// The joins of some cells, among given ones.
    fn touching(&self, cells: Bits<W>, among: &Joins<W>) -> Joins<W> {
        Joins {
            right: among.right & (cells | cells.back(1)),
            down: among.down & (cells | cells.back(self.cols)),
        }
    }

    /// All joins between empty cells and the current one that the rules allow
    /// in the next move or two.
    fn open(&self, state: &State<W>) -> Joins<W> {
        let cell = state.cell as usize;
        let cells = state.empty | Bits::of(cell);
        let mut open =
            Joins { right: cells & cells.back(1) & self.has_right, down: cells & cells.back(self.cols) };
        // A segment that may not end yet goes on.
        if let Some(facing) = state.facing.filter(|_| !state.may_turn()) {
            let here = Bits::of(cell);
            let mut closed = self.touching(here, &open);
            match facing {
                Way::Right => closed.right &= !here,
                Way::Down => closed.down &= !here,
                Way::Left => closed.right &= here,
                Way::Up => closed.down &= here,
            }
            open.right &= !closed.right;
            open.down &= !closed.down;
        }
        open
    }

    /// Draws what is forced; `None` if that leads to a contradiction, else the
    /// joins still open and those drawn.
    fn draw(&self, inner: Bits<W>, ends: Bits<W>, mut open: Joins<W>) -> Option<(Joins<W>, Joins<W>)> {
        let mut drawn = Joins { right: Bits::EMPTY, down: Bits::EMPTY };
        loop {
            let arms = self.arms(&open);
            let two = arms.two();
            if !(inner & !two).is_empty() || !(ends & !arms.any()).is_empty() {
                return None;
            }
            let needs_all = (inner & !arms.three()) | (ends & !two);
            let all = self.touching(needs_all, &open);
            drawn = Joins { right: drawn.right | all.right, down: drawn.down | all.down };
            let arms = self.arms(&drawn);
            let two = arms.two();
            if !(inner & arms.three()).is_empty() || !(ends & two).is_empty() {
                return None;
            }
            let has_all = (inner & two) | (ends & arms.any());
            let settled = self.touching(has_all, &open);
            let next = Joins {
                right: open.right & (drawn.right | !settled.right),
                down: open.down & (drawn.down | !settled.down),
            };
            if next == open {
                return Some((open, drawn));
            }
            open = next;
        }
    }

    /// Whether every empty cell can be reached over open joins.
    fn connected(&self, state: &State<W>, open: &Joins<W>) -> bool {
        let mut reached = Bits::of(state.cell as usize);
        loop {
            let next = reached
                | (reached & open.right).forth(1)
                | (reached.back(1) & open.right)
                | (reached & open.down).forth(self.cols)
                | (reached.back(self.cols) & open.down);
            if next == reached {
                return (state.empty & !reached).is_empty();
            }
            reached = next;
        }
    }

    /// The fewest segments that the empty cells need.
    ///
    /// With v vertical segments, every run of more than v empty cells in a row
    /// needs a horizontal one of its own, and the other way round; the two
    /// kinds alternate.
    fn segments(&self, empty: &Bits<W>) -> u32 {
        let cell = |row: usize, col: usize| row * self.cols + col;
        let across = runs(self.rows, self.cols, |row, col| empty.has(cell(row, col)));
        let along = runs(self.cols, self.rows, |col, row| empty.has(cell(row, col)));
        let mut fewest = 0;
        loop {
            let half = fewest / 2;
            let splits =
                if fewest % 2 == 0 { [(half, half); 2] } else { [(half, half + 1), (half + 1, half)] };
            let enough = |&(h, v): &(usize, usize)| {
                across[v.min(LONGEST)] as usize <= h && along[h.min(LONGEST)] as usize <= v
            };
            if splits.iter().any(enough) {
                return fewest as u32;
            }
            fewest += 1;
        }
    }
}

/// How many runs of more than n cells the lines of a grid have, for every n.
fn runs(lines: usize, length: usize, has: impl Fn(usize, usize) -> bool) -> [u16; LONGEST + 1] {
    let mut longer = [0; LONGEST + 1];
    for line in 0..lines {
        let mut run = 0;
        for place in 0..length {
            if has(line, place) {
                longer[run] += 1;
                run += 1;
            } else {
                run = 0;
            }
        }
    }
    longer
}

impl<const W: usize> Heuristic<Rules<W>> for Turns<W> {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::ADMISSIBLE
    }

    fn memo(&self, rules: &Rules<W>, state: &State<W>) -> Option<u32> {
        if state.left == 0 {
            return rules.is_goal(state).then_some(0);
        }
        let (cell, end) = (state.cell as usize, rules.end() as usize);
        if !state.empty.has(end) {
            return None;
        }
        let mut inner = state.empty;
        inner.remove(end);
        let ends = Bits::of(cell) | Bits::of(end);
        let (open, drawn) = self.draw(inner, ends, self.open(state))?;
        let arms = self.arms(&open);
        let turning = inner & !arms.straight();
        // Joined cells that both turn, or turn and end, are a segment of length 1.
        let stops = turning | Bits::of(end);
        let right = drawn.right & stops & stops.back(1);
        let down = drawn.down & stops & stops.back(self.cols);
        if !((right | right.forth(1)) & (down | down.forth(self.cols)) & turning).is_empty()
            || !self.connected(state, &open)
        {
            return None;
        }
        let ahead = match state.facing {
            None => false,
            Some(Way::Left) => arms.left.has(cell),
            Some(Way::Right) => arms.right.has(cell),
            Some(Way::Up) => arms.up.has(cell),
            Some(Way::Down) => arms.down.has(cell),
        };
        // A segment that can go on may be the first of those that are needed.
        let turns = (turning.count() + u32::from(!ahead)).max(self.segments(&state.empty) - u32::from(ahead));
        Some(STEP * u32::from(state.left) + TURN * turns)
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    #[inline]
    fn resume(&self, _: &Rules<W>, _: &State<W>, value: u32) -> u32 {
        value
    }
}

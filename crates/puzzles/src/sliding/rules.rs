//! The rules as a search problem: the blank moves, a tile takes its place.

use std::fmt;

use crate::Cost;
use novelo_search::parts::hash;
use novelo_search::{Algorithm, CannotRun, Heuristic, Meter, Outcome, Problem, Reversible, Search};

use super::board::Board;
use super::instance::Tiles;
use crate::formulation::Backwards;
use crate::puzzle::Size;

/// The way the blank goes. Opposite ways differ in the lowest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Move {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Move {
    /// Every move, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// Every move, in the order in which they are tried by default.
    pub const DEFAULT_ORDER: [Self; 4] = [Self::Up, Self::Left, Self::Right, Self::Down];

    /// The move that takes this one back.
    #[inline]
    #[must_use]
    pub fn opposite(self) -> Self {
        // A table rather than a match: a jump here would be mispredicted.
        [Self::Down, Self::Up, Self::Right, Self::Left][self as usize]
    }

    /// The change of the blank's row and column.
    pub(super) fn offset(self) -> (i32, i32) {
        [(-1, 0), (1, 0), (0, -1), (0, 1)][self as usize]
    }

    fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Down => 'D',
            Self::Left => 'L',
            Self::Right => 'R',
        }
    }

    /// Reads an order such as `ULRD`.
    pub fn order(text: &str) -> Option<[Self; 4]> {
        let read = |c: char| Self::DEFAULT_ORDER.into_iter().find(|m| m.letter() == c.to_ascii_uppercase());
        let order: Vec<_> = text.chars().map(read).collect::<Option<_>>()?;
        let order: [Self; 4] = order.try_into().ok()?;
        Self::DEFAULT_ORDER.iter().all(|m| order.contains(m)).then_some(order)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

novelo_search::wire_listed!(Move, Move::ALL);

/// Where the blank was before a move: spares finding it again. `UNKNOWN` where
/// only the board and the move are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blank(u16);

impl Blank {
    const UNKNOWN: Self = Self(u16::MAX);

    /// The cell.
    #[inline]
    pub fn cell(self) -> usize {
        self.0 as usize
    }
}

/// The moves possible from one place of the blank, in order.
#[derive(Debug, Clone, Copy)]
struct Moves {
    count: u8,
    list: [Move; 4],
}

/// Stands for no previous move, after the four.
const NO_MOVE: usize = 4;

/// A sliding-tile puzzle on boards of one representation.
#[derive(Debug, Clone)]
pub struct Rules<B> {
    start: B,
    goal: B,
    /// What each move adds to the blank's cell.
    steps: [isize; 4],
    /// By place of the blank and previous move, or `NO_MOVE` if any will do.
    moves: Vec<Moves>,
    /// The cells on one side of a line across the middle.
    half: Vec<u16>,
    /// A random number for each tile, and none for the blank: what a set of tiles is hashed by.
    marks: [u64; 256],
}

impl<B: Board> Rules<B> {
    /// The rules for an instance, trying moves in a given order.
    pub fn new(tiles: &Tiles, order: [Move; 4]) -> Self {
        let (rows, cols) = (tiles.size.rows, tiles.size.cols);
        let moves = |(cell, previous): (usize, Option<Move>)| {
            let (row, col) = (cell / cols, cell % cols);
            let mut moves = Moves { count: 0, list: order };
            for way in order {
                let possible = match way {
                    Move::Up => row > 0,
                    Move::Down => row + 1 < rows,
                    Move::Left => col > 0,
                    Move::Right => col + 1 < cols,
                };
                if possible && previous != Some(way.opposite()) {
                    moves.list[moves.count as usize] = way;
                    moves.count += 1;
                }
            }
            moves
        };
        let before = Move::ALL.map(Some).into_iter().chain([None]);
        let places = (0..rows * cols).flat_map(|cell| before.clone().map(move |previous| (cell, previous)));
        let mut steps = [0; 4];
        steps[Move::Up as usize] = -(cols as isize);
        steps[Move::Down as usize] = cols as isize;
        steps[Move::Left as usize] = -1;
        steps[Move::Right as usize] = 1;
        let is_above = |&cell: &u16| {
            let (row, col) = (cell as usize / cols, cell as usize % cols);
            if rows >= cols { row < rows / 2 } else { col < cols / 2 }
        };
        let mut marks = std::array::from_fn(|tile| hash(&tile));
        marks[0] = 0;
        Self {
            half: (0..(rows * cols) as u16).filter(is_above).collect(),
            marks,
            start: B::pack(&tiles.start),
            goal: B::pack(&tiles.goal),
            steps,
            moves: places.map(moves).collect(),
        }
    }

    /// The way back: from the goal to the start.
    pub(super) fn reversed(&self) -> Tiles {
        let cells = self.moves.len() / (NO_MOVE + 1);
        let cols = self.steps[Move::Down as usize] as usize;
        let unpack = |board: &B| (0..cells).map(|cell| board.tile(cell)).collect();
        let size = Size { rows: cells / cols, cols };
        Tiles { size, start: unpack(&self.goal), goal: unpack(&self.start) }
    }

    #[inline]
    fn push_moves(&self, board: &B, previous: usize, out: &mut Vec<Move>) {
        let moves = &self.moves[board.blank() * (NO_MOVE + 1) + previous];
        // All four, then back to as many as there are: copies of a fixed size
        // are an instruction, others a call.
        out.extend_from_slice(&moves.list);
        out.truncate(out.len() - 4 + moves.count as usize);
    }

    /// The cell the blank comes to when it goes one way.
    #[inline]
    pub fn step(&self, blank: usize, way: Move) -> usize {
        blank.wrapping_add_signed(self.steps[way as usize])
    }
}

impl<B: Board> Problem for Rules<B> {
    type State = B;
    type Action = Move;
    type Undo = Blank;
    type Cost = Cost;

    const BACK: Option<Blank> = Some(Blank::UNKNOWN);

    fn start(&self) -> B {
        self.start.clone()
    }

    #[inline]
    fn is_goal(&self, board: &B) -> bool {
        *board == self.goal
    }

    #[inline]
    fn actions(&self, board: &B, out: &mut Vec<Move>) {
        self.push_moves(board, NO_MOVE, out);
    }

    #[inline]
    fn actions_after(&self, board: &B, &previous: &Move, out: &mut Vec<Move>) -> usize {
        self.push_moves(board, previous as usize, out);
        1
    }

    #[inline]
    fn apply(&self, board: &mut B, way: Move) -> (Cost, Blank) {
        let blank = board.blank();
        board.slide(self.step(blank, way), blank);
        (1, Blank(blank as u16))
    }

    #[inline]
    fn undo(&self, board: &mut B, way: Move, before: Blank) {
        if before == Blank::UNKNOWN {
            self.apply(board, way.opposite());
        } else {
            board.slide(before.cell(), self.step(before.cell(), way));
        }
    }

    #[inline]
    fn reverses(&self, way: &Move, previous: &Move) -> bool {
        *way as u8 == *previous as u8 ^ 1
    }

    /// The set of tiles in the half of the board that a middle line across its longer side cuts off: only a tile that
    /// crosses the line changes it (abstract Zobrist hashing; Jinnai and Fukunaga, 2017).
    #[inline]
    fn projection(&self, board: &B) -> u64 {
        self.half.iter().fold(0, |set, &cell| set ^ self.marks[board.tile(cell as usize) as usize])
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

/// Every move can be taken back, so the moves into a board are those that lead out of it, the other way round.
impl<B: Board> Reversible for Rules<B> {
    fn goals(&self) -> Vec<B> {
        vec![self.goal.clone()]
    }

    fn actions_into(&self, board: &B, out: &mut Vec<Move>) {
        let first = out.len();
        self.actions(board, out);
        out[first..].iter_mut().for_each(|way| *way = way.opposite());
    }

    fn retract(&self, board: &mut B, way: Move) -> Cost {
        self.apply(board, way.opposite()).0
    }
}

impl<B: Board> crate::formulation::Rules for Rules<B> {
    fn written(&self, way: Move) -> String {
        way.to_string()
    }

    fn backwards(&self) -> Option<&dyn Backwards<B, Move>> {
        Some(self)
    }

    fn run<H: Heuristic<Self>>(
        search: Search<'_, Self, H>,
        meter: &Meter<'_>,
        algorithm: Algorithm,
    ) -> Result<Outcome<Move>, CannotRun> {
        search.run_reversible_under(meter, algorithm)
    }
}

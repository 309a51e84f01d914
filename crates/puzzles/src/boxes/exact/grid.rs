//! A board as the solvers see it: what each box lacks, the shorter side as the
//! width.

use crate::boxes::instance::Board;
use crate::boxes::relaxation::Relaxation;
use crate::boxes::rules::Arc;
use crate::puzzle::Size;

/// The sides of a box as bits of what it lacks.
pub const TOP: u8 = 1;
pub const LEFT: u8 = 2;
pub const RIGHT: u8 = 4;
pub const BOTTOM: u8 = 8;

/// A set of boxes, by row and column.
pub type Set = Vec<bool>;

/// What each box lacks, row by row; 0 for closed boxes.
#[derive(Debug, Clone)]
pub struct Grid {
    size: Size,
    pub lacks: Vec<u8>,
    /// Whether rows and columns were exchanged.
    turned: bool,
    /// The columns of the board.
    board_cols: usize,
}

impl Grid {
    pub fn new(board: &Board) -> Self {
        let turned = board.size.cols > board.size.rows;
        let size = if turned { Size { rows: board.size.cols, cols: board.size.rows } } else { board.size };
        let mut lacks = Vec::with_capacity(board.boxes());
        for row in 0..size.rows {
            for col in 0..size.cols {
                let (r, c) = if turned { (col, row) } else { (row, col) };
                let above = [!board.horizontal[r][c], !board.horizontal[r + 1][c]];
                let beside = [!board.vertical[r][c], !board.vertical[r][c + 1]];
                let ([top, bottom], [left, right]) = if turned { (beside, above) } else { (above, beside) };
                let sides = [(top, TOP), (left, LEFT), (right, RIGHT), (bottom, BOTTOM)];
                lacks.push(sides.into_iter().filter(|(lacking, _)| *lacking).map(|(_, side)| side).sum());
            }
        }
        Self { size, lacks, turned, board_cols: board.size.cols }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn none(&self) -> Set {
        vec![false; self.lacks.len()]
    }

    /// The open boxes that a test picks.
    pub fn set(&self, test: impl Fn(usize, usize) -> bool) -> Set {
        let cols = self.size.cols;
        (0..self.lacks.len()).map(|cell| self.lacks[cell] != 0 && test(cell / cols, cell % cols)).collect()
    }

    pub fn load(&self, relaxation: &mut Relaxation) {
        for (cell, &lacks) in self.lacks.iter().enumerate() {
            relaxation.set(relaxation.cell(cell / self.size.cols, cell % self.size.cols), lacks);
        }
    }

    /// The neighbour of a box across a side.
    pub fn across(&self, cell: usize, side: u8) -> Option<usize> {
        let (r, c) = (cell / self.size.cols, cell % self.size.cols);
        match side {
            TOP => (r > 0).then(|| cell - self.size.cols),
            LEFT => (c > 0).then(|| cell - 1),
            RIGHT => (c + 1 < self.size.cols).then(|| cell + 1),
            _ => (r + 1 < self.size.rows).then(|| cell + self.size.cols),
        }
    }

    /// The sides that a box lacks and that no box of a set provides.
    pub fn alone(&self, cell: usize, set: &Set) -> u32 {
        let sides = [TOP, LEFT, RIGHT, BOTTOM].into_iter().filter(|side| self.lacks[cell] & side != 0);
        sides.filter(|&side| self.across(cell, side).is_none_or(|other| !set[other])).count() as u32
    }

    /// How many arcs a set of boxes lacks.
    pub fn cost(&self, set: &Set) -> u32 {
        let members = (0..set.len()).filter(|&cell| set[cell]);
        let halves = |cell: usize| self.lacks[cell].count_ones() + self.alone(cell, set);
        members.map(halves).sum::<u32>() / 2
    }

    /// The arcs that a set of boxes lacks, in reading order.
    pub fn arcs(&self, set: &Set) -> Vec<Arc> {
        let mut arcs = Vec::new();
        for cell in (0..set.len()).filter(|&cell| set[cell]) {
            let (row, col) = (cell / self.size.cols, cell % self.size.cols);
            for side in [TOP, LEFT, RIGHT, BOTTOM].into_iter().filter(|side| self.lacks[cell] & side != 0) {
                let (row, col) = (row + usize::from(side == BOTTOM), col + usize::from(side == RIGHT));
                let level = side == TOP || side == BOTTOM;
                arcs.push(match (level, self.turned) {
                    (true, false) => Arc::horizontal(self.board_cols, row, col),
                    (false, false) => Arc::vertical(self.board_cols, row, col),
                    (true, true) => Arc::vertical(self.board_cols, col, row),
                    (false, true) => Arc::horizontal(self.board_cols, col, row),
                });
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
        arcs
    }
}

//! The geometry of a rectangular board: cells, blank moves and symmetries.

use std::fmt;

use crate::sliding::rules::Move;

/// The largest number of cells a bit-mask over cells can hold; pattern databases stop there.
pub const MAX_MASK_CELLS: usize = 32;

/// The number of rows and columns of a board; cells are numbered row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Shape {
    /// Number of rows.
    pub rows: u8,
    /// Number of columns.
    pub cols: u8,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl Shape {
    /// A board of `rows` by `cols` cells.
    pub const fn new(rows: u8, cols: u8) -> Self {
        Self { rows, cols }
    }

    /// The number of cells.
    pub const fn cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// The cell the blank reaches by `step` from `cell`, if that stays on the board.
    pub fn neighbour(self, cell: usize, step: Move) -> Option<usize> {
        let cols = usize::from(self.cols);
        let (row, col) = (cell / cols, cell % cols);
        match step {
            Move::Up if row > 0 => Some(cell - cols),
            Move::Left if col > 0 => Some(cell - 1),
            Move::Right if col + 1 < cols => Some(cell + 1),
            Move::Down if row + 1 < usize::from(self.rows) => Some(cell + cols),
            _ => None,
        }
    }

    /// The number of steps between two cells.
    pub fn distance(self, a: usize, b: usize) -> usize {
        let cols = usize::from(self.cols);
        (a / cols).abs_diff(b / cols) + (a % cols).abs_diff(b % cols)
    }

    /// The mask of all cells; only for boards of at most [`MAX_MASK_CELLS`] cells.
    pub fn full_mask(self) -> u32 {
        debug_assert!(self.cells() <= MAX_MASK_CELLS);
        u32::MAX >> (32 - self.cells())
    }

    /// The cells of `free` that are connected to `seed` through cells of `free`.
    pub fn flood(self, seed: u32, free: u32) -> u32 {
        let cols = u32::from(self.cols);
        let first_column = (0..u32::from(self.rows)).fold(0u32, |m, r| m | 1 << (r * cols));
        let last_column = first_column << (cols - 1);
        let mut reached = seed & free;
        loop {
            let east = (reached & !last_column) << 1;
            let west = (reached & !first_column) >> 1;
            let south = reached.checked_shl(cols).unwrap_or(0);
            let north = reached.checked_shr(cols).unwrap_or(0);
            let grown = (reached | east | west | north | south) & free;
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// The connected components of `free`, the one with the lowest cell first.
    pub fn regions(self, free: u32) -> impl Iterator<Item = u32> {
        let mut rest = free;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let region = self.flood(rest & rest.wrapping_neg(), free);
            rest &= !region;
            Some(region)
        })
    }
}

/// A rotation or reflection of a board: an optional transposition followed by optional flips.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Symmetry {
    /// Rows and columns change places (before the flips).
    pub transpose: bool,
    /// The order of the rows is turned around.
    pub flip_rows: bool,
    /// The order of the columns is turned around.
    pub flip_cols: bool,
}

impl Symmetry {
    /// The reflection in the main diagonal.
    pub const TRANSPOSE: Self = Self { transpose: true, flip_rows: false, flip_cols: false };

    /// All eight symmetries of the square, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8u8).map(|bits| Self {
            transpose: bits & 4 != 0,
            flip_rows: bits & 2 != 0,
            flip_cols: bits & 1 != 0,
        })
    }

    /// The shape of the image of a board.
    pub fn image(self, shape: Shape) -> Shape {
        if self.transpose { Shape::new(shape.cols, shape.rows) } else { shape }
    }

    /// The place of `cell` of a board of this `shape` in the image.
    pub fn cell(self, shape: Shape, cell: usize) -> usize {
        let cols = usize::from(shape.cols);
        let (mut row, mut col) = (cell / cols, cell % cols);
        let target = self.image(shape);
        if self.transpose {
            std::mem::swap(&mut row, &mut col);
        }
        if self.flip_rows {
            row = usize::from(target.rows) - 1 - row;
        }
        if self.flip_cols {
            col = usize::from(target.cols) - 1 - col;
        }
        row * usize::from(target.cols) + col
    }

    /// The image of a set of cells.
    pub fn mask(self, shape: Shape, mask: u32) -> u32 {
        (0..shape.cells()).filter(|&c| mask >> c & 1 == 1).fold(0, |m, c| m | 1 << self.cell(shape, c))
    }

    /// The move of the original board whose image is `step`.
    pub fn preimage_of_move(self, step: Move) -> Move {
        Move::ALL
            .into_iter()
            .find(|&m| self.image_of_move(m) == step)
            .expect("symmetries permute the four moves")
    }

    /// The image of a move.
    pub fn image_of_move(self, step: Move) -> Move {
        let (mut dr, mut dc) = step.offset();
        if self.transpose {
            std::mem::swap(&mut dr, &mut dc);
        }
        if self.flip_rows {
            dr = -dr;
        }
        if self.flip_cols {
            dc = -dc;
        }
        Move::ALL.into_iter().find(|m| m.offset() == (dr, dc)).expect("a unit offset is a move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_neighbours_and_moves_together() {
        for shape in [Shape::new(3, 4), Shape::new(4, 4), Shape::new(5, 2)] {
            for s in Symmetry::all() {
                let image = s.image(shape);
                for cell in 0..shape.cells() {
                    for m in Move::ALL {
                        let direct = shape.neighbour(cell, s.preimage_of_move(m)).map(|n| s.cell(shape, n));
                        assert_eq!(direct, image.neighbour(s.cell(shape, cell), m));
                    }
                }
            }
        }
    }

    #[test]
    fn regions_split_a_board_cut_by_a_column() {
        let shape = Shape::new(3, 3);
        let middle_column = 0b010_010_010;
        let regions: Vec<u32> = shape.regions(shape.full_mask() & !middle_column).collect();
        assert_eq!(regions, [0b001_001_001, 0b100_100_100]);
    }
}

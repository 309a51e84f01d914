//! A lower bound for boards of any size: Manhattan distance and linear conflicts (O. Hansson, A. Mayer, M. Yung, 1992).

use crate::sliding::heuristics::extra;
use crate::sliding::optimal::position::Position;

/// A lower bound on the length of solutions.
///
/// Of the tiles that lie in their goal line (row or column), those that do not keep the order of their homes must make
/// way: at least as many as are missing from the longest ascending sequence leave the line and come back, two moves
/// beyond the Manhattan distance for each. Rows and columns count different moves, so both may be added.
pub fn lower_bound(position: &Position) -> u32 {
    let (rows, cols) = (usize::from(position.shape().rows), usize::from(position.shape().cols));
    let label = |cell: usize| (cell != position.blank()).then(|| usize::from(position.labels()[cell]));
    let mut conflicts = 0;
    for row in 0..rows {
        let homes = (0..cols).filter_map(|col| label(row * cols + col));
        conflicts += extra(homes.filter(|home| home / cols == row).map(|home| (home % cols) as u8));
    }
    for col in 0..cols {
        let homes = (0..rows).filter_map(|row| label(row * cols + col));
        conflicts += extra(homes.filter(|home| home % cols == col).map(|home| (home / cols) as u8));
    }
    position.manhattan() as u32 + conflicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::shape::Shape;

    #[test]
    fn a_reversed_row_must_let_all_tiles_but_one_out() {
        let goal: Vec<u16> = (0..16).collect();
        let mut start = goal.clone();
        start[4..8].reverse();
        let position = Position::between(Shape::new(4, 4), &start, &goal);
        assert_eq!(lower_bound(&position), 8 + 6);
    }
}

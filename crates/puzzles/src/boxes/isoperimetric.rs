//! The fewest sides that a number of boxes can have.

use crate::puzzle::Size;

/// The fewest different sides of `boxes` boxes on a board of a size; `None` if
/// the board has fewer.
///
/// Boxes have four sides each, and those between two of them count once: sides
/// = 2 · boxes + half the perimeter. A shape has at least the half perimeter of
/// the rectangle around it, and a rectangle filled row by row has no more. On a
/// board large enough that is 2n + ⌈2√n⌉ (Harary and Harborth, 1976).
pub fn fewest_arcs(size: Size, boxes: usize) -> Option<usize> {
    if boxes == 0 {
        return Some(0);
    }
    let around = |rows: usize| (rows, boxes.div_ceil(rows));
    let rectangles = (1..=size.rows).map(around).filter(|&(_, cols)| cols <= size.cols);
    rectangles.map(|(rows, cols)| 2 * boxes + rows + cols).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_large_boards_it_is_the_closed_form() {
        for boxes in 1..400 {
            let root = (2.0 * (boxes as f64).sqrt()).ceil() as usize;
            assert_eq!(fewest_arcs(Size { rows: 20, cols: 20 }, boxes), Some(2 * boxes + root));
        }
    }

    #[test]
    fn a_narrow_board_forces_a_long_shape() {
        let size = Size { rows: 1, cols: 9 };
        assert_eq!(fewest_arcs(size, 9), Some(28));
        assert_eq!(fewest_arcs(size, 10), None);
    }
}

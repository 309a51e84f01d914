//! What the arrow keys choose on a board.

use novelo_puzzles::session::{Arrows, View};

use super::board::Spot;

/// One of the four arrow keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrow {
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Arrow {
    /// The move that it is, where arrows are moves.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Up => "U",
            Self::Down => "D",
            Self::Left => "L",
            Self::Right => "R",
        }
    }

    fn offset(self) -> (isize, isize) {
        match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        }
    }
}

/// What is chosen first, where something can be.
pub fn first(view: &View) -> Option<Spot> {
    match view.arrows {
        Arrows::Move => None,
        Arrows::Cells => Some(Spot::Cell(view.cells.iter().position(|c| c.value.is_none()).unwrap_or(0))),
        Arrows::Arcs => Some(Spot::Arc(0)),
    }
}

/// What is chosen after an arrow key; the same if there is nothing that way.
pub fn moved(view: &View, spot: Spot, arrow: Arrow) -> Spot {
    let (down, right) = arrow.offset();
    match spot {
        Spot::Cell(cell) => {
            let row = (cell / view.cols).checked_add_signed(down).filter(|&row| row < view.rows);
            let col = (cell % view.cols).checked_add_signed(right).filter(|&col| col < view.cols);
            row.zip(col).map_or(spot, |(row, col)| Spot::Cell(row * view.cols + col))
        }
        Spot::Arc(arc) => {
            let arc = &view.arcs[arc];
            // Along a line of sides, or across to the line between: from a top
            // side to the left side of the same box, and on to the next top side.
            let (row, horizontal) = match (arrow, arc.horizontal) {
                (Arrow::Up, true) => (arc.row.checked_sub(1), false),
                (Arrow::Down, false) => (Some(arc.row + 1), true),
                (Arrow::Up, false) => (Some(arc.row), true),
                (Arrow::Down, true) => (Some(arc.row), false),
                (_, horizontal) => (Some(arc.row), horizontal),
            };
            let col = arc.col.checked_add_signed(right);
            let find = |row: usize, col: usize| {
                let is_it = |other: &novelo_puzzles::session::ArcView| {
                    (other.row, other.col, other.horizontal) == (row, col, horizontal)
                };
                view.arcs.iter().position(is_it)
            };
            let beside = |(row, col): (usize, usize)| {
                // The far right side has no top side of its own.
                find(row, col).or_else(|| find(row, col.checked_sub(1)?).filter(|_| right == 0))
            };
            row.zip(col).and_then(beside).map_or(spot, Spot::Arc)
        }
    }
}

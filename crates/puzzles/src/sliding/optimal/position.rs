//! Boards as users write them, and positions relabelled so that every goal looks the same.

use crate::sliding::instance::Tiles;
use crate::sliding::optimal::shape::{Shape, Symmetry};
use crate::sliding::rules::Move;

/// A start position relabelled by its goal: `labels[cell]` is the goal cell of the tile at `cell`.
///
/// With these labels the goal is always "every label at its own cell", whatever tiles the user's goal has; the only
/// thing that remains of the goal is the blank's place in it, which is the blank's label.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    shape: Shape,
    labels: Vec<u16>,
    blank: usize,
}

impl Position {
    /// The start of an instance, relabelled by its goal.
    pub fn of(tiles: &Tiles) -> Self {
        let wide = |board: &[u8]| board.iter().copied().map(u16::from).collect::<Vec<_>>();
        let shape = Shape::new(tiles.size.rows as u8, tiles.size.cols as u8);
        Self::between(shape, &wide(&tiles.start), &wide(&tiles.goal))
    }

    /// Relabels `start` by `goal`; both list the same tiles row by row with 0 for the blank.
    pub fn between(shape: Shape, start: &[u16], goal: &[u16]) -> Self {
        let mut home = vec![0; usize::from(goal.iter().copied().max().unwrap_or(0)) + 1];
        for (cell, &tile) in (0u16..).zip(goal) {
            home[usize::from(tile)] = cell;
        }
        let labels = start.iter().map(|&tile| home[usize::from(tile)]).collect();
        let blank = start.iter().position(|&tile| tile == 0).expect("a board has a blank");
        Self { shape, labels, blank }
    }

    /// A position by its labels and the blank's cell.
    pub fn labelled(shape: Shape, labels: &[u16], blank: usize) -> Self {
        Self { shape, labels: labels.to_vec(), blank }
    }

    /// The goal position of a board whose blank belongs at `goal_blank`.
    #[cfg(test)]
    pub fn goal(shape: Shape, goal_blank: usize) -> Self {
        Self { shape, labels: (0..).take(shape.cells()).collect(), blank: goal_blank }
    }

    /// The shape of the board.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The labels, cell by cell; the blank carries its own goal cell.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The cell of the blank.
    pub const fn blank(&self) -> usize {
        self.blank
    }

    /// The cell where the blank belongs.
    pub fn goal_blank(&self) -> usize {
        usize::from(self.labels[self.blank])
    }

    /// Whether every tile is at home.
    pub fn is_goal(&self) -> bool {
        self.labels.iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
    }

    /// The sum of the tiles' distances from home.
    pub fn manhattan(&self) -> usize {
        let tiles = self.labels.iter().enumerate().filter(|&(cell, _)| cell != self.blank);
        tiles.map(|(cell, &label)| self.shape.distance(cell, usize::from(label))).sum()
    }

    /// The symmetries of the board that leave the position as it is, and the goal with it.
    pub fn symmetries(&self) -> impl Iterator<Item = Symmetry> {
        let (shape, labels) = (self.shape, &self.labels);
        Symmetry::all().filter(move |s| {
            let is_kept = |(cell, &label): (usize, &u16)| {
                usize::from(labels[s.cell(shape, cell)]) == s.cell(shape, usize::from(label))
            };
            s.image(shape) == shape
                && s.cell(shape, self.blank) == self.blank
                && labels.iter().enumerate().all(is_kept)
        })
    }

    /// Moves the blank; returns whether the move stays on the board.
    pub fn apply(&mut self, step: Move) -> bool {
        let Some(next) = self.shape.neighbour(self.blank, step) else { return false };
        self.labels.swap(self.blank, next);
        self.blank = next;
        true
    }

    /// The position seen through a symmetry of the board.
    pub fn image(&self, symmetry: Symmetry) -> Self {
        let mut labels = vec![0; self.labels.len()];
        for (cell, &label) in self.labels.iter().enumerate() {
            let image = symmetry.cell(self.shape, usize::from(label));
            labels[symmetry.cell(self.shape, cell)] = u16::try_from(image).expect("cells fit u16");
        }
        Self { shape: symmetry.image(self.shape), labels, blank: symmetry.cell(self.shape, self.blank) }
    }

    /// The symmetry that brings the board to standing format (no wider than high) and the blank's home to the lowest
    /// possible cell, so that boards which differ only by a rotation or reflection share their tables.
    pub fn canonical_symmetry(&self) -> Symmetry {
        Symmetry::all()
            .filter(|s| {
                let image = s.image(self.shape);
                image.cols <= image.rows
            })
            .min_by_key(|s| s.cell(self.shape, self.goal_blank()))
            .expect("the identity or the transposition is always admitted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_keeps_the_parity_of_f() {
        let mut p = Position::goal(Shape::new(3, 4), 5);
        let mut seed = 1u32;
        for depth in 0..500 {
            assert_eq!(p.manhattan() % 2, depth % 2);
            loop {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if p.apply(Move::ALL[(seed >> 30) as usize]) {
                    break;
                }
            }
        }
    }
}

//! Pattern databases and walking distance as heuristics of the general engine.

use novelo_search::{Heuristic, Promise};

use super::ida::Lane;
use super::position::Position;
use super::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use crate::sliding::board::Board;
use crate::sliding::instance::Tiles;
use crate::sliding::rules::{Blank, Move, Rules};

/// A lane of the special search as a heuristic of the engine, on boards as the user sees them.
pub struct LaneEstimate<L> {
    lane: L,
    shape: Shape,
    /// The place of each cell in the board as the lane sees it.
    seen: [u8; MAX_MASK_CELLS],
    /// The label of each tile, the blank's among them.
    label: [u16; MAX_MASK_CELLS],
    /// The image of each move.
    step: [Move; 4],
}

impl<L: Lane> LaneEstimate<L> {
    /// A lane over the image of the instance under a symmetry.
    pub fn new(lane: L, tiles: &Tiles, symmetry: Symmetry) -> Self {
        let shape = Shape::new(tiles.size.rows as u8, tiles.size.cols as u8);
        let (mut seen, mut label) = ([0; MAX_MASK_CELLS], [0; MAX_MASK_CELLS]);
        for (cell, &tile) in tiles.goal.iter().enumerate() {
            seen[cell] = symmetry.cell(shape, cell) as u8;
            label[usize::from(tile)] = u16::from(seen[cell]);
        }
        let step = Move::ALL.map(|step| symmetry.image_of_move(step));
        Self { lane, shape: symmetry.image(shape), seen, label, step }
    }

    /// The labels of a board, cell by cell, and the cell of the blank, as the lane sees them.
    fn labels<B: Board>(&self, board: &B) -> ([u16; MAX_MASK_CELLS], usize) {
        let mut labels = [0; MAX_MASK_CELLS];
        for cell in 0..self.shape.cells() {
            labels[usize::from(self.seen[cell])] = self.label[usize::from(board.tile(cell))];
        }
        (labels, usize::from(self.seen[board.blank()]))
    }

    fn distance(&self, cell: usize, label: u16) -> usize {
        self.shape.distance(cell, usize::from(label))
    }
}

/// The lane's memo and the estimate.
#[derive(Clone)]
pub struct Estimated<M> {
    memo: M,
    value: u32,
}

impl<B: Board, L: Lane> Heuristic<Rules<B>> for LaneEstimate<L> {
    type Memo = Estimated<L::Memo>;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, _: &Rules<B>, board: &B) -> Option<Self::Memo> {
        let (labels, blank) = self.labels(board);
        let position = Position::labelled(self.shape, &labels[..self.shape.cells()], blank);
        let memo = self.lane.start(&position);
        let value = position.manhattan() as u32 + 2 * self.lane.excess(&memo);
        Some(Estimated { memo, value })
    }

    fn value(&self, memo: &Self::Memo) -> u32 {
        memo.value
    }

    fn child(
        &self,
        rules: &Rules<B>,
        parent: &Self::Memo,
        board: &B,
        way: Move,
        before: &Blank,
    ) -> Option<Self::Memo> {
        let to = before.cell();
        let label = self.label[usize::from(board.tile(to))];
        let (blank, from) = (usize::from(self.seen[to]), usize::from(self.seen[rules.step(to, way)]));
        let closer = self.distance(blank, label) < self.distance(from, label);
        let slide = blank * 4 + self.step[way as usize] as usize;
        let change = self.lane.change(&parent.memo, usize::from(label), slide, closer);
        let manhattan = parent.value - 2 * self.lane.excess(&parent.memo);
        let manhattan = if closer { manhattan - 1 } else { manhattan + 1 };
        let mut memo = parent.memo.clone();
        self.lane.apply(&mut memo, &change);
        let value = manhattan + 2 * self.lane.excess(&memo);
        Some(Estimated { memo, value })
    }

    fn resume(&self, _: &Rules<B>, board: &B, value: u32) -> Self::Memo {
        let (labels, blank) = self.labels(board);
        let labels = &labels[..self.shape.cells()];
        let tiles = labels.iter().enumerate().filter(|&(cell, _)| cell != blank);
        let manhattan: usize = tiles.map(|(cell, &label)| self.distance(cell, label)).sum();
        let excess = (value - manhattan as u32) / 2;
        Estimated { memo: self.lane.resume(labels, blank, excess), value }
    }
}

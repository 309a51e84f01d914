//! Pattern databases and walking distance as heuristics of the general engine.

use std::time::Instant;

use novelo_search::{Answer, Heuristic, Maximum, Outcome, Promise, Stats};

use super::anytime::lower_bound;
use super::guide::Guide;
use super::ida::Lane;
use super::kit::Supply;
use super::position::Position;
use super::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use super::walking::WalkingLane;
use super::watch::{Tally, Watch, attended};
use crate::formulation::Visitor;
use crate::request::{Request, RequestError};
use crate::sliding::board::{Board, Packed64, Packed128};
use crate::sliding::heuristics::LinearConflict;
use crate::sliding::instance::Tiles;
use crate::sliding::rules::{Blank, Move, Rules};
use crate::textbook::Means;

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
        let (mut change, excess) = self.lane.change(&parent.memo, usize::from(label), slide, closer);
        let manhattan = parent.value - 2 * self.lane.excess(&parent.memo);
        let manhattan = if closer { manhattan - 1 } else { manhattan + 1 };
        let mut memo = parent.memo.clone();
        self.lane.apply(&mut memo, &mut change);
        Some(Estimated { memo, value: manhattan + 2 * excess })
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

/// Hands the tables of a guide to a visitor, as a heuristic of the engine.
pub fn with_tables<V: Visitor>(
    tiles: &Tiles,
    guide: &Guide,
    order: [Move; 4],
    request: &Request,
    mut means: Means<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let cells = tiles.start.len();
    if cells > Packed128::CELLS {
        return Err(RequestError::Unsupported(format!(
            "on boards of more than {} cells idastar can use pdb and walking-distance, other algorithms cannot",
            Packed128::CELLS
        )));
    }
    let started = Instant::now();
    let (tally, cancel) = (Tally::default(), means.control.cancel);
    let supply = Supply::of(request, Watch::of(&means.settings, cancel, &tally));
    let start = Position::of(tiles);
    let stopped = |stop| {
        let stats = Stats { elapsed: started.elapsed(), peak_bytes: tally.peak(), ..Stats::default() };
        Outcome { answer: Answer::Stopped(stop), lower_bound: Some(lower_bound(&start)), stats }
    };
    if let Guide::Pdb(partition) = guide {
        let kit = match attended(&mut means.control, &tally, || supply.kit(partition)) {
            Ok(kit) => kit,
            Err(stop) => return visitor.stopped(stopped(stop)),
        };
        let estimate = LaneEstimate::new(kit.lanes().swap_remove(0), tiles, start.canonical_symmetry());
        means = Means { bytes: kit.bytes(), peak: tally.peak(), time: started.elapsed(), ..means };
        if cells <= Packed64::CELLS {
            visitor.visit(Rules::<Packed64>::new(tiles, order), estimate, means)
        } else {
            visitor.visit(Rules::<Packed128>::new(tiles, order), estimate, means)
        }
    } else {
        let lane = match WalkingLane::new(start.shape(), start.goal_blank(), supply.watch) {
            Ok(lane) => lane,
            Err(stop) => return visitor.stopped(stopped(stop)),
        };
        means = Means { bytes: lane.bytes(), peak: tally.peak(), time: started.elapsed(), ..means };
        let estimate = LaneEstimate::new(lane, tiles, Symmetry::default());
        let rules = Rules::<Packed128>::new(tiles, order);
        if matches!(guide, Guide::WalkingAndConflicts) {
            visitor.visit(rules, Maximum(estimate, LinearConflict::new(tiles)), means)
        } else {
            visitor.visit(rules, estimate, means)
        }
    }
}

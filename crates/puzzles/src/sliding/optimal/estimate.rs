//! Pattern databases and walking distance as heuristics of the engine.

use novelo_search::{Either, Heuristic, Maximum, Meter, Promise};

use super::anytime::lower_bound;
use super::bound;
use super::databases::TableSource;
use super::ida::TileHeuristic;
use super::position::Position;
use super::shape::{MAX_MASK_CELLS, Shape, Symmetry};
use super::walking::WalkingDistance;
use crate::formulation::Visitor;
use crate::request::{Request, RequestError};
use crate::sliding::board::{Board, Packed64, Packed128};
use crate::sliding::heuristics::LinearConflict;
use crate::sliding::instance::Tiles;
use crate::sliding::rules::{Blank, Move, Rules};

/// A heuristic of the tile search as one of the engine, on boards as the user sees them.
pub struct EngineHeuristic<H> {
    heuristic: H,
    shape: Shape,
    /// The place of each cell in the board as the heuristic sees it.
    seen: [u8; MAX_MASK_CELLS],
    /// The label of each tile, the blank's among them.
    label: [u16; MAX_MASK_CELLS],
    /// The image of each move.
    step: [Move; 4],
}

impl<H: TileHeuristic> EngineHeuristic<H> {
    /// A heuristic over the image of the instance under a symmetry.
    pub fn new(heuristic: H, tiles: &Tiles, symmetry: Symmetry) -> Self {
        let shape = Shape::new(tiles.size.rows as u8, tiles.size.cols as u8);
        let (mut seen, mut label) = ([0; MAX_MASK_CELLS], [0; MAX_MASK_CELLS]);
        for (cell, &tile) in tiles.goal.iter().enumerate() {
            seen[cell] = symmetry.cell(shape, cell) as u8;
            label[usize::from(tile)] = u16::from(seen[cell]);
        }
        let step = Move::ALL.map(|step| symmetry.image_of_move(step));
        Self { heuristic, shape: symmetry.image(shape), seen, label, step }
    }

    /// The labels of a board, cell by cell, and the cell of the blank, as the heuristic sees them.
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

/// The heuristic's memo and the estimate.
#[derive(Clone)]
pub struct Estimated<M> {
    memo: M,
    value: u32,
}

impl<B: Board, H: TileHeuristic> Heuristic<Rules<B>> for EngineHeuristic<H> {
    type Memo = Estimated<H::Memo>;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, _: &Rules<B>, board: &B) -> Option<Self::Memo> {
        let (labels, blank) = self.labels(board);
        let position = Position::labelled(self.shape, &labels[..self.shape.cells()], blank);
        let memo = self.heuristic.start(&position);
        let value = position.manhattan() as u32 + 2 * self.heuristic.excess(&memo);
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
        &way: &Move,
        before: &Blank,
    ) -> Option<Self::Memo> {
        let to = before.cell();
        let label = self.label[usize::from(board.tile(to))];
        let (blank, from) = (usize::from(self.seen[to]), usize::from(self.seen[rules.step(to, way)]));
        let closer = self.distance(blank, label) < self.distance(from, label);
        let slide = blank * 4 + self.step[way as usize] as usize;
        let (mut change, excess) = self.heuristic.change(&parent.memo, usize::from(label), slide, closer);
        let manhattan = parent.value - 2 * self.heuristic.excess(&parent.memo);
        let manhattan = if closer { manhattan - 1 } else { manhattan + 1 };
        let mut memo = parent.memo.clone();
        self.heuristic.apply(&mut memo, &mut change);
        Some(Estimated { memo, value: manhattan + 2 * excess })
    }

    fn resume(&self, _: &Rules<B>, board: &B, value: u32) -> Self::Memo {
        let (labels, blank) = self.labels(board);
        let labels = &labels[..self.shape.cells()];
        let tiles = labels.iter().enumerate().filter(|&(cell, _)| cell != blank);
        let manhattan: usize = tiles.map(|(cell, &label)| self.distance(cell, label)).sum();
        let excess = (value - manhattan as u32) / 2;
        Estimated { memo: self.heuristic.resume(labels, blank, excess), value }
    }
}

/// Refuses boards for which the engine has no state that is small enough.
fn needs_few_cells(tiles: &Tiles, heuristic: &str) -> Result<(), RequestError> {
    if tiles.start.len() > Packed128::CELLS {
        return Err(RequestError::Unsupported(format!(
            "on boards of more than {} cells only the algorithm tiles can use {heuristic}",
            Packed128::CELLS
        )));
    }
    Ok(())
}

/// Hands pattern databases to a visitor, as a heuristic of the engine.
pub fn with_pattern_databases<V: Visitor>(
    tiles: &Tiles,
    partition: &str,
    order: [Move; 4],
    request: &Request,
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    let partition = bound::partition(tiles, partition)?;
    needs_few_cells(tiles, "pdb")?;
    let start = Position::of(tiles);
    let made = TableSource::of(request, meter.budget()).databases(&partition);
    let held = made.and_then(|databases| Ok((meter.budget().reserve(databases.bytes())?, databases)));
    let (_held, databases) = match held {
        Ok(held) => held,
        Err(stop) => return visitor.stopped(stop, Some(lower_bound(&start)), meter),
    };
    let additive = databases.heuristics().swap_remove(0);
    let estimate = EngineHeuristic::new(additive, tiles, start.canonical_symmetry());
    if tiles.start.len() <= Packed64::CELLS {
        visitor.visit(Rules::<Packed64>::new(tiles, order), estimate, meter)
    } else {
        visitor.visit(Rules::<Packed128>::new(tiles, order), estimate, meter)
    }
}

/// Hands walking distance to a visitor, as a heuristic of the engine; perhaps the larger of it and linear conflicts.
pub fn with_walking_distance<V: Visitor>(
    tiles: &Tiles,
    with_conflicts: bool,
    order: [Move; 4],
    meter: &Meter<'_>,
    visitor: V,
) -> Result<V::Output, RequestError> {
    bound::needs_two_lines(tiles, "walking-distance")?;
    needs_few_cells(tiles, "walking-distance")?;
    let start = Position::of(tiles);
    let made = WalkingDistance::new(start.shape(), start.goal_blank(), meter.budget());
    let held = made.and_then(|walking| Ok((meter.budget().reserve(walking.bytes())?, walking)));
    let (_held, walking) = match held {
        Ok(held) => held,
        Err(stop) => return visitor.stopped(stop, Some(lower_bound(&start)), meter),
    };
    let estimate = EngineHeuristic::new(walking, tiles, Symmetry::default());
    let rules = Rules::<Packed128>::new(tiles, order);
    let estimate = if with_conflicts {
        Either::First(Maximum(estimate, LinearConflict::new(tiles)))
    } else {
        Either::Second(estimate)
    };
    visitor.visit(rules, estimate, meter)
}

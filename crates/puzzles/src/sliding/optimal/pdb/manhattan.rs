//! The second bit of the Manhattan distances of all placements, with which a build starts.

use super::index::PlacementIndex;
use super::table::TableKey;
use crate::sliding::optimal::rank::permutations;
use novelo_search::{Budget, Stop};
use rayon::prelude::*;

/// Computes the Manhattan distances of all orders of a pattern's tiles on the same cells.
///
/// Permutations with the same first half of places lie together, and those with the same set of slots left have the
/// same second halves in the same sequence: two small sums a row instead of a long one for each order.
pub(super) struct ManhattanBits {
    key: TableKey,
    /// The permutations, in the order of their rank.
    all: Vec<Vec<u8>>,
    /// How many places the first half has.
    head: usize,
    /// How many second halves follow each first half.
    tails: usize,
    /// For each first half, which set of slots is left.
    set: Vec<usize>,
    /// For each set of slots left, one first half that leaves it.
    example: Vec<usize>,
}

type Away = [[u8; TableKey::MAX_TILES]; TableKey::MAX_TILES];

impl ManhattanBits {
    pub fn new(key: TableKey) -> Self {
        let k = key.tiles();
        let all = permutations(k);
        let (head, tails) = (k / 2, crate::sliding::optimal::rank::factorial(k - k / 2));
        let mut sets: Vec<u16> = Vec::new();
        let (mut set, mut example) = (Vec::new(), Vec::new());
        for (block, permutation) in all.iter().step_by(tails).enumerate() {
            let left = permutation[head..].iter().fold(0, |m, &slot| m | 1 << slot);
            let id = sets.iter().position(|&s| s == left).unwrap_or_else(|| {
                sets.push(left);
                example.push(block);
                sets.len() - 1
            });
            set.push(id);
        }
        Self { key, all, head, tails, set, example }
    }

    /// The second bits of all distances, node by node, unless the budget is used up before.
    pub fn table(&self, index: &PlacementIndex, budget: Budget<'_>) -> Result<Vec<u64>, Stop> {
        let words = self.all.len().div_ceil(64);
        let rows: Vec<u32> = index.row_of_nodes();
        let mut table = vec![0u64; rows.len() * words];
        table.par_chunks_mut(words).zip(&rows).for_each_init(Vec::new, |second, (bits, &row)| {
            if !budget.over() {
                self.block(&self.away(row), second, bits);
            }
        });
        budget.stop().map_or(Ok(table), Err)
    }

    /// For each place of a row and each slot: how far that tile would be from home.
    fn away(&self, row: u32) -> Away {
        let shape = self.key.shape;
        let mut away = Away::default();
        let cells = (0..shape.cells()).filter(|&c| row >> c & 1 == 1);
        for (away, cell) in away.iter_mut().zip(cells) {
            for (away, home) in away.iter_mut().zip(self.key.goal_cells()) {
                *away = shape.distance(cell, home) as u8;
            }
        }
        away
    }

    fn block(&self, away: &Away, second: &mut Vec<u8>, bits: &mut [u64]) {
        let sum = |places: std::ops::Range<usize>, order: &[u8]| -> u8 {
            places.map(|place| away[place][usize::from(order[place])]).sum()
        };
        second.clear();
        for &block in &self.example {
            let orders = &self.all[block * self.tails..][..self.tails];
            second.extend(orders.iter().map(|order| sum(self.head..order.len(), order)));
        }
        let mut rank = 0;
        for (block, &set) in self.set.iter().enumerate() {
            let head = sum(0..self.head, &self.all[block * self.tails]);
            for &tail in &second[set * self.tails..][..self.tails] {
                bits[rank / 64] |= u64::from((head + tail) >> 1 & 1) << (rank % 64);
                rank += 1;
            }
        }
    }
}

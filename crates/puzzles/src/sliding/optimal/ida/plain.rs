//! The plain depth-first walk, for lanes whose tables the processor's caches hold.

use super::deepening::Take;
use super::engine::{Subtree, TileSearch};
use super::lane::Lane;
use super::limits::Meter;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// A walk that is at some node.
struct Walk<'s, 'm, 'a, 'b, L: Lane, const N: usize> {
    search: &'s TileSearch<'m, L, N>,
    meter: &'a mut Meter<'b>,
    labels: [u8; MAX_MASK_CELLS],
    memos: [L::Memo; N],
    /// The moves of a solution, the last first.
    path: Vec<Move>,
    solved: bool,
}

/// Searches one subtree after another, as [`super::deepening::BoundedSearch::search`] does.
pub(super) fn walk<'n, L: Lane, const N: usize>(
    search: &TileSearch<'_, L, N>,
    take: Take<'_, 'n, Subtree<L::Memo, N>>,
    bound: u32,
    meter: &mut Meter<'_>,
) -> Option<Vec<Move>>
where
    L::Memo: 'n,
{
    while let Some(root) = take() {
        let depth = bound - root.moves.len() as u32;
        let slack = (depth as i32 - root.manhattan as i32) / 2;
        let (labels, memos) = (root.labels, root.memos.clone());
        let mut walk = Walk { search, meter, labels, memos, path: vec![], solved: false };
        if walk.visit(usize::from(root.blank), root.machine, slack, depth) {
            walk.path.extend(root.moves.iter().rev());
            walk.path.reverse();
            return walk.solved.then_some(walk.path);
        }
    }
    None
}

impl<L: Lane, const N: usize> Walk<'_, '_, '_, '_, L, N> {
    /// Searches below the node that the walk is at; true when the search is over.
    fn visit(&mut self, blank: usize, machine: u32, slack: i32, depth: u32) -> bool {
        if self.meter.due() && self.meter.poll() {
            return true;
        }
        self.meter.expanded += 1;
        let search = self.search;
        let moves = MoveMachine::allowed(machine) & search.moves[blank % MAX_MASK_CELLS];
        let mut sequence = search.sequence[usize::from(moves) % 16];
        while sequence != 0 {
            let step = usize::from(sequence & 3);
            sequence >>= 4;
            self.meter.generated += 1;
            let slide = blank % MAX_MASK_CELLS * 4 + step;
            let source = usize::from(search.source[slide]) % MAX_MASK_CELLS;
            let label = self.labels[source] % MAX_MASK_CELLS as u8;
            let closer = search.closer[slide] >> label & 1 == 1;
            let slack = slack - i32::from(!closer);
            if slack < 0 {
                continue;
            }
            let Some(mut changes) = self.changes(usize::from(label), slide, closer, slack) else { continue };
            self.apply(&mut changes);
            self.labels[blank % MAX_MASK_CELLS] = label;
            // A node with no moves left is the goal.
            self.solved = depth == 1;
            if self.solved || self.visit(source, search.machine.next(machine, step), slack, depth - 1) {
                if self.solved {
                    self.path.push(Move::ALL[step]);
                }
                return true;
            }
            self.apply(&mut changes);
            self.labels[source] = label;
        }
        false
    }

    /// What a move changes, unless a lane cuts it.
    #[inline(always)]
    fn changes(&self, label: usize, slide: usize, closer: bool, slack: i32) -> Option<[L::Change; N]> {
        let mut changes = [L::Change::default(); N];
        for (i, lane) in self.search.lanes.iter().enumerate() {
            changes[i] = lane.begin(&self.memos[i], label, slide);
            lane.locate(&mut changes[i]);
            if lane.finish(&self.memos[i], &mut changes[i], closer) as i32 > slack {
                return None;
            }
        }
        Some(changes)
    }

    #[inline(always)]
    fn apply(&mut self, changes: &mut [L::Change; N]) {
        for (i, lane) in self.search.lanes.iter().enumerate() {
            lane.apply(&mut self.memos[i], &mut changes[i]);
        }
    }
}

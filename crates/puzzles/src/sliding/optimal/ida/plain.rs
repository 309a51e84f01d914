//! The plain depth-first search, for heuristics whose tables the processor's caches hold.

use super::deepening::{BoundedSearch, STACK_FRAME, Take};
use super::ground::{Ground, Slide, Subtree};
use super::lane::Lane;
use super::limits::Meter;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// An iterative-deepening search from one position; a child must pass every lane.
///
/// It carries no `f` but the slack (see [`Subtree`]). A tile that comes closer leaves the slack as it is, one that goes
/// away costs one, and a node lies within the bound exactly when no lane's excess is larger than the slack. A node with no
/// moves left and a slack of at least 0 has Manhattan distance 0: it is the goal.
pub struct PlainSearch<'m, L: Lane, const N: usize> {
    pub(super) ground: Ground<'m>,
    pub(super) lanes: [L; N],
}

impl<'m, L: Lane, const N: usize> PlainSearch<'m, L, N> {
    /// A search from `start`; a later lane is looked at only where those before it do not cut.
    pub fn new(start: &Position, lanes: [L; N], machine: &'m MoveMachine) -> Self {
        Self { ground: Ground::new(start, machine), lanes }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { ground: self.ground.with_order(order), ..self }
    }
}

impl<L: Lane, const N: usize> BoundedSearch for PlainSearch<'_, L, N> {
    type Node = Subtree<L::Memo, N>;
    const DIVIDES: bool = true;
    const FRAME: usize = STACK_FRAME;

    fn root(&self) -> Self::Node {
        self.ground.root(&self.lanes)
    }

    fn moves<'n>(&self, node: &'n Self::Node) -> &'n [Move] {
        &node.moves
    }

    fn estimate(&self, node: &Self::Node) -> u32 {
        let excesses = self.lanes.iter().zip(&node.memos).map(|(lane, memo)| lane.excess(memo));
        node.manhattan + 2 * excesses.max().unwrap_or(0)
    }

    fn search<'n>(
        &self,
        take: Take<'_, 'n, Self::Node>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        Self::Node: 'n,
    {
        while let Some(branch) = take() {
            let root = &branch.root;
            let (depth, slack) = root.depth_and_slack(bound);
            let (labels, memos) = (root.labels, root.memos.clone());
            let mut walk =
                Walk { search: self, meter, labels, memos, nearest: depth, path: vec![], solved: false };
            if walk.visit(root.blank, root.machine, slack, depth) {
                walk.path.extend(root.moves.iter().rev());
                walk.path.reverse();
                return walk.solved.then_some(walk.path);
            }
            branch.came_within(walk.nearest);
        }
        None
    }

    fn split(&self, node: &Self::Node, bound: u32, meter: &mut Meter<'_>) -> Vec<Self::Node> {
        self.ground.split(&self.lanes, node, bound, meter)
    }
}

/// A walk that is at some node.
struct Walk<'s, 'm, 'a, 'b, L: Lane, const N: usize> {
    search: &'s PlainSearch<'m, L, N>,
    meter: &'a mut Meter<'b>,
    labels: [u8; MAX_MASK_CELLS],
    memos: [L::Memo; N],
    /// The fewest moves that were left at a node of the subtree.
    nearest: u32,
    /// The moves of a solution, the last first.
    path: Vec<Move>,
    solved: bool,
}

impl<L: Lane, const N: usize> Walk<'_, '_, '_, '_, L, N> {
    /// Searches below the node that the walk is at; true when the search is over.
    fn visit(&mut self, blank: u8, machine: u32, slack: i32, depth: u32) -> bool {
        if self.meter.due() && self.meter.poll() {
            return true;
        }
        self.meter.expanded += 1;
        self.nearest = self.nearest.min(depth);
        let ground = &self.search.ground;
        let (_, mut steps) = ground.steps(blank, machine);
        while steps != 0 {
            let step = steps & 3;
            steps >>= 4;
            self.meter.generated += 1;
            let slide = ground.slide(&self.labels, blank, step);
            let slack = slide.slack(slack);
            if slack < 0 {
                continue;
            }
            let Some(mut changes) = self.changes(slide, slack) else { continue };
            self.apply(&mut changes);
            self.labels[usize::from(blank) % MAX_MASK_CELLS] = slide.label;
            // A node with no moves left is the goal.
            self.solved = depth == 1;
            let machine = ground.machine.next(machine, usize::from(step));
            if self.solved || self.visit(slide.source, machine, slack, depth - 1) {
                if self.solved {
                    self.path.push(Move::ALL[usize::from(step)]);
                }
                return true;
            }
            self.apply(&mut changes);
            self.labels[usize::from(slide.source) % MAX_MASK_CELLS] = slide.label;
        }
        false
    }

    /// What a move changes, unless a lane cuts it.
    #[inline(always)]
    fn changes(&self, slide: Slide, slack: i32) -> Option<[L::Change; N]> {
        let mut changes = [L::Change::default(); N];
        for (i, lane) in self.search.lanes.iter().enumerate() {
            let (change, excess) = slide.change(lane, &self.memos[i]);
            if excess as i32 > slack {
                return None;
            }
            changes[i] = change;
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

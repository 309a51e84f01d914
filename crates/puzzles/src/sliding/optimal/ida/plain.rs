//! The plain depth-first search, for heuristics whose tables the processor's caches hold.

use novelo_search::deepening::{Beyond, BoundedSearch, Take};
use novelo_search::{Counter, Frontier, Nodes, Stop};

use super::STACK_FRAME;
use super::generator::{MoveGenerator, Slide, Subtree};
use super::heuristic::TileHeuristic;
use crate::sliding::optimal::machine::MoveMachine;
use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::shape::MAX_MASK_CELLS;
use crate::sliding::rules::Move;

/// An iterative-deepening search from one position; a child must pass every heuristic.
///
/// It carries no `f` but the slack (see [`Subtree`]). A tile that comes closer leaves the slack as it is, one that
/// goes away costs one, and a node lies within the bound exactly when no heuristic's excess is larger than the slack.
/// A node with no moves left and a slack of at least 0 has Manhattan distance 0: it is the goal.
pub struct PlainSearch<'m, H: TileHeuristic, const N: usize> {
    pub(super) generator: MoveGenerator<'m>,
    pub(super) heuristics: [H; N],
}

impl<'m, H: TileHeuristic, const N: usize> PlainSearch<'m, H, N> {
    /// A search from `start`; a later heuristic is looked at only where those before it do not cut.
    pub fn new(start: &Position, heuristics: [H; N], machine: &'m MoveMachine) -> Self {
        Self { generator: MoveGenerator::new(start, machine), heuristics }
    }

    /// The same search with the blank's moves tried in another order.
    pub fn with_order(self, order: [Move; 4]) -> Self {
        Self { generator: self.generator.with_order(order), ..self }
    }

    /// The same search for solutions of at most so many moves.
    pub fn with_depth_limit(self, depth_limit: Option<u32>) -> Self {
        Self { generator: self.generator.with_depth_limit(depth_limit), ..self }
    }
}

impl<H: TileHeuristic, const N: usize> BoundedSearch for PlainSearch<'_, H, N> {
    type Action = Move;
    type Step = Move;
    type Node = Subtree<H::Memo, N>;
    type Bound = u32;
    type Worker = ();
    const DIVIDES: bool = true;

    fn worker(&self) {}

    fn root(&self) -> Self::Node {
        self.generator.root(&self.heuristics)
    }

    fn steps<'n>(&self, node: &'n Self::Node) -> &'n [Move] {
        &node.moves
    }

    fn estimate(&self, node: &Self::Node) -> u32 {
        let excesses =
            self.heuristics.iter().zip(&node.memos).map(|(heuristic, memo)| heuristic.excess(memo));
        node.moves.len() as u32 + node.manhattan + 2 * excesses.max().unwrap_or(0)
    }

    fn permits(&self, bound: u32) -> bool {
        self.generator.permits(bound)
    }

    /// Every move changes the parity of the blank's cell, so all solutions have the same parity. A goal can then only
    /// be met at a depth equal to the bound: a shallower one would have been found before.
    fn next_bound(&self, bound: u32, _: Beyond<u32>) -> Option<u32> {
        Some(bound + 2)
    }

    fn bytes(&self, bound: u32) -> usize {
        bound as usize * STACK_FRAME
    }

    /// Above the depth of the goal, which is that of the bound.
    fn divides_at(&self, bound: u32, plies: usize) -> bool {
        plies + 2 < bound as usize
    }

    fn search<'n>(
        &self,
        (): &mut (),
        take: Take<'_, 'n, Self::Node>,
        bound: u32,
        _: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Move>>, Stop>
    where
        Self::Node: 'n,
    {
        while let Some(branch) = take() {
            let root = &branch.root;
            let (depth, slack) = root.depth_and_slack(bound);
            let (labels, memos) = (root.labels, root.memos.clone());
            let mut walk = Walk {
                search: self,
                counter,
                labels,
                memos,
                bound,
                nearest: depth,
                path: vec![],
                stop: None,
            };
            let ended = walk.visit(root.blank, root.machine, slack, depth);
            let Walk { nearest, mut path, stop, .. } = walk;
            let deepest = if path.is_empty() { bound - nearest } else { bound };
            counter.stored_peak = counter.stored_peak.max(u64::from(deepest) + 1);
            if let Some(stop) = stop {
                return Err(stop);
            }
            if ended {
                path.extend(root.moves.iter().rev());
                path.reverse();
                return Ok(Some(path));
            }
            branch.came_within(nearest);
        }
        Ok(None)
    }

    fn split(
        &self,
        node: &Self::Node,
        bound: u32,
        _: &mut Beyond<u32>,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<Self::Node>, Stop> {
        self.generator.split(&self.heuristics, node, bound, counter)
    }
}

/// A walk that is at some node.
struct Walk<'s, 'm, 'a, 'b, H: TileHeuristic, const N: usize> {
    search: &'s PlainSearch<'m, H, N>,
    counter: &'a mut Counter<'b>,
    labels: [u8; MAX_MASK_CELLS],
    memos: [H::Memo; N],
    bound: u32,
    /// The fewest moves that were left at a node of the subtree.
    nearest: u32,
    /// The moves of a solution, the last first.
    path: Vec<Move>,
    /// What ended the walk, if a limit did.
    stop: Option<Stop>,
}

impl<H: TileHeuristic, const N: usize> Walk<'_, '_, '_, '_, H, N> {
    /// Looks at the limits, with so many moves left; whether one of them ends the walk.
    #[cold]
    #[inline(never)]
    fn look(&mut self, depth: u32) -> bool {
        let path = Nodes(u64::from(self.bound - depth) + 1);
        self.stop = self.counter.look(&path, Frontier::Bound(self.bound.into())).err();
        self.stop.is_some()
    }

    /// Searches below the node that the walk is at; true when the search is over.
    fn visit(&mut self, blank: u8, machine: u32, slack: i32, depth: u32) -> bool {
        if self.counter.is_due() && self.look(depth) {
            return true;
        }
        self.counter.expanded += 1;
        self.nearest = self.nearest.min(depth);
        let generator = &self.search.generator;
        let (_, mut steps) = generator.steps(blank, machine);
        while steps != 0 {
            let step = steps & 3;
            steps >>= 4;
            self.counter.generated += 1;
            let slide = generator.slide(&self.labels, blank, step);
            let slack = slide.slack(slack);
            if slack < 0 {
                continue;
            }
            let Some(mut changes) = self.changes(slide, slack) else { continue };
            self.apply(&mut changes);
            self.labels[usize::from(blank) % MAX_MASK_CELLS] = slide.label;
            let machine = generator.machine.next(machine, usize::from(step));
            // A node with no moves left is the goal.
            if depth == 1 || self.visit(slide.source, machine, slack, depth - 1) {
                if self.stop.is_none() {
                    self.path.push(Move::ALL[usize::from(step)]);
                }
                return true;
            }
            self.apply(&mut changes);
            self.labels[usize::from(slide.source) % MAX_MASK_CELLS] = slide.label;
        }
        false
    }

    /// What a move changes, unless a heuristic cuts it.
    #[inline(always)]
    fn changes(&self, slide: Slide, slack: i32) -> Option<[H::Change; N]> {
        let mut changes = [H::Change::default(); N];
        for (i, heuristic) in self.search.heuristics.iter().enumerate() {
            let (change, excess) = slide.change(heuristic, &self.memos[i]);
            if excess as i32 > slack {
                return None;
            }
            changes[i] = change;
        }
        Some(changes)
    }

    #[inline(always)]
    fn apply(&mut self, changes: &mut [H::Change; N]) {
        for (i, heuristic) in self.search.heuristics.iter().enumerate() {
            heuristic.apply(&mut self.memos[i], &mut changes[i]);
        }
    }
}

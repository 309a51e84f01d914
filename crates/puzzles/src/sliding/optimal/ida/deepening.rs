//! The iterations of iterative deepening, on one thread or on several.

use super::limits::{Limits, Meter, Shared};
use crate::sliding::optimal::watch::Watch;
use crate::sliding::rules::Move;
use novelo_search::Stop;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// A subtree that an iteration searches on its own.
pub struct Branch<Node> {
    pub root: Node,
    /// The fewest moves that were left at a node of it.
    nearest: AtomicU32,
}

impl<Node> Branch<Node> {
    fn new(root: Node) -> Self {
        Self { root, nearest: AtomicU32::new(u32::MAX) }
    }

    /// Notes the fewest moves that were left at a node, when all of it was searched in vain.
    pub fn came_within(&self, moves: u32) {
        self.nearest.store(moves, Ordering::Relaxed);
    }
}

/// Hands out the next subtree to search, while there is one.
pub type Take<'a, 'n, Node> = &'a mut dyn FnMut() -> Option<&'n Branch<Node>>;

/// A depth-first search within a bound, as [`deepen`] drives it.
pub trait BoundedSearch: Sync {
    /// A node whose subtree can be searched on its own.
    type Node: Send + Sync;

    /// The root of the tree. Its estimate must have the parity of all solutions.
    fn root(&self) -> Self::Node;

    /// The moves from the root to a node.
    fn moves<'n>(&self, node: &'n Self::Node) -> &'n [Move];

    /// A lower bound on the moves from a node to the goal.
    fn estimate(&self, node: &Self::Node) -> u32;

    /// Whether one thread, too, searches subtrees in another order than the plain depth-first one.
    const DIVIDES: bool;

    /// About the bytes that a thread needs for each move of the bound.
    const FRAME: usize;

    /// Searches the subtrees that `take` hands out for a solution of exactly `bound` moves: the whole of it from the
    /// root, or `None` when there is none or the meter says stop. A search that can do so cheaply tells each subtree how
    /// near to the goal it came ([`Branch::came_within`]).
    fn search<'n>(
        &self,
        take: Take<'_, 'n, Self::Node>,
        bound: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Move>>
    where
        Self::Node: 'n;

    /// The children of a node within the bound, in the order of [`Self::search`].
    fn split(&self, node: &Self::Node, bound: u32, meter: &mut Meter<'_>) -> Vec<Self::Node>;
}

/// About the bytes that a call of a recursive search keeps on the stack.
pub const STACK_FRAME: usize = 128;

/// A finished iteration of iterative deepening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The bound on the length of solutions.
    pub bound: u32,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration, the root not among them.
    pub generated: u64,
    /// Whether the whole tree within the bound was searched, so that no solution is as short as the bound.
    pub complete: bool,
}

/// What iterative deepening found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deepening {
    /// A shortest solution, or what ended the search.
    pub found: Result<Vec<Move>, Stop>,
    /// No solution is shorter than this.
    pub lower_bound: u32,
    /// The iterations, the last perhaps not complete.
    pub iterations: Vec<Iteration>,
}

impl Deepening {
    /// Nodes expanded in all iterations.
    pub fn expanded(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.expanded).sum()
    }

    /// Nodes generated in all iterations, the root counted once.
    #[cfg(test)]
    pub fn generated(&self) -> u64 {
        1 + self.iterations.iter().map(|iteration| iteration.generated).sum::<u64>()
    }
}

/// Iterations after one of fewer expansions are not worth being divided, or shared among threads.
const WORTH_DIVIDING: u64 = 20_000;

/// Searches with growing bounds until a solution is found or a limit reached.
///
/// Every move changes the parity of the blank's cell, so all solutions have the same parity and the bound grows by
/// two. A goal can then only be met at a depth equal to the bound: a shallower one would have been found before.
pub fn deepen<S: BoundedSearch>(search: &S, limits: Limits, watch: Watch<'_>) -> Deepening {
    let bound = search.estimate(&search.root());
    let mut result = Deepening { found: Ok(vec![]), lower_bound: bound, iterations: vec![] };
    let mut branches = Vec::new();
    while result.lower_bound > 0 {
        let bound = result.lower_bound;
        if limits.depth.is_some_and(|most| bound > most) {
            result.found = Err(Stop::Depth);
            break;
        }
        let stacks = limits.threads * bound as usize * S::FRAME;
        let Ok(_stacks) = watch.reserve(stacks) else {
            result.found = Err(Stop::Memory);
            break;
        };
        watch.tally.bound.store(bound, Ordering::Relaxed);
        let own = limits.nodes.map(|most| most.saturating_sub(result.expanded()));
        let nodes = [own, watch.nodes_left()].into_iter().flatten().min();
        let shared = Shared { watch, nodes, found: AtomicBool::new(false) };
        let large = result.iterations.last().is_some_and(|last| last.expanded >= WORTH_DIVIDING);
        // Threads count on their own: they would not end at the very node.
        let threads = if nodes.is_none() { limits.threads } else { 1 };
        let ended = if large && (threads > 1 || S::DIVIDES) {
            divided(search, bound, &mut branches, threads, &shared)
        } else {
            whole(search, bound, &shared)
        };
        let Ended { path, stop, expanded, generated } = ended;
        let complete = path.is_none() && stop.is_none();
        result.iterations.push(Iteration { bound, expanded, generated, complete });
        if let Some(path) = path {
            result.found = Ok(path);
            break;
        }
        if let Some(stop) = stop {
            result.found = Err(stop);
            break;
        }
        result.lower_bound += 2;
    }
    result
}

/// How an iteration ended.
struct Ended {
    path: Option<Vec<Move>>,
    stop: Option<Stop>,
    expanded: u64,
    generated: u64,
}

fn whole<S: BoundedSearch>(search: &S, bound: u32, shared: &Shared<'_>) -> Ended {
    let root = Branch::new(search.root());
    let mut rest = std::iter::once(&root);
    work(search, bound, &mut || rest.next(), Meter::new(shared))
}

/// Searches the subtrees that `take` hands out.
fn work<S: BoundedSearch>(
    search: &S,
    bound: u32,
    take: Take<'_, '_, S::Node>,
    mut meter: Meter<'_>,
) -> Ended {
    let path = search.search(take, bound, &mut meter);
    meter.report();
    Ended { path, stop: meter.stop(), expanded: meter.expanded, generated: meter.generated }
}

/// Cuts the tree a few plies below the root into many subtrees, in the order in which they are to be searched.
///
/// The last iteration ends at the goal, the sooner the better the order: first those that came nearest to it in the
/// iteration before, whose subtrees are `before`; among equals, and while none is known, those whose roots seem nearest.
fn divide<S: BoundedSearch>(
    search: &S,
    bound: u32,
    before: &[Branch<S::Node>],
    meter: &mut Meter<'_>,
) -> Vec<Branch<S::Node>> {
    const SUBTREES: usize = 4096;
    const PLIES: usize = 24;
    let mut nodes = vec![search.root()];
    let mut plies = 0;
    // The goal lies at the depth of the bound; splitting must stop before that.
    while nodes.len() < SUBTREES && plies < PLIES && plies + 2 < bound as usize {
        nodes = nodes.iter().flat_map(|node| search.split(node, bound, meter)).collect();
        plies += 1;
    }
    // A larger bound leaves more nodes at every ply: the cut before was as deep or deeper.
    let mut nearest = FxHashMap::default();
    for branch in before {
        let Some(above) = search.moves(&branch.root).get(..plies) else { continue };
        let came = branch.nearest.load(Ordering::Relaxed);
        nearest.entry(above).and_modify(|known| *known = came.min(*known)).or_insert(came);
    }
    let came = |node: &S::Node| nearest.get(search.moves(node)).copied().unwrap_or(u32::MAX);
    nodes.sort_by_cached_key(|node| (came(node), search.estimate(node)));
    nodes.into_iter().map(Branch::new).collect()
}

/// Has threads take subtrees one after another: no thread is idle while another has more than a few left. The subtrees do
/// not depend on the number of threads, and an iteration without a solution searches all of them, so its counts do not
/// either. `branches` are those of the iteration before, then those of this one.
fn divided<S: BoundedSearch>(
    search: &S,
    bound: u32,
    branches: &mut Vec<Branch<S::Node>>,
    threads: usize,
    shared: &Shared<'_>,
) -> Ended {
    let mut meter = Meter::new(shared);
    *branches = divide(search, bound, branches, &mut meter);
    let taken = AtomicUsize::new(0);
    let work = |meter| {
        let mut take = || {
            let next = branches.get(taken.fetch_add(1, Ordering::Relaxed));
            next.filter(|_| !shared.found.load(Ordering::Relaxed))
        };
        let ended = work(search, bound, &mut take, meter);
        if ended.path.is_some() {
            shared.found.store(true, Ordering::Relaxed);
        }
        ended
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(Meter::new(shared)))).collect();
        let own = work(meter);
        others.into_iter().fold(own, |ended, other| {
            let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ended {
                path: ended.path.or(other.path),
                stop: ended.stop.or(other.stop),
                expanded: ended.expanded + other.expanded,
                generated: ended.generated + other.generated,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliding::optimal::ida::{PlainSearch, TurnSearch};
    use crate::sliding::optimal::machine::MoveMachine;
    use crate::sliding::optimal::partition::Partition;
    use crate::sliding::optimal::shape::Shape;
    use crate::sliding::optimal::tests::{lanes, tables, walk};
    use crate::sliding::optimal::watch::Tally;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    /// The fewest moves left at a node of a subtree within the bound.
    fn nearest<S: BoundedSearch>(search: &S, node: &S::Node, bound: u32, meter: &mut Meter<'_>) -> u32 {
        let below = search.split(node, bound, meter);
        let below = below.iter().map(|child| nearest(search, child, bound, meter)).min();
        below.unwrap_or(bound - search.moves(node).len() as u32)
    }

    fn check_the_order<S: BoundedSearch>(search: &S) {
        let tally = Tally::default();
        let shared = Shared { watch: Watch::idle(&tally), nodes: None, found: AtomicBool::new(false) };
        let mut meter = Meter::new(&shared);
        let bound = search.estimate(&search.root()) + 2;
        let before = divide(search, bound, &[], &mut meter);
        let mut rest = before.iter();
        assert_eq!(search.search(&mut || rest.next(), bound, &mut meter), None);
        for branch in &before {
            let came = branch.nearest.load(Ordering::Relaxed);
            assert_eq!(came, nearest(search, &branch.root, bound, &mut meter));
        }

        let bound = bound + 2;
        let after = divide(search, bound, &before, &mut meter);
        let came = |branch: &Branch<S::Node>| {
            let moves = search.moves(&branch.root);
            let below = before.iter().filter(|old| search.moves(&old.root).starts_with(moves));
            below.map(|old| old.nearest.load(Ordering::Relaxed)).min().unwrap_or(u32::MAX)
        };
        assert!(after.is_sorted_by_key(|branch| (came(branch), search.estimate(&branch.root))));
        let sorted = |branches: &[Branch<S::Node>]| {
            let mut all: Vec<_> = branches
                .iter()
                .map(|branch| search.moves(&branch.root).iter().map(|&step| step as u8).collect::<Vec<_>>())
                .collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&after), sorted(&divide(search, bound, &[], &mut meter)));
    }

    #[test]
    fn subtrees_that_came_nearest_to_the_goal_come_first() {
        let shape = Shape::new(4, 4);
        let machine = MoveMachine::new(shape, 8);
        let partition = Partition::parse(shape, 0, "5-5-5").unwrap();
        let tables = tables(&partition);
        let both = lanes(&[partition.clone(), partition.reflected().unwrap()], &tables);
        let start = walk(&mut ChaCha8Rng::seed_from_u64(9), shape, 2000);
        check_the_order(&PlainSearch::new(&start, [&both[0], &both[1]], &machine));
        check_the_order(&TurnSearch::new(&start, [&both[0], &both[1]], &machine));
    }
}

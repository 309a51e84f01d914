//! The iterations of iterative deepening, on one thread or on several.

use super::limits::{Limits, Meter, Shared};
use crate::sliding::optimal::watch::Watch;
use crate::sliding::rules::Move;
use novelo_search::Stop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Hands out the next subtree to search, while there is one.
pub type Take<'a, 'n, Node> = &'a mut dyn FnMut() -> Option<&'n Node>;

/// A depth-first search within a bound, as [`deepen`] drives it.
pub trait BoundedSearch: Sync {
    /// A node whose subtree can be searched on its own.
    type Node: Send + Sync;

    /// The root of the tree. Its estimate must have the parity of all solutions.
    fn root(&self) -> Self::Node;

    /// A lower bound on the moves from a node to the goal.
    fn estimate(&self, node: &Self::Node) -> u32;

    /// Whether one thread, too, searches subtrees in another order than the plain depth-first one.
    const DIVIDES: bool;

    /// About the bytes that a thread needs for each move of the bound.
    const FRAME: usize;

    /// Searches the subtrees that `take` hands out for a solution of exactly `bound` moves: the whole of it from the
    /// root, or `None` when there is none or the meter says stop.
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
            divided(search, bound, threads, &shared)
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
    let mut meter = Meter::new(shared);
    let root = search.root();
    let mut rest = std::iter::once(&root);
    let path = search.search(&mut || rest.next(), bound, &mut meter);
    meter.report();
    Ended { path, stop: meter.stop(), expanded: meter.expanded, generated: meter.generated }
}

/// Cuts the tree a few plies below the root into many subtrees, which the threads take one after another from a
/// common list: no thread is idle while another has more than a few subtrees left. The cut does not depend on the
/// number of threads, and an iteration without a solution searches the whole tree, so its counts do not either.
fn divided<S: BoundedSearch>(search: &S, bound: u32, threads: usize, shared: &Shared<'_>) -> Ended {
    const SUBTREES: usize = 4096;
    const PLIES: usize = 24;
    let mut meter = Meter::new(shared);
    let mut nodes = vec![search.root()];
    for ply in 0..PLIES {
        // The goal lies at the depth of the bound; splitting must stop before that.
        if nodes.len() >= SUBTREES || ply + 2 >= bound as usize {
            break;
        }
        nodes = nodes.iter().flat_map(|node| search.split(node, bound, &mut meter)).collect();
    }
    // The last iteration ends at the goal: the sooner, the earlier the subtrees that seem nearest to it are searched.
    nodes.sort_by_key(|node| search.estimate(node));
    let taken = AtomicUsize::new(0);
    let take =
        || nodes.get(taken.fetch_add(1, Ordering::Relaxed)).filter(|_| !shared.found.load(Ordering::Relaxed));
    let work = |mut meter: Meter<'_>| {
        let path = search.search(&mut || take(), bound, &mut meter);
        if path.is_some() {
            shared.found.store(true, Ordering::Relaxed);
        }
        meter.report();
        Ended { path, stop: meter.stop(), expanded: meter.expanded, generated: meter.generated }
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

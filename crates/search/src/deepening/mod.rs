//! Iterative deepening: searches with growing bounds, on one thread or on several.
//!
//! [`deepen`] drives any [`BoundedSearch`]. A small iteration is searched as a whole; a large one may be cut a few plies
//! below the root into some thousand subtrees, which threads take one after another. The subtrees do not depend on the
//! number of threads, and an iteration without a solution searches all of them, so its counts do not either.
//! [`deepen_among`] does the same as one of several processes, which take subtrees from the first of them (`among.rs`).

mod among;
mod divide;
mod drive;
mod messages;
#[cfg(test)]
mod tests;
mod tree;

use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::limits::Stop;
use crate::meter::{Budget, Counter};
use crate::parallel::Wire;

pub use among::deepen_among;
#[doc(hidden)]
pub use divide::divide;
use tree::Subtrees;

/// A subtree that an iteration searches on its own.
#[derive(Debug)]
pub struct Branch<N> {
    /// Its topmost node.
    pub root: N,
    /// The fewest actions that were left to the bound at a node of it.
    nearest: AtomicU32,
}

impl<N> Branch<N> {
    /// The subtree below a node.
    pub fn new(root: N) -> Self {
        Self { root, nearest: AtomicU32::new(u32::MAX) }
    }

    /// Notes the fewest actions that were left at a node, when all of it was searched in vain.
    pub fn came_within(&self, actions: u32) {
        self.nearest.store(actions, Relaxed);
    }

    /// What [`came_within`](Branch::came_within) noted; the largest number if nothing.
    pub fn nearest(&self) -> u32 {
        self.nearest.load(Relaxed)
    }
}

/// Hands out the next subtree to search, while there is one.
pub type Take<'a, 'n, N> = &'a mut dyn FnMut() -> Option<&'n Branch<N>>;

/// What lies beyond the bound of an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beyond<B> {
    /// The smallest bound under which more would have been searched.
    pub least: Option<B>,
    /// Whether a node beyond the bound lies at the end of a simple path, one on which no state comes twice. Where none
    /// does, larger bounds only go round in circles. For the search's own [`next_bound`](BoundedSearch::next_bound).
    pub simple: bool,
    /// Whether a node was not expanded because of the depth limit.
    pub at_depth_limit: bool,
}

impl<B> Default for Beyond<B> {
    fn default() -> Self {
        Self { least: None, simple: false, at_depth_limit: false }
    }
}

impl<B: Ord + Copy> Beyond<B> {
    /// Something lies beyond, under this bound.
    #[inline]
    pub fn offer(&mut self, bound: B) {
        self.least = Some(self.least.map_or(bound, |least| least.min(bound)));
    }

    fn add(&mut self, other: Self) {
        if let Some(bound) = other.least {
            self.offer(bound);
        }
        self.simple |= other.simple;
        self.at_depth_limit |= other.at_depth_limit;
    }
}

/// A depth-first search within a bound, as [`deepen`] drives it.
pub trait BoundedSearch: Sync {
    /// One action of a solution.
    type Action: Send;
    /// What tells the children of a node apart.
    type Step: Copy + Eq + Hash + Sync;
    /// A node whose subtree can be searched on its own.
    type Node: Send + Sync;
    /// What iterations are bounded by: depth or f.
    type Bound: Wire + Copy + Ord + Send + Sync;
    /// What one thread works with: its stack, and perhaps an observer.
    type Worker;

    /// Whether one thread, too, searches subtrees in another order than the plain depth-first one.
    const DIVIDES: bool;

    /// What a thread beside the first works with.
    fn worker(&self) -> Self::Worker;

    /// The root of the tree.
    fn root(&self) -> Self::Node;

    /// The way from the root to a node.
    fn steps<'n>(&self, node: &'n Self::Node) -> &'n [Self::Step];

    /// The smallest bound that a node is within; the first iteration has that of the root.
    fn estimate(&self, node: &Self::Node) -> Self::Bound;

    /// Is told by the calling thread that an iteration begins.
    fn begin(&self, _worker: &mut Self::Worker, _bound: Self::Bound) {}

    /// Whether a depth limit permits any solution within this bound that none before permitted.
    fn permits(&self, _bound: Self::Bound) -> bool {
        true
    }

    /// The bound of the next iteration.
    fn next_bound(&self, _bound: Self::Bound, beyond: Beyond<Self::Bound>) -> Option<Self::Bound> {
        beyond.least
    }

    /// Bytes that a thread needs within a bound, beyond those it tells its counter of.
    fn bytes(&self, _bound: Self::Bound) -> usize {
        0
    }

    /// Whether the tree within a bound may be cut so many plies below the root.
    fn divides_at(&self, _bound: Self::Bound, _plies: usize) -> bool {
        true
    }

    /// Searches the subtrees that `take` hands out: the actions of a solution from the root, or `None` when there is none
    /// within the bound. A search that can do so cheaply tells each subtree how near to the bound it came
    /// ([`Branch::came_within`]).
    fn search<'n>(
        &self,
        worker: &mut Self::Worker,
        take: Take<'_, 'n, Self::Node>,
        bound: Self::Bound,
        beyond: &mut Beyond<Self::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<Option<Vec<Self::Action>>, Stop>
    where
        Self::Node: 'n;

    /// Expands a node: its children within the bound, in the order of [`search`](BoundedSearch::search). A goal is its own
    /// only child.
    fn split(
        &self,
        node: &Self::Node,
        bound: Self::Bound,
        beyond: &mut Beyond<Self::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<Vec<Self::Node>, Stop>;
}

/// An iteration that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration<B> {
    /// The bound.
    pub bound: B,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration, the root not among them.
    pub generated: u64,
    /// Whether the whole tree within the bound was searched in vain.
    pub complete: bool,
}

/// What iterative deepening found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deepening<A, B> {
    /// The actions of a solution within the smallest bound that has one; `None` if there is none within any bound;
    /// or what ended the search.
    pub found: Result<Option<Vec<A>>, Stop>,
    /// No solution is within a smaller bound.
    pub lower_bound: B,
    /// The iterations, the last perhaps not complete.
    pub iterations: Vec<Iteration<B>>,
}

/// Searches with growing bounds until a solution is found or a limit reached. The root is no goal.
pub fn deepen<S: BoundedSearch>(
    search: &S,
    worker: &mut S::Worker,
    threads: usize,
    budget: Budget<'_>,
) -> Deepening<S::Action, S::Bound> {
    let subtrees = Subtrees::new(search);
    let driven = drive::drive(&subtrees, &mut subtrees.first(worker), threads, None, budget);
    subtrees.deepening(driven)
}

//! Iterative deepening: searches with growing bounds, on one thread or on several.
//!
//! [`deepen`] drives any [`BoundedSearch`]. A small iteration is searched as a whole; a large one may be cut a few plies
//! below the root into some thousand subtrees, which threads take one after another. The subtrees do not depend on the
//! number of threads, and an iteration without a solution searches all of them, so its counts do not either.

use std::hash::Hash;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::limits::Stop;
use crate::meter::{Budget, Counter};

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
#[derive(Debug, Clone, Copy)]
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
    type Bound: Copy + Ord + Send + Sync;
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

/// Iterations after one of fewer expansions are not worth being divided, or shared among threads.
const WORTH_DIVIDING: u64 = 20_000;

/// Searches with growing bounds until a solution is found or a limit reached. The root is no goal.
pub fn deepen<S: BoundedSearch>(
    search: &S,
    worker: &mut S::Worker,
    threads: usize,
    budget: Budget<'_>,
) -> Deepening<S::Action, S::Bound> {
    let subtrees = Subtrees { search, branches: RwLock::default(), path: Mutex::default() };
    let mut first = First { subtrees: &subtrees, worker };
    let (found, lower_bound, iterations) = drive(&subtrees, &mut first, threads, budget);
    let path = subtrees.path.into_inner().unwrap_or_else(PoisonError::into_inner);
    Deepening { found: found.map(|found| path.filter(|_| found)), lower_bound, iterations }
}

/// A [`BoundedSearch`] without its types. [`drive`] knows of nodes only how many subtrees there are, so that one compiled
/// copy of it serves all searches with bounds of a kind. Nothing here is called more than once a thread and iteration.
trait Tree<B>: Sync {
    /// Whether one thread, too, searches subtrees in an order of its own.
    fn divides(&self) -> bool;
    /// The smallest bound that the root is within.
    fn estimate(&self) -> B;
    fn permits(&self, bound: B) -> bool;
    fn bytes(&self, bound: B) -> usize;
    fn next_bound(&self, bound: B, beyond: Beyond<B>) -> Option<B>;
    /// Cuts the tree into subtrees, which [`search_beside`](Tree::search_beside) knows by their numbers from 0 on; how many.
    fn divide(&self, bound: B, beyond: &mut Beyond<B>, counter: &mut Counter<'_>) -> Result<usize, Stop>;
    /// About the bytes that a subtree takes until it is searched.
    fn subtree_bytes(&self) -> usize;
    /// Searches subtrees, in a thread beside the first; whether there is a solution in them.
    fn search_beside(
        &self,
        take: TakeNumber<'_>,
        bound: B,
        beyond: &mut Beyond<B>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop>;
}

/// The same in the calling thread, which has the caller's worker.
trait Caller<B> {
    fn begin(&mut self, bound: B);
    /// Searches the whole tree.
    fn search_whole(
        &mut self,
        bound: B,
        beyond: &mut Beyond<B>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop>;
    /// Searches subtrees.
    fn search(
        &mut self,
        take: TakeNumber<'_>,
        bound: B,
        beyond: &mut Beyond<B>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop>;
}

/// Hands out the number of the next subtree to search, while there is one.
type TakeNumber<'a> = &'a mut dyn FnMut() -> Option<usize>;

struct Subtrees<'s, S: BoundedSearch> {
    search: &'s S,
    /// Those of the last iteration that was divided.
    branches: RwLock<Vec<Branch<S::Node>>>,
    /// The solution that was found first.
    path: Mutex<Option<Vec<S::Action>>>,
}

impl<S: BoundedSearch> Subtrees<'_, S> {
    fn search(
        &self,
        worker: &mut S::Worker,
        take: TakeNumber<'_>,
        bound: S::Bound,
        beyond: &mut Beyond<S::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop> {
        let branches = self.branches.read().unwrap_or_else(PoisonError::into_inner);
        let mut take = || take().and_then(|number| branches.get(number));
        let path = self.search.search(worker, &mut take, bound, beyond, counter)?;
        Ok(self.note(path))
    }

    fn note(&self, path: Option<Vec<S::Action>>) -> bool {
        let found = path.is_some();
        if let Some(path) = path {
            self.path.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(path);
        }
        found
    }
}

impl<S: BoundedSearch> Tree<S::Bound> for Subtrees<'_, S> {
    fn divides(&self) -> bool {
        S::DIVIDES
    }

    fn estimate(&self) -> S::Bound {
        self.search.estimate(&self.search.root())
    }

    fn permits(&self, bound: S::Bound) -> bool {
        self.search.permits(bound)
    }

    fn bytes(&self, bound: S::Bound) -> usize {
        self.search.bytes(bound)
    }

    fn next_bound(&self, bound: S::Bound, beyond: Beyond<S::Bound>) -> Option<S::Bound> {
        self.search.next_bound(bound, beyond)
    }

    fn divide(
        &self,
        bound: S::Bound,
        beyond: &mut Beyond<S::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<usize, Stop> {
        let mut branches = self.branches.write().unwrap_or_else(PoisonError::into_inner);
        *branches = divide(self.search, bound, &branches, beyond, counter)?;
        Ok(branches.len())
    }

    fn subtree_bytes(&self) -> usize {
        subtree_bytes::<S>()
    }

    fn search_beside(
        &self,
        take: TakeNumber<'_>,
        bound: S::Bound,
        beyond: &mut Beyond<S::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop> {
        self.search(&mut self.search.worker(), take, bound, beyond, counter)
    }
}

struct First<'s, S: BoundedSearch> {
    subtrees: &'s Subtrees<'s, S>,
    worker: &'s mut S::Worker,
}

impl<S: BoundedSearch> Caller<S::Bound> for First<'_, S> {
    fn begin(&mut self, bound: S::Bound) {
        self.subtrees.search.begin(self.worker, bound);
    }

    fn search_whole(
        &mut self,
        bound: S::Bound,
        beyond: &mut Beyond<S::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop> {
        let search = self.subtrees.search;
        let root = Branch::new(search.root());
        let mut rest = Some(&root);
        let path = search.search(self.worker, &mut || rest.take(), bound, beyond, counter)?;
        Ok(self.subtrees.note(path))
    }

    fn search(
        &mut self,
        take: TakeNumber<'_>,
        bound: S::Bound,
        beyond: &mut Beyond<S::Bound>,
        counter: &mut Counter<'_>,
    ) -> Result<bool, Stop> {
        self.subtrees.search(self.worker, take, bound, beyond, counter)
    }
}

/// How [`drive`] ended: whether there is a solution, the lower bound, and the iterations.
type Driven<B> = (Result<bool, Stop>, B, Vec<Iteration<B>>);

fn drive<B: Copy + Ord + Send + Sync>(
    tree: &dyn Tree<B>,
    first: &mut dyn Caller<B>,
    threads: usize,
    budget: Budget<'_>,
) -> Driven<B> {
    let mut bound = tree.estimate();
    let mut iterations = Vec::new();
    let mut lower_bound = bound;
    let mut cut = false;
    let mut spent = 0;
    let found = loop {
        if !cut {
            lower_bound = bound;
        }
        if !tree.permits(bound) {
            break Err(Stop::Depth);
        }
        // A part of a run is given its nodes for one thread, and a browser has no more.
        let alone = budget.nodes().is_some() || cfg!(all(target_family = "wasm", target_os = "unknown"));
        let threads = if alone { 1 } else { threads.max(1) };
        let _stacks = match budget.reserve(threads * tree.bytes(bound)) {
            Ok(reserved) => reserved,
            Err(stop) => break Err(stop),
        };
        first.begin(bound);
        let large = iterations.last().is_some_and(|last: &Iteration<_>| last.expanded >= WORTH_DIVIDING);
        let found = AtomicBool::new(false);
        let left = budget.with_nodes(budget.nodes().map(|most| most.saturating_sub(spent)));
        let iteration = Running { tree, bound, budget: left, found: &found };
        let ended = if large && (threads > 1 || tree.divides()) {
            iteration.divided(first, threads)
        } else {
            iteration.work(iteration.counter(), |beyond, counter| first.search_whole(bound, beyond, counter))
        };
        let Ended { found, stop, expanded, generated, stored, beyond } = ended;
        budget.meter().note_stored(stored);
        spent += expanded;
        let complete = !found && stop.is_none();
        iterations.push(Iteration { bound, expanded, generated, complete });
        cut |= beyond.at_depth_limit;
        match stop {
            _ if found => break Ok(true),
            Some(stop) => break Err(stop),
            None => match tree.next_bound(bound, beyond) {
                Some(next) => bound = next,
                None if cut => break Err(Stop::Depth),
                None => break Ok(false),
            },
        }
    };
    (found, lower_bound, iterations)
}

/// About the bytes of the topmost node of a subtree, with the way to it.
fn subtree_bytes<S: BoundedSearch>() -> usize {
    const WAY: usize = 64;
    size_of::<Branch<S::Node>>() + WAY
}

/// Cuts the tree within a bound a few plies below the root into many subtrees, in the order in which they are to be
/// searched.
///
/// The last iteration ends at the goal, the sooner the better the order: first those that came nearest to the bound in
/// the iteration before, whose subtrees are `before`; among equals, and while none is known, those whose roots seem
/// nearest.
#[doc(hidden)]
pub fn divide<S: BoundedSearch>(
    search: &S,
    bound: S::Bound,
    before: &[Branch<S::Node>],
    beyond: &mut Beyond<S::Bound>,
    counter: &mut Counter<'_>,
) -> Result<Vec<Branch<S::Node>>, Stop> {
    const SUBTREES: usize = 4096;
    const PLIES: usize = 24;
    // The last cut is up to three times as wide, and is held beside those of this iteration and of the one before: that
    // may come to half of what there is.
    const HELD: usize = 16;
    let room = counter.room().unwrap_or(usize::MAX);
    let enough = SUBTREES.min(room / (HELD * subtree_bytes::<S>()));
    let mut nodes = vec![search.root()];
    let mut plies = 0;
    while nodes.len() < enough && plies < PLIES && search.divides_at(bound, plies) {
        let mut next = Vec::new();
        for node in &nodes {
            next.extend(search.split(node, bound, beyond, counter)?);
        }
        nodes = next;
        plies += 1;
    }
    // A larger bound leaves more nodes at every ply: the cut before was as deep or deeper.
    let mut nearest = FxHashMap::default();
    for branch in before {
        let Some(above) = search.steps(&branch.root).get(..plies) else { continue };
        let came = branch.nearest();
        nearest.entry(above).and_modify(|known| *known = came.min(*known)).or_insert(came);
    }
    let came = |node: &S::Node| nearest.get(search.steps(node)).copied().unwrap_or(u32::MAX);
    nodes.sort_by_cached_key(|node| (came(node), search.estimate(node)));
    Ok(nodes.into_iter().map(Branch::new).collect())
}

/// How the work of a thread, or a whole iteration, ended.
struct Ended<B> {
    found: bool,
    stop: Option<Stop>,
    expanded: u64,
    generated: u64,
    /// Most nodes held at once.
    stored: u64,
    beyond: Beyond<B>,
}

/// An iteration in hand.
struct Running<'i, B> {
    tree: &'i dyn Tree<B>,
    bound: B,
    budget: Budget<'i>,
    /// Raised when a solution is found: the other threads stop.
    found: &'i AtomicBool,
}

impl<'i, B: Copy + Ord + Send + Sync> Running<'i, B> {
    fn counter(&self) -> Counter<'i> {
        self.budget.counter().until(self.found)
    }

    /// Has a search done, and counts it.
    fn work(
        &self,
        mut counter: Counter<'_>,
        search: impl FnOnce(&mut Beyond<B>, &mut Counter<'_>) -> Result<bool, Stop>,
    ) -> Ended<B> {
        let mut beyond = Beyond::default();
        let result = search(&mut beyond, &mut counter);
        self.ended(result, &counter, beyond)
    }

    fn ended(&self, result: Result<bool, Stop>, counter: &Counter<'_>, beyond: Beyond<B>) -> Ended<B> {
        // What another thread's solution ended was stopped by no limit.
        let stop = result.err().filter(|_| !self.found.load(Relaxed));
        let found = result.unwrap_or(false);
        if found {
            self.found.store(true, Relaxed);
        }
        let Counter { expanded, generated, stored_peak: stored, .. } = *counter;
        Ended { found, stop, expanded, generated, stored, beyond }
    }

    /// Has threads take subtrees one after another: no thread is idle while another has more than a few left.
    fn divided(&self, first: &mut dyn Caller<B>, threads: usize) -> Ended<B> {
        let Self { tree, bound, .. } = *self;
        let mut counter = self.counter();
        let mut cut = Beyond::default();
        let subtrees = match tree.divide(bound, &mut cut, &mut counter) {
            Ok(subtrees) => subtrees,
            Err(stop) => return self.ended(Err(stop), &counter, cut),
        };
        let _held = match self.budget.reserve(subtrees * tree.subtree_bytes()) {
            Ok(reserved) => reserved,
            Err(stop) => return self.ended(Err(stop), &counter, cut),
        };
        let taken = AtomicUsize::new(0);
        let take = || {
            let next = Some(taken.fetch_add(1, Relaxed)).filter(|&next| next < subtrees);
            next.filter(|_| !self.found.load(Relaxed))
        };
        std::thread::scope(|scope| {
            let beside = || {
                self.work(self.counter(), |beyond, counter| {
                    tree.search_beside(&mut { take }, bound, beyond, counter)
                })
            };
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(beside)).collect();
            let mut all =
                self.work(counter, |beyond, counter| first.search(&mut { take }, bound, beyond, counter));
            all.beyond.add(cut);
            for other in others {
                let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                all.found |= other.found;
                all.stop = all.stop.or(other.stop);
                all.expanded += other.expanded;
                all.generated += other.generated;
                all.stored += other.stored;
                all.beyond.add(other.beyond);
            }
            all
        })
    }
}

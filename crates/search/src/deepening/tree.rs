//! The subtrees of an iteration, and a search that knows them by their numbers.

use std::hash::{Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError, RwLock};

use rustc_hash::FxHasher;

use super::divide::{divide, subtree_bytes};
use super::drive::Driven;
use super::{Beyond, BoundedSearch, Branch, Deepening};
use crate::limits::Stop;
use crate::meter::Counter;

/// A [`BoundedSearch`] without its types. [`drive`](super::drive::drive) knows of nodes only how many subtrees there are, so that one compiled
/// copy of it serves all searches with bounds of a kind. Nothing here is called more than once a thread and iteration.
pub(super) trait Tree<B>: Sync {
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
    /// What each subtree of the last division [came within](Branch::came_within); nothing if there was none.
    fn nearest(&self) -> Vec<u32>;
    /// Notes the same, as others have found it; whether there are so many subtrees.
    fn come_within(&self, nearest: &[u32]) -> bool;
    /// A number that stands for the subtrees and their order.
    fn fingerprint(&self) -> u64;
}

/// The same in the calling thread, which has the caller's worker.
pub(super) trait Caller<B> {
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
pub(super) type TakeNumber<'a> = &'a mut dyn FnMut() -> Option<usize>;

pub(super) struct Subtrees<'s, S: BoundedSearch> {
    search: &'s S,
    /// Those of the last iteration that was divided.
    branches: RwLock<Vec<Branch<S::Node>>>,
    /// The solution that was found first.
    path: Mutex<Option<Vec<S::Action>>>,
}

impl<'s, S: BoundedSearch> Subtrees<'s, S> {
    pub fn new(search: &'s S) -> Self {
        Self { search, branches: RwLock::default(), path: Mutex::default() }
    }

    /// The calling thread's share of the work.
    pub fn first(&'s self, worker: &'s mut S::Worker) -> First<'s, S> {
        First { subtrees: self, worker }
    }

    /// What came of a search for a solution.
    pub fn deepening(
        self,
        (found, lower_bound, iterations): Driven<S::Bound>,
    ) -> Deepening<S::Action, S::Bound> {
        let path = self.path.into_inner().unwrap_or_else(PoisonError::into_inner);
        Deepening { found: found.map(|found| path.filter(|_| found)), lower_bound, iterations }
    }

    /// Has a look at the solution that was found first.
    pub fn with_path<T>(&self, look: impl FnOnce(Option<&[S::Action]>) -> T) -> T {
        look(self.path.lock().unwrap_or_else(PoisonError::into_inner).as_deref())
    }

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

    /// Keeps a solution, unless there is one; whether it is one.
    pub fn note(&self, path: Option<Vec<S::Action>>) -> bool {
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

    fn nearest(&self) -> Vec<u32> {
        let branches = self.branches.read().unwrap_or_else(PoisonError::into_inner);
        branches.iter().map(Branch::nearest).collect()
    }

    fn come_within(&self, nearest: &[u32]) -> bool {
        let branches = self.branches.read().unwrap_or_else(PoisonError::into_inner);
        branches
            .iter()
            .zip(nearest)
            .for_each(|(branch, &came)| branch.came_within(came.min(branch.nearest())));
        branches.len() == nearest.len()
    }

    fn fingerprint(&self) -> u64 {
        let branches = self.branches.read().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = FxHasher::default();
        branches.len().hash(&mut hasher);
        branches.iter().for_each(|branch| self.search.steps(&branch.root).hash(&mut hasher));
        hasher.finish()
    }
}

pub(super) struct First<'s, S: BoundedSearch> {
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

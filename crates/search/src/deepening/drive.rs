//! The loop of growing bounds, and an iteration on the threads of one process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::among::Team;
use super::tree::{Caller, Tree};
use super::{Beyond, Iteration};
use crate::limits::Stop;
use crate::meter::{Budget, Counter};
use crate::parallel::Wire;

/// Iterations after one of fewer expansions are not worth being divided, or shared among threads.
const WORTH_DIVIDING: u64 = 20_000;

/// How [`drive`] ended: whether there is a solution, the lower bound, and the iterations.
pub(super) type Driven<B> = (Result<bool, Stop>, B, Vec<Iteration<B>>);

/// Searches with growing bounds, large iterations together with a team, if there is one.
pub(super) fn drive<B: Wire + Copy + Ord + Send + Sync>(
    tree: &dyn Tree<B>,
    first: &mut dyn Caller<B>,
    threads: usize,
    mut team: Option<&mut Team<'_>>,
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
        let over = AtomicBool::new(false);
        let left = budget.with_nodes(budget.nodes().map(|most| most.saturating_sub(spent)));
        let iteration = Running { tree, bound, budget: left, over: &over };
        let ended = if let Some(team) = team.as_deref_mut().filter(|_| large && !alone) {
            iteration.shared(team, threads)
        } else if large && (threads > 1 || tree.divides()) {
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

/// How the work of a thread, or a whole iteration, ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended<B> {
    pub found: bool,
    pub stop: Option<Stop>,
    pub expanded: u64,
    pub generated: u64,
    /// Most nodes held at once.
    pub stored: u64,
    pub beyond: Beyond<B>,
}

impl<B> Default for Ended<B> {
    fn default() -> Self {
        let beyond = Beyond::default();
        Self { found: false, stop: None, expanded: 0, generated: 0, stored: 0, beyond }
    }
}

impl<B: Ord + Copy> Ended<B> {
    /// Adds what another has done in the same iteration.
    pub fn add(&mut self, other: Self) {
        self.found |= other.found;
        self.stop = self.stop.or(other.stop);
        self.expanded += other.expanded;
        self.generated += other.generated;
        self.stored += other.stored;
        self.beyond.add(other.beyond);
    }
}

/// An iteration in hand.
pub(super) struct Running<'i, B> {
    pub tree: &'i dyn Tree<B>,
    pub bound: B,
    pub budget: Budget<'i>,
    /// Raised when what others do ends the iteration, as a solution does: the threads stop.
    pub over: &'i AtomicBool,
}

impl<'i, B: Wire + Copy + Ord + Send + Sync> Running<'i, B> {
    pub fn counter(&self) -> Counter<'i> {
        self.budget.counter().until(self.over)
    }

    /// Has a search done, and counts it.
    pub fn work(
        &self,
        mut counter: Counter<'_>,
        search: impl FnOnce(&mut Beyond<B>, &mut Counter<'_>) -> Result<bool, Stop>,
    ) -> Ended<B> {
        let mut beyond = Beyond::default();
        let result = search(&mut beyond, &mut counter);
        self.ended(result, &counter, beyond)
    }

    pub fn ended(&self, result: Result<bool, Stop>, counter: &Counter<'_>, beyond: Beyond<B>) -> Ended<B> {
        // What another's end has ended was stopped by no limit.
        let stop = result.err().filter(|_| !self.over.load(Relaxed));
        let found = result.unwrap_or(false);
        if found {
            self.over.store(true, Relaxed);
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
            next.filter(|_| !self.over.load(Relaxed))
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
                all.add(other);
            }
            all
        })
    }
}

//! Does a problem, or a heuristic, keep its promises?
//!
//! The engine believes what it is told: that `undo` takes back `apply`, that a heuristic is admissible, that no state of a
//! [tree](Problem::TREE) is met again. Where that is not so, paths come out wrong or proofs prove nothing. [`check`] looks at
//! states near the start and on random walks, tries everything that a [`Problem`] and a [`Heuristic`] say about them,
//! and returns the shortest instance of a broken promise that it met. [`check_reversible`] looks at the way back as well.
//!
//! What it finds is wrong; what it does not find is not proved right. It belongs into the tests of a problem:
//!
//! ```
//! use novelo_search::check::{Kind, check};
//! use novelo_search::{Problem, Promise, heuristic};
//!
//! /// From 0 to 14 by steps of 7 and -3.
//! struct Steps;
//!
//! impl Problem for Steps {
//!     type State = i32;
//!     type Action = i32;
//!     type Undo = ();
//!     type Cost = u32;
//!     fn start(&self) -> i32 { 0 }
//!     fn is_goal(&self, at: &i32) -> bool { *at == 14 }
//!     fn actions(&self, _: &i32, out: &mut Vec<i32>) { out.extend([7, -3]) }
//!     fn apply(&self, at: &mut i32, by: i32) -> (u32, ()) { *at += by; (1, ()) }
//!     fn undo(&self, at: &mut i32, by: i32, (): ()) { *at -= by }
//! }
//!
//! // No step covers more than 7.
//! let good = heuristic::from_fn(Promise::ADMISSIBLE, |_: &Steps, at: &i32| at.abs_diff(14) / 7);
//! assert!(check(&Steps, &good, 100).is_ok());
//!
//! let bad = heuristic::from_fn(Promise::ADMISSIBLE, |_: &Steps, at: &i32| at.abs_diff(14));
//! let violation = check(&Steps, &bad, 100).unwrap_err();
//! assert_eq!(violation.kind, Kind::Inadmissible);
//! assert_eq!(
//!     violation.to_string(),
//!     "the heuristic is not admissible: at the start it says 14, but a path from there to a goal costs 2; \
//!      it must never be above the cost of any path to a goal"
//! );
//! ```

mod backward;
mod goal;
mod look;
mod violation;

use std::collections::{HashSet, VecDeque};
use std::fmt::Debug;

use rustc_hash::FxBuildHasher;

use crate::heuristic::Heuristic;
use crate::problem::{Problem, Reversible};
use crate::random::Random;

pub use violation::{Checked, Kind, Violation};

/// Looks at up to `samples` states of a problem: half of them those nearest to the start, the others on random walks, the
/// same on every call. From each, a small search for a goal tells what estimates must not exceed. Without a heuristic
/// of your own, give [`Zero`](crate::Zero).
pub fn check<P: Problem, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    samples: usize,
) -> Result<Checked, Violation<P::Action>> {
    Checker::new(problem, heuristic, None).run(samples)
}

/// Like [`check`], for problems that can be run backwards: [`Reversible::goals`] must be the goal states, and
/// [`Reversible::actions_into`] and [`Reversible::retract`] the inverse of [`Problem::actions`] and [`Problem::apply`].
pub fn check_reversible<P: Reversible, H: Heuristic<P>>(
    problem: &P,
    heuristic: &H,
    samples: usize,
) -> Result<Checked, Violation<P::Action>> {
    Checker::new(problem, heuristic, Some(backward::look::<P>)).run(samples)
}

/// The longest random walk.
const LONGEST: usize = 100;

/// A state that was met, and how.
struct Met<P: Problem> {
    state: P::State,
    path: Vec<P::Action>,
    /// The states on the way, the start first.
    above: Vec<P::State>,
}

impl<P: Problem> Met<P> {
    fn below(&self, state: P::State, action: P::Action) -> Self {
        let mut path = self.path.clone();
        path.push(action);
        let mut above = self.above.clone();
        above.push(self.state.clone());
        Self { state, path, above }
    }
}

impl<P: Problem> Clone for Met<P> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), path: self.path.clone(), above: self.above.clone() }
    }
}

/// What is wrong with a state: the kind, the action that shows it, the detail.
type Wrong<P> = (Kind, Option<<P as Problem>::Action>, String);
/// Looks at a state from behind.
type LookBack<P> = fn(&P, &Met<P>) -> Option<Wrong<P>>;

struct Checker<'c, P: Problem, H> {
    problem: &'c P,
    heuristic: &'c H,
    look_back: Option<LookBack<P>>,
    /// The cost of the first action met.
    unit: Option<P::Cost>,
    seen: HashSet<P::State, FxBuildHasher>,
    checked: Checked,
    found: Option<Violation<P::Action>>,
}

impl<'c, P: Problem, H: Heuristic<P>> Checker<'c, P, H> {
    fn new(problem: &'c P, heuristic: &'c H, look_back: Option<LookBack<P>>) -> Self {
        Self {
            problem,
            heuristic,
            look_back,
            unit: None,
            seen: HashSet::default(),
            checked: Checked::default(),
            found: None,
        }
    }

    fn run(mut self, samples: usize) -> Result<Checked, Violation<P::Action>> {
        let start = Met { state: self.problem.start(), path: Vec::new(), above: Vec::new() };
        self.level_by_level(&start, samples.div_ceil(2));
        if self.found.is_none() {
            self.walk(&start, samples);
        }
        match self.found {
            None => Ok(self.checked),
            Some(violation) => Err(violation),
        }
    }

    /// Looks at the states nearest to the start.
    fn level_by_level(&mut self, start: &Met<P>, most: usize) {
        let mut queue = VecDeque::from([start.clone()]);
        self.seen.insert(start.state.clone());
        for _ in 0..most {
            let Some(met) = queue.pop_front() else { break };
            // Nothing that comes later is nearer.
            if self.found.as_ref().is_some_and(|found| found.path.len() < met.path.len()) {
                break;
            }
            self.look(&met);
            let mut actions = Vec::new();
            self.problem.actions(&met.state, &mut actions);
            for action in actions {
                let (state, ..) = self.problem.successor(&met.state, &action);
                if queue.len() < most && self.seen.insert(state.clone()) {
                    queue.push_back(met.below(state, action));
                }
            }
        }
        // The rest of the queue was not looked at.
        for met in queue {
            self.seen.remove(&met.state);
        }
    }

    /// Looks at the states on random walks.
    fn walk(&mut self, start: &Met<P>, most: usize) {
        let mut random = Random::new(0x6E6F_7665_6C6F);
        // Walks may meet nothing but what was seen.
        for walk in 0..most {
            if self.checked.states >= most as u64 {
                break;
            }
            let mut met = start.clone();
            let mut memo = self.heuristic.memo(self.problem, &met.state);
            for _ in 0..LONGEST.min(8 << (walk % 5)) {
                if self.seen.insert(met.state.clone()) {
                    self.look(&met);
                    if self.checked.states >= most as u64 {
                        break;
                    }
                }
                let mut actions = Vec::new();
                self.problem.actions(&met.state, &mut actions);
                if actions.is_empty() {
                    break;
                }
                let action = actions.swap_remove(random.below(actions.len()));
                let mut state = met.state.clone();
                let (_, undo) = self.problem.apply(&mut state, action.clone());
                // What errors of `child` add up to along a path shows only here.
                let fresh = self.heuristic.memo(self.problem, &state);
                let child =
                    memo.and_then(|memo| self.heuristic.child(self.problem, &memo, &state, &action, &undo));
                if let (Some(child), Some(fresh)) = (&child, &fresh) {
                    self.compare(&met, &action, Kind::Child, "child", child, fresh);
                }
                memo = child.or(fresh);
                met = met.below(state, action);
            }
        }
    }

    fn report(&mut self, met: &Met<P>, (kind, action, detail): Wrong<P>) {
        if self.found.as_ref().is_none_or(|found| met.path.len() < found.path.len()) {
            self.found = Some(Violation { kind, path: met.path.clone(), action, detail });
        }
    }
}

/// Actions cannot be compared, but they can be written.
fn written<A: Debug>(actions: &[A]) -> Vec<String> {
    actions.iter().map(|action| format!("{action:?}")).collect()
}

#[cfg(test)]
mod tests;

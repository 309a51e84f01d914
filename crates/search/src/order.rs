//! Hashing of states and random order of actions, both the same on every run.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::problem::Problem;
use crate::random::Random;

/// A hash of a state whose high bits are well mixed.
#[inline]
pub fn hash<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    mix(hasher.finish())
}

#[inline]
fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Appends the actions of a state in the order in which they are to be tried.
#[inline(always)]
pub(crate) fn actions<P: Problem>(
    problem: &P,
    shuffled: Option<u64>,
    state: &P::State,
    out: &mut Vec<P::Action>,
) {
    let first = out.len();
    problem.actions(state, out);
    if let Some(seed) = shuffled {
        shuffle(state, seed, &mut out[first..]);
    }
}

/// Appends the actions of a stored node that need to be done, and tells how many
/// there are in all. An action that only takes back the one that led here produces the
/// parent, which is known at a cost not above this node's: unless someone is
/// watching, it is counted and left undone.
#[inline(always)]
pub(crate) fn actions_of<P: Problem>(
    problem: &P,
    shuffled: Option<u64>,
    state: &P::State,
    arrival: Option<&P::Action>,
    out: &mut Vec<P::Action>,
) -> u64 {
    let first = out.len();
    let left_out = match arrival {
        None => {
            actions(problem, shuffled, state, out);
            0
        }
        Some(arrival) => actions_after(problem, shuffled, state, arrival, out),
    };
    (out.len() - first + left_out) as u64
}

/// Appends the actions of a state that `previous` has led to, but for
/// those that only take it back; returns how many those are.
#[inline(always)]
pub(crate) fn actions_after<P: Problem>(
    problem: &P,
    shuffled: Option<u64>,
    state: &P::State,
    previous: &P::Action,
    out: &mut Vec<P::Action>,
) -> usize {
    let first = out.len();
    let left_out = problem.actions_after(state, previous, out);
    if let Some(seed) = shuffled {
        shuffle(state, seed, &mut out[first..]);
    }
    left_out
}

/// Puts actions in an order that depends only on the state and the seed, so
/// that a state met again has its actions in the same order.
#[cold]
fn shuffle<S: Hash, A>(state: &S, seed: u64, actions: &mut [A]) {
    let mut random = Random::new(hash(state) ^ mix(seed.wrapping_add(0x5851_F42D_4C95_7F2D)));
    for i in (1..actions.len()).rev() {
        actions.swap(i, random.below(i + 1));
    }
}

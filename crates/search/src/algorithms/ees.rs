//! Explicit estimation search.

use super::focal::BOUND;
use super::{AlgorithmInfo, Lesson, Needs, Next, bounded};
use crate::heuristic::{Estimate, Weight};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ees",
    title: "Explicit estimation search",
    about: include_str!("ees.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "within a factor of the bound, if the heuristic is admissible",
    time: "O(b^d) at worst; usually far less than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[BOUND],
    lesson: Some(&Lesson { next: Next::LeastEstimate, pseudocode: include_str!("ees.txt") }),
};

/// The most that a guess is above the estimate: a path that has come no nearer says nothing of how far it is.
const MOST: f64 = 10.0;

/// What is left from a node if the estimate is wrong by as much as it was on the way here: going down by start - h has cost
/// g. That is the single-step error of Thayer, Dionne and Ruml (2011), averaged over the path, where it telescopes.
fn corrected(g: f64, h: f64, start: f64) -> f64 {
    let nearer = start - h;
    if g <= 0.0 {
        h
    } else if nearer * MOST <= g {
        h * MOST
    } else {
        h * (g / nearer).max(1.0)
    }
}

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    bound: Weight,
) -> OutcomeOf<P> {
    bounded::search(search, meter, bound, Some(corrected))
}

//! Focal search.

use super::{AlgorithmInfo, Lesson, Needs, Next, bounded};
use crate::heuristic::{Estimate, Weight};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "focal",
    title: "Focal search (A*-epsilon)",
    about: include_str!("focal.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "within a factor of the bound, if the heuristic is admissible",
    time: "O(b^d) at worst; usually far less than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[BOUND],
    lesson: Some(&Lesson { next: Next::LeastEstimate, pseudocode: include_str!("focal.txt") }),
};

/// How much dearer than the optimum a solution may be.
pub(super) const BOUND: Parameter = Parameter {
    name: "bound",
    kind: Kind::Number { least: 1.0, most: 1000.0 },
    default: Some("1.5"),
    required: false,
    about: "How many times the optimum a solution may cost, exact to two decimals.",
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    bound: Weight,
) -> OutcomeOf<P> {
    bounded::search(search, meter, bound, None)
}

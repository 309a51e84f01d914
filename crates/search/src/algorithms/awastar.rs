//! Anytime weighted A*.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::{Heuristic, Weight};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "awastar",
    title: "Anytime weighted A*",
    about: include_str!("awastar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "if the heuristic is admissible, and it ends by itself; before that, within a factor of the weight",
    time: "O(b^d) at worst; a first solution usually far sooner than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[Parameter {
        name: "weight",
        kind: Kind::Number { least: 1.0, most: 1000.0 },
        default: Some("2"),
        required: false,
        about: "How much the estimate counts, exact to two decimals.",
    }],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("awastar.txt") }),
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    weight: Weight,
) -> OutcomeOf<P> {
    best_first::improve(search, meter, Rule::Sum(weight))
}

//! Weighted A*.

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
    name: "wastar",
    title: "Weighted A*",
    about: include_str!("wastar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "within a factor of the weight, if the heuristic is admissible",
    time: "O(b^d) at worst; usually far less than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[Parameter {
        name: "weight",
        kind: Kind::Number { least: 1.0, most: 1000.0 },
        default: Some("1.5"),
        required: false,
        about: "How much the estimate counts, exact to two decimals.",
    }],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("wastar.txt") }),
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
    weight: Weight,
) -> OutcomeOf<P> {
    best_first::search(search, meter, Rule::Sum(weight))
}

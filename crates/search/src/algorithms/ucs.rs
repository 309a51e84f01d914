//! Uniform-cost search.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Zero;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "ucs",
    title: "Uniform-cost search",
    about: include_str!("ucs.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "yes",
    time: "O(b^(1 + C*/least cost))",
    space: "O(b^(1 + C*/least cost))",
    needs: Needs::Nothing,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastCost, pseudocode: include_str!("ucs.txt") }),
};

pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    best_first::search(search, meter, Rule::Cost)
}

//! Greedy best-first search.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::Heuristic;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "greedy",
    title: "Greedy best-first search",
    about: include_str!("greedy.md"),
    complete: "yes, if there are finitely many states",
    optimal: "no",
    time: "O(b^m) at worst",
    space: "O(b^m) at worst",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastEstimate, pseudocode: include_str!("greedy.txt") }),
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    best_first::search(search, meter, Rule::Estimate)
}

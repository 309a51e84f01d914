//! A*.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::heuristic::{Heuristic, Weight};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "astar",
    title: "A*",
    about: include_str!("astar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "if the heuristic is admissible",
    time: "O(b^d) at worst; with a good heuristic far less",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("astar.txt") }),
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    best_first::search(search, meter, Rule::Sum(Weight::ONE))
}

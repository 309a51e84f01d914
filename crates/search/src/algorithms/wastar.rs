//! Weighted A*.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Needs};
use crate::heuristic::Heuristic;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "wastar",
    title: "Weighted A*",
    about: "A* with f = g + w·h (Pohl, 1970). With an admissible heuristic the solution costs at most \
            w times the optimum; a weight of 1.5 or 2 often saves most of the work.",
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "within a factor of the weight, if the heuristic is admissible",
    time: "O(b^d) at worst; usually far less than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
) -> Outcome<P::Action> {
    let weight = search.settings.weight;
    best_first::search(search, Rule::Sum(weight))
}

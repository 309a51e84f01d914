//! A*.

use super::best_first::{self, Rule};
use super::{AlgorithmInfo, Needs};
use crate::heuristic::{Heuristic, Weight};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Search;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "astar",
    title: "A*",
    about: "Expands states by f = g + h, the cost so far plus the estimate of what is left (Hart, \
            Nilsson and Raphael, 1968); among equal f the smaller h first, then the newest. With a \
            consistent heuristic no algorithm that proves its answer expands fewer states, ties \
            aside. States reached again at a lower cost are reopened; where that \
            lowers f below what was expanded already, the smallest g comes first (Martelli's B, 1977), \
            so that an inconsistent heuristic costs n^2 expansions at most, not 2^n.",
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "if the heuristic is admissible",
    time: "O(b^d) at worst; with a good heuristic far less",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[],
};

pub(crate) fn search<P: Problem, H: Heuristic<P>, O: Observer<P>>(
    search: Search<'_, P, H, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    best_first::search(search, meter, Rule::Sum(Weight::ONE))
}

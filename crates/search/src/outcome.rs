//! How a run ended.

use crate::cost::Cost;
use crate::limits::Stop;
use crate::problem::Problem;
use crate::stats::Stats;

/// Everything a run has to say: the answer, or why there is none, and the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome<A, C = u32> {
    /// What was found or proved.
    pub answer: Answer<A, C>,
    /// A proved lower bound on the cost of any solution, where one is known.
    pub lower_bound: Option<C>,
    /// What ended a run that has a solution and would have gone on for a cheaper one, or for a proof.
    pub stop: Option<Stop>,
    /// The counts, whatever ended the run.
    pub stats: Stats,
}

/// What a run found or proved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Answer<A, C = u32> {
    /// A path from the start to a goal.
    Solved(Solution<A, C>),
    /// There is no path, proved.
    Unsolvable,
    /// Neither: the run was ended.
    Stopped(Stop),
}

/// A path to a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solution<A, C = u32> {
    /// The actions, first to last.
    pub path: Vec<A>,
    /// Their total cost.
    pub cost: C,
    /// Whether no cheaper path exists, proved by this run; for real costs up to rounding, a part in 10^12.
    pub optimal: bool,
}

/// What searching a problem comes to.
pub type OutcomeOf<P> = Outcome<<P as Problem>::Action, <P as Problem>::Cost>;

impl<A, C: Cost> Outcome<A, C> {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<A, C>> {
        match &self.answer {
            Answer::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// A solution that costs no more than a proved lower bound is optimal,
    /// whatever found it; an optimal solution's cost is a lower bound. Where costs
    /// did not fit their type, nothing is claimed.
    #[must_use]
    pub fn proved_by_bound(mut self) -> Self {
        if matches!(self.answer, Answer::Stopped(Stop::Overflow)) {
            self.lower_bound = None;
        }
        if let Answer::Solved(solution) = &mut self.answer {
            solution.optimal |= self.lower_bound.is_some_and(|bound| solution.cost.reaches(bound));
            if solution.optimal {
                self.lower_bound = Some(solution.cost);
            }
        }
        if self.solution().is_none_or(|solution| solution.optimal) {
            self.stop = None;
        }
        self
    }

    /// The same outcome with actions of another type.
    pub fn map<B>(self, f: impl FnMut(A) -> B) -> Outcome<B, C> {
        let answer = match self.answer {
            Answer::Solved(Solution { path, cost, optimal }) => {
                Answer::Solved(Solution { path: path.into_iter().map(f).collect(), cost, optimal })
            }
            Answer::Unsolvable => Answer::Unsolvable,
            Answer::Stopped(stop) => Answer::Stopped(stop),
        };
        Outcome { answer, lower_bound: self.lower_bound, stop: self.stop, stats: self.stats }
    }
}

impl<A: Clone, C: Cost> Solution<A, C> {
    /// The states on the way, from the start to the goal: one more than there are actions.
    pub fn states<P: Problem<Action = A, Cost = C>>(&self, problem: &P) -> Vec<P::State> {
        let mut states = vec![problem.start()];
        for action in &self.path {
            let (next, ..) = problem.successor(&states[states.len() - 1], action);
            states.push(next);
        }
        states
    }
}

/// The answer that a path is. One that costs nothing is optimal, however it was found.
pub(crate) fn solved<P: Problem>(
    problem: &P,
    path: Vec<P::Action>,
    optimal: bool,
) -> Answer<P::Action, P::Cost> {
    match path_cost(problem, &path) {
        Some(cost) => Answer::Solved(Solution { path, cost, optimal: optimal || cost == P::Cost::ZERO }),
        None => Answer::Stopped(Stop::Overflow),
    }
}

/// The cost of a path from the start; `None` if its type cannot hold it.
pub(crate) fn path_cost<P: Problem>(problem: &P, path: &[P::Action]) -> Option<P::Cost> {
    let mut state = problem.start();
    path.iter()
        .try_fold(P::Cost::ZERO, |sum, action| sum.checked_add(problem.apply(&mut state, action.clone()).0))
}

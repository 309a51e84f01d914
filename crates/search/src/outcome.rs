//! How a run ended.

use crate::limits::Stop;
use crate::problem::{Cost, Problem};
use crate::stats::Stats;

/// Everything a run has to say: the answer, or why there is none, and the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<A> {
    /// What was found or proved.
    pub answer: Answer<A>,
    /// A proved lower bound on the cost of any solution, where one is known.
    pub lower_bound: Option<Cost>,
    /// The counts, whatever ended the run.
    pub stats: Stats,
}

/// What a run found or proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<A> {
    /// A path from the start to a goal.
    Solved(Solution<A>),
    /// There is no path, proved.
    Unsolvable,
    /// Neither: the run was ended.
    Stopped(Stop),
}

/// A path to a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<A> {
    /// The actions, first to last.
    pub path: Vec<A>,
    /// Their total cost.
    pub cost: Cost,
    /// Whether no cheaper path exists, proved by this run.
    pub optimal: bool,
}

impl<A> Outcome<A> {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution<A>> {
        match &self.answer {
            Answer::Solved(solution) => Some(solution),
            _ => None,
        }
    }

    /// A solution that costs no more than a proved lower bound is optimal,
    /// whatever found it; an optimal solution's cost is a lower bound.
    #[must_use]
    pub fn proved_by_bound(mut self) -> Self {
        if let Answer::Solved(solution) = &mut self.answer {
            solution.optimal |= self.lower_bound.is_some_and(|bound| solution.cost <= bound);
            if solution.optimal {
                self.lower_bound = Some(solution.cost);
            }
        }
        self
    }

    /// The same outcome with actions of another type.
    pub fn map<B>(self, f: impl FnMut(A) -> B) -> Outcome<B> {
        let answer = match self.answer {
            Answer::Solved(Solution { path, cost, optimal }) => {
                Answer::Solved(Solution { path: path.into_iter().map(f).collect(), cost, optimal })
            }
            Answer::Unsolvable => Answer::Unsolvable,
            Answer::Stopped(stop) => Answer::Stopped(stop),
        };
        Outcome { answer, lower_bound: self.lower_bound, stats: self.stats }
    }
}

/// The cost of a path from the start.
pub(crate) fn path_cost<P: Problem>(problem: &P, path: &[P::Action]) -> Cost {
    let mut state = problem.start();
    path.iter().map(|&action| problem.apply(&mut state, action).0).sum()
}

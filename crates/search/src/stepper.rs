//! A search that is stepped from outside.

use crate::algorithms::best_first::{BestFirst, Ended, Rule};
use crate::algorithms::{Algorithm, best_first};
use crate::heuristic::{Heuristic, Weight};
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::{NodeOf, Observer};
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::{CannotRun, Search};

/// A best-first search that goes on by one expansion whenever it is asked to.
pub struct Stepper<'s, P: Problem, H: Heuristic<P>, O = ()> {
    search: BestFirst<'s, P, H, O>,
    meter: &'s Meter<'s>,
    ended: Option<Ended>,
}

impl<P: Problem, H: Heuristic<P>, O> std::fmt::Debug for Stepper<'_, P, H, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper").field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl<P: Problem, H: Heuristic<P>, O: Observer<P>> Stepper<'_, P, H, O> {
    /// Expands the next node, which is the answer; `None` when the search has ended.
    pub fn step(&mut self) -> Option<NodeOf<'_, P>> {
        let before = self.search.expanded();
        while self.search.expanded() == before {
            self.ended = self.search.step(1);
            if self.ended.is_some() {
                return None;
            }
        }
        self.search.last()
    }

    /// Nodes that are stored now.
    pub fn stored(&self) -> usize {
        self.search.stored()
    }

    /// What the search has come to. One that has not ended was interrupted.
    pub fn outcome(self) -> OutcomeOf<P> {
        self.search.outcome(self.ended.unwrap_or(Err(Stop::Interrupted)), self.meter)
    }
}

impl<'a, P: Problem, H: Heuristic<P>, O: Observer<P>> Search<'a, P, H, O> {
    /// Readies a best-first search (`ucs`, `greedy`, `astar`, `wastar`) to be stepped, under a meter that has the limits.
    ///
    /// ```
    /// use novelo_search::{Algorithm, Control, Limits, Meter, Search, from_successors};
    ///
    /// let line = from_successors(0u32, |&at| [((), at + 1, 1u32)], |&at| at == 3);
    /// let meter = Meter::new(Limits::default(), Control::default());
    /// let mut stepper = Search::new(&line).stepper(&meter, Algorithm::Ucs)?;
    /// let mut expanded = Vec::new();
    /// while let Some(node) = stepper.step() {
    ///     expanded.push(*node.state);
    /// }
    /// assert_eq!(expanded, [0, 1, 2]);
    /// assert_eq!(stepper.outcome().solution().unwrap().cost, 3);
    /// # Ok::<(), novelo_search::CannotRun>(())
    /// ```
    pub fn stepper<'s>(
        self,
        meter: &'s Meter<'s>,
        algorithm: Algorithm,
    ) -> Result<Stepper<'s, P, H, O>, CannotRun>
    where
        'a: 's,
    {
        let rule = match algorithm {
            Algorithm::Ucs => Rule::Cost,
            Algorithm::Greedy => Rule::Estimate,
            Algorithm::AStar => Rule::Sum(Weight::ONE),
            Algorithm::WAStar { weight } => Rule::Sum(weight),
            _ => return Err(CannotRun::NotBestFirst(algorithm)),
        };
        self.check_alone()?;
        if algorithm == Algorithm::Ucs && self.guided {
            return Err(CannotRun::TakesNoHeuristic(algorithm));
        }
        self.check(algorithm, meter)?;
        let search = BestFirst::new(self, meter, rule, best_first::Goals::First);
        Ok(Stepper { search, meter, ended: None })
    }
}

//! Better solutions as they come: what every anytime algorithm keeps and tells.
//!
//! An [`Incumbent`] is the best solution of a run so far, the lower bound that the run has proved, and the function that is
//! told of each improvement ([`Search::improvements`](crate::Search::improvements)). An algorithm
//! [offers](Incumbent::offer) what it finds, [proves](Incumbent::prove) what it can, cuts off what the incumbent
//! [beats](Incumbent::beats), and ends when the incumbent [is optimal](Incumbent::is_optimal). So does
//! [`awastar`](crate::Algorithm::AWAStar) over the best-first search, and [`widen`](crate::beam::widen) with ever wider beams.
//!
//! ```
//! use novelo_search::{Control, Incumbent, Limits, Meter};
//!
//! let meter = Meter::new(Limits::default(), Control::default());
//! let mut incumbent: Incumbent<'_, char> = Incumbent::default();
//! incumbent.offer(vec!['a', 'b', 'c'], 3, &meter)?;
//! incumbent.prove(2);
//! assert!(!incumbent.is_optimal());
//! incumbent.offer(vec!['d', 'e'], 2, &meter)?;
//! assert!(incumbent.is_optimal() && incumbent.beats(1, Some(1u32)));
//! # Ok::<(), novelo_search::Stop>(())
//! ```
//!
//! Whatever ends a run, this holds:
//!
//! - Each improvement costs less than the one before, and its path is whole: its cost is that of its actions.
//! - The lower bound never falls, and speaks of all solutions: where a depth limit has kept nodes out, a search proves
//!   nothing more.
//! - Limits, cancelling, an observer's or the listener's break end the run with the best solution so far, which is not
//!   called optimal unless the bound says so. Where a sum does not fit its type, the best is kept and no bound is claimed.
//! - What is cut off is no cheaper: by cost and an admissible estimate or, without that promise, by cost alone. So a run that
//!   ends by itself has found the cheapest solution, whatever the heuristic; it is called optimal on the strength of the
//!   promise, as everywhere. A state that is reached again at a lower cost is judged anew, which is all that an
//!   inconsistent estimate asks for.
//! - Real costs are compared with room for rounding: what is cheaper by less than that is not looked for.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::cost::Cost;
use crate::heuristic::Estimate;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::outcome::Solution;

/// A solution that is better than any before it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Improvement<'i, A, C = u32> {
    /// The actions, first to last.
    pub path: &'i [A],
    /// Their total cost.
    pub cost: C,
    /// What no solution costs less than, as far as is proved by now; `None` where nothing is.
    pub lower_bound: Option<C>,
    /// Time since the start of the run.
    pub elapsed: Duration,
}

/// A function that is told of improvements. A break ends the run with this one.
pub type Improvements<'a, A, C = u32> = Box<dyn FnMut(&Improvement<'_, A, C>) -> ControlFlow<()> + Send + 'a>;

/// The best solution of a run so far, what is proved, and who is told.
pub struct Incumbent<'a, A, C = u32> {
    best: Option<Solution<A, C>>,
    lower_bound: Option<C>,
    listener: Option<Improvements<'a, A, C>>,
}

impl<A, C> Default for Incumbent<'_, A, C> {
    fn default() -> Self {
        Self { best: None, lower_bound: None, listener: None }
    }
}

impl<A, C: fmt::Debug> fmt::Debug for Incumbent<'_, A, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = self.best.as_ref().map(|best| &best.cost);
        f.debug_struct("Incumbent")
            .field("cost", &cost)
            .field("lower_bound", &self.lower_bound)
            .finish_non_exhaustive()
    }
}

impl<'a, A, C: Cost> Incumbent<'a, A, C> {
    /// None yet, with a function that is told of improvements.
    pub fn telling(listener: Improvements<'a, A, C>) -> Self {
        Self { listener: Some(listener), ..Self::default() }
    }

    /// The best solution so far.
    pub fn solution(&self) -> Option<&Solution<A, C>> {
        self.best.as_ref()
    }

    /// What it costs.
    #[inline]
    pub fn cost(&self) -> Option<C> {
        self.best.as_ref().map(|best| best.cost)
    }

    /// What no solution costs less than, as far as is proved.
    pub fn lower_bound(&self) -> Option<C> {
        self.lower_bound
    }

    /// Whether the best solution is proved to be the cheapest.
    #[inline]
    pub fn is_optimal(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.optimal)
    }

    /// No solution costs less than this, nor than what was proved before.
    #[inline]
    pub fn prove(&mut self, bound: C) {
        if self.lower_bound.is_none_or(|known| known < bound) {
            self.lower_bound = Some(bound);
            self.settle();
        }
    }

    /// No solution costs less than the best: nothing else is left.
    pub fn prove_best(&mut self) {
        self.cost().into_iter().for_each(|cost| self.prove(cost));
    }

    /// Whether no solution can be cheaper than the best that leads through a node at cost g, with an admissible estimate of
    /// what is left, if there is one.
    #[inline]
    pub fn beats<E: Estimate<C>>(&self, g: C, h: Option<E>) -> bool {
        self.cost().is_some_and(|best| match h {
            // A sum that does not fit is above every cost.
            Some(h) => h.plus(g).and_then(E::ceil).is_none_or(|least| best.reaches(least)),
            None => g >= best,
        })
    }

    /// A solution was found. It is kept and told of if it is the cheapest so far; an error says that the listener wants no
    /// more.
    pub fn offer(&mut self, path: Vec<A>, cost: C, meter: &Meter<'_>) -> Result<(), Stop> {
        if self.cost().is_some_and(|best| cost >= best) {
            return Ok(());
        }
        let best = self.best.insert(Solution { path, cost, optimal: false });
        // Of real numbers, the bound may be a rounding above a cost that it proves optimal.
        let lower_bound = self.lower_bound.map(|bound| bound.min(cost));
        let told = self.listener.as_mut().map(|tell| {
            tell(&Improvement { path: &best.path, cost, lower_bound, elapsed: meter.stats().elapsed })
        });
        self.settle();
        if told == Some(ControlFlow::Break(())) { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// The best solution, if there is one.
    pub fn into_solution(self) -> Option<Solution<A, C>> {
        self.best
    }

    /// A solution that costs no more than the bound is optimal, and one that costs nothing.
    fn settle(&mut self) {
        if let Some(best) = &mut self.best {
            best.optimal = best.cost.reaches(self.lower_bound.unwrap_or(C::ZERO));
        }
    }
}

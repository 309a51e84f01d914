//! The textbook algorithms on any puzzle.

use std::time::Duration;

use novelo_search::algorithms::Needs;
use novelo_search::{Algorithm, Answer, Control, Heuristic, Outcome, Search, Settings, Stats};

use crate::formulation::{Explorer, Forget, Rules, Visitor};
use crate::puzzle::Instance;
use crate::request::{Attempt, Choice, HeuristicSpec, Request, RequestError};

/// What a search may use, and what making its heuristic has used already.
#[derive(Debug, Default)]
pub struct Means<'c> {
    /// Limits, weight, shuffling: those of the request.
    pub settings: Settings,
    /// Cancellation and progress.
    pub control: Control<'c>,
    /// Bytes that the heuristic's tables hold.
    pub bytes: usize,
    /// The most bytes held while they were made.
    pub peak: usize,
    /// The time that making them took.
    pub time: Duration,
}

/// An instance that the engine can run on.
pub trait Textbook: Instance + Sized {
    /// Hands the rules and a heuristic of the registry to a visitor.
    fn formulate<V: Visitor>(
        &self,
        heuristic: &HeuristicSpec,
        request: &Request,
        means: Means<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError>;

    /// Runs an algorithm of the engine.
    fn search(
        &self,
        algorithm: Algorithm,
        request: &Request,
        control: Control<'_>,
    ) -> Result<Attempt, RequestError> {
        let guided = algorithm.info().needs == Needs::Heuristic;
        // One that is not needed must exist all the same.
        let asked = heuristic_of(self, request)?;
        let spec = if guided { asked } else { HeuristicSpec::plain("zero") };
        let method = (request.algorithm == Choice::Auto).then(|| algorithm.to_string());
        let reason = self.impossible();
        let outcome = if reason.is_some() {
            Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() }
        } else {
            let means = Means { settings: request.settings, control, ..Means::default() };
            self.formulate(&spec, request, means, Run(algorithm))?
        };
        Ok(Attempt { method, heuristic: guided.then(|| spec.to_string()), outcome, reason })
    }

    /// Lends the search problem, as one type for all puzzles.
    fn untyped(&self, request: &Request, explorer: Explorer<'_>) -> Result<(), RequestError> {
        let spec = heuristic_of(self, request)?;
        self.formulate(&spec, request, Means::default(), Forget(explorer))
    }
}

/// The heuristic that a request names, or the puzzle's default.
fn heuristic_of(instance: &dyn Instance, request: &Request) -> Result<HeuristicSpec, RequestError> {
    let spec = request.heuristic_for(instance.puzzle());
    if spec.info(instance.puzzle())?.parameters.is_empty() {
        spec.no_parameters()?;
    }
    Ok(spec)
}

/// The visitor that runs an algorithm.
struct Run(Algorithm);

impl Visitor for Run {
    type Output = Outcome<String>;

    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        means: Means<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let Means { mut settings, control, bytes, peak, time } = means;
        let limits = &mut settings.limits;
        limits.memory = limits.memory.map(|most| most.saturating_sub(bytes));
        limits.time = limits.time.map(|most| most.saturating_sub(time));
        let search = Search::new(&rules).heuristic(heuristic).settings(settings).control(control);
        let mut outcome = P::run(search, self.0)?.map(|action| rules.written(action));
        outcome.stats.elapsed += time;
        outcome.stats.peak_bytes = peak.max(outcome.stats.peak_bytes + bytes);
        Ok(outcome)
    }

    fn stopped(self, outcome: Outcome<String>) -> Result<Outcome<String>, RequestError> {
        Ok(outcome)
    }
}

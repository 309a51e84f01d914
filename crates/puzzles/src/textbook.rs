//! The textbook algorithms on any puzzle.

use std::ops::ControlFlow;
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

impl Means<'_> {
    /// The settings for a search, with what making the heuristic left of their limits.
    pub fn left(&self) -> Settings {
        let mut settings = self.settings;
        let limits = &mut settings.limits;
        limits.memory = limits.memory.map(|most| most.saturating_sub(self.bytes));
        limits.time = limits.time.map(|most| most.saturating_sub(self.time));
        settings
    }

    /// Counts what making the heuristic took with what the search took.
    pub fn charge(&self, stats: &mut Stats) {
        stats.elapsed += self.time;
        stats.peak_bytes = self.peak.max(stats.peak_bytes + self.bytes);
    }
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
    fn untyped(
        &self,
        request: &Request,
        control: Control<'_>,
        explorer: Explorer<'_>,
    ) -> Result<ControlFlow<Outcome<String>>, RequestError> {
        let spec = heuristic_of(self, request)?;
        let means = Means { settings: request.settings, control, ..Means::default() };
        self.formulate(&spec, request, means, Forget(explorer))
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
        mut means: Means<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let control = std::mem::take(&mut means.control);
        let search = Search::new(&rules).heuristic(heuristic).settings(means.left()).control(control);
        let mut outcome = P::run(search, self.0)?.map(|action| rules.written(action));
        means.charge(&mut outcome.stats);
        Ok(outcome)
    }

    fn stopped(self, outcome: Outcome<String>) -> Result<Outcome<String>, RequestError> {
        Ok(outcome)
    }
}

//! Search over many workers: hash-distributed A* (Kishimoto, Fukunaga and Botea, 2009).
//!
//! Every state has one owner among the workers, told by a hash. A worker keeps the nodes of its states in a store of its
//! own, with an open list of its own, and expands the best of them; successors that are another's travel there in batches.
//! No memory is shared, so the workers may be threads, processes on many machines, or simulated ones: what they need is a
//! [`Transport`]. The file docs/parallel.md has the whole design, and why a proof by many is one.
//!
//! - A goal that is expanded is an *incumbent*: all are told of its cost, and nobody expands or stores what cannot be
//!   cheaper. It is proved optimal when all are *passive*, with nothing left below it, and no message is under way, which
//!   is found out by Mattern's four counters (`termination.rs`).
//! - A limit that one worker meets, or a sum that does not fit, ends all of them, and nothing is proved.
//! - Nodes are linked to their parents by the action, or by the parent's handle and owner: at the end the path is
//!   followed back from worker to worker.

mod message;
mod outcome;
mod part;
mod processes;
mod simulator;
mod termination;
#[cfg(test)]
mod tests;
mod threads;
mod transport;
mod wire;
mod worker;

use crate::estimator::Estimator;
use crate::heuristic::Estimate;
use crate::meter::Meter;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::stats::Stats;

pub use message::{At, Counts, Message, Parcel, WorkerStats};
pub use part::{Assignment, Order};
use processes::Encoded;
pub use processes::{Processes, conclude};
pub use simulator::{Network, Simulated, simulate};
pub use threads::work;
pub use transport::{Transport, TransportError};
pub use wire::{Mark, Wire, WireProblem, decode, encode};
pub use worker::{Finished, Step, Worker};

/// The most workers that a search can have.
pub const MOST_WORKERS: usize = 1 << 16;

/// What came of a search, and what each worker has done.
pub type Searched<P> = (OutcomeOf<P>, Vec<WorkerStats>);

/// A search for many workers.
#[derive(Clone, Copy)]
pub struct Parallel<'s, P: Problem, V> {
    /// The problem.
    pub problem: &'s P,
    /// The heuristic; [`Zero`](crate::Zero) where there is none.
    pub estimator: &'s dyn Estimator<P, V>,
    /// The order in which nodes are expanded.
    pub order: Order,
    /// Who owns which state.
    pub assignment: Assignment,
    /// The seed of a random order of actions.
    pub shuffle: Option<u64>,
}

impl<P: Problem, V> std::fmt::Debug for Parallel<'_, P, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { order, assignment, shuffle, .. } = self;
        let mut parallel = f.debug_struct("Parallel");
        parallel.field("order", order).field("assignment", assignment).field("shuffle", shuffle);
        parallel.finish_non_exhaustive()
    }
}

impl<'s, P: Problem, V: Estimate<P::Cost>> Parallel<'s, P, V> {
    /// A* over workers, or uniform cost search, with an estimate of nothing.
    pub fn new(problem: &'s P, estimator: &'s dyn Estimator<P, V>) -> Self {
        Self { problem, estimator, order: Order::Sum, assignment: Assignment::Projection, shuffle: None }
    }

    /// Runs it on so many threads under a meter, whose depth limit it does not heed; what came of it, and what each worker
    /// did.
    ///
    /// ```
    /// use novelo_search::parallel::Parallel;
    /// use novelo_search::{Control, Limits, Meter, Zero, from_successors};
    ///
    /// // From 1 to 1000 by doubling, at cost 3, and adding one, at cost 1.
    /// let steps = |&n: &u32| [('d', 2 * n, 3u32), ('i', n + 1, 1)].into_iter().filter(|&(_, n, _)| n <= 1000);
    /// let problem = from_successors(1, steps, |&n| n == 1000);
    /// let meter = Meter::new(Limits::default(), Control::default());
    /// let (outcome, workers) = Parallel::new(&problem, &Zero).run(3, &meter);
    /// let solution = outcome.solution().unwrap();
    /// assert!(solution.optimal && solution.cost == 30);
    /// assert_eq!(workers.len(), 3);
    /// ```
    pub fn run(&self, workers: usize, meter: &Meter<'_>) -> Searched<P> {
        let finished = threads::run(self, workers, meter);
        meter.note_stored(WorkerStats::total(&finished.workers).stored);
        outcome::outcome(self, finished, meter.stats())
    }

    /// Runs it as one of several processes, each under a meter of its own. The first gets the outcome, whose counts are
    /// summed over all, and what each has done.
    pub fn run_among(
        &self,
        processes: &mut dyn Processes,
        meter: &Meter<'_>,
    ) -> Result<Option<Searched<P>>, TransportError>
    where
        P: WireProblem,
    {
        let mut worker = Worker::new(self, meter, processes.rank(), processes.count());
        processes.begin()?;
        let start = self.problem.start();
        let mark = Mark::new::<P, V>(&start, self.estimator.estimate(self.problem, &start));
        work(&mut worker, &mut Encoded::new(processes, mark))?;
        processes.end()?;
        let Some(finished) = worker.finished() else { return Ok(None) };
        let total = WorkerStats::total(&finished.workers);
        let stats = Stats {
            expanded: total.expanded,
            generated: total.generated + 1,
            stored_peak: total.stored,
            peak_bytes: total.bytes as usize,
            ..meter.stats()
        };
        Ok(Some(outcome::outcome(self, finished, stats)))
    }
}

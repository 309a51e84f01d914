//! A search over several processes.

use std::sync::{MutexGuard, PoisonError};

use novelo_search::parallel::{Order, Parallel, Processes};
use novelo_search::{Algorithm, Answer, Heuristic, Meter, Outcome, Stop};

use crate::Cost;
use crate::formulation::{Rules, Visitor};
use crate::request::{Request, RequestError};

/// The visitor that searches together with other processes.
pub(crate) struct RunAmong<'r> {
    processes: MutexGuard<'r, dyn Processes + 'static>,
    order: Order,
    shuffle: Option<u64>,
}

impl<'r> RunAmong<'r> {
    /// An algorithm over the processes of a request.
    pub fn new(algorithm: Algorithm, request: &'r Request) -> Result<Self, RequestError> {
        let refused = |reason: String| Err(RequestError::Unsupported(reason));
        let Some(order) = algorithm.order() else {
            return refused(format!(
                "{} runs in one process; astar, ucs and bfs run over several",
                algorithm.name()
            ));
        };
        if request.settings.limits.depth.is_some() {
            return refused("a search over several processes takes no depth limit".into());
        }
        let Some(together) = &request.processes else {
            return refused("there are no other processes".into());
        };
        let processes = together.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self { processes, order, shuffle: request.settings.shuffle })
    }
}

impl Visitor for RunAmong<'_> {
    type Output = Outcome<String>;

    fn visit<P: Rules, H: Heuristic<P>>(
        mut self,
        rules: P,
        heuristic: H,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let parallel =
            Parallel { order: self.order, shuffle: self.shuffle, ..Parallel::new(&rules, &heuristic) };
        let searched = parallel.run_among(&mut *self.processes, meter);
        let searched = searched.map_err(|error| RequestError::Unsupported(error.to_string()))?;
        // Only the first process knows; what the others return is not looked at.
        let unknown =
            || Outcome { answer: Answer::Stopped(Stop::GaveUp), lower_bound: None, stats: meter.stats() };
        Ok(searched.map_or_else(unknown, |(outcome, _)| outcome.map(|action| rules.written(action))))
    }

    fn stopped(
        self,
        stop: Stop,
        lower_bound: Option<Cost>,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        // The others are waiting.
        let _ = (lower_bound, meter);
        Err(RequestError::Limit(stop))
    }
}

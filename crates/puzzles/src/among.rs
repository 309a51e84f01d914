//! A search over several processes.

use std::sync::{MutexGuard, PoisonError};

use novelo_search::deepening::{BoundedSearch, Deepening, deepen_among};
use novelo_search::parallel::{Processes, Wire};
use novelo_search::{Algorithm, AmongError, Budget, CannotRun, Heuristic, Meter, Outcome, Search, Stop};

use crate::Cost;
use crate::formulation::{Rules, Visitor};
use crate::request::{Request, RequestError, Together};

impl Together {
    fn lock(&self) -> MutexGuard<'_, dyn Processes + 'static> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes through the bounds of a search of a puzzle's own.
    pub(crate) fn deepen<S>(
        &self,
        search: &S,
        threads: usize,
        budget: Budget<'_>,
    ) -> Result<Deepening<S::Action, S::Bound>, RequestError>
    where
        S: BoundedSearch<Action: Wire, Worker = ()>,
    {
        let deepening = deepen_among(search, &mut (), threads, &mut *self.lock(), budget);
        deepening.map_err(|error| RequestError::Unsupported(error.to_string()))
    }
}

/// The visitor that searches together with other processes.
pub(crate) struct RunAmong<'r> {
    algorithm: Algorithm,
    request: &'r Request,
    together: &'r Together,
}

impl<'r> RunAmong<'r> {
    /// An algorithm over the processes of a request.
    pub fn new(algorithm: Algorithm, request: &'r Request) -> Result<Self, RequestError> {
        // It is asked before tables are built.
        if !algorithm.runs_among() {
            return Err(CannotRun::InOneProcess(algorithm).into());
        }
        let none = || RequestError::Unsupported("there are no other processes".into());
        Ok(Self { algorithm, request, together: request.processes.as_ref().ok_or_else(none)? })
    }
}

impl Visitor for RunAmong<'_> {
    type Output = Outcome<String>;

    fn visit<P: Rules, H: Heuristic<P>>(
        self,
        rules: P,
        heuristic: H,
        meter: &Meter<'_>,
    ) -> Result<Outcome<String>, RequestError> {
        let Self { algorithm, request, together } = self;
        let search = Search::new(&rules).heuristic(heuristic).shuffle(request.settings.shuffle);
        let search = search.threads(request.threads.unwrap_or(1));
        let outcome =
            search.run_among(meter, algorithm, &mut *together.lock()).map_err(|error| match error {
                AmongError::CannotRun(reason) => RequestError::CannotRun(reason),
                error @ AmongError::Transport(_) => RequestError::Unsupported(error.to_string()),
            })?;
        Ok(outcome.map(|action| rules.written(action)))
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

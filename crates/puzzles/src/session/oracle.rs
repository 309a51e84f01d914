//! The exact solvers, asked several times within one limit.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use novelo_search::{Answer, Control, Solution, Stop};

use crate::puzzle::Instance;
use crate::request::Request;

/// Answers whether positions can be solved, and how; what it may use is for
/// all its answers together.
pub struct Oracle<'a> {
    request: Request,
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl<'a> Oracle<'a> {
    /// Asks as a request says, whose time limit begins now; setting `cancel`
    /// ends the answer under way and all others.
    pub fn new(request: &Request, cancel: &'a AtomicBool) -> Self {
        let deadline = request.settings.limits.time.and_then(|time| Instant::now().checked_add(time));
        Self { request: request.clone(), deadline, cancel }
    }

    /// A best solution, or none if there is none; or what ended the search.
    pub fn ask(&self, position: &dyn Instance) -> Result<Option<Solution<String>>, Stop> {
        let mut request = self.request.clone();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(Stop::Time);
        }
        request.settings.limits.time = left;
        let control = Control { cancel: Some(self.cancel), progress: None };
        match position.solve(&request, control).map_err(|_| Stop::GaveUp)?.outcome.answer {
            Answer::Solved(solution) => Ok(Some(solution)),
            Answer::Unsolvable => Ok(None),
            Answer::Stopped(stop) => Err(stop),
        }
    }

    /// Whether there is a solution.
    pub fn can_be_solved(&self, position: &dyn Instance) -> Result<bool, Stop> {
        self.ask(position).map(|solution| solution.is_some())
    }
}

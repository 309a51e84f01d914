//! Searches that are watched: what `solve` does, on the type that all puzzles share.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use novelo_search::algorithms::Needs;
use novelo_search::{Answer, Control, Cost, Observer, Outcome, Progress, Search, Stats};

use crate::formulation::{Formulation, Position};
use crate::puzzle::Instance;
use crate::request::{Attempt, Choice, Request, RequestError};
use crate::textbook::Means;

/// What the engine counts for a node at the least: its state, its way back, its place in the index and the frontier.
const COUNTED: usize = 32;

/// Searches, and several times a second tells how it goes and by which moves the state in hand was reached.
///
/// Counts are those of `solve`; only time and memory differ, since states are kept in a form to be looked at.
pub fn watch(
    instance: &dyn Instance,
    request: &Request,
    cancel: &AtomicBool,
    look: impl FnMut(&Progress, &[String]),
) -> Result<Attempt, RequestError> {
    let look = RefCell::new(look);
    let making = |progress: &Progress| look.borrow_mut()(progress, &[]);
    let control = Control { cancel: Some(cancel), progress: Some(Box::new(making)) };
    watched(instance, request, control, |formulation, means| {
        let current = Current(RefCell::default());
        let searching = |progress: &Progress| {
            let moves = current.0.borrow().as_ref().map(|position| formulation.moves_to(position));
            look.borrow_mut()(progress, &moves.unwrap_or_default());
        };
        let control = Control { cancel: Some(cancel), progress: Some(Box::new(searching)) };
        run(formulation, request, means, &current, control)
    })
}

/// The state expanded last.
struct Current(RefCell<Option<Position>>);

impl Observer<Formulation<'_>> for &Current {
    fn expanded(&mut self, position: &Position, _: Cost, _: f64) {
        *self.0.borrow_mut() = Some(position.clone());
    }
}

/// Does what a search comes to, on the formulation that a request asks for; `control` is for making its heuristic.
pub(crate) fn watched(
    instance: &dyn Instance,
    request: &Request,
    control: Control<'_>,
    mut search: impl FnMut(&Formulation<'_>, &Means<'_>) -> Result<Outcome<String>, RequestError>,
) -> Result<Attempt, RequestError> {
    let algorithm = named(request)?;
    let guided = algorithm.info().needs == Needs::Heuristic;
    let heuristic = guided.then(|| request.heuristic_for(instance.puzzle()).to_string());
    let reason = instance.impossible();
    let mut outcome = Ok(Outcome { answer: Answer::Unsolvable, lower_bound: None, stats: Stats::default() });
    if reason.is_none() {
        let explored = instance
            .explore(request, control, &mut |formulation, means| outcome = search(formulation, means))?;
        if let ControlFlow::Break(stopped) = explored {
            outcome = Ok(stopped);
        }
    }
    Ok(Attempt { method: None, heuristic, outcome: outcome?, reason })
}

/// Runs a request's algorithm on a formulation.
pub(crate) fn run<'h, O: Observer<Formulation<'h>>>(
    formulation: &Formulation<'h>,
    request: &Request,
    means: &Means<'_>,
    observer: O,
    control: Control<'_>,
) -> Result<Outcome<String>, RequestError> {
    let mut settings = means.left();
    let held = formulation.position_bytes() + COUNTED;
    settings.limits.memory = settings.limits.memory.map(|most| most / held * COUNTED);
    let search = Search::new(formulation).heuristic(formulation.heuristic()).settings(settings);
    let mut outcome = search.control(control).observer(observer).run(named(request)?)?;
    outcome.stats.peak_bytes = outcome.stats.peak_bytes / COUNTED * held;
    means.charge(&mut outcome.stats);
    Ok(outcome.map(|step| formulation.written(step)))
}

fn named(request: &Request) -> Result<novelo_search::Algorithm, RequestError> {
    match request.algorithm {
        Choice::Named(algorithm) => Ok(algorithm),
        Choice::Auto => Err(RequestError::Unsupported(
            "only the textbook algorithms can be watched; name one, such as astar".into(),
        )),
    }
}

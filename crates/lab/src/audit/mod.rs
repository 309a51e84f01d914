//! Is a heuristic what it promises to be?
//!
//! Admissible: never above the true cost. Consistent: never dropping by more than an action costs. Where a puzzle is
//! small, every state is looked at; elsewhere states of generated instances, whose true costs are known from optimal
//! solutions.

mod space;
mod tally;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use novelo_puzzles::{
    Formulation, GenerateRequest, Instance, Puzzle, Report, Request, RequestError, Size, checked_heuristic,
};
use novelo_search::parameter::Spec;
use novelo_search::{Control, Limits, Meter, Settings, Stop};

use crate::table::units::count;
use crate::task::Environment;
use space::Space;
use tally::Tally;
pub use tally::{Audit, Drop, Overestimate};

/// States of one instance up to which all of them are looked at.
const ALL_STATES: usize = 400_000;
/// The same where there are many instances.
const FEW_STATES: usize = 5_000;
/// How long an optimal solution may be searched for; instances that take longer are left out.
const PATIENCE: Duration = Duration::from_secs(20);

/// What to audit.
#[derive(Debug, Clone)]
pub struct Question {
    /// The puzzle.
    pub puzzle: &'static dyn Puzzle,
    /// The heuristic, with its parameters.
    pub heuristic: Spec,
    /// Rows and columns; a small board of the puzzle if absent.
    pub size: Option<Size>,
    /// How many instances to take where not all states can be looked at.
    pub samples: u64,
    /// The seed they are made from.
    pub seed: u64,
    /// What the searches may use.
    pub environment: Environment,
}

/// Looks at every state, or at those of sampled instances, and says what it found. `progress` is told how many
/// instances of how many are done. When it is cancelled, the instances looked at until then count.
pub fn audit(
    question: &Question,
    cancel: &AtomicBool,
    mut progress: impl FnMut(u64, u64),
) -> Result<Audit, RequestError> {
    let Question { puzzle, heuristic, .. } = question;
    checked_heuristic(heuristic, *puzzle)?;
    let usual = puzzle.info().audit_size;
    let size = question.size.unwrap_or_else(|| usual.parse().expect("a puzzle declares a size"));
    let Environment { memory, cache } = question.environment.clone();
    let limits = Limits { memory, ..Limits::default() };
    let request = Request {
        heuristic: Some(heuristic.clone()),
        settings: Settings { limits, ..Settings::default() },
        cache,
        ..Request::default()
    };
    let mut tally = Tally::default();
    if let Some(instances) = puzzle.whole_spaces(size, question.size.is_some()) {
        let total = instances.len() as u64;
        for (i, instance) in instances.iter().enumerate() {
            look(&**instance, &request, ALL_STATES, &mut tally, cancel)?;
            progress(i as u64 + 1, total);
        }
        let scope = format!("all {} states of {}", count(tally.states as f64), puzzle.info().name);
        // The size is the first thing after the puzzle's name in every id.
        let prefix = format!("{}:{size}:", puzzle.info().name);
        let upto = if instances.iter().all(|it| it.id().starts_with(&prefix)) { "" } else { "up to " };
        return Ok(tally.finish(question, format!("{scope} {upto}{size}"), true));
    }
    let sizes = if question.size.is_some() { vec![size] } else { squares(size) };
    let (total, mut done) = (question.samples * sizes.len() as u64, 0);
    let (mut used, mut seen) = (0, HashSet::new());
    'samples: for &part in &sizes {
        let generate =
            GenerateRequest { size: Some(part), seed: question.seed, ..GenerateRequest::default() };
        for number in 0..question.samples {
            let instance = match puzzle.generate(&generate, number, cancel) {
                // Of some puzzles there are no boards that small.
                Err(RequestError::Unsupported(_)) if part != size => break,
                Err(RequestError::Interrupted) if used > 0 => break 'samples,
                instance => instance?,
            };
            // Small boards repeat.
            if seen.insert(instance.id()) {
                used += match look(&*instance, &request, FEW_STATES, &mut tally, cancel) {
                    Err(RequestError::Interrupted) if used > 0 => break 'samples,
                    looked => u64::from(looked?),
                };
            }
            done += 1;
            progress(done, total);
        }
    }
    let name = puzzle.info().name;
    if used == 0 {
        return Err(RequestError::Unsupported(format!(
            "no optimal solution was found to compare with: {name} {size} takes more than {} seconds a board",
            PATIENCE.as_secs()
        )));
    }
    let upto = if sizes.len() > 1 { "up to " } else { "" };
    let scope =
        format!("{} states of {used} generated instances of {name} {upto}{size}", count(tally.states as f64));
    Ok(tally.finish(question, scope, false))
}

/// The square boards up to a size: the smallest counterexample is on the smallest of them.
fn squares(largest: Size) -> Vec<Size> {
    (2..=largest.rows).map(|side| Size { rows: side, cols: side }).collect()
}

/// Looks at the states of an instance: all if they are few, those along an optimal solution if not. Says whether
/// their true costs could be found.
fn look(
    instance: &dyn Instance,
    request: &Request,
    most: usize,
    tally: &mut Tally,
    cancel: &AtomicBool,
) -> Result<bool, RequestError> {
    let mut looked = false;
    let mut interrupted = false;
    explore(instance, request, cancel, |formulation| match Space::of(formulation, most, cancel) {
        Some(space) => {
            looked = true;
            tally.add(instance, formulation, &space);
        }
        None => interrupted = cancel.load(Ordering::Relaxed),
    })?;
    if interrupted {
        return Err(RequestError::Interrupted);
    }
    if looked {
        return Ok(true);
    }
    // The exact method of the puzzle, whatever heuristic is on trial.
    let mut exact = Request { heuristic: None, ..request.clone() };
    exact.settings.limits.time = Some(PATIENCE);
    let attempt = instance.solve(&exact, Control::cancelled_by(cancel))?;
    let Ok(Report { optimal: true, cost: Some(cost), moves: Some(moves), .. }) =
        Report::new(instance, &exact, attempt)
    else {
        return Ok(false);
    };
    explore(instance, request, cancel, |formulation| {
        let space = Space::along(formulation, &moves, cost);
        looked = space.is_some();
        if let Some(space) = space {
            tally.add(instance, formulation, &space);
        }
    })?;
    Ok(looked)
}

/// Lends the formulation with the heuristic on trial.
fn explore(
    instance: &dyn Instance,
    request: &Request,
    cancel: &AtomicBool,
    mut explorer: impl FnMut(&Formulation<'_>),
) -> Result<(), RequestError> {
    let meter = Meter::new(request.settings.limits, Control::cancelled_by(cancel));
    let explored = instance.explore(request, &meter, &mut explorer)?;
    let ControlFlow::Break(stop) = explored else { return Ok(()) };
    let heuristic = request.heuristic_for(instance.puzzle());
    Err(match stop {
        Stop::Interrupted => RequestError::Interrupted,
        Stop::Memory => {
            RequestError::Unsupported(format!("the tables of {heuristic} do not fit in the memory there is"))
        }
        _ => RequestError::Unsupported(format!("the tables of {heuristic} cannot be made for this board")),
    })
}

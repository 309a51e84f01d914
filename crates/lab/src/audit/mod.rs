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
use std::time::{Duration, Instant};

use novelo_puzzles::{
    Cost, Formulation, GenerateRequest, Instance, Puzzle, Report, Request, RequestError, Size,
    checked_heuristic,
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
/// How often the clock is looked at for work that looks only at a flag.
const WATCH_EVERY: Duration = Duration::from_millis(10);

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
    /// How long all of it may take.
    pub time: Option<Duration>,
    /// What it may use.
    pub environment: Environment,
}

/// Looks at every state, or at those of sampled instances, and says what it found. `progress` is told how many
/// instances of how many are done. When a limit or the caller ends it, what was looked at until then counts.
pub fn audit(
    question: &Question,
    cancel: &AtomicBool,
    progress: impl FnMut(u64, u64),
) -> Result<Audit, RequestError> {
    checked_heuristic(&question.heuristic, question.puzzle)?;
    let limits = Limits { time: question.time, memory: question.environment.memory, ..Limits::default() };
    let deadline = Meter::new(limits, Control::default()).budget().deadline();
    // Generators know no clock, only a flag.
    cancelled_at(deadline, cancel, |flag| {
        let meter = Meter::new(limits, Control::cancelled_by(flag));
        audit_under(question, &meter, Flags { cancel: flag, interrupted: cancel }, progress)
    })
}

/// Does work that a flag ends, which is raised when another is or when the time has come.
fn cancelled_at<T>(deadline: Option<Instant>, cancel: &AtomicBool, work: impl FnOnce(&AtomicBool) -> T) -> T {
    let Some(deadline) = deadline else { return work(cancel) };
    let (ended, done) = (AtomicBool::new(false), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if cancel.load(Ordering::Relaxed) || Instant::now() >= deadline {
                    ended.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(WATCH_EVERY);
            }
        });
        let result = work(&ended);
        done.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        result
    })
}

/// What ends an audit from outside.
#[derive(Clone, Copy)]
struct Flags<'a> {
    /// Raised by the caller and by the clock.
    cancel: &'a AtomicBool,
    /// Raised by the caller alone.
    interrupted: &'a AtomicBool,
}

/// An audit in hand.
struct Auditor<'a> {
    question: &'a Question,
    request: Request,
    meter: &'a Meter<'a>,
    flags: Flags<'a>,
    tally: Tally,
    /// Why the last instance without a known optimum has none.
    without: Option<Stop>,
}

fn audit_under(
    question: &Question,
    meter: &Meter<'_>,
    flags: Flags<'_>,
    mut progress: impl FnMut(u64, u64),
) -> Result<Audit, RequestError> {
    let Question { puzzle, heuristic, .. } = question;
    let name = puzzle.info().name;
    let usual = puzzle.info().audit_size;
    let size = question.size.unwrap_or_else(|| usual.parse().expect("a puzzle declares a size"));
    let request = Request {
        heuristic: Some(heuristic.clone()),
        settings: Settings { limits: meter.limits(), ..Settings::default() },
        cache: question.environment.cache.clone(),
        cache_quota: question.environment.cache_quota,
        ..Request::default()
    };
    let mut auditor = Auditor { question, request, meter, flags, tally: Tally::default(), without: None };
    if let Some(instances) = puzzle.whole_spaces(size, question.size.is_some()) {
        let total = instances.len() as u64;
        for (i, instance) in instances.iter().enumerate() {
            auditor.look(&**instance, ALL_STATES).map_err(|error| auditor.reason(error))?;
            progress(i as u64 + 1, total);
        }
        let tally = auditor.tally;
        let scope = format!("all {} states of {name}", count(tally.states as f64));
        // The size is the first thing after the puzzle's name in every id.
        let prefix = format!("{name}:{size}:");
        let upto = if instances.iter().all(|it| it.id().starts_with(&prefix)) { "" } else { "up to " };
        return Ok(tally.finish(question, format!("{scope} {upto}{size}"), true, None));
    }
    let sizes = if question.size.is_some() { vec![size] } else { squares(size) };
    let (used, stop) = auditor.sample(&sizes, progress)?;
    let tally = auditor.tally;
    if used == 0 {
        let why = match auditor.without {
            Some(Stop::Time) => format!("it takes more than {} seconds a board", PATIENCE.as_secs()),
            Some(stop) => format!("the search ended by {stop}"),
            None => "none that the heuristic leaves in the search".into(),
        };
        let message = format!("no optimal solution of {name} {size} was found to compare with: {why}");
        return Err(RequestError::Unsupported(message));
    }
    let upto = if sizes.len() > 1 { "up to " } else { "" };
    let scope =
        format!("{} states of {used} generated instances of {name} {upto}{size}", count(tally.states as f64));
    Ok(tally.finish(question, scope, false, stop))
}

/// The square boards up to a size: the smallest counterexample is on the smallest of them.
fn squares(largest: Size) -> Vec<Size> {
    (2..=largest.rows).map(|side| Size { rows: side, cols: side }).collect()
}

/// What ends an audit, if that is no mistake.
fn ending(error: &RequestError) -> Option<Stop> {
    match error {
        RequestError::Interrupted => Some(Stop::Interrupted),
        RequestError::Limit(stop) => Some(*stop),
        _ => None,
    }
}

fn ended_by(stop: Stop) -> RequestError {
    if stop == Stop::Interrupted { RequestError::Interrupted } else { RequestError::Limit(stop) }
}

impl Auditor<'_> {
    /// Looks at generated instances of some sizes; at how many, and what ended it before all were.
    fn sample(
        &mut self,
        sizes: &[Size],
        mut progress: impl FnMut(u64, u64),
    ) -> Result<(u64, Option<Stop>), RequestError> {
        let Question { puzzle, samples, seed, .. } = *self.question;
        let (total, mut done) = (samples.saturating_mul(sizes.len() as u64), 0);
        let (mut used, mut seen) = (0, HashSet::new());
        for (i, &part) in sizes.iter().enumerate() {
            let generate = GenerateRequest { size: Some(part), seed, ..GenerateRequest::default() };
            for number in 0..samples {
                let before = self.tally.states;
                let looked = match puzzle.generate(&generate, number, self.flags.cancel) {
                    // Of some puzzles there are no boards that small.
                    Err(RequestError::Unsupported(_)) if i + 1 < sizes.len() => break,
                    Err(error) => Err(error),
                    // Small boards repeat.
                    Ok(instance) if !seen.insert(instance.id()) => Ok(false),
                    Ok(instance) => self.look(&*instance, FEW_STATES),
                };
                match looked {
                    Ok(looked) => used += u64::from(looked),
                    Err(error) => {
                        let error = self.reason(error);
                        used += u64::from(self.tally.states > before);
                        return match ending(&error) {
                            Some(stop) if used > 0 => Ok((used, Some(stop))),
                            _ => Err(error),
                        };
                    }
                }
                done += 1;
                progress(done, total);
            }
        }
        Ok((used, None))
    }

    /// The flag is raised by the clock, too: what nobody interrupted has come to the end of its time.
    fn reason(&self, error: RequestError) -> RequestError {
        let late = !self.flags.interrupted.load(Ordering::Relaxed);
        if error == RequestError::Interrupted && late { RequestError::Limit(Stop::Time) } else { error }
    }

    /// Looks at the states of an instance: all if they are few, those along an optimal solution if not. Says whether
    /// their true costs could be found.
    fn look(&mut self, instance: &dyn Instance, most: usize) -> Result<bool, RequestError> {
        let budget = self.meter.budget();
        let looked = self.explore(instance, |formulation, tally| {
            let Some(space) = Space::of(formulation, most, budget)? else { return Ok(false) };
            tally.add(instance, formulation, &space, budget).map(|()| true)
        })?;
        if looked {
            return Ok(true);
        }
        let Some((moves, cost)) = self.optimum(instance)? else { return Ok(false) };
        self.explore(instance, |formulation, tally| {
            let Some(steps) = space::steps_of(formulation, &moves, budget)? else { return Ok(false) };
            space::along(formulation, &steps, cost, budget, |space| {
                tally.add(instance, formulation, space, budget)
            })?;
            Ok(true)
        })
    }

    /// An optimal solution by the exact method of the puzzle, whatever heuristic is on trial.
    fn optimum(&mut self, instance: &dyn Instance) -> Result<Option<(Vec<String>, Cost)>, RequestError> {
        let left = self.meter.budget().deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let limits = Limits {
            time: Some(left.map_or(PATIENCE, |left| left.min(PATIENCE))),
            memory: self.meter.room(),
            ..Limits::default()
        };
        let exact = Request {
            heuristic: None,
            settings: Settings { limits, ..Settings::default() },
            ..self.request.clone()
        };
        let attempt = instance.solve(&exact, Control::cancelled_by(self.flags.cancel))?;
        if let Some(stop) = self.meter.budget().ended() {
            return Err(ended_by(stop));
        }
        match Report::new(instance, &exact, attempt) {
            Ok(Report { optimal: true, cost: Some(cost), moves: Some(moves), .. }) => Ok(Some((moves, cost))),
            report => {
                self.without = report.ok().and_then(|report| report.stop);
                Ok(None)
            }
        }
    }

    /// Lends the formulation with the heuristic on trial.
    fn explore(
        &mut self,
        instance: &dyn Instance,
        mut explorer: impl FnMut(&Formulation<'_>, &mut Tally) -> Result<bool, Stop>,
    ) -> Result<bool, RequestError> {
        let mut looked = Ok(false);
        let tally = &mut self.tally;
        let explored = instance
            .explore(&self.request, self.meter, &mut |formulation| looked = explorer(formulation, tally))?;
        let ControlFlow::Break(stop) = explored else {
            return looked.map_err(ended_by);
        };
        let heuristic = self.request.heuristic_for(instance.puzzle());
        Err(match stop {
            Stop::Interrupted | Stop::Time => ended_by(stop),
            Stop::Memory => RequestError::Unsupported(format!(
                "the tables of {heuristic} do not fit in the memory there is"
            )),
            _ => {
                RequestError::Unsupported(format!("the tables of {heuristic} cannot be made for this board"))
            }
        })
    }
}

//! Several runs on one instance, all at once. They share the cores evenly, so their clocks can be
//! compared; their seconds are those of the race, not of a run alone. Only times too short to mean anything are taken again.

use std::thread;
use std::time::Duration;

use novelo_lab as lab;
use novelo_puzzles::{Ending, Report};
use novelo_search::Control;
use serde::Serialize;

use super::job::Job;
use super::order::Runner;
use super::outcome::Outcome;
use super::queue::{STACK, Task};
use super::run::RunView;
use super::solve::{json, run};
use crate::serve::api_error::ApiError;

const TEXT: &str = "Several methods on one instance at the same time. They shared the cores, so the seconds are those of \
    the race: a run alone is faster. What took less than 20 ms was run again afterwards, alone, until it had taken that \
    long; its time is the median.";

/// A time below this says more of the machine than of the method.
const LEAST_TIME: Duration = Duration::from_millis(20);
/// At most this many times is a run measured.
const MOST_TIMES: usize = 101;

#[derive(Serialize)]
struct Race {
    kind: &'static str,
    reports: Vec<Report>,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The task of a race.
pub fn task(runners: Vec<Runner>) -> Task {
    let runs = runners.iter().map(|runner| RunView::waiting(&runner.task)).collect();
    let work = move |job: &Job| {
        let mut reports = thread::scope(|scope| {
            let start = |(number, runner)| {
                // A race of which one cannot start is no race: the others need not finish.
                let work =
                    move || run(job, number, runner).inspect_err(|api_error| job.fail(api_error.clone()));
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)
            };
            let threads: Vec<_> = runners.iter().enumerate().map(start).collect();
            let wait = |thread: std::io::Result<thread::ScopedJoinHandle<'_, _>>| {
                let thread = thread.map_err(|error| ApiError::full(format!("no thread is free: {error}")))?;
                // A runner that panics takes the job with it, which says so.
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(wait).collect::<Result<Vec<Report>, ApiError>>()
        })?;
        for (number, (runner, report)) in runners.iter().zip(&mut reports).enumerate() {
            if let Some(seconds) = steadied(runner, report, job)? {
                report.seconds = seconds;
                job.retime(number, seconds);
            }
        }
        let pairs = runners.iter().zip(&reports);
        let runs = pairs.map(|(runner, it)| lab::Run::of_report(runner.task.clone(), it.clone()));
        let outcome = Outcome::of("A race", TEXT, &runs.collect::<Vec<_>>(), job);
        Ok(json(&Race { kind: "race", reports, outcome }))
    };
    Task { kind: "race", runs, work: Box::new(work) }
}

/// The median time of a run that was too short to be measured once; none where once is enough.
fn steadied(runner: &Runner, report: &Report, job: &Job) -> Result<Option<f64>, ApiError> {
    let enough = LEAST_TIME.as_secs_f64();
    if report.outcome != Ending::Solved || report.seconds >= enough {
        return Ok(None);
    }
    let mut times = vec![report.seconds];
    while times.iter().sum::<f64>() < enough && times.len() < MOST_TIMES && !job.is_cancelled() {
        let again = runner.instance.solve(&runner.request, Control::cancelled_by(job.cancelled()))?;
        times.push(again.outcome.stats.elapsed.as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(Some(times[times.len() / 2]))
}

//! Several runs on one instance, all at once. They share the cores evenly, so their clocks can be
//! compared; their seconds are those of the race, not of a run alone.

use std::thread;

use novelo_lab as lab;
use novelo_puzzles::Report;
use serde::Serialize;

use super::job::Job;
use super::order::Runner;
use super::outcome::Outcome;
use super::queue::{STACK, Task};
use super::run::RunView;
use super::solve::{json, run};
use crate::serve::api_error::ApiError;

const TEXT: &str = "Several methods on one instance at the same time. They shared the cores, so the seconds are those of \
    the race: a run alone is faster.";

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
        let reports = thread::scope(|scope| {
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
        let pairs = runners.iter().zip(&reports);
        let runs = pairs.map(|(runner, it)| lab::Run::of_report(runner.task.clone(), it.clone()));
        let outcome = Outcome::of("A race", TEXT, &runs.collect::<Vec<_>>(), job);
        Ok(json(&Race { kind: "race", reports, outcome }))
    };
    Task { kind: "race", runs, work: Box::new(work) }
}

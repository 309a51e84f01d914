//! The tree of a small search.

use novelo_puzzles::Report;
use novelo_puzzles::trace::{Trace, trace};
use serde::Serialize;

use super::job::Job;
use super::order::Runner;
use super::queue::Task;
use super::solve::{json, report};

#[derive(Serialize)]
struct Traced {
    kind: &'static str,
    trace: Trace,
    report: Report,
}

/// The task of drawing the first `most` nodes of a search.
pub fn task(runner: Runner, most: usize) -> Task {
    let work = move |job: &Job| {
        let (attempt, trace) = trace(&*runner.instance, &runner.request, most, job.cancelled())?;
        let report = report(&runner, attempt)?;
        Ok(json(&Traced { kind: "trace", trace, report }))
    };
    Task { kind: "trace", runs: Vec::new(), work: Box::new(work) }
}

//! One run on one instance.

use novelo_lab::Milestones;
use novelo_puzzles::{Attempt, Report, Request};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::job::Job;
use super::order::Runner;
use super::queue::Task;
use super::run::RunView;
use crate::commands::solve::refused;
use crate::serve::api_error::ApiError;

#[derive(Serialize)]
struct Solved {
    kind: &'static str,
    report: Report,
}

/// The task of one run.
pub fn task(runner: Runner) -> Task {
    let runs = vec![RunView::waiting(&runner.task)];
    let work = move |job: &Job| Ok(json(&Solved { kind: "solve", report: run(job, 0, &runner)? }));
    Task { kind: "solve", runs, work: Box::new(work) }
}

/// Carries one of a job's runs out, telling the job how it goes.
pub fn run(job: &Job, number: usize, runner: &Runner) -> Result<Report, ApiError> {
    let improvements = Milestones::default();
    let request = Request { improvements: Some(improvements.listener()), ..runner.request.clone() };
    let attempt = runner.instance.solve(&request, job.control_with(number, improvements.clone()))?;
    let report = report(runner, attempt)?;
    job.finish_run(number, report.clone(), &improvements);
    Ok(report)
}

/// The report on an attempt, unless the verifier refuses it.
pub fn report(runner: &Runner, attempt: Attempt) -> Result<Report, ApiError> {
    let instance = &*runner.instance;
    let report = Report::new(instance, &runner.request, attempt);
    report.map_err(|verdict| ApiError::impossible(refused(instance, &verdict).to_string()))
}

/// A result as JSON.
pub fn json(result: &impl Serialize) -> Box<RawValue> {
    to_raw_value(result).expect("a result is plain data")
}

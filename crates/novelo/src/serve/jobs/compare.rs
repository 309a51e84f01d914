//! Several runs on several instances, one after another, so that each has the machine to itself.

use std::time::{Duration, Instant};

use novelo_lab as lab;
use novelo_search::Stop;
use serde::Serialize;

use super::job::Job;
use super::outcome::Outcome;
use super::queue::Task;
use super::run::RunView;
use super::solve::json;

const TEXT: &str = "Methods on instances, one run after another.";

#[derive(Serialize)]
struct Comparison {
    kind: &'static str,
    #[serde(flatten)]
    outcome: Outcome,
}

/// The task of a comparison, which has so much time as a whole.
pub fn task(tasks: Vec<lab::Task>, environment: lab::Environment, time: Duration) -> Task {
    let work = move |job: &Job| {
        let started = Instant::now();
        let mut runs = Vec::new();
        for (done, task) in tasks.iter().enumerate() {
            if job.is_cancelled() {
                break;
            }
            job.step(done, tasks.len(), Some(RunView::waiting(task)));
            runs.push(run(task, &environment, time.saturating_sub(started.elapsed()), job));
        }
        job.step(runs.len(), tasks.len(), None);
        Ok(json(&Comparison { kind: "compare", outcome: Outcome::of("A comparison", TEXT, &runs, job) }))
    };
    Task { kind: "compare", runs: Vec::new(), work: Box::new(work) }
}

/// One run in the time that is left.
fn run(task: &lab::Task, environment: &lab::Environment, left: Duration, job: &Job) -> lab::Run {
    if left.is_zero() {
        let reason = "the time of the whole job was used up before it".into();
        return lab::Run::without_figures(
            task,
            lab::Ending::Stopped,
            Some(lab::Cause::Search(Stop::Time)),
            reason,
        );
    }
    let mut task = task.clone();
    let left = lab::milliseconds(left);
    task.limits.time_limit_ms = task.limits.time_limit_ms.map(|most| most.min(left));
    lab::Run::here(&task, environment, job.control(0))
}

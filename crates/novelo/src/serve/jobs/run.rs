//! One run within a job, as a client sees it.

use novelo_lab::Task;
use novelo_puzzles::Report;
use novelo_search::{Frontier, Progress};
use serde::Serialize;
use utoipa::ToSchema;

/// One run of an algorithm within a job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Run {
    label: String,
    instance: String,
    /// `waiting`, `running` or `finished`.
    state: &'static str,
    /// The place among those that have finished, from 1.
    place: Option<usize>,
    seconds: f64,
    expanded: u64,
    generated: u64,
    stored: u64,
    bytes: usize,
    frontier: Option<Reached>,
    #[schema(value_type = Option<Object>)]
    report: Option<FullReport>,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct Reached {
    /// `depth`, `cost`, `f` or `table` (the part that is built).
    kind: &'static str,
    value: f64,
}

/// A report with the sentence on why it ended so.
#[derive(Debug, Clone, Serialize)]
pub struct FullReport {
    #[serde(flatten)]
    pub report: Report,
    reason: Option<String>,
}

impl From<Report> for FullReport {
    fn from(report: Report) -> Self {
        Self { reason: report.reason.clone(), report }
    }
}

impl Run {
    /// A run that has not begun.
    pub fn waiting(task: &Task) -> Self {
        Self {
            label: task.method.label(),
            instance: task.subject.instance.clone(),
            state: "waiting",
            place: None,
            seconds: 0.0,
            expanded: 0,
            generated: 0,
            stored: 0,
            bytes: 0,
            frontier: None,
            report: None,
        }
    }

    /// Notes how it goes.
    pub fn advance(&mut self, progress: &Progress) {
        self.seconds = progress.elapsed.as_secs_f64();
        self.expanded = progress.expanded;
        self.generated = progress.generated;
        self.stored = progress.stored;
        self.bytes = progress.bytes;
        let (kind, value) = match progress.frontier {
            Frontier::Depth(depth) => ("depth", f64::from(depth)),
            Frontier::Cost(cost) => ("cost", cost as f64),
            Frontier::F(f) => ("f", f),
            Frontier::Share(part) => ("table", part),
        };
        self.frontier = Some(Reached { kind, value });
    }

    /// Notes that it has begun.
    pub fn start(&mut self) {
        self.state = "running";
    }

    /// Notes how it ended.
    pub fn finish(&mut self, report: FullReport) {
        self.state = "finished";
        self.seconds = report.report.seconds;
        self.expanded = report.report.expanded;
        self.generated = report.report.generated;
        self.stored = report.report.stored_peak;
        self.bytes = report.report.peak_bytes;
        self.report = Some(report);
    }
}

/// Gives those that have finished their places: first those with an answer, then by the clock of each. The order in which
/// they come in would favour whichever thread the system happened to start first.
pub fn rank(runs: &mut [Run]) {
    let key = |run: &Run| run.report.as_ref().map(|it| (it.report.outcome == "stopped", run.seconds));
    let mut finished: Vec<_> = runs.iter_mut().filter(|run| run.report.is_some()).collect();
    finished.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("times are numbers"));
    for (before, run) in finished.into_iter().enumerate() {
        run.place = Some(before + 1);
    }
}

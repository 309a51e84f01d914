//! One run within a job, as a client sees it.

use novelo_lab::{Milestone, Task};
use novelo_puzzles::{Ending, Report};
use novelo_search::{Frontier, Progress};
use serde::Serialize;
use utoipa::ToSchema;

/// One run of an algorithm within a job.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RunView {
    label: String,
    instance: String,
    /// `waiting`, `running` or `finished`.
    state: &'static str,
    /// The place among those that have finished, from 1.
    place: Option<usize>,
    seconds: f64,
    /// This and the next three are null where they do not apply to the method.
    expanded: Option<u64>,
    generated: Option<u64>,
    stored: Option<u64>,
    bytes: Option<usize>,
    frontier: Option<Reached>,
    /// The solutions so far, each better than the one before, of a method that goes on after its first.
    #[schema(value_type = Vec<Object>)]
    improvements: Vec<Milestone>,
    #[schema(value_type = Option<Object>)]
    report: Option<Report>,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
struct Reached {
    /// `depth`, `bound` (of the iteration), `cost`, `f` or `table` (the part that is built).
    kind: &'static str,
    value: f64,
}

impl RunView {
    /// A run that has not begun.
    pub fn waiting(task: &Task) -> Self {
        Self {
            label: task.method.label(),
            instance: task.subject.instance.clone(),
            state: "waiting",
            place: None,
            seconds: 0.0,
            expanded: None,
            generated: None,
            stored: None,
            bytes: None,
            frontier: None,
            improvements: Vec::new(),
            report: None,
        }
    }

    /// Notes how it goes.
    pub fn advance(&mut self, progress: &Progress) {
        self.seconds = progress.elapsed.as_secs_f64();
        self.expanded = Some(progress.expanded);
        self.generated = Some(progress.generated);
        self.stored = Some(progress.stored);
        self.bytes = Some(progress.bytes);
        let (kind, value) = match progress.frontier {
            Frontier::Depth(depth) => ("depth", f64::from(depth)),
            Frontier::Bound(bound) => ("bound", bound),
            Frontier::Cost(cost) => ("cost", cost),
            Frontier::F(f) => ("f", f),
            Frontier::Share(part) => ("table", part),
        };
        self.frontier = Some(Reached { kind, value });
    }

    /// Notes the solutions so far.
    pub fn improve(&mut self, improvements: &[Milestone]) {
        let known = self.improvements.len().min(improvements.len());
        self.improvements.extend_from_slice(&improvements[known..]);
    }

    /// Notes that it has begun.
    pub fn start(&mut self) {
        self.state = "running";
    }

    /// Notes how it ended.
    pub fn finish(&mut self, report: Report) {
        self.state = "finished";
        self.seconds = report.seconds;
        self.expanded = report.expanded;
        self.generated = report.generated;
        self.stored = report.stored_peak;
        self.bytes = report.peak_bytes;
        self.report = Some(report);
    }

    /// Takes a better measure of its time.
    pub fn retime(&mut self, seconds: f64) {
        self.seconds = seconds;
        if let Some(report) = &mut self.report {
            report.seconds = seconds;
        }
    }
}

/// Gives those that have finished their places: first those with an answer, then by the clock of each. The order in which
/// they come in would favour whichever thread the system happened to start first.
pub fn rank(runs: &mut [RunView]) {
    let key = |run: &RunView| run.report.as_ref().map(|it| (it.outcome == Ending::Stopped, run.seconds));
    let mut finished: Vec<_> = runs.iter_mut().filter(|run| run.report.is_some()).collect();
    finished.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("times are numbers"));
    for (before, run) in finished.into_iter().enumerate() {
        run.place = Some(before + 1);
    }
}

//! One run that was done, and the doing of it.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use novelo_puzzles::{Improved, Improvements, Report, RequestError};
use novelo_search::{Control, Stop};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::task::{Environment, Task};

/// One run that was done: the task, how it ended, and the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What was asked for.
    #[serde(flatten)]
    pub task: Task,
    /// How it ended.
    pub outcome: Ending,
    /// What ended a run that found no answer.
    pub stop: Option<Cause>,
    /// A sentence on why it ended so, where there is one.
    pub reason: Option<String>,
    /// What was counted.
    #[serde(flatten)]
    pub figures: Figures,
    /// The solutions as they came, each better than the one before, of a method that goes on after its first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub improvements: Vec<Milestone>,
}

/// The improvements of a run, noted as they come.
#[derive(Debug, Clone, Default)]
pub struct Milestones(Arc<Mutex<Vec<Milestone>>>);

impl Milestones {
    /// What a request is given to have them noted.
    pub fn listener(&self) -> Improvements {
        let noted = self.clone();
        Improvements::new(move |Improved { seconds, cost, lower_bound, .. }| {
            let milestone = Milestone { seconds, cost, lower_bound };
            noted.0.lock().unwrap_or_else(PoisonError::into_inner).push(milestone);
            ControlFlow::Continue(())
        })
    }

    /// Those that have come.
    pub fn so_far(&self) -> Vec<Milestone> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A solution of a run that was better than any before it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Milestone {
    /// When it came, since the start of the run.
    pub seconds: f64,
    pub cost: u32,
    pub lower_bound: Option<u32>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// With a solution, which the verifier accepted.
    Solved,
    /// With the proof that there is no solution.
    Unsolvable,
    /// At one of its limits.
    Stopped,
    /// By a fault: it panicked, or its process died.
    Failed,
    /// Before it began: the method does not apply to the instance.
    Refused,
}

/// What ended a run that found no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The search itself: a limit, the caller, or that the method cannot go on.
    Search(Stop),
    /// A panic.
    Panic,
    /// Its process died or was killed.
    Killed,
    /// The verifier did not accept the solution.
    Refuted,
}

impl Cause {
    const ALL: [Self; 10] = [
        Self::Search(Stop::Time),
        Self::Search(Stop::Memory),
        Self::Search(Stop::Nodes),
        Self::Search(Stop::Depth),
        Self::Search(Stop::Interrupted),
        Self::Search(Stop::Overflow),
        Self::Search(Stop::GaveUp),
        Self::Panic,
        Self::Killed,
        Self::Refuted,
    ];

    /// The name used in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search(stop) => stop.name(),
            Self::Panic => "panic",
            Self::Killed => "killed",
            Self::Refuted => "refuted",
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'d> Deserialize<'d> for Cause {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let known = Self::ALL.into_iter().find(|cause| cause.name() == name);
        known.ok_or_else(|| de::Error::custom(format!("no run ends by '{name}'")))
    }
}

/// What was counted in a run, in the fields of the contract. Unknown values are null.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
#[non_exhaustive]
pub struct Figures {
    /// What ran: for `auto`, what it chose.
    #[serde(rename = "method", alias = "chosen")]
    pub chosen: Option<String>,
    pub optimal: bool,
    pub cost: Option<u32>,
    pub depth: Option<usize>,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub stored_peak: Option<u64>,
    pub peak_bytes: Option<u64>,
    pub seconds: Option<f64>,
    pub penetrance: Option<f64>,
    pub branching_factor: Option<f64>,
    pub lower_bound: Option<u32>,
}

impl Run {
    /// Does a task in this process.
    pub fn here(task: &Task, environment: &Environment, control: Control<'_>) -> Self {
        match attempt(task, environment, control) {
            Ok((report, improvements)) => Self { improvements, ..Self::of_report(task.clone(), report) },
            Err(RunError::Refused(reason)) => Self::without_figures(task, Ending::Refused, None, reason),
            Err(RunError::Stopped(stop, reason)) => {
                Self::without_figures(task, Ending::Stopped, Some(Cause::Search(stop)), reason)
            }
            Err(RunError::Wrong(reason)) => {
                Self::without_figures(task, Ending::Failed, Some(Cause::Refuted), reason)
            }
        }
    }

    /// A run of which only its end is known.
    pub fn without_figures(task: &Task, outcome: Ending, stop: Option<Cause>, reason: String) -> Self {
        let (task, figures) = (task.clone(), Figures::default());
        Self { task, outcome, stop, reason: Some(reason), figures, improvements: Vec::new() }
    }

    /// A run whose report is known.
    pub fn of_report(task: Task, report: Report) -> Self {
        let figures = Figures {
            chosen: Some(report.method.to_string()),
            optimal: report.optimal,
            cost: report.cost,
            depth: report.depth,
            expanded: report.expanded,
            generated: report.generated,
            stored_peak: report.stored_peak,
            peak_bytes: report.peak_bytes.map(|bytes| bytes as u64),
            seconds: Some(report.seconds),
            penetrance: report.penetrance,
            branching_factor: report.branching_factor,
            lower_bound: report.lower_bound,
        };
        let outcome = match report.outcome {
            novelo_puzzles::Ending::Solved => Ending::Solved,
            novelo_puzzles::Ending::Unsolvable => Ending::Unsolvable,
            novelo_puzzles::Ending::Stopped => Ending::Stopped,
        };
        let (stop, reason) = (report.stop.map(Cause::Search), report.reason);
        Self { task, outcome, stop, reason, figures, improvements: Vec::new() }
    }

    /// Whether it ended with an answer: a solution, or the proof that there is none.
    pub fn answered(&self) -> bool {
        matches!(self.outcome, Ending::Solved | Ending::Unsolvable)
    }

    /// How it ended, in a word or two.
    pub fn ended(&self) -> &'static str {
        match (self.outcome, self.stop) {
            (Ending::Solved, _) => "solved",
            (Ending::Unsolvable, _) => "unsolvable",
            (Ending::Refused, _) => "refused",
            (_, Some(cause)) => cause.name(),
            (Ending::Stopped, None) => "stopped",
            (Ending::Failed, None) => "failed",
        }
    }
}

enum RunError {
    Refused(String),
    Stopped(Stop, String),
    Wrong(String),
}

fn attempt(
    task: &Task,
    environment: &Environment,
    control: Control<'_>,
) -> Result<(Report, Vec<Milestone>), RunError> {
    let instance = task.subject.read().map_err(RunError::Refused)?;
    let mut request = task.request(environment).map_err(|error| RunError::Refused(error.to_string()))?;
    let improvements = Milestones::default();
    request.improvements = Some(improvements.listener());
    let attempt = instance.solve(&request, control).map_err(|error| match error {
        RequestError::Interrupted => RunError::Stopped(Stop::Interrupted, error.to_string()),
        RequestError::Limit(stop) => RunError::Stopped(stop, error.to_string()),
        error => RunError::Refused(error.to_string()),
    })?;
    let report = Report::new(&*instance, &request, attempt)
        .map_err(|verdict| RunError::Wrong(format!("the verifier refused the solution: {verdict:?}")))?;
    Ok((report, improvements.so_far()))
}

//! The result of one run, in the fields that the contract names.

use crate::Cost;
use novelo_search::stats::{branching_factor, penetrance};
use novelo_search::{Answer, Stop, Workers};
use serde::{Serialize, Serializer};

use crate::method::{Choice, Method};
use crate::puzzle::Instance;
use crate::request::{Attempt, Request};
use crate::verdict::Verdict;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// With a solution.
    Solved,
    /// With the proof that there is none.
    Unsolvable,
    /// With neither: [`Report::stop`] says why.
    Stopped,
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Stopped => "stopped",
        })
    }
}

fn written<T: std::fmt::Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

// The signature is serde's.
#[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
fn named<S: Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    stop.map(Stop::name).serialize(serializer)
}

/// One run's result. Unknown values, and those that do not apply to the method, are null, never absent.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
#[non_exhaustive]
pub struct Report {
    pub puzzle: &'static str,
    pub instance: String,
    /// The name of the instance in its file.
    pub name: Option<String>,
    /// What was asked for.
    #[serde(serialize_with = "written")]
    pub algorithm: Choice,
    /// What ran.
    #[serde(serialize_with = "written")]
    pub method: Method,
    pub heuristic: Option<String>,
    pub outcome: Ending,
    /// What ended a run that was stopped, or that has a solution without the proof it was looking for.
    #[serde(serialize_with = "named")]
    pub stop: Option<Stop>,
    /// A sentence on why it ended so.
    pub reason: Option<String>,
    pub optimal: bool,
    pub cost: Option<Cost>,
    pub depth: Option<usize>,
    pub moves: Option<Vec<String>>,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub stored_peak: Option<u64>,
    pub peak_bytes: Option<usize>,
    pub seconds: f64,
    pub penetrance: Option<f64>,
    pub branching_factor: Option<f64>,
    pub lower_bound: Option<Cost>,
    /// What passed between the workers of a search on several threads.
    pub workers: Option<WorkersReport>,
    /// The id of the last state.
    #[serde(rename = "final")]
    pub last: Option<String>,
}

/// What passed between the workers of a search on several threads.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct WorkersReport {
    /// How many there were.
    pub count: usize,
    /// The share of successors that were sent to another worker.
    pub share_sent: f64,
    /// Messages between them.
    pub messages: u64,
    /// Seconds that they waited for messages, summed over them.
    pub idle_seconds: f64,
}

impl From<Workers> for WorkersReport {
    fn from(workers: Workers) -> Self {
        let Workers { count, messages, idle, .. } = workers;
        Self { count, share_sent: workers.share_sent(), messages, idle_seconds: idle.as_secs_f64() }
    }
}

impl Report {
    /// The puzzle and its size.
    pub fn board(&self) -> String {
        // Every id begins with the puzzle and the size.
        let mut parts = self.instance.split(':');
        let [puzzle, size] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
        format!("{puzzle} {size}")
    }

    /// Puts a result together; a solution is replayed by the verifier first,
    /// and one that it refuses is an error, never a result.
    pub fn new(instance: &dyn Instance, request: &Request, attempt: Attempt) -> Result<Self, Verdict> {
        let Attempt { method, heuristic, outcome, reason, searched } = attempt;
        let stats = outcome.stats;
        let counted = searched && method.searches_states();
        let mut report = Self {
            puzzle: instance.puzzle().info().name,
            instance: instance.id(),
            name: None,
            algorithm: request.algorithm,
            method,
            heuristic,
            outcome: Ending::Solved,
            stop: outcome.stop,
            reason,
            optimal: false,
            cost: None,
            depth: None,
            moves: None,
            expanded: counted.then_some(stats.expanded),
            generated: counted.then_some(stats.generated),
            stored_peak: counted.then_some(stats.stored_peak),
            // A method of its own that reserves nothing has not said that it needs nothing.
            peak_bytes: Some(stats.peak_bytes).filter(|&bytes| counted || bytes > 0),
            seconds: stats.elapsed.as_secs_f64(),
            penetrance: None,
            branching_factor: None,
            lower_bound: outcome.lower_bound,
            workers: stats.workers.map(WorkersReport::from),
            last: None,
        };
        match outcome.answer {
            Answer::Solved(solution) => {
                let verdict = instance.check(&solution.path);
                if !verdict.is_solution() || verdict.cost != solution.cost {
                    return Err(verdict);
                }
                let depth = solution.path.len();
                report.optimal = solution.optimal;
                report.cost = Some(solution.cost);
                report.depth = Some(depth);
                report.penetrance = report.generated.and_then(|generated| penetrance(depth, generated));
                report.branching_factor =
                    report.generated.and_then(|generated| branching_factor(depth, generated));
                report.moves = Some(solution.path);
                report.last = Some(verdict.end);
            }
            Answer::Unsolvable => report.outcome = Ending::Unsolvable,
            Answer::Stopped(stop) => {
                report.outcome = Ending::Stopped;
                report.stop = Some(stop);
            }
        }
        Ok(report)
    }
}

//! The result of one run, in the fields that the contract names.

use novelo_search::stats::{branching_factor, penetrance};
use novelo_search::{Answer, Cost};
use serde::Serialize;

use crate::puzzle::Instance;
use crate::request::{Attempt, Request};
use crate::verdict::Verdict;

/// One run's result. Unknown values are null, never absent.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    pub puzzle: &'static str,
    pub instance: String,
    pub algorithm: String,
    /// What `auto` chose.
    pub method: Option<String>,
    pub heuristic: Option<String>,
    /// `solved`, `unsolvable` or `stopped`.
    pub outcome: &'static str,
    /// What ended a run that was stopped.
    pub stop: Option<&'static str>,
    pub optimal: bool,
    pub cost: Option<Cost>,
    pub depth: Option<usize>,
    pub moves: Option<Vec<String>>,
    pub expanded: u64,
    pub generated: u64,
    pub stored_peak: u64,
    pub peak_bytes: usize,
    pub seconds: f64,
    pub penetrance: Option<f64>,
    pub branching_factor: Option<f64>,
    pub lower_bound: Option<Cost>,
    /// The id of the last state.
    #[serde(rename = "final")]
    pub last: Option<String>,
    /// A sentence on why it ended so.
    #[serde(skip)]
    pub reason: Option<String>,
}

impl Report {
    /// Puts a result together; a solution is replayed by the verifier first,
    /// and one that it refuses is an error, never a result.
    pub fn new(instance: &dyn Instance, request: &Request, attempt: Attempt) -> Result<Self, Verdict> {
        let Attempt { method, heuristic, outcome, reason } = attempt;
        let stats = outcome.stats;
        let mut report = Self {
            puzzle: instance.puzzle().info().name,
            instance: instance.id(),
            algorithm: request.algorithm.to_string(),
            method,
            heuristic,
            outcome: "solved",
            stop: None,
            optimal: false,
            cost: None,
            depth: None,
            moves: None,
            expanded: stats.expanded,
            generated: stats.generated,
            stored_peak: stats.stored_peak,
            peak_bytes: stats.peak_bytes,
            seconds: stats.elapsed.as_secs_f64(),
            penetrance: None,
            branching_factor: None,
            lower_bound: outcome.lower_bound,
            last: None,
            reason,
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
                // Dedicated solvers need not walk the path they find: then these
                // figures mean nothing.
                report.penetrance =
                    (stats.generated > depth as u64).then(|| penetrance(depth, stats.generated));
                report.branching_factor = branching_factor(depth, stats.generated);
                report.moves = Some(solution.path);
                report.last = Some(verdict.end);
            }
            Answer::Unsolvable => report.outcome = "unsolvable",
            Answer::Stopped(stop) => {
                report.outcome = "stopped";
                report.stop = Some(stop.name());
            }
        }
        Ok(report)
    }
}

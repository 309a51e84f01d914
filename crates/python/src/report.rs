//! The result of a search that is no puzzle's, in the fields of the contract.

use std::time::Duration;

use novelo_puzzles::WorkersReport;
use novelo_search::stats::{branching_factor, penetrance};
use novelo_search::{Algorithm, Answer, CannotRun, Outcome, Stats, Stop};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::amount::{Amount, Number};
use crate::json::plain;
use crate::options::wrong;

/// Why a solution by a heuristic of the user's is not called optimal.
pub const NO_PROMISE: &str = "the heuristic promises nothing: with admissible=True, if it never overestimates, or \
                              consistent=True, the result says whether it is optimal";

/// How a search ended, without the types of its actions and costs.
pub struct Summary {
    outcome: &'static str,
    stop: Option<Stop>,
    pub reason: Option<String>,
    pub optimal: bool,
    cost: Option<Amount>,
    depth: Option<usize>,
    lower_bound: Option<Amount>,
    stats: Stats,
    pub seconds: Duration,
    improvements: Vec<(f64, Amount, Option<Amount>)>,
}

impl Summary {
    pub fn of<A, C: Number>(
        outcome: &Outcome<A, C>,
        improvements: Vec<(f64, Amount, Option<Amount>)>,
    ) -> Self {
        let solution = outcome.solution();
        let (name, stop) = match outcome.answer {
            Answer::Solved(_) => ("solved", outcome.stop),
            Answer::Unsolvable => ("unsolvable", None),
            Answer::Stopped(stop) => ("stopped", Some(stop)),
        };
        Self {
            outcome: name,
            stop,
            reason: None,
            optimal: solution.is_some_and(|solution| solution.optimal),
            cost: solution.map(|solution| solution.cost.amount()),
            depth: solution.map(|solution| solution.path.len()),
            lower_bound: outcome.lower_bound.map(C::amount),
            stats: outcome.stats,
            seconds: outcome.stats.elapsed,
            improvements,
        }
    }

    pub fn is_solved(&self) -> bool {
        self.outcome == "solved"
    }

    /// The search was ended by something that the engine knew nothing of: what it has proved since is no proof.
    pub fn cut(&mut self, stop: Stop) {
        self.stop = Some(stop);
        self.optimal = false;
        self.lower_bound = None;
        if !self.is_solved() {
            self.outcome = "stopped";
        }
    }

    /// As a dictionary; costs that are all whole numbers are whole in sum.
    pub fn report<'py>(
        &self,
        py: Python<'py>,
        algorithm: Algorithm,
        guided: bool,
        whole: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let number = |amount: Amount| match amount {
            Amount::Real(real) if whole && real.fract() == 0.0 => Amount::Whole(real as u64),
            amount => amount,
        };
        let Stats { expanded, generated, stored_peak, peak_bytes, workers, .. } = self.stats;
        let report = PyDict::new(py);
        report.set_item("algorithm", algorithm.to_string())?;
        report.set_item("method", algorithm.to_string())?;
        report.set_item("guided", guided)?;
        report.set_item("outcome", self.outcome)?;
        report.set_item("stop", self.stop.map(Stop::name))?;
        report.set_item("reason", &self.reason)?;
        report.set_item("optimal", self.optimal)?;
        report.set_item("cost", self.cost.map(number))?;
        report.set_item("depth", self.depth)?;
        report.set_item("moves", py.None())?;
        report.set_item("expanded", expanded)?;
        report.set_item("generated", generated)?;
        report.set_item("stored_peak", stored_peak)?;
        report.set_item("peak_bytes", peak_bytes)?;
        report.set_item("seconds", self.seconds.as_secs_f64())?;
        report.set_item("penetrance", self.depth.and_then(|depth| penetrance(depth, generated)))?;
        report
            .set_item("branching_factor", self.depth.and_then(|depth| branching_factor(depth, generated)))?;
        report.set_item("lower_bound", self.lower_bound.map(number))?;
        let workers = workers.map(|workers| plain(py, &WorkersReport::from(workers)));
        report.set_item("workers", workers.transpose()?)?;
        report.set_item("final", py.None())?;
        let better = |&(seconds, cost, bound): &(f64, Amount, Option<Amount>)| {
            (seconds, number(cost), bound.map(number))
        };
        report.set_item("improvements", self.improvements.iter().map(better).collect::<Vec<_>>())?;
        Ok(report)
    }
}

/// What the engine refuses, in words of Python.
pub fn cannot_run(error: CannotRun) -> PyErr {
    let name = |algorithm: Algorithm| algorithm.name();
    match error {
        CannotRun::NeedsDepthLimit(algorithm) => {
            let name = name(algorithm);
            wrong(format!("{name} needs a depth limit: write \"{name}:limit=20\", or give depth_limit=20"))
        }
        CannotRun::NeedsReversible(algorithm) => wrong(format!(
            "{} searches from both ends: give the problem the methods goals(), all goal states, and predecessors(state), the \
             states from which one action leads to a state",
            name(algorithm)
        )),
        CannotRun::NeedsTowardStart(algorithm) => wrong(format!(
            "{} searches from both ends: give the problem a method heuristic_from_start(state), which estimates the cost \
             from the start to a state",
            name(algorithm)
        )),
        CannotRun::NeedsConsistent(algorithm) => wrong(format!(
            "{} needs a heuristic that is consistent, from both ends: promise it with consistent=True",
            name(algorithm)
        )),
        error => wrong(error),
    }
}

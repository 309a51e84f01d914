//! Exit codes; they follow Fast Downward, which the field knows.

use std::process::ExitCode;

use novelo_puzzles::{Ending, Report};
use novelo_search::Stop;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Solved; or whatever was asked for was done.
    Success = 0,
    /// A checked solution is not one.
    NoSolution = 1,
    /// Wrong usage or bad input.
    BadInput = 2,
    /// Proved that there is no solution.
    Unsolvable = 11,
    /// Ended without solution or proof.
    GaveUp = 12,
    /// The memory limit.
    Memory = 22,
    /// The time limit.
    Time = 23,
    /// The limit on expansions or depth.
    Nodes = 24,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

impl Code {
    /// The code for a run's result.
    pub fn of(report: &Report) -> Self {
        match (report.outcome, report.stop) {
            (Ending::Solved, _) => Self::Success,
            (Ending::Unsolvable, _) => Self::Unsolvable,
            (Ending::Stopped, stop) => stop.map_or(Self::GaveUp, Self::of_stop),
        }
    }

    /// The code for what stopped a run.
    pub fn of_stop(stop: Stop) -> Self {
        match stop {
            Stop::Memory => Self::Memory,
            Stop::Time => Self::Time,
            Stop::Nodes | Stop::Depth => Self::Nodes,
            Stop::Interrupted => Self::Interrupted,
            Stop::Overflow | Stop::GaveUp => Self::GaveUp,
        }
    }

    /// Of several runs, the code of the first that was not a success; an
    /// interruption beats all.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        if self == Self::Success || next == Self::Interrupted { next } else { self }
    }
}

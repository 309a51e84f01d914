//! What a replay of a solution finds.

use crate::Cost;

/// What a replay by the independent verifier found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// How many moves were legal, from the first on.
    pub legal: usize,
    /// What those moves cost.
    pub cost: Cost,
    /// The first move that is not legal.
    pub failure: Option<Failure>,
    /// Whether the legal moves end at the goal.
    pub solved: bool,
    /// What is missing to the goal, when it was not reached.
    pub missing: Option<String>,
    /// The id of the state they end in.
    pub end: String,
}

/// A move that is not legal.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Its place, counted from 1.
    pub at: usize,
    /// The move as written.
    pub text: String,
    /// Why it is not legal.
    pub reason: String,
}

impl Verdict {
    /// Whether every move is legal and the goal is reached.
    pub fn is_solution(&self) -> bool {
        self.failure.is_none() && self.solved
    }
}

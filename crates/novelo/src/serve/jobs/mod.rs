//! Long work: jobs that are handed in, watched, and given up.

mod audit;
mod compare;
mod files;
mod job;
mod order;
mod outcome;
mod queue;
mod race;
pub mod routes;
mod run;
mod solve;
mod trace;

pub use queue::{JobQueue, QUEUE};

/// The most runs of a race.
pub const RACE_RUNS: usize = 6;
/// The most runs of a comparison on one instance.
pub const COMPARE_RUNS: usize = 12;
/// The most instances of a comparison.
pub const COMPARE_INSTANCES: usize = 20;
/// The most repeats of a comparison.
pub const REPEAT: usize = 5;
/// The most nodes of a search tree that is shown.
pub const TRACE_NODES: usize = 2000;

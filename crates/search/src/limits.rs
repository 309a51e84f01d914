//! What a run may use, and what ended it.

use std::time::Duration;

/// What a run may use. `None` means as much as it takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held by the search's own structures.
    pub memory: Option<usize>,
    /// Expansions.
    pub nodes: Option<u64>,
    /// Length of a path in actions. A search that meets it where the cheaper of two paths may be the longer one begins anew,
    /// with nodes that are states at depths; observers are told of another iteration.
    pub depth: Option<u32>,
}

/// Why a run ended without an answer. One that has a solution by then, and would have gone on for a cheaper one, answers
/// with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The limit on expansions.
    Nodes,
    /// Nothing was left within the depth limit.
    Depth,
    /// The caller cancelled.
    Interrupted,
    /// A sum of costs, or of costs and weighted estimates, is beyond what their type can hold; or a cost is none (real, and
    /// negative or infinite).
    Overflow,
    /// The method itself cannot go on and has proved nothing.
    GaveUp,
}

impl Stop {
    /// The name used in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Nodes => "nodes",
            Self::Depth => "depth",
            Self::Interrupted => "interrupted",
            Self::Overflow => "overflow",
            Self::GaveUp => "gave-up",
        }
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a run looks like from outside while it goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// States whose successors were produced.
    pub expanded: u64,
    /// Successor states produced, and the root.
    pub generated: u64,
    /// Nodes held now.
    pub stored: u64,
    /// Bytes held now.
    pub bytes: usize,
    /// What the search has reached.
    pub frontier: Frontier,
}

/// How far a search has come, in the measure its algorithm goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Frontier {
    /// Depth, for algorithms that go by depth.
    Depth(u32),
    /// The bound of the iteration, on depth or f, for iterative deepening.
    Bound(f64),
    /// Path cost, for uniform cost.
    Cost(f64),
    /// The part of a table that is built, from 0 to 1.
    Share(f64),
    /// f = g + h (weighted or not), or h alone for greedy search.
    F(f64),
}

//! What a run is measured by.
//!
//! ```
//! use novelo_search::stats::{branching_factor, penetrance};
//!
//! // A solution of two actions, for which the root and six more nodes were generated: 6 = 2 + 2².
//! assert_eq!(penetrance(2, 7), Some(2.0 / 6.0));
//! assert!((branching_factor(2, 7).unwrap() - 2.0).abs() < 1e-9);
//! ```

use std::time::Duration;

/// The counts of one run, defined the same for every algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// States whose successors were produced.
    pub expanded: u64,
    /// The root once, and every successor produced by applying an action,
    /// repeated states included.
    pub generated: u64,
    /// Most nodes held at once: frontier and closed list, or, for depth-first search in place, the nodes of the longest
    /// path that was followed. An action that was not tried yet is no node.
    pub stored_peak: u64,
    /// Most bytes held at once by the search's structures.
    pub peak_bytes: usize,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// What passed between the workers of a [parallel](crate::parallel) search, if it was one.
    #[cfg_attr(feature = "serde", serde(default))]
    pub workers: Option<Workers>,
}

/// What passed between the workers of a parallel search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Workers {
    /// How many there were.
    pub count: usize,
    /// Successors that stayed with the worker that had produced them.
    pub kept: u64,
    /// Successors that were sent to another.
    pub sent: u64,
    /// Messages, of all kinds.
    pub messages: u64,
    /// Time that workers spent waiting, summed over them.
    pub idle: Duration,
}

impl Workers {
    /// The share of successors that were sent to another worker.
    pub fn share_sent(&self) -> f64 {
        let all = self.kept + self.sent;
        if all == 0 { 0.0 } else { self.sent as f64 / all as f64 }
    }
}

/// What a figure of a result is, in words.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CountInfo {
    /// Its name in results.
    pub name: &'static str,
    /// What it counts or measures, with its unit.
    pub definition: &'static str,
    /// When there is no such figure: it is null then.
    pub absent: &'static str,
}

/// The figures of a result, each with its one definition.
pub const COUNTS: &[CountInfo] = &[
    CountInfo {
        name: "expanded",
        definition: "States whose successors were produced. A state that is expanded again, in another iteration or \
                     because it was reached at a lower cost, counts again.",
        absent: "The method searches among something else than states, or nothing was searched.",
    },
    CountInfo {
        name: "generated",
        definition: "The root once (in iterative deepening once for the whole run, as in Korf's tables), and every \
                     successor produced by applying an action, repeated states included.",
        absent: "As expanded.",
    },
    CountInfo {
        name: "stored_peak",
        definition: "The most nodes held at once: frontier and closed list or, for depth-first search in place, the nodes \
                     of the longest path that was followed. An action that was not tried yet is no node.",
        absent: "As expanded.",
    },
    CountInfo {
        name: "peak_bytes",
        definition: "The most bytes held at once by the search's own structures and tables, not by the whole process.",
        absent: "The method does not say how much it holds.",
    },
    CountInfo {
        name: "seconds",
        definition: "Wall-clock time in seconds from the start of the run to its end, the building of tables included.",
        absent: "Never.",
    },
    CountInfo {
        name: "penetrance",
        definition: "How straight the search went to its solution (Nilsson, 1971): depth / (generated - 1). The root is \
                     left out, for no action produced it. 1 is straight.",
        absent: "There is no solution, generated does not apply, or nothing but the root was generated.",
    },
    CountInfo {
        name: "branching_factor",
        definition: "The effective branching factor b*: a tree of the solution's depth in which every node has b* children \
                     has as many nodes below its root as were generated: generated - 1 = b* + b*^2 + ... + b*^depth.",
        absent: "There is no solution, its depth is 0, generated does not apply, or fewer nodes were generated than the \
                 solution is deep, as bidirectional search may.",
    },
    CountInfo {
        name: "lower_bound",
        definition: "A proved bound: no solution costs less. It is the cost of a solution that is proved optimal.",
        absent: "The method proved none.",
    },
];

/// How straight the search went: the depth of the solution over the nodes generated, the root not among them
/// (Nilsson, 1971). `None` where no node but the root was generated.
pub fn penetrance(depth: usize, generated: u64) -> Option<f64> {
    (generated > 1).then(|| depth as f64 / (generated - 1) as f64)
}

/// The effective branching factor: the b for which
/// generated - 1 = b + b² + … + b^depth, since the root is generated by no other node. `None` without depth, or
/// when fewer nodes were generated than the solution is deep (then no such b of 1 or more exists).
pub fn branching_factor(depth: usize, generated: u64) -> Option<f64> {
    let generated = generated.checked_sub(1)?;
    if depth == 0 || generated < depth as u64 {
        return None;
    }
    let target = generated as f64;
    let total = |b: f64| {
        let mut sum = 0.0;
        for _ in 0..depth {
            sum = (sum + 1.0) * b;
            if sum > target {
                break;
            }
        }
        sum
    };
    let (mut low, mut high) = (1.0, target);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if total(middle) > target { high = middle } else { low = middle }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branching_factor_of_complete_trees() {
        // The root, and 2 + 4 + 8 + 16 = 30 or 3 + 9 + 27 = 39 below it.
        assert!((branching_factor(4, 31).unwrap() - 2.0).abs() < 1e-9);
        assert!((branching_factor(3, 40).unwrap() - 3.0).abs() < 1e-9);
        assert!((branching_factor(7, 8).unwrap() - 1.0).abs() < 1e-9);
        assert!((branching_factor(1, 501).unwrap() - 500.0).abs() < 1e-6);
        assert_eq!(branching_factor(0, 1), None);
        assert_eq!(branching_factor(0, 0), None);
        assert_eq!(branching_factor(9, 9), None);
    }

    #[test]
    fn penetrance_leaves_the_root_out() {
        assert_eq!(penetrance(12, 49), Some(0.25));
        assert_eq!(penetrance(1, 3), Some(0.5));
        assert_eq!(penetrance(0, 1), None);
    }
}

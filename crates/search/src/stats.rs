//! What a run is measured by.

use std::time::Duration;

/// The counts of one run, defined the same for every algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose successors were produced.
    pub expanded: u64,
    /// The root once, and every successor produced by applying an action,
    /// repeated states included.
    pub generated: u64,
    /// Most nodes held at once: frontier and closed list, or the current path
    /// with its open siblings.
    pub stored_peak: u64,
    /// Most bytes held at once by the search's structures.
    pub peak_bytes: usize,
    /// Wall-clock time.
    pub elapsed: Duration,
}

/// How straight the search went: depth of the solution over nodes generated.
pub fn penetrance(depth: usize, generated: u64) -> f64 {
    if generated == 0 { 0.0 } else { depth as f64 / generated as f64 }
}

/// The effective branching factor: the b for which
/// generated = b + b² + … + b^depth. `None` without depth, or when fewer nodes
/// were generated than the solution is deep (then no such b of 1 or more exists).
pub fn branching_factor(depth: usize, generated: u64) -> Option<f64> {
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
        // 2 + 4 + 8 + 16 = 30 and 3 + 9 + 27 = 39.
        assert!((branching_factor(4, 30).unwrap() - 2.0).abs() < 1e-9);
        assert!((branching_factor(3, 39).unwrap() - 3.0).abs() < 1e-9);
        assert!((branching_factor(7, 7).unwrap() - 1.0).abs() < 1e-9);
        assert!((branching_factor(1, 500).unwrap() - 500.0).abs() < 1e-6);
        assert_eq!(branching_factor(0, 1), None);
        assert_eq!(branching_factor(9, 8), None);
    }

    #[test]
    fn penetrance_is_depth_over_generated() {
        assert!((penetrance(12, 48) - 0.25).abs() < 1e-12);
    }
}

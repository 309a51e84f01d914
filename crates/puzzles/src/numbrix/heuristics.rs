//! Estimates for Numbrix, with dead ends.

use novelo_search::{Heuristic, Promise, Real};

use super::dead_ends::DeadEnds;
use super::rules::{Rules, State};
use crate::puzzle::HeuristicInfo;
use crate::request::{HeuristicSpec, RequestError};

/// What the registry says about them.
pub const INFOS: &[HeuristicInfo] = &[
    HeuristicInfo {
        name: "openness",
        parameters: "alpha=1.4,prune=1,2,3,4",
        needs_parameters: false,
        about: "The sum over empty cells of (4 - number of empty neighbours)^alpha: low while the empty \
                cells lie together. States are dead ends when (1) no path of empty cells joins the top of \
                the lowest run to the bottom of the next; (2) the distance between these two exceeds the \
                difference of their numbers; (3) fewer empty cells can be reached from the smallest number \
                on the board than are missing below it, or from the largest than are missing above it; \
                (4) some connected region of empty cells touches both ends of no stretch of missing \
                numbers, the stretches before the smallest and after the largest number having one end. \
                prune says which of these tests are made: none, all, or some of 1,2,3,4.",
        promise: Promise::NONE,
        why: "One empty cell left costs 1, but counts 4^alpha. The dead ends are real: no test rejects a \
              state that can be solved.",
    },
    HeuristicInfo {
        name: "remaining",
        parameters: "prune=1,2,3,4",
        needs_parameters: false,
        about: "How many numbers are still to be written, with the same dead ends as openness.",
        promise: Promise::CONSISTENT,
        why: "Every action writes one number, so the estimate is exact wherever there is a solution.",
    },
    HeuristicInfo {
        name: "zero",
        parameters: "",
        needs_parameters: false,
        about: "Nothing: 0 everywhere. A* with it is uniform-cost search.",
        promise: Promise::CONSISTENT,
        why: "No cost is below 0.",
    },
];

/// How closely the empty cells lie together.
#[derive(Debug, Clone, Copy)]
pub struct Openness {
    /// What a cell with 0 to 4 empty neighbours adds.
    weights: [f64; 5],
    dead_ends: DeadEnds,
}

impl Openness {
    /// With an exponent and some of the dead-end tests.
    pub fn new(alpha: f64, dead_ends: DeadEnds) -> Self {
        Self { weights: [4.0, 3.0, 2.0, 1.0, 0.0].map(|taken: f64| taken.powf(alpha)), dead_ends }
    }

    /// Reads `alpha` and `prune`.
    pub fn from_spec(spec: &HeuristicSpec) -> Result<Self, RequestError> {
        let mut alpha = 1.4;
        let mut dead_ends = DeadEnds::ALL;
        for (key, value) in &spec.parameters {
            match key.as_str() {
                "alpha" => {
                    alpha =
                        value.parse().ok().filter(|alpha| (0.0..=20.0).contains(alpha)).ok_or_else(|| {
                            wrong(spec, format!("alpha is a number from 0 to 20, not '{value}'"))
                        })?;
                }
                "prune" => dead_ends = DeadEnds::parse(value).map_err(|message| wrong(spec, message))?,
                _ => return Err(unknown(spec, key, value, "alpha and prune, as in alpha=1.4,prune=1,2")),
            }
        }
        Ok(Self::new(alpha, dead_ends))
    }
}

fn wrong(spec: &HeuristicSpec, message: String) -> RequestError {
    RequestError::Parameter { heuristic: spec.name.clone(), message }
}

fn unknown(spec: &HeuristicSpec, key: &str, value: &str, known: &str) -> RequestError {
    let given = if key.is_empty() { value } else { key };
    wrong(spec, format!("it has no parameter '{given}'; it has {known}"))
}

impl<const F: usize> Heuristic<Rules<F>> for Openness {
    type Memo = Real;
    type Value = Real;

    fn promise(&self) -> Promise {
        INFOS[0].promise
    }

    #[inline]
    fn memo(&self, rules: &Rules<F>, state: &State<F>) -> Option<Real> {
        if self.dead_ends.reject(rules, state) {
            return None;
        }
        let degrees = rules.grid().degrees(state.free());
        Some(Real::new(degrees.iter().zip(self.weights).map(|(&cells, w)| f64::from(cells) * w).sum()))
    }

    #[inline]
    fn value(&self, memo: &Real) -> Real {
        *memo
    }

    #[inline]
    fn resume(&self, _: &Rules<F>, _: &State<F>, value: Real) -> Real {
        value
    }
}

/// How many numbers are missing.
#[derive(Debug, Clone, Copy)]
pub struct Remaining {
    dead_ends: DeadEnds,
}

impl Remaining {
    /// With some of the dead-end tests.
    pub fn new(dead_ends: DeadEnds) -> Self {
        Self { dead_ends }
    }

    /// Reads `prune`.
    pub fn from_spec(spec: &HeuristicSpec) -> Result<Self, RequestError> {
        let mut dead_ends = DeadEnds::ALL;
        for (key, value) in &spec.parameters {
            match key.as_str() {
                "prune" => dead_ends = DeadEnds::parse(value).map_err(|message| wrong(spec, message))?,
                _ => return Err(unknown(spec, key, value, "prune, as in prune=1,2")),
            }
        }
        Ok(Self::new(dead_ends))
    }
}

impl<const F: usize> Heuristic<Rules<F>> for Remaining {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        INFOS[1].promise
    }

    #[inline]
    fn memo(&self, rules: &Rules<F>, state: &State<F>) -> Option<u32> {
        (!self.dead_ends.reject(rules, state)).then(|| state.free().count())
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    #[inline]
    fn resume(&self, _: &Rules<F>, _: &State<F>, value: u32) -> u32 {
        value
    }
}

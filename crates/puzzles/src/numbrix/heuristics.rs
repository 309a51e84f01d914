//! Estimates for Numbrix, with dead ends.

use novelo_search::parameter::{Kind, Parameter, ParameterError, Values};
use novelo_search::{Either, Heuristic, Meter, Promise, Real, Zero};

use super::dead_ends::DeadEnds;
use super::rules::{Rules, State};
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::request::RequestError;

const ALPHA: Parameter = Parameter {
    name: "alpha",
    kind: Kind::Number { least: 0.0, most: 20.0 },
    default: Some("1.4"),
    required: false,
    about: "The exponent.",
};

const PRUNE: Parameter = Parameter {
    name: "prune",
    kind: Kind::Text("1,2"),
    default: Some("all"),
    required: false,
    about: "Which dead-end tests are made: none, all, or some of 1,2,3,4.",
};

heuristics! {
    visit[const F: usize, V: Visitor](
        name: &str,
        rules: Rules<F>,
        values: &Values,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "openness",
            parameters: &[ALPHA, PRUNE],
            about: "The sum over empty cells of (4 - number of empty neighbours)^alpha: low while the empty \
                    cells lie together. States are dead ends when (1) no path of empty cells joins the top of \
                    the lowest run to the bottom of the next; (2) the distance between these two exceeds the \
                    difference of their numbers; (3) fewer empty cells can be reached from the smallest number \
                    on the board than are missing below it, or from the largest than are missing above it; \
                    (4) some connected region of empty cells touches both ends of no stretch of missing \
                    numbers, the stretches before the smallest and after the largest number having one end.",
            promise: Promise::NONE,
            why: "One empty cell left costs 1, but counts 4^alpha. The dead ends are real: no test rejects a \
                  state that can be solved.",
        } => visitor.visit(rules, Openness::new(values.number("alpha").unwrap_or(1.4), dead_ends(name, values)?), meter),
        HeuristicInfo {
            name: "remaining",
            parameters: &[PRUNE],
            about: "How many numbers are still to be written, with the same dead ends as openness.",
            promise: Promise::CONSISTENT,
            why: "Every action writes one number, so the estimate is exact wherever there is a solution.",
        } => visitor.visit(rules, Whole::First(Remaining::new(dead_ends(name, values)?)), meter),
        ZERO => visitor.visit(rules, Whole::Second(Zero), meter),
    }
}

/// Those whose values are whole numbers, as one type.
type Whole = Either<Remaining, Zero>;

/// Reads `prune`.
fn dead_ends(heuristic: &str, values: &Values) -> Result<DeadEnds, ParameterError> {
    let tests = DeadEnds::parse(values.text("prune").unwrap_or("all"));
    tests.map_err(|message| ParameterError(format!("{heuristic}: {message}")))
}

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
}

impl<const F: usize> Heuristic<Rules<F>> for Openness {
    type Memo = Real;
    type Value = Real;

    fn promise(&self) -> Promise {
        Promise::NONE
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
}

impl<const F: usize> Heuristic<Rules<F>> for Remaining {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
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

//! Estimates of what is left to pay.

use novelo_search::heuristic::from_fn;
use novelo_search::{Heuristic, Promise};

use super::rules::Rules;
use crate::puzzle::HeuristicInfo;

/// What the registry says about them; the first is the default.
pub const INFOS: &[HeuristicInfo] = &[
    HeuristicInfo {
        name: "up",
        parameters: "",
        needs_parameters: false,
        about: "1 if the button is up, else 0.",
        promise: Promise::CONSISTENT,
        why: "A button that is up takes one press, which is what it is worth.",
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

/// 1 if the button is up. It is computed from scratch for every state; an incremental one implements [`Heuristic`].
pub fn up() -> impl Heuristic<Rules> {
    from_fn(Promise::CONSISTENT, |_: &Rules, pressed: &bool| Some(u32::from(!pressed)))
}

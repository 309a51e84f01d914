//! Estimates of what is left to pay.

use novelo_search::heuristic::from_fn;
use novelo_search::{Heuristic, Meter, Promise, Zero};

use super::rules::Rules;
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::request::RequestError;

// The one table of the puzzle's heuristics: the words of each, and how it is made. The first is the default.
heuristics! {
    visit[V: Visitor](
        name: &str,
        rules: Rules,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "up",
            parameters: &[],
            about: "1 if the button is up, else 0.",
            promise: Promise::CONSISTENT,
            why: "A button that is up takes one press, which is what it is worth.",
        } => visitor.visit(rules, up(), meter),
        ZERO => visitor.visit(rules, Zero, meter),
    }
}

/// 1 if the button is up. It is computed from scratch for every state; an incremental one implements [`Heuristic`].
pub fn up() -> impl Heuristic<Rules> {
    from_fn(Promise::CONSISTENT, |_: &Rules, pressed: &bool| Some(u32::from(!pressed)))
}

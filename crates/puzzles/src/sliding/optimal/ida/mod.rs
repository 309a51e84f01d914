//! Iterative-deepening A* specialised to sliding tiles (R. E. Korf, "Depth-first iterative-deepening", AI 27, 1985).

mod additive;
mod candidates;
mod deepening;
mod fifteen;
mod ground;
mod lane;
mod limits;
mod plain;
mod turns;
mod walker;

pub use additive::{AdditiveLane, TableSet};
#[cfg(test)]
pub use deepening::{BoundedSearch, Iteration};
pub use deepening::{Deepening, deepen};
pub use fifteen::FifteenManhattan;
pub use lane::{Lane, NoLane};
pub use limits::Limits;
pub use plain::PlainSearch;
pub use turns::TurnSearch;

//! Iterative-deepening A* specialised to sliding tiles (R. E. Korf, "Depth-first iterative-deepening", AI 27, 1985).

mod additive;
mod deepening;
mod engine;
mod fifteen;
mod lane;
mod limits;
mod plain;
mod walker;

pub use additive::{AdditiveLane, TableSet};
#[cfg(test)]
pub use deepening::Iteration;
pub use deepening::{Deepening, deepen};
pub use engine::TileSearch;
pub use fifteen::FifteenManhattan;
pub use lane::{Lane, NoLane};
pub use limits::Limits;

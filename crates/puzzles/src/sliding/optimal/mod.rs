//! The fastest optimal solver for tiles: pattern databases, walking distance, and iterative deepening specialised to
//! the blank's moves; and good solutions for boards beyond optimal reach.
//!
//! Everything here works on positions relabelled by their goal and turned so that the blank's home is as near to the
//! top left corner as it can be (`position`): any goal then looks like one of a few. Only `solve` knows instances
//! and requests.

mod anytime;
mod bound;
mod cache;
mod databases;
mod estimate;
mod ida;
mod machine;
mod partition;
mod pdb;
mod position;
mod prefetch;
mod rank;
mod shape;
mod solve;
#[cfg(test)]
mod tests;
mod walking;

pub(super) use bound::{needs_two_lines, partition};
pub use cache::{Cache, CacheError, Entry};
pub(super) use databases::all_cores;
pub(super) use estimate::{with_pattern_databases, with_walking_distance};
pub use pdb::TableKey;
pub use solve::{TILES, WINDOWS, build, named_partitions, side_of_partition};
pub(super) use solve::{auto, fifteen, shortest, tiles, windows};

//! Additive pattern databases (R. E. Korf, A. Felner, "Disjoint pattern database heuristics", AI 134, 2002).

mod build;
mod graph;
mod index;
mod manhattan;
mod memory;
mod table;

pub use build::build;
pub use index::{NodeLookup, PlacementIndex};
pub use memory::HugeBytes;
pub use table::{PatternTable, TableKey, placement};

//! Iterative-deepening A* specialised to sliding tiles (R. E. Korf, "Depth-first iterative-deepening", AI 27, 1985).

mod additive;
mod candidates;
mod fifteen;
mod generator;
mod heuristic;
mod interleaved;
mod plain;
mod walker;

use novelo_search::Budget;
use novelo_search::deepening::{self, BoundedSearch};

use crate::sliding::rules::Move;

pub use additive::{AdditivePdb, TableSet};
pub use fifteen::FifteenManhattan;
pub use heuristic::{Manhattan, TileHeuristic};
pub use interleaved::InterleavedSearch;
pub use plain::PlainSearch;

/// What iterative deepening found: a shortest solution, or what ended it.
pub type Deepening = deepening::Deepening<Move, u32>;

/// Bytes that a call of a recursive search keeps on the stack, about.
const STACK_FRAME: usize = 128;

/// Searches with growing bounds until a shortest solution is found or a limit reached.
pub fn deepen<S>(search: &S, threads: usize, budget: Budget<'_>) -> Deepening
where
    S: BoundedSearch<Action = Move, Bound = u32, Worker = ()>,
{
    // Manhattan distance is 0 at the goal alone.
    if search.estimate(&search.root()) == 0 {
        return Deepening { found: Ok(Some(vec![])), lower_bound: 0, iterations: vec![] };
    }
    deepening::deepen(search, &mut (), threads, budget)
}

//! novelo's side: the generic engine on the puzzle's own rules.

use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Tiles};
use novelo_search::{Algorithm, Limits, Search};

use crate::measure::{BFS_EXPANSIONS, Run};

/// Runs an algorithm on a board given as an id.
pub fn run(algorithm: &str, board: &str) -> Run {
    let algorithm = Algorithm::named(algorithm).expect("an algorithm of the engine");
    let breadth_first = algorithm == Algorithm::Bfs;
    // Breadth-first search goes out from the solved board and looks for one
    // that cannot be reached.
    let id = if breadth_first {
        "4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0"
    } else {
        board.strip_prefix("sliding:").expect("a sliding board")
    };
    let tiles = Tiles::parse_id(id, None).expect("a well-formed board");
    let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
    let limits = Limits { nodes: breadth_first.then_some(BFS_EXPANSIONS), ..Limits::default() };
    let search = Search::new(&rules).heuristic(TileSum::manhattan(&tiles)).limits(limits);
    let outcome = search.run(algorithm).expect("the algorithm needs nothing more");
    Run {
        expanded: outcome.stats.expanded,
        generated: outcome.stats.generated,
        cost: outcome.solution().map_or(0, |solution| solution.cost),
    }
}

//! novelo's side: the generic engine on the puzzle's own rules, and the loop that stands in for its IDA* in the program.

use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Sliding, Tiles};
use novelo_puzzles::{Puzzle as _, Request};
use novelo_search::parameter::Spec;
use novelo_search::{Algorithm, Control, Limits, Outcome, Search};

use crate::measure::{BFS_EXPANSIONS, Counted};

/// The name of the loop that stands in.
pub const DEDICATED: &str = "ida 4x4";

/// Runs an algorithm on a board given as an id.
pub fn run(algorithm: &str, board: &str) -> Counted {
    if algorithm == DEDICATED {
        return dedicated(board);
    }
    let algorithm = algorithm.parse().expect("an algorithm of the engine");
    let breadth_first = algorithm == Algorithm::Bfs;
    // Breadth-first search goes out from the solved board and looks for one
    // that cannot be reached.
    let id = if breadth_first {
        "4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0"
    } else {
        body(board)
    };
    let tiles = Tiles::parse_id(id, None).expect("a well-formed board");
    let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
    let limits = Limits { nodes: breadth_first.then_some(BFS_EXPANSIONS), ..Limits::default() };
    let search = Search::new(&rules).heuristic(TileSum::manhattan(&tiles)).limits(limits);
    let outcome = search.run(algorithm).expect("the algorithm needs nothing more");
    figures(&outcome)
}

/// The dedicated IDA* with Manhattan distance, on one thread.
fn dedicated(board: &str) -> Counted {
    let instance = Sliding.parse_id(body(board), None).expect("a well-formed board");
    let request = Request {
        algorithm: Algorithm::IdaStar.into(),
        heuristic: Some(Spec::plain("manhattan")),
        ..Request::default()
    };
    let attempt = instance.solve(&request, Control::default()).expect("the request is possible");
    figures(&attempt.outcome)
}

fn body(id: &str) -> &str {
    id.strip_prefix("sliding:").expect("a sliding board")
}

fn figures<A>(outcome: &Outcome<A>) -> Counted {
    Counted {
        expanded: outcome.stats.expanded,
        generated: outcome.stats.generated,
        cost: outcome.solution().map_or(0, |solution| solution.cost),
    }
}

//! The fast loop for the 15-puzzle against the engine, for which it stands in: every count is the same.

use novelo_search::{Algorithm, Answer, Control, Limits, Meter, Outcome, Search, Stop};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::{tiles_of, walk};
use crate::request::Request;
use crate::sliding::heuristics::TileSum;
use crate::sliding::optimal::shape::Shape;
use crate::sliding::optimal::solve::fifteen;
use crate::sliding::{Move, Packed64, Rules, Tiles};

fn engine(tiles: &Tiles, limits: Limits, threads: usize) -> Outcome<String> {
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let manhattan = TileSum::manhattan(tiles);
    let search = Search::new(&rules).heuristic(manhattan).limits(limits).threads(threads);
    search.run(Algorithm::IdaStar).unwrap().map(|way| way.to_string())
}

fn loop_for_fifteen(tiles: &Tiles, limits: Limits, threads: usize) -> Outcome<String> {
    let meter = Meter::new(limits, Control::default());
    fifteen(tiles, threads, &Request::default(), &meter).unwrap().expect("it stands in").outcome
}

/// Runs both within limits; what they came to, which is the same.
fn both(tiles: &Tiles, limits: Limits) -> Outcome<String> {
    let (engine, fast) = (engine(tiles, limits, 1), loop_for_fifteen(tiles, limits, 1));
    let what = format!("{} {limits:?}", tiles.id());
    assert_eq!(fast.answer, engine.answer, "{what}");
    assert_eq!(fast.lower_bound, engine.lower_bound, "{what}");
    let counts = |outcome: &Outcome<String>| {
        (outcome.stats.expanded, outcome.stats.generated, outcome.stats.stored_peak)
    };
    assert_eq!(counts(&fast), counts(&engine), "expanded, generated, stored_peak: {what}");
    engine
}

fn boards() -> Vec<Tiles> {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let walks = [0, 1, 2, 5, 12, 30, 60, 60, 90, 90, 120, 120];
    let mut boards: Vec<_> =
        walks.into_iter().map(|moves| tiles_of(&walk(&mut rng, Shape::new(4, 4), moves))).collect();
    // Another goal, and one of 48 moves with iterations of hundreds of thousands of nodes.
    boards.extend(
        ["4x4:2,5,1,3,9,6,7,4,13,10,11,8,0,14,15,12", "4x4:15,13,10,7,2,1,6,3,9,11,0,12,5,4,8,14"]
            .map(|id| Tiles::parse_id(id, None).unwrap()),
    );
    boards
}

#[test]
fn counts_are_those_of_the_engine_without_limits_and_with_limits_that_do_not_bind() {
    for tiles in boards() {
        let free = both(&tiles, Limits::default());
        let cost = free.solution().expect("it can be solved").cost;
        for limits in [
            Limits { nodes: Some(free.stats.expanded), ..Limits::default() },
            Limits { nodes: Some(u64::MAX), depth: Some(u32::MAX), ..Limits::default() },
            Limits { depth: Some(cost), memory: Some(1 << 40), ..Limits::default() },
        ] {
            let limited = both(&tiles, limits);
            assert_eq!(limited.answer, free.answer);
            assert_eq!(limited.stats.expanded, free.stats.expanded);
        }
    }
}

#[test]
fn counts_are_those_of_the_engine_at_limits_that_bind() {
    let nodes = |outcome: &Outcome<String>| outcome.stats.expanded;
    for tiles in boards() {
        let all = nodes(&both(&tiles, Limits::default()));
        // Powers of 1.3, so that the limit ends all kinds of iterations at all kinds of nodes.
        let mut most = 0;
        while most < all {
            let limited = both(&tiles, Limits { nodes: Some(most), ..Limits::default() });
            assert_eq!((&limited.answer, nodes(&limited)), (&Answer::Stopped(Stop::Nodes), most));
            most = most + 1 + most * 3 / 10;
        }
    }
}

#[test]
fn counts_are_those_of_the_engine_at_depth_limits() {
    for tiles in boards() {
        let free = both(&tiles, Limits::default());
        let cost = free.solution().expect("it can be solved").cost;
        // Beyond these depths an exhausted search takes too long.
        for depth in (0..cost.min(16)).chain((cost > 16).then(|| cost - 1).filter(|&depth| depth < 20)) {
            let limited = both(&tiles, Limits { depth: Some(depth), ..Limits::default() });
            assert_eq!(limited.answer, Answer::Stopped(Stop::Depth), "{} {depth}", tiles.id());
            for nodes in [0, 1, 10, limited.stats.expanded / 2, limited.stats.expanded.saturating_sub(1)] {
                both(&tiles, Limits { depth: Some(depth), nodes: Some(nodes), ..Limits::default() });
            }
        }
        // The first iterations beyond a limit just short of the solution.
        if let Some(depth) = cost.checked_sub(2) {
            both(&tiles, Limits { depth: Some(depth), nodes: Some(2_000_000), ..Limits::default() });
        }
    }
}

#[test]
fn threads_find_what_the_engine_finds() {
    let tiles = boards().pop().expect("the board of 48 moves");
    for threads in [2, 3] {
        let (engine, fast) = (
            engine(&tiles, Limits::default(), threads),
            loop_for_fifteen(&tiles, Limits::default(), threads),
        );
        let cost =
            |outcome: &Outcome<String>| outcome.solution().map(|solution| (solution.cost, solution.optimal));
        assert_eq!(cost(&fast), Some((48, true)));
        assert_eq!((cost(&fast), fast.lower_bound), (cost(&engine), engine.lower_bound));
    }
}

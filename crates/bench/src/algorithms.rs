//! Algorithms of the engine beside the one that each is held to: recursive best-first search and budgeted tree search
//! beside IDA*, beams beside A*. CPU time of this process, which does nothing else; the two take turns, best of several.

use novelo_search::{Limits, Search};

use crate::boards;
use crate::measure::cpu_time;
use crate::progress;
use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Tiles};

/// Rounds of which the best counts.
const ROUNDS: usize = 5;
/// Expansions after which a run has shown its speed.
const MOST: u64 = 4_000_000;

/// What is counted of a run: expansions or generated nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Expanded,
    Generated,
}

/// An algorithm, the one it is held to, by what, and the least ratio of their speeds.
const PAIRS: &[(&str, &str, Counted, f64)] = &[
    ("rbfs", "idastar", Counted::Generated, 1.0 / 3.0),
    ("ibex", "idastar", Counted::Generated, 0.0),
    ("beam:width=10000", "astar", Counted::Expanded, 1.0),
    ("beam:width=1000", "astar", Counted::Expanded, 1.0),
    ("cabs", "astar", Counted::Expanded, 0.0),
    ("smastar:nodes=100000", "astar", Counted::Expanded, 0.0),
];

/// A second's worth of what is counted.
fn rate(tiles: &Tiles, rules: &Rules<Packed64>, algorithm: &str, counted: Counted) -> f64 {
    let limits = Limits { nodes: Some(MOST), ..Limits::default() };
    let search = Search::new(rules).heuristic(TileSum::manhattan(tiles)).limits(limits);
    let start = cpu_time();
    let outcome = search.run(algorithm.parse().expect("an algorithm")).expect("it needs nothing more");
    let seconds = cpu_time().saturating_sub(start).as_secs_f64();
    let count = match counted {
        Counted::Expanded => outcome.stats.expanded,
        Counted::Generated => outcome.stats.generated,
    };
    count as f64 / seconds
}

/// Prints speeds and ratios on boards of the 15-puzzle with Manhattan distance.
pub fn table() {
    println!(
        "The 15-puzzle with Manhattan distance, millions a second; up to {} M expansions",
        MOST / 1_000_000
    );
    println!("{:14} {:22} {:>10} {:>8} {:>9} {:>10}", "board", "algorithm", "", "itself", "other", "ratio");
    for board in boards::fifteen() {
        let id = board.id.strip_prefix("sliding:").expect("a sliding board");
        let tiles = Tiles::parse_id(id, None).expect("a well-formed board");
        let rules = Rules::<Packed64>::new(&tiles, Move::DEFAULT_ORDER);
        for &(algorithm, other, counted, least) in PAIRS {
            progress::now(&format!("{}, {algorithm}", board.name));
            let mut best = [0.0f64; 2];
            for _ in 0..ROUNDS {
                for (best, algorithm) in best.iter_mut().zip([algorithm, other]) {
                    *best = best.max(rate(&tiles, &rules, algorithm, counted) / 1e6);
                }
            }
            progress::done();
            let what = if counted == Counted::Expanded { "expanded" } else { "generated" };
            let aim = if least > 0.0 { format!("(aim {least:.2})") } else { String::new() };
            println!(
                "{:14} {algorithm:22} {what:>10} {:8.1} {other} {:.1} {:10.2} {aim}",
                board.name,
                best[0],
                best[1],
                best[0] / best[1]
            );
        }
    }
}

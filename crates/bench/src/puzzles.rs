//! Speed of the textbook formulations of the other puzzles, on boards of
//! their own generators.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, Request, puzzle};
use novelo_search::{Algorithm, Control, Limits, Settings};

use crate::measure::{cpu_time, keep_freed_memory};

/// Expansions that a run is given.
const EXPANSIONS: u64 = 3_000_000;

/// Prints expansions a second of each puzzle's plain formulation.
pub fn table() {
    keep_freed_memory();
    println!("\n{:10} {:8} {:6} {:>9}", "puzzle", "", "size", "M exp/s");
    row("numbrix", "10x10", Algorithm::Dfs, &[("clues", "10")]);
    row("mazes", "7x7", Algorithm::Dfs, &[]);
    row("boxes", "3x3", Algorithm::Bfs, &[("goal", "9")]);
}

/// Takes the first boards of the generator that keep the algorithm busy.
fn row(name: &str, size: &str, algorithm: Algorithm, options: &[(&str, &str)]) {
    let never = AtomicBool::new(false);
    let limits = Limits { nodes: Some(EXPANSIONS), ..Limits::default() };
    let solve = Request {
        algorithm: algorithm.into(),
        settings: Settings { limits, ..Settings::default() },
        ..Request::default()
    };
    let puzzle = puzzle(name).expect("a puzzle of the registry");
    let request = GenerateRequest { size: Some(size.parse().expect("a size")), ..GenerateRequest::default() };
    let request = request.with(puzzle, options.iter().copied()).expect("options of its generator");
    // The first board is run once more, so that memory is touched already.
    let (mut warm, mut expanded, mut seconds) = (false, 0, 0.0);
    for number in std::iter::once(0).chain(0..400) {
        let instance = puzzle.generate(&request, number, &never).expect("the generator can do this");
        let start = cpu_time();
        let attempt = instance.solve(&solve, Control::default()).expect("the algorithm can do this");
        seconds += cpu_time().saturating_sub(start).as_secs_f64();
        expanded += attempt.outcome.stats.expanded;
        if !warm {
            (warm, expanded, seconds) = (true, 0, 0.0);
        }
        if expanded >= 2 * EXPANSIONS {
            break;
        }
    }
    println!("{name:10} {:8} {size:6} {:9.2}", algorithm.name(), expanded as f64 / seconds / 1e6);
}

//! How fast the generators are, and whether harder levels are harder: the nodes
//! that the textbook depth-first search needs, level by level.

use std::sync::atomic::AtomicBool;

use novelo_puzzles::{GenerateRequest, Instance, Request, puzzle};
use novelo_search::{Algorithm, Control, Limits, Settings};

use crate::measure::cpu_time;

/// Boards of each level.
const BOARDS: u64 = 200;
/// Expansions after which depth-first search is given up; a median below this
/// is not touched by it.
const EXPANSIONS: u64 = 3_000_000;

/// Prints both tables.
pub fn table() {
    println!("{:28} {:>10} {:>10}", "boards with one solution", "a second", "worst, s");
    for (name, size, boards) in
        [("numbrix", "9x9", 100), ("numbrix", "20x20", 5), ("mazes", "7x7", 50), ("mazes", "10x10", 10)]
    {
        speed(name, size, boards);
    }
    println!(
        "\n{:10} {:6} {:8} {:>22} {:>9}",
        "puzzle", "size", "level", "median dfs expansions", "given up"
    );
    for (name, size) in [("numbrix", "7x7"), ("mazes", "7x7"), ("boxes", "4x4")] {
        for level in ["easy", "normal", "hard", "expert"] {
            difficulty(name, size, level);
        }
    }
}

fn board(name: &str, request: &GenerateRequest, number: u64) -> Box<dyn Instance> {
    let puzzle = puzzle(name).expect("a puzzle of the registry");
    puzzle.generate(request, number, &AtomicBool::new(false)).expect("the generator can do this")
}

fn speed(name: &str, size: &str, boards: u64) {
    let request =
        GenerateRequest { size: Some(size.parse().expect("a size")), seed: 1, ..GenerateRequest::default() };
    let puzzle = puzzle(name).expect("a puzzle of the registry");
    let request = request.with(puzzle, [("unique", "true")]).expect("an option of the generator");
    let (start, mut worst) = (cpu_time(), 0.0f64);
    for number in 0..boards {
        let before = cpu_time();
        board(name, &request, number);
        worst = worst.max(cpu_time().saturating_sub(before).as_secs_f64());
    }
    let rate = boards as f64 / cpu_time().saturating_sub(start).as_secs_f64();
    println!("{:28} {rate:10.2} {worst:10.3}", format!("{name} {size}"));
}

fn difficulty(name: &str, size: &str, level: &str) {
    let request = GenerateRequest {
        size: Some(size.parse().expect("a size")),
        seed: 8,
        difficulty: Some(level.into()),
        ..GenerateRequest::default()
    };
    let limits = Limits { nodes: Some(EXPANSIONS), ..Limits::default() };
    let solve = Request {
        algorithm: Algorithm::Dfs.into(),
        settings: Settings { limits, ..Settings::default() },
        ..Request::default()
    };
    let expansions = |number| {
        let board = board(name, &request, number);
        board.solve(&solve, Control::default()).expect("dfs can do this").outcome.stats.expanded
    };
    let mut expanded: Vec<_> = (0..BOARDS).map(expansions).collect();
    expanded.sort_unstable();
    let given_up = expanded.iter().filter(|&&count| count >= EXPANSIONS).count();
    let median = expanded[expanded.len() / 2];
    println!("{name:10} {size:6} {level:8} {median:22} {given_up:9}");
}

//! Runs novelo and the `pathfinding` crate on the same 15-puzzle boards and
//! prints the ratios.
//!
//! Every measurement is a process of its own, so that neither side inherits the
//! other's memory. Speed is the best of several runs in that process, with the
//! allocator told to keep what the first run has touched; peak memory comes
//! from a process that runs once, less what the process takes before it.
//! CPU time of one core, not wall time.

mod boards;
mod measure;
mod novelo_side;
mod pathfinding_side;
mod puzzles;
mod tiles;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [child, side, algorithm, board, runs] if child == "--child" => {
            let runs = runs.parse().expect("a number of runs");
            measure::child(side, algorithm, board, runs);
            ExitCode::SUCCESS
        }
        [] => {
            measure::table();
            puzzles::table();
            tiles::table();
            ExitCode::SUCCESS
        }
        [only] if only == "tiles" => {
            tiles::table();
            ExitCode::SUCCESS
        }
        [only] if only == "peers" => {
            measure::table();
            ExitCode::SUCCESS
        }
        [only] if only == "puzzles" => {
            puzzles::table();
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: novelo-bench [peers|puzzles|tiles]");
            ExitCode::from(2)
        }
    }
}

//! Runs novelo and its peers on the same boards and prints the ratios.
//!
//! Every measurement against a peer is a process of its own, so that neither
//! side inherits the other's memory, but for those that are too quick for that
//! (`spaces`). CPU time of one core, not wall time.

mod boards;
mod exact;
mod generators;
mod hints;
mod load;
mod measure;
mod novelo_side;
mod pathfinding_side;
mod puzzles;
mod spaces;
mod tile_sets;
mod tiles;

use clap::{Parser, Subcommand};

/// Measures novelo beside its peers; without a command, all that needs nothing but this program.
#[derive(Debug, Parser)]
#[command(name = "novelo-bench", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The engine beside the pathfinding crate: 15-puzzle boards, grids, short queries, 2x2x2 cube, pancakes
    Peers,
    /// The textbook formulations of the other puzzles
    Puzzles,
    /// The optimal solver of sliding tiles
    Tiles,
    /// The optimal solver on the published 5x5 boards, each for at most so many seconds
    #[command(name = "tiles-5x5")]
    Tiles5x5 { seconds: u64 },
    /// The exact solvers of Numbrix and mazes beside CP-SAT, clingo and `CaDiCaL`
    Exact(exact::Options),
    /// How fast the generators are, and whether harder levels are harder
    Generators,
    /// How long a player waits for a hint
    Hints,
    /// The web server under many players, streams and jobs
    Load,
    #[command(hide = true)]
    Child { side: String, algorithm: String, board: String, runs: u32 },
    #[command(hide = true)]
    ExactChild,
}

fn main() {
    match Cli::parse().command {
        None => {
            peers();
            puzzles::table();
            tiles::table();
        }
        Some(Command::Peers) => peers(),
        Some(Command::Puzzles) => puzzles::table(),
        Some(Command::Tiles) => tiles::table(),
        Some(Command::Generators) => generators::table(),
        Some(Command::Hints) => hints::table(),
        Some(Command::Tiles5x5 { seconds }) => tiles::long(seconds),
        Some(Command::Exact(options)) => exact::table(&options),
        Some(Command::Load) => load::table(),
        Some(Command::Child { side, algorithm, board, runs }) => {
            measure::child(&side, &algorithm, &board, runs);
        }
        Some(Command::ExactChild) => exact::child(),
    }
}

fn peers() {
    measure::table();
    spaces::table();
}

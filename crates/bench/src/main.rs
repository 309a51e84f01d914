//! Runs novelo and its peers on the same boards and prints the ratios.
//!
//! Every measurement against a peer is a process of its own, so that neither
//! side inherits the other's memory, but for those that are too quick for that
//! (`spaces`). CPU time of one core, not wall time.

mod algorithms;
mod boards;
mod both_ways;
mod exact;
mod generators;
mod hints;
mod load;
mod measure;
mod novelo_side;
mod parallel;
mod pathfinding_side;
mod progress;
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
    /// The engine beside the pathfinding crate: grids, short queries, 2x2x2 cube and pancakes (about a minute), then
    /// boards of the 15-puzzle (several)
    Peers {
        /// The 15-puzzle of 56 moves as well: 8.4 million expansions a run, some minutes more
        #[arg(long)]
        long: bool,
    },
    /// Recursive best-first search, budgeted tree search and beams beside IDA* and A*
    Algorithms,
    /// The textbook formulations of the other puzzles
    Puzzles,
    /// A* beside the searches from both ends, on one board: nodes, nodes a second, bytes a node
    BothWays {
        /// An id or a file
        #[arg(default_value = "sliding:4x4:14,1,9,6,4,8,12,5,7,2,3,0,10,11,13,15:blank-first")]
        board: String,
        /// The heuristic, one with an estimate towards the start
        #[arg(long, default_value = "manhattan")]
        heuristic: String,
    },
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
    /// Two threads beside one, by turns, or many simulated workers (some minutes each)
    Parallel(parallel::Options),
    /// The web server under many players, streams and jobs, slow clients and clients that vanish
    Load {
        /// Instead, games without end at a low rate for so many minutes: what the server holds
        #[arg(long, value_name = "MINUTES")]
        games: Option<u64>,
    },
    #[command(hide = true)]
    Child { side: String, algorithm: String, board: String, runs: u32 },
    #[command(hide = true)]
    ExactChild,
}

fn main() {
    match Cli::parse().command {
        None => {
            peers(false);
            puzzles::table();
            tiles::table();
        }
        Some(Command::Peers { long }) => peers(long),
        Some(Command::Algorithms) => algorithms::table(),
        Some(Command::Puzzles) => puzzles::table(),
        Some(Command::BothWays { board, heuristic }) => both_ways::table(&board, &heuristic),
        Some(Command::Tiles) => tiles::table(),
        Some(Command::Generators) => generators::table(),
        Some(Command::Hints) => hints::table(),
        Some(Command::Tiles5x5 { seconds }) => tiles::long(seconds),
        Some(Command::Exact(options)) => exact::table(&options),
        Some(Command::Parallel(options)) => parallel::table(&options),
        Some(Command::Load { games: None }) => load::table(),
        Some(Command::Load { games: Some(minutes) }) => load::long(minutes),
        Some(Command::Child { side, algorithm, board, runs }) => {
            measure::child(&side, &algorithm, &board, runs);
        }
        Some(Command::ExactChild) => exact::child(),
    }
}

/// The quick table first. It runs in this process, which is as it was at its start; the boards have processes of their own.
fn peers(long: bool) {
    spaces::table();
    measure::table(long);
}

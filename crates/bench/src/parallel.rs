//! Several workers beside one: threads by turns, or more workers than there are here in the simulator.

use std::time::Instant;

use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Tiles};
use novelo_search::parallel::{Assignment, Network, Order, Parallel, simulate};
use novelo_search::{Algorithm, Control, Limits, Meter, Outcome, Search, Zero};

use crate::boards;
use crate::measure::cpu_time;

/// What is measured.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Boards of the 15-puzzle for A*, by their ids, or bfs; if absent, bfs and two boards that take one thread 5 s and more
    boards: Vec<String>,
    /// The ways take turns, so often, so that all meet the machine in its good moments
    #[arg(long, default_value = "3")]
    turns: usize,
    /// Expansions of bfs, from the goal
    #[arg(long, default_value = "50000000")]
    expansions: u64,
    /// Instead, A* on up to 1,024 workers in the simulator; if no boards are given, on two of 0.7 and 8.4 million expansions
    #[arg(long)]
    simulated: bool,
}

/// One run: seconds by the clock and of the processor, and what came of it.
struct Run {
    wall: f64,
    cpu: f64,
    outcome: Outcome<Move>,
}

fn timed(run: impl FnOnce() -> Outcome<Move>) -> Run {
    let (start, cpu) = (Instant::now(), cpu_time());
    let outcome = run();
    Run { wall: start.elapsed().as_secs_f64(), cpu: cpu_time().saturating_sub(cpu).as_secs_f64(), outcome }
}

/// Keeps the better of two runs of the same kind.
fn keep(best: &mut Option<Run>, next: Run) {
    if best.as_ref().is_none_or(|best| next.wall < best.wall) {
        *best = Some(next);
    }
}

fn print(name: &str, one: &Run, run: &Run) {
    let stats = run.outcome.stats;
    let sent = stats.workers.map_or(0.0, |workers| 100.0 * workers.share_sent());
    println!(
        "  {name:<22} {:>6.2} s {:>6.2} s cpu  {:>5.2} times as fast  {:>11} expanded  {:>5} MiB  {sent:>4.1} % sent",
        run.wall,
        run.cpu,
        one.wall / run.wall,
        stats.expanded,
        stats.peak_bytes >> 20,
    );
}

/// A* on a board, or breadth-first search for so many expansions, on one thread and on two, best of some turns.
fn threads(tiles: &Tiles, expansions: Option<u64>, turns: usize) {
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let manhattan = TileSum::manhattan(tiles);
    let limits = Limits { nodes: expansions, ..Limits::default() };
    let (algorithm, order) = match expansions {
        Some(_) => (Algorithm::Bfs, Order::Depth),
        None => (Algorithm::AStar, Order::Sum),
    };
    let alone = || {
        let search = Search::new(&rules).heuristic(&manhattan).limits(limits);
        search.run(algorithm).expect("the algorithm needs nothing more")
    };
    let together = |workers, assignment| {
        let meter = Meter::new(limits, Control::default());
        let blind = order == Order::Depth;
        let search = if blind { Parallel::new(&rules, &Zero) } else { Parallel::new(&rules, &manhattan) };
        Parallel { order, assignment, ..search }.run(workers, &meter).0
    };
    let (mut one, mut worker, mut halves, mut hash) = (None, None, None, None);
    for _ in 0..turns.max(1) {
        keep(&mut one, timed(alone));
        keep(&mut worker, timed(|| together(1, Assignment::Projection)));
        keep(&mut halves, timed(|| together(2, Assignment::Projection)));
        keep(&mut hash, timed(|| together(2, Assignment::Hash)));
    }
    let one = one.expect("there was a turn");
    print("one thread", &one, &one);
    for (name, run) in [("one worker", worker), ("two, by halves", halves), ("two, by hash", hash)] {
        print(name, &one, &run.expect("there was a turn"));
    }
}

/// How well so many workers are used, in virtual time.
fn simulated(tiles: &Tiles) {
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let manhattan = TileSum::manhattan(tiles);
    let alone = Search::new(&rules).heuristic(&manhattan).run(Algorithm::AStar).expect("A* can be run");
    let expanded = alone.stats.expanded;
    println!("  {expanded} expansions on one thread");
    println!("  network   workers  by halves: efficiency, expansions, busiest   by hash: the same");
    for (name, network) in [("cluster", Network::CLUSTER), ("Ethernet", Network::ETHERNET)] {
        for workers in [4, 16, 64, 256, 1024] {
            print!("  {name:<9} {workers:>6}");
            for assignment in [Assignment::Projection, Assignment::Hash] {
                let meter = Meter::new(Limits::default(), Control::default());
                let search = Parallel { assignment, ..Parallel::new(&rules, &manhattan) };
                let run = simulate(&search, workers, &network, &meter).expect("it does not hang");
                let sequential = (expanded * network.expansion) as f64 / 1e9;
                let efficiency = 100.0 * sequential / (workers as f64 * run.makespan.as_secs_f64());
                let all = run.outcome.stats.expanded as f64;
                let busiest = run.workers.iter().map(|worker| worker.expanded).max().unwrap_or(0) as f64;
                let (times, load) = (all / expanded as f64, busiest * workers as f64 / all);
                print!("   {efficiency:>5.1} % {times:>5.2} {load:>5.2}");
            }
            println!();
        }
    }
}

/// Prints what is asked for.
pub fn table(options: &Options) {
    let read = |id: &str| {
        let body = id.strip_prefix("sliding:").expect("a sliding board");
        Tiles::parse_id(body, None).expect("a well-formed board")
    };
    if options.simulated {
        let own = [boards::short(), boards::long()].map(|board| board.id);
        let asked = if options.boards.is_empty() { &own[..] } else { &options.boards[..] };
        for board in asked {
            println!("Simulated A* with Manhattan distance, {board}");
            simulated(&read(board));
        }
        return;
    }
    let asked = if options.boards.is_empty() {
        let boards = boards::of_seconds().map(|board| board.id);
        ["bfs".to_owned()].into_iter().chain(boards).collect()
    } else {
        options.boards.clone()
    };
    for board in &asked {
        if board == "bfs" {
            println!("Breadth-first search, {} expansions", options.expansions);
            let from_solved =
                "sliding:4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0";
            threads(&read(from_solved), Some(options.expansions), options.turns);
        } else {
            println!("A* with Manhattan distance, {board}");
            threads(&read(board), None, options.turns);
        }
    }
}

//! Several workers beside one: threads by turns, and more workers than there are here in the simulator.

use std::time::Instant;

use novelo_puzzles::sliding::heuristics::TileSum;
use novelo_puzzles::sliding::{Move, Packed64, Rules, Tiles};
use novelo_search::parallel::{Assignment, Network, Order, Parallel, simulate};
use novelo_search::{Algorithm, Control, Limits, Meter, Outcome, Search, Zero};

use crate::boards;
use crate::measure::{BFS_EXPANSIONS, cpu_time};

/// The ways take turns, so that all meet the machine in its good moments.
const TURNS: usize = 3;

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

/// A* and breadth-first search on one thread and on two, best of some turns.
fn threads(tiles: &Tiles, order: Order) {
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let manhattan = TileSum::manhattan(tiles);
    let blind = order == Order::Depth;
    let limits = Limits { nodes: blind.then_some(BFS_EXPANSIONS), ..Limits::default() };
    let alone = || {
        let algorithm = if blind { Algorithm::Bfs } else { Algorithm::AStar };
        let search = Search::new(&rules).heuristic(&manhattan).limits(limits);
        search.run(algorithm).expect("the algorithm needs nothing more")
    };
    let together = |workers, assignment| {
        let meter = Meter::new(limits, Control::default());
        let search = if blind { Parallel::new(&rules, &Zero) } else { Parallel::new(&rules, &manhattan) };
        Parallel { order, assignment, ..search }.run(workers, &meter).0
    };
    let (mut one, mut halves, mut hash, mut worker) = (None, None, None, None);
    for _ in 0..TURNS {
        keep(&mut one, timed(alone));
        keep(&mut halves, timed(|| together(2, Assignment::Projection)));
        keep(&mut hash, timed(|| together(2, Assignment::Hash)));
        keep(&mut worker, timed(|| together(1, Assignment::Hash)));
    }
    let one = one.expect("there was a turn");
    print("one thread", &one, &one);
    print("one worker", &one, &worker.expect("there was a turn"));
    print("two, by halves", &one, &halves.expect("there was a turn"));
    print("two, by hash", &one, &hash.expect("there was a turn"));
}

/// How well many workers are used, in virtual time.
fn simulated(tiles: &Tiles) {
    let rules = Rules::<Packed64>::new(tiles, Move::DEFAULT_ORDER);
    let manhattan = TileSum::manhattan(tiles);
    let alone = Search::new(&rules).heuristic(&manhattan).run(Algorithm::AStar).expect("A* can be run");
    for (name, network) in [("cluster", Network::CLUSTER), ("Ethernet", Network::ETHERNET)] {
        let sequential = (alone.stats.expanded * network.expansion) as f64 / 1e9;
        for workers in [1, 4, 16, 64, 256, 1024] {
            for assignment in [Assignment::Projection, Assignment::Hash] {
                let meter = Meter::new(Limits::default(), Control::default());
                let search = Parallel { assignment, ..Parallel::new(&rules, &manhattan) };
                let run = simulate(&search, workers, &network, &meter).expect("it does not hang");
                let efficiency = 100.0 * sequential / (workers as f64 * run.makespan.as_secs_f64());
                let expanded = run.outcome.stats.expanded as f64 / alone.stats.expanded as f64;
                println!(
                    "  {name:<9} {workers:>5} workers, {assignment:?}: {efficiency:>5.1} % efficient, {expanded:.2} times the expansions"
                );
            }
        }
    }
}

/// Prints all of it.
pub fn table() {
    let read = |id: &str| {
        let body = id.strip_prefix("sliding:").expect("a sliding board");
        Tiles::parse_id(body, None).expect("a well-formed board")
    };
    let boards = boards::fifteen();
    for board in &boards {
        println!("A* with Manhattan distance, {}", board.name);
        threads(&read(&board.id), Order::Sum);
    }
    println!("Breadth-first search, {BFS_EXPANSIONS} expansions");
    let from_solved = "4x4:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0:1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0";
    threads(&Tiles::parse_id(from_solved, None).expect("a well-formed board"), Order::Depth);
    println!("Simulated A*, {}", boards[1].name);
    simulated(&read(&boards[1].id));
}

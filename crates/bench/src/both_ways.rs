//! A* beside the searches from both ends, on the same board with the same heuristic.

use novelo_puzzles::{Request, input};
use novelo_search::Control;

/// Searches that keep every state they find, A* first.
const ALGORITHMS: [&str; 4] = ["astar", "nbs", "baestar", "mm"];
/// Runs of each, of which the fastest counts.
const RUNS: usize = 3;

/// Prints what each expands, how fast, and what a node takes.
pub fn table(board: &str, heuristic: &str) {
    let instance = match input::read(board, None, None) {
        Ok(mut read) => read.remove(0).instance,
        Err(error) => return eprintln!("{board}: {error}"),
    };
    println!("{} with {heuristic}, the fastest of {RUNS} runs", instance.id());
    println!(
        "{:>10} {:>6} {:>12} {:>14} {:>12} {:>8}",
        "", "cost", "expanded", "expanded/s", "stored", "B/node"
    );
    for algorithm in ALGORITHMS {
        let request = Request {
            algorithm: algorithm.parse().expect("an algorithm"),
            heuristic: heuristic.parse().ok(),
            ..Request::default()
        };
        let mut fastest: Option<novelo_search::Outcome<String>> = None;
        for _ in 0..RUNS {
            match instance.solve(&request, Control::default()) {
                Ok(attempt) => {
                    let outcome = attempt.outcome;
                    if fastest.as_ref().is_none_or(|known| outcome.stats.elapsed < known.stats.elapsed) {
                        fastest = Some(outcome);
                    }
                }
                Err(error) => return eprintln!("{algorithm}: {error}"),
            }
        }
        let Some(outcome) = fastest else { continue };
        let (stats, cost) = (outcome.stats, outcome.solution().map(|solution| solution.cost));
        if stats.expanded == 0 {
            return eprintln!("{}: {:?} without a search: nothing to measure", instance.id(), outcome.answer);
        }
        let rate = stats.expanded as f64 / stats.elapsed.as_secs_f64();
        let bytes = stats.peak_bytes as f64 / stats.stored_peak as f64;
        println!(
            "{algorithm:>10} {:>6} {:>12} {rate:>14.0} {:>12} {bytes:>8.1}",
            cost.map_or("-".into(), |cost| cost.to_string()),
            stats.expanded,
            stats.stored_peak,
        );
    }
}

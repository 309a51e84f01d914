//! The exact solvers of Numbrix and mazes beside general ones: CP-SAT, clingo
//! and `CaDiCaL`, on the same boards in the same run, one thread each.

mod classes;
mod solvers;

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use classes::Class;
pub use solvers::child;
use solvers::{Solver, SolverRun};

/// What to run.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The interpreter that has the packages ortools, clingo and python-sat
    #[arg(long, default_value = "python3")]
    python: PathBuf,

    /// All classes, not only those that take some minutes together
    #[arg(long)]
    all: bool,

    /// Only classes whose names contain this, such as "numbrix 20%"
    #[arg(long)]
    only: Option<String>,

    /// Boards of each class
    #[arg(long, default_value_t = 5)]
    boards: u64,

    /// The seed of all boards
    #[arg(long, default_value_t = 2026)]
    seed: u64,

    /// CPU seconds that a solver has for a board
    #[arg(long, default_value_t = 20)]
    limit: u64,

    /// A file for the result of every run, a line of JSON each
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Runs all solvers on all boards and prints a row a class.
pub fn table(options: &Options) {
    let solvers = Solver::all(&options.python);
    let mut out = options.out.as_ref().map(|path| File::create(path).expect("the file can be written"));
    print!("{:18}", "median seconds");
    for solver in &solvers {
        print!(" {:>8} {:>5}", solver.name(), "");
    }
    println!(" {:>7} {:>7} {:>5} {:>5}", "ratio", "solving", "aim", "MB");
    let chosen = |class: &Class| match &options.only {
        Some(word) => class.name().contains(word.as_str()),
        None => options.all || class.usual,
    };
    for class in classes::all().into_iter().filter(chosen) {
        // By solver, then by board.
        let mut runs: Vec<Vec<SolverRun>> = vec![Vec::new(); solvers.len()];
        for number in 0..options.boards {
            let board = class.board(options.seed, number);
            for (solver, runs) in solvers.iter().zip(&mut runs) {
                let run = solver.run(&*board, options.limit);
                if let Some(out) = &mut out {
                    let line = serde_json::json!({
                        "class": class.name(), "board": number, "solver": solver.name(),
                        "outcome": run.outcome, "seconds": run.seconds, "solving": run.solving,
                        "bytes": run.bytes, "cheapest": run.cheapest,
                    });
                    writeln!(out, "{line}").expect("the file can be written");
                }
                runs.push(run);
            }
        }
        row(&class, &runs, options.limit as f64);
    }
}

/// Prints medians, how many were solved, and how novelo compares with the best
/// of the others, with and without the time of their encoding.
fn row(class: &Class, runs: &[Vec<SolverRun>], limit: f64) {
    print!("{:18}", class.name());
    let seconds = |runs: &[SolverRun]| median(runs.iter().map(|run| run.seconds));
    let solved = |run: &SolverRun| run.outcome != "stopped";
    for runs in runs {
        let (median, count) = (seconds(runs), runs.iter().filter(|run| solved(run)).count());
        let time = if median < limit { format!("{median:.4}") } else { format!(">{limit:.0}") };
        print!(" {time:>8} {count:2}/{:<2}", runs.len());
    }
    let (ours, others) = runs.split_first().expect("novelo is always there");
    let best = |of: fn(&SolverRun) -> f64| {
        others.iter().map(|runs| median(runs.iter().map(of))).min_by(f64::total_cmp)
    };
    let missed = (0..ours.len()).filter(|&i| !solved(&ours[i]) && others.iter().any(|runs| solved(&runs[i])));
    let missed = missed.count();
    if let (Some(all), Some(solving)) = (best(|run| run.seconds), best(|run| run.solving)) {
        let bytes = ours.iter().map(|run| run.bytes).max().unwrap_or(0);
        let ratio = seconds(ours) / all;
        print!(" {ratio:7.3} {:7.3} {:5.1} {:5}", seconds(ours) / solving, class.aim(), bytes / 1_000_000);
        if ratio > class.aim() || missed > 0 {
            print!(" short");
        }
    }
    if missed > 0 {
        print!(", {missed} missed");
    }
    let cheapest: Vec<_> = ours.iter().filter_map(|run| run.cheapest).collect();
    if !cheapest.is_empty() {
        let proved = cheapest.iter().filter(|run| run.1).count();
        print!("   cheapest {:.4}, proved {proved}", median(cheapest.iter().map(|run| run.0)));
    }
    println!();
}

fn median(seconds: impl Iterator<Item = f64>) -> f64 {
    let mut seconds: Vec<_> = seconds.collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

//! `novelo solve --all`, `--count` and `--unique`

use std::fmt::Write as _;

use novelo_puzzles::Cost;
use novelo_puzzles::{Enumeration, Instance, Request};
use novelo_search::Meter;
use serde::Serialize;
use serde_json::{Value, json};

use super::{print, solve};
use crate::cli::Solve;
use crate::exit::Code;
use crate::progress;
use crate::user_error::UserError;

/// Solutions listed by --all unless --limit says otherwise.
const LISTED: u64 = 1000;

/// Counts or lists the solutions of one instance.
pub fn run(
    instance: &dyn Instance,
    request: &Request,
    options: &Solve,
    name: Option<&str>,
    several: bool,
) -> Result<Code, UserError> {
    let label = name.filter(|_| several).unwrap_or_default();
    let (most, keep) = if options.unique {
        (2, 2)
    } else if options.all {
        let most = options.limit.unwrap_or(LISTED);
        (most, most as usize)
    } else {
        (options.limit.unwrap_or(u64::MAX), 1)
    };
    let meter = Meter::new(request.settings.limits, progress::control(label));
    let found = instance.enumerate(most, keep, &meter)?;
    let mut costs = Vec::new();
    for moves in &found.solutions {
        let verdict = instance.check(moves);
        if !verdict.is_solution() {
            return Err(solve::refused(instance, &verdict));
        }
        costs.push(verdict.cost);
    }
    print(&if options.json {
        json(instance, request, options, name, &found, &costs)
    } else {
        text(instance, options, &found, label)
    })?;
    Ok(match found.stop {
        Some(stop) => Code::of_stop(stop),
        None if found.count == 0 => Code::Unsolvable,
        None => Code::Success,
    })
}

/// Whether there is exactly one solution, where that is known.
fn unique(found: &Enumeration) -> Option<bool> {
    match (found.count, found.exact) {
        (2.., _) => Some(false),
        (count, true) => Some(count == 1),
        _ => None,
    }
}

/// What is printed of an instance with `--json`. It borrows: the solutions may be as many as the memory holds.
#[derive(Serialize)]
struct Line<'a> {
    puzzle: &'a str,
    instance: String,
    name: Option<&'a str>,
    algorithm: String,
    outcome: &'a str,
    stop: Option<&'a str>,
    cost: Option<&'a Cost>,
    depth: Option<usize>,
    moves: Option<&'a Vec<String>>,
    solutions: u64,
    solutions_exact: bool,
    expanded: u64,
    generated: u64,
    stored_peak: u64,
    peak_bytes: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unique: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<&'a Vec<Vec<String>>>,
}

fn json(
    instance: &dyn Instance,
    request: &Request,
    options: &Solve,
    name: Option<&str>,
    found: &Enumeration,
    costs: &[Cost],
) -> String {
    let line = Line {
        puzzle: instance.puzzle().info().name,
        instance: instance.id(),
        name,
        algorithm: request.algorithm.to_string(),
        outcome: match (found.count, found.stop) {
            (0, Some(_)) => "stopped",
            (0, None) => "unsolvable",
            _ => "solved",
        },
        stop: found.stop.map(novelo_search::Stop::name),
        cost: costs.first(),
        depth: found.solutions.first().map(Vec::len),
        moves: found.solutions.first(),
        solutions: found.count,
        solutions_exact: found.exact,
        expanded: found.stats.expanded,
        generated: found.stats.generated,
        stored_peak: found.stats.stored_peak,
        peak_bytes: found.stats.peak_bytes,
        seconds: found.stats.elapsed.as_secs_f64(),
        unique: options.unique.then(|| json!(unique(found))),
        second: options.unique.then(|| json!(found.solutions.get(1))),
        all: options.all.then_some(&found.solutions),
    };
    serde_json::to_string(&line).expect("plain data") + "\n"
}

fn text(instance: &dyn Instance, options: &Solve, found: &Enumeration, label: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
    let number = match (found.count, found.exact) {
        (1, true) => "exactly 1 solution".into(),
        (count, true) => format!("exactly {count} solutions"),
        (count, false) => format!("at least {count} solutions"),
    };
    let used = solve::time(found.stats.elapsed.as_secs_f64());
    let mut out = match (options.unique, unique(found)) {
        (true, Some(true)) => format!("{label}unique: yes, {number} ({used})\n"),
        (true, Some(false)) => format!("{label}unique: no, {number} ({used})\n"),
        (true, None) => format!("{label}unique: not decided ({used})\n"),
        (false, _) => format!("{label}{number} ({used})\n"),
    };
    if options.all || options.unique {
        for (i, moves) in found.solutions.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", i + 1, moves.join(" "));
            if options.show {
                let last = instance.pictures(moves).pop();
                out.push_str(&last.map(|picture| picture.plain() + "\n").unwrap_or_default());
            }
        }
    }
    out
}

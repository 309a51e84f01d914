//! The exact solver put to work: for one solution, the cheapest if it can be proved, or for all.

use crate::Cost;
use novelo_search::{Answer, Meter, Outcome, Solution, Stop};

use super::exact::Exact;
use super::impossible::impossible;
use super::instance::Maze;
use super::moves::Move;
use super::rules::{STEP, TURN};
use crate::request::{Enumeration, KeptSolutions};

/// Decisions spent on the search for cheaper solutions, beyond twice as many
/// as the first one took: some seconds of work, on most boards.
const EFFORT: u64 = 300_000;
/// The same where turns cannot be counted, and solutions only be looked through.
const EFFORT_UNCOUNTED: u64 = 2000;

/// Given a bound that no solution is below, finds a solution, then asks for one with fewer turns until there is none; the
/// last is then proved the cheapest. Also a sentence on why it is not proved, where it is not.
pub fn solve(maze: &Maze, lower_bound: Option<Cost>, meter: &Meter<'_>) -> (Outcome<String>, Option<String>) {
    let limits = meter.limits();
    let mut counter = meter.counter();
    let mut exact = Exact::new(maze);
    let mut best: Option<(Cost, Vec<Move>)> = None;
    let mut enough = u64::MAX;
    let mut too_deep = false;
    let end = loop {
        if counter.expanded >= enough {
            break Ok(false);
        }
        match exact.next(&mut counter, enough) {
            Err(stop) => break Err(stop),
            Ok(None) => break Ok(exact.is_exhausted()),
            Ok(Some(path)) if limits.depth.is_some_and(|most| path.len() > most as usize) => {
                // With fewer turns a path is shorter, too.
                exact.fewer_turns();
                too_deep = true;
            }
            Ok(Some(path)) => {
                let cost = cost(&path);
                if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                    best = Some((cost, path));
                }
                let effort = if exact.fewer_turns() { EFFORT } else { EFFORT_UNCOUNTED };
                enough = enough.min(3 * counter.expanded + effort);
            }
        }
    };
    let complete = end == Ok(true);
    let reason = (best.is_some() && end == Ok(false)).then(|| {
        "whether a path with fewer turns exists was not settled with the effort that auto makes; astar with the \
         heuristic turns goes on until it is"
            .into()
    });
    let answer = match (best, end) {
        (Some((cost, path)), _) => Answer::Solved(Solution {
            path: path.iter().map(Move::to_string).collect(),
            cost,
            optimal: complete,
        }),
        (None, Err(stop)) => Answer::Stopped(stop),
        (None, Ok(_)) if too_deep => Answer::Stopped(Stop::Depth),
        (None, Ok(_)) => Answer::Unsolvable,
    };
    counter.finish(&exact);
    (Outcome { answer, lower_bound, stop: end.err(), stats: meter.stats() }.proved_by_bound(), reason)
}

/// Counts the solutions up to a number, and keeps the first of them.
pub fn enumerate(maze: &Maze, most: u64, keep: usize, meter: &Meter<'_>) -> Enumeration {
    let mut counter = meter.counter();
    let mut found =
        Enumeration { solutions: Vec::new(), count: 0, exact: true, stop: None, stats: meter.stats() };
    if impossible(maze).is_some() {
        return found;
    }
    let mut exact = Exact::new(maze);
    let mut kept = KeptSolutions::new(meter.budget());
    found.exact = loop {
        if found.count == most {
            break false;
        }
        match exact.next(&mut counter, u64::MAX) {
            Ok(None) => break true,
            Err(stop) => {
                found.stop = Some(stop);
                break false;
            }
            Ok(Some(path)) => {
                found.count += 1;
                if kept.solutions.len() < keep
                    && let Err(stop) = kept.keep(path.iter().map(Move::to_string).collect())
                {
                    found.stop = Some(stop);
                    break false;
                }
            }
        }
    };
    counter.finish(&exact);
    found.solutions = kept.solutions;
    found.stats = meter.stats();
    found
}

pub fn cost(path: &[Move]) -> Cost {
    path.iter().map(|made| if matches!(made, Move::Turn(_)) { TURN } else { STEP }).sum()
}

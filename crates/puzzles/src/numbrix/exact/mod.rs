//! The exact solver.
//!
//! Propagation with restarts decides nearly every board that has one solution
//! in milliseconds. Where it goes on for long, which happens on large boards
//! with few clues and on proofs that a clue is needed, a SAT solver starts from
//! what propagation left, and the two take turns of about the same time.
//! Everything is counted in failures and conflicts, never in time, so that a run
//! can be repeated. Without the feature `sat`, propagation goes on alone.

mod domains;
mod regions;
#[cfg(feature = "sat")]
mod sat;
#[cfg(feature = "sat")]
mod sat_limits;
mod search;
#[cfg(test)]
mod tests;
#[cfg(not(feature = "sat"))]
mod without_sat;

use novelo_search::{Counter, Frontier, Stop};

use super::instance::Board;
use domains::Domains;
#[cfg(feature = "sat")]
use sat::Sat;
#[cfg(feature = "sat")]
pub use sat_limits::SatLimits;
use search::{Descent, Tree, luby};
#[cfg(not(feature = "sat"))]
use without_sat::Sat;
#[cfg(not(feature = "sat"))]
pub use without_sat::SatLimits;

/// Failures allowed in the shortest descent.
const UNIT: u64 = 400;
/// Descents before a count goes through all solutions in one.
const DESCENTS: u64 = 7;

/// Failures before the SAT solver is asked.
const PATIENCE: u64 = 20_000;
/// From then on, failures for each of its conflicts, which take the time of six
/// to twenty of them.
const PER_CONFLICT: u64 = 16;
/// Conflicts between two looks at the limits.
const SLICE: u64 = 1000;
/// Failures in a count before the SAT solver takes over, and how many solutions
/// must not have been found by then: it finds them one by one.
const COUNT_PATIENCE: u64 = 20_000;
const FEW: u64 = 50;

/// What the SAT solver came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(feature = "sat"), allow(dead_code))]
pub enum Answer {
    /// Cells of a solution.
    Solution(Vec<u16>),
    /// There is none.
    None,
    /// It was ended before it knew.
    Unknown,
}

/// A solution's cells, or none if there is none.
pub fn solve(
    board: &Board,
    limits: SatLimits<'_>,
    counter: &mut Counter<'_>,
) -> Result<Option<Vec<u16>>, Stop> {
    let mut tree = Tree::new(Domains::new(board), 1);
    let mut sat: Option<Sat<'_>> = None;
    let (mut failures, mut conflicts) = (0, 0);
    for i in 1.. {
        let allowed = UNIT * luby(i);
        let mut solution = None;
        let descent = tree.descend(allowed, counter, |domains| {
            solution = Some(domains.solution());
            false
        })?;
        if descent != Descent::GaveUp {
            return Ok(solution);
        }
        tree.restart();
        failures += allowed;
        if failures < PATIENCE || (sat.is_none() && !Sat::fits(tree.domains(), &limits)) {
            continue;
        }
        let sat = sat.get_or_insert_with(|| Sat::new(tree.domains(), limits));
        while conflicts * PER_CONFLICT < failures {
            conflicts += SLICE;
            match slice(sat, counter)? {
                Answer::Solution(cells) => return Ok(Some(cells)),
                Answer::None => return Ok(None),
                Answer::Unknown => {}
            }
        }
    }
    unreachable!("the loop has no end")
}

/// A slice of the SAT solver's work.
fn slice(sat: &mut Sat<'_>, counter: &mut Counter<'_>) -> Result<Answer, Stop> {
    counter.expand_long(sat, Frontier::Depth(0))?;
    let answer = sat.solve(SLICE as i32);
    if answer == Answer::Unknown {
        // It may have been a limit that ended it.
        counter.expand_long(sat, Frontier::Depth(0))?;
    }
    Ok(answer)
}

/// Tells every solution to `found` until it wants no more; says whether that
/// were all.
pub fn enumerate(
    board: &Board,
    limits: SatLimits<'_>,
    counter: &mut Counter<'_>,
    mut found: impl FnMut(Vec<u16>) -> bool,
) -> Result<bool, Stop> {
    let mut tree = Tree::new(Domains::new(board), 1);
    let fits = Sat::fits(tree.domains(), &limits);
    let mut known = Vec::new();
    let mut more = true;
    // Short descents find out where the difficulty lies. They end at the first
    // solution: a restart would find it again.
    for i in 1..=DESCENTS {
        let descent = tree.descend(UNIT * luby(i), counter, |domains| {
            known.push(domains.solution());
            more = found(domains.solution());
            false
        })?;
        match descent {
            Descent::Exhausted => return Ok(true),
            Descent::Enough if !more => return Ok(false),
            Descent::Enough => break,
            Descent::GaveUp => tree.restart(),
        }
    }
    let mut count = 0;
    let mut descent = tree.descend(COUNT_PATIENCE, counter, |domains| {
        count += 1;
        if count < FEW {
            known.push(domains.solution());
        }
        found(domains.solution())
    })?;
    if descent == Descent::GaveUp && count < FEW && fits {
        tree.restart();
        let mut sat = Sat::new(tree.domains(), limits);
        for cells in &known {
            sat.exclude(cells);
        }
        loop {
            match slice(&mut sat, counter)? {
                Answer::None => return Ok(true),
                Answer::Unknown => {}
                Answer::Solution(cells) => {
                    sat.exclude(&cells);
                    if !found(cells) {
                        return Ok(false);
                    }
                }
            }
        }
    }
    if descent == Descent::GaveUp {
        descent = tree.descend(u64::MAX, counter, |domains| found(domains.solution()))?;
    }
    Ok(descent == Descent::Exhausted)
}

/// Whether propagation alone, without any trial, fills a board.
pub fn needs_no_search(board: &Board) -> bool {
    Tree::new(Domains::new(board), 1).is_settled()
}

/// How much is spent on a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// At most this many failures of propagation.
    Failures(u64),
    /// This many failures, and then the SAT solver for as long as it takes.
    Certain(u64),
}

/// Whether a board has a solution in which a number is not in a given cell;
/// none if that is not known with the effort allowed.
pub fn solvable_without(
    board: &Board,
    (value, cell): (usize, usize),
    effort: Effort,
    limits: SatLimits<'_>,
    counter: &mut Counter<'_>,
) -> Result<Option<bool>, Stop> {
    let mut domains = Domains::new(board);
    domains.forbid(value, cell);
    let mut tree = Tree::new(domains, 1);
    let (Effort::Failures(failures) | Effort::Certain(failures)) = effort;
    let mut any = false;
    let descent = tree.descend(failures, counter, |_| {
        any = true;
        false
    })?;
    if any || descent == Descent::Exhausted {
        return Ok(Some(any));
    }
    if let Effort::Failures(_) = effort {
        return Ok(None);
    }
    if !Sat::fits(tree.domains(), &limits) {
        tree.descend(u64::MAX, counter, |_| {
            any = true;
            false
        })?;
        return Ok(Some(any));
    }
    tree.restart();
    let mut sat = Sat::new(tree.domains(), limits);
    loop {
        match slice(&mut sat, counter)? {
            Answer::Unknown => {}
            answer => return Ok(Some(answer != Answer::None)),
        }
    }
}

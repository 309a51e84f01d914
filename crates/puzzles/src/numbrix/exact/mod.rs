//! The exact solver: propagation with restarts.

mod domains;
mod regions;
mod search;

use novelo_search::{Meter, Stop};

use super::instance::Board;
use domains::Domains;
use search::{Descent, Tree, luby};

/// Failures allowed in the shortest descent.
const UNIT: u64 = 100;
/// Descents before a count goes through all solutions in one.
const DESCENTS: u64 = 15;

/// A solution's cells, or none if there is none.
pub fn solve(board: &Board, meter: &mut Meter<'_, '_>) -> Result<Option<Vec<u16>>, Stop> {
    let mut tree = Tree::new(Domains::new(board), 1);
    let mut solution = None;
    for i in 1.. {
        let descent = tree.descend(UNIT * luby(i), meter, |domains| {
            solution = Some(domains.solution());
            false
        })?;
        if descent != Descent::GaveUp {
            break;
        }
        tree.restart();
    }
    Ok(solution)
}

/// Tells every solution to `found` until it wants no more; says whether that
/// were all.
pub fn enumerate(
    board: &Board,
    meter: &mut Meter<'_, '_>,
    mut found: impl FnMut(Vec<u16>) -> bool,
) -> Result<bool, Stop> {
    let mut tree = Tree::new(Domains::new(board), 1);
    // Short descents find out where the difficulty lies. They end at the first
    // solution: a restart would find it again.
    for i in 1..=DESCENTS {
        let mut more = true;
        let descent = tree.descend(UNIT * luby(i), meter, |domains| {
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
    let descent = tree.descend(u64::MAX, meter, |domains| found(domains.solution()))?;
    Ok(descent == Descent::Exhausted)
}

/// Whether propagation alone, without any trial, fills a board.
pub fn needs_no_search(board: &Board) -> bool {
    Tree::new(Domains::new(board), 1).is_settled()
}

/// Whether a board has a solution in which a number is not in a given cell;
/// none if that is not known after a number of failures.
pub fn solvable_without(
    board: &Board,
    value: usize,
    cell: usize,
    failures: u64,
    meter: &mut Meter<'_, '_>,
) -> Result<Option<bool>, Stop> {
    let mut domains = Domains::new(board);
    domains.forbid(value, cell);
    let mut tree = Tree::new(domains, 1);
    let mut any = false;
    let descent = tree.descend(failures, meter, |_| {
        any = true;
        false
    })?;
    Ok(if any { Some(true) } else { (descent == Descent::Exhausted).then_some(false) })
}

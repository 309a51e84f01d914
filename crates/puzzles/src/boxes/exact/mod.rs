//! The exact solver: which boxes to close so that the fewest arcs are drawn.
//!
//! The linear relaxation and the isoperimetric inequality bound the cost from
//! below, sets rounded from the relaxation from above. Where the bounds meet,
//! as on most boards, that is the answer. Else dynamic programming over a
//! profile of the board closes the gap, or branch and bound where the board is
//! too wide for that.

mod branch;
mod grid;
mod profile;
mod rounding;
#[cfg(test)]
mod tests;

use crate::Cost;
use novelo_search::{Answer, Counter, Frontier, Held, Meter, Outcome, Solution, Stop};

use super::instance::Board;
use super::isoperimetric::fewest_arcs;
use super::relaxation::Relaxation;
use super::rules::Arc;
use grid::{Grid, Set};

/// The widest board for which profiles are tabulated.
const WIDEST_PROFILE: usize = 20;

/// Tabulating so many profiles takes about as long as one node of branch and
/// bound.
const PROFILES_PER_NODE: u64 = 4096;

/// Bytes in use, as a counter wants to know them.
struct Bytes {
    nodes: usize,
    bytes: usize,
}

impl Held for Bytes {
    fn nodes(&self) -> u64 {
        self.nodes as u64
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

/// What is known about the optimum: a bound from below, and the best set yet.
struct Gap {
    lower: u32,
    upper: u32,
    best: Set,
}

impl Gap {
    fn offer(&mut self, grid: &Grid, set: Set) {
        let cost = grid.cost(&set);
        if cost < self.upper {
            self.upper = cost;
            self.best = set;
        }
    }

    fn is_closed(&self) -> bool {
        self.lower >= self.upper
    }
}

/// Solves a board whose goal is not beyond its boxes.
pub fn solve(board: &Board, meter: &Meter<'_>) -> Outcome<Arc> {
    let mut counter = meter.counter();
    let grid = Grid::new(board);
    let left = board.goal.saturating_sub(board.closed());
    let mut gap = Gap { lower: 0, upper: u32::MAX, best: grid.none() };
    let stop = settle(board, &grid, left, &mut gap, &mut counter).err();
    drop(counter);
    let answer = match stop {
        Some(stop) => Answer::Stopped(stop),
        None if meter.limits().depth.is_some_and(|depth| gap.upper > depth) => Answer::Stopped(Stop::Depth),
        None => Answer::Solved(Solution { path: grid.arcs(&gap.best), cost: gap.upper, optimal: true }),
    };
    let lower_bound = Some(if stop.is_some() { gap.lower as Cost } else { gap.upper as Cost });
    Outcome { answer, lower_bound, stop: None, stats: meter.stats() }
}

fn settle(
    board: &Board,
    grid: &Grid,
    left: usize,
    gap: &mut Gap,
    counter: &mut Counter<'_>,
) -> Result<(), Stop> {
    counter.expand(&Bytes { nodes: 1, bytes: 0 }, Frontier::Cost(0.0))?;
    if left == 0 {
        gap.upper = 0;
        return Ok(());
    }
    let mut relaxation = Relaxation::new(grid.size());
    grid.load(&mut relaxation);
    let (low, high) = relaxation.solve(left as i32).expect("there are enough boxes");
    gap.lower = Relaxation::value(low, high, left as i32) as u32;
    let drawn = board.arcs().filter(|&drawn| drawn).count();
    let fewest = fewest_arcs(board.size, board.goal).expect("there are enough boxes");
    gap.lower = gap.lower.max(fewest.saturating_sub(drawn) as u32);
    for start in [Relaxation::below, Relaxation::above] {
        let set = grid.set(|r, c| start(&relaxation, relaxation.cell(r, c)));
        gap.offer(grid, rounding::to_size(grid, set, left));
    }
    if !gap.is_closed() {
        rounding::rectangles(grid, left, |set| gap.offer(grid, set));
    }
    if gap.is_closed() {
        return Ok(());
    }
    let room = counter.limits().memory.unwrap_or(usize::MAX);
    let size = grid.size();
    let profiles = size.cols <= WIDEST_PROFILE && profile::tables(size) <= room / 2;
    // A few branches settle most boards whose bounds nearly meet, in less time
    // than it takes to tabulate wide profiles.
    let most = profiles.then(|| (1 << size.cols) / PROFILES_PER_NODE);
    if most != Some(0) && branch::solve(grid, left, &mut relaxation, most, gap, counter)? {
        return Ok(());
    }
    let price = profile::Price { arcs: high.cost - low.cost, boxes: high.boxes - low.boxes };
    profile::solve(grid, left, price, gap, counter)
}

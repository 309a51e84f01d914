//! Good solutions of boards beyond optimal reach: one at once, then shorter ones until time is up.

mod beam;
mod bound;
mod construct;
mod windows;

pub use bound::lower_bound;

use beam::TileBeam;
use construct::construct;
use novelo_search::Budget;
use novelo_search::beam::widen;
use windows::{improve, improve_by_beams};

use crate::sliding::optimal::position::Position;
use crate::sliding::rules::Move;

/// The widths of the first and the widest beam, in positions at each depth.
const WIDTHS: (usize, usize) = (256, 1 << 20);
/// The windows that beams shorten, in moves; their beams are half as wide as those for the whole way.
const WINDOW: usize = 80;

/// A solution of a solvable position, as short as the budget allows, and a lower bound: a first one is made tile by tile,
/// others are found by ever wider beams; each is shortened window by window, short windows by optimal search and long
/// ones by beams.
pub fn anytime(start: &Position, budget: Budget<'_>) -> (Vec<Move>, u32) {
    let bound = lower_bound(start);
    let mut best = construct(start);
    let first = best.len() as u32;
    widen(&TileBeam::new(start), WIDTHS, (bound, first), budget, |width, shorter| {
        if let Some(shorter) = shorter {
            best = shorter;
        }
        improve(start, &mut best, budget);
        while improve_by_beams(start, &mut best, WINDOW, width / 2, budget) {}
        best.len() as u32
    });
    (best, bound)
}

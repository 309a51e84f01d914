//! Good solutions of boards beyond optimal reach: one at once, then shorter ones until time is up.

mod beam;
mod bound;
mod construct;
mod windows;

pub use bound::lower_bound;

use beam::TileBeam;
use construct::construct;
use novelo_search::beam::widen;
use novelo_search::{Budget, Incumbent, Stop};
use windows::{improve, improve_by_beams};

use crate::request::Improvements;
use crate::sliding::optimal::position::Position;
use crate::sliding::rules::Move;

/// The widths of the first and the widest beam, in positions at each depth.
const WIDTHS: (usize, usize) = (256, 1 << 20);
/// The windows that beams shorten, in moves; their beams are half as wide as those for the whole way.
const WINDOW: usize = 80;

/// What [`anytime`] comes to.
pub struct Anytime {
    /// The best solution, if the budget allowed one.
    pub path: Option<Vec<Move>>,
    /// No solution is shorter.
    pub lower_bound: u32,
    /// What ended it before it was done.
    pub stop: Option<Stop>,
}

/// A solution of a solvable position, as short as the budget allows: a first one is made tile by tile, others are found by
/// ever wider beams; each is shortened window by window, short windows by optimal search and long ones by beams. A
/// listener is told of each, and may end it with the last.
pub fn anytime(start: &Position, improvements: Option<&Improvements>, budget: Budget<'_>) -> Anytime {
    let lower_bound = lower_bound(start);
    let mut best = improvements.map_or_else(Incumbent::default, |listener| {
        Incumbent::telling(Box::new(|better| listener.tell(better, Move::to_string)))
    });
    best.prove(lower_bound);
    let offer = |best: &mut Incumbent<'_, Move>, path: Vec<Move>| {
        let length = path.len() as u32;
        best.offer(path, length, budget.meter())
    };
    let path = |best: &Incumbent<'_, Move>| best.solution().map(|best| best.path.clone()).unwrap_or_default();
    let Some(first) = construct(start, budget) else {
        return Anytime { path: None, lower_bound, stop: budget.stop() };
    };
    // Whatever ends it, the best is kept.
    let ended = offer(&mut best, first).and_then(|()| {
        widen(&TileBeam::new(start), WIDTHS, &mut best, budget, |width, best| {
            let mut shorter = path(best);
            improve(start, &mut shorter, budget);
            while improve_by_beams(start, &mut shorter, WINDOW, width / 2, budget) {}
            offer(best, shorter)
        })
    });
    Anytime { path: Some(path(&best)), lower_bound, stop: ended.err() }
}

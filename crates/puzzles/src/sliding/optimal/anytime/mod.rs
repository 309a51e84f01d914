//! Good solutions of boards beyond optimal reach: one at once, then shorter ones until time is up.

mod beam;
mod bound;
mod construct;
mod windows;

pub use beam::beam_search;
pub use bound::lower_bound;
pub use construct::construct;
pub use windows::{improve, improve_by_beams};

use crate::sliding::optimal::position::Position;
use crate::sliding::optimal::watch::Watch;
use crate::sliding::rules::Move;

/// The widths of the first and the widest beam.
const WIDTHS: (usize, usize) = (256, 1 << 20);

/// A solution that need not be the shortest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anytime {
    /// The moves of the blank.
    pub path: Vec<Move>,
    /// No solution is shorter than this.
    pub lower_bound: u32,
}

/// Solves a solvable position: first tile by tile, then by ever wider beams; each solution is shortened window by window,
/// short windows by optimal search and long ones by beams.
pub fn anytime(start: &Position, watch: Watch<'_>) -> Anytime {
    /// Windows for beams, in moves; their beams are narrower than those for the whole way.
    const WINDOW: usize = 80;
    let bound = lower_bound(start);
    let mut best = construct(start);
    let mut width = WIDTHS.0;
    while best.len() as u32 > bound && width <= WIDTHS.1 && !watch.over() {
        if let Some(path) = beam_search(start, width, best.len(), watch) {
            best = path;
        }
        improve(start, &mut best, watch);
        while improve_by_beams(start, &mut best, WINDOW, width / 2, watch) {}
        width *= 2;
    }
    Anytime { path: best, lower_bound: bound }
}

//! Branch and bound on boxes: in the set or out of it, with the linear
//! relaxation as the bound.

use novelo_search::{Counter, Frontier, Stop};

use super::grid::{BOTTOM, Grid, LEFT, RIGHT, Set, TOP};
use super::rounding::to_size;
use super::{Bytes, Gap};
use crate::boxes::relaxation::{Corner, Relaxation};

/// A change of what a box lacks, to be taken back.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: usize,
    lacked: u8,
}

struct Branching<'b, 'm, 'c> {
    start: &'b Grid,
    /// What boxes lack after the decisions so far; 0 also for boxes ruled out.
    grid: Grid,
    inside: Set,
    relaxation: &'b mut Relaxation,
    trail: Vec<Change>,
    /// How many more may be looked at.
    nodes: u64,
    gap: &'b mut Gap,
    counter: &'m mut Counter<'c>,
}

/// Closes a gap, within a number of nodes if one is given; whether it did.
pub fn solve(
    grid: &Grid,
    left: usize,
    relaxation: &mut Relaxation,
    most: Option<u64>,
    gap: &mut Gap,
    counter: &mut Counter<'_>,
) -> Result<bool, Stop> {
    let mut branching = Branching {
        start: grid,
        grid: grid.clone(),
        inside: grid.none(),
        relaxation,
        trail: Vec::new(),
        nodes: most.unwrap_or(u64::MAX),
        gap,
        counter,
    };
    branching.search(left, 0, 0)?;
    // Depth-first search proves nothing before its end.
    let complete = branching.nodes > 0;
    if complete {
        gap.lower = gap.upper;
    }
    Ok(complete)
}

impl Branching<'_, '_, '_> {
    fn search(&mut self, left: usize, paid: u32, depth: u32) -> Result<(), Stop> {
        self.nodes = self.nodes.saturating_sub(1);
        if self.nodes == 0 {
            return Ok(());
        }
        let cells = self.inside.len();
        let held = Bytes {
            nodes: self.trail.len() + 1,
            bytes: self.trail.capacity() * size_of::<Change>() + 64 * cells,
        };
        self.counter.expand(&held, Frontier::Depth(depth))?;
        self.counter.generated += 1;
        self.grid.load(self.relaxation);
        let Some((low, high)) = self.relaxation.solve(left as i32) else { return Ok(()) };
        let bound = paid + Relaxation::value(low, high, left as i32) as u32;
        if bound >= self.gap.upper {
            return Ok(());
        }
        self.round(left, low);
        if bound >= self.gap.upper || self.gap.is_closed() {
            return Ok(());
        }
        let cell = self.pick();
        let mark = self.trail.len();
        let (cost, closed) = self.include(cell);
        if closed < left {
            self.search(left - closed, paid + cost, depth + 1)?;
        } else {
            self.gap.offer(self.start, self.inside.clone());
        }
        self.take_back(mark);
        if self.gap.is_closed() {
            return Ok(());
        }
        self.change(cell, 0, false);
        self.search(left, paid, depth + 1)?;
        self.take_back(mark);
        Ok(())
    }

    /// Tries the sets of the relaxation, filled up or cut down to size.
    fn round(&mut self, left: usize, low: Corner) {
        let starts: &[fn(&Relaxation, usize) -> bool] = if low.boxes as usize == left {
            &[Relaxation::below]
        } else {
            &[Relaxation::below, Relaxation::above]
        };
        for start in starts {
            let relaxation = &*self.relaxation;
            let set = self.grid.set(|r, c| start(relaxation, relaxation.cell(r, c)));
            let mut set = to_size(&self.grid, set, left);
            for (inside, &decided) in set.iter_mut().zip(&self.inside) {
                *inside |= decided;
            }
            self.gap.offer(self.start, set);
        }
    }

    /// The box to decide: one on which the two sets of the relaxation differ,
    /// with as little as possible to pay beside the smaller of them.
    fn pick(&self) -> usize {
        let cols = self.grid.size().cols;
        let relaxation = &*self.relaxation;
        let below = self.grid.set(|r, c| relaxation.below(relaxation.cell(r, c)));
        let between = (0..below.len())
            .filter(|&cell| self.grid.lacks[cell] != 0 && !below[cell])
            .filter(|&cell| relaxation.above(relaxation.cell(cell / cols, cell % cols)));
        between.min_by_key(|&cell| self.grid.alone(cell, &below)).expect("the sets differ")
    }

    /// Draws what a box lacks; returns how many arcs that takes, and how many
    /// boxes it closes: neighbours that lacked only a shared side come with it.
    fn include(&mut self, cell: usize) -> (u32, usize) {
        let lacked = self.grid.lacks[cell];
        let mut closed = 1;
        for side in [TOP, LEFT, RIGHT, BOTTOM].into_iter().filter(|side| lacked & side != 0) {
            if let Some(other) = self.grid.across(cell, side) {
                let opposite = match side {
                    TOP => BOTTOM,
                    LEFT => RIGHT,
                    RIGHT => LEFT,
                    _ => TOP,
                };
                let lacks = self.grid.lacks[other];
                // A box ruled out lacks 0 here whatever is drawn.
                let closes = lacks == opposite;
                self.change(other, lacks & !opposite, closes);
                closed += usize::from(closes);
            }
        }
        self.change(cell, 0, true);
        (lacked.count_ones(), closed)
    }

    fn change(&mut self, cell: usize, lacks: u8, joins: bool) {
        self.trail.push(Change { cell, lacked: self.grid.lacks[cell] });
        self.grid.lacks[cell] = lacks;
        self.inside[cell] |= joins;
    }

    fn take_back(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Change { cell, lacked } = self.trail.pop().expect("above the mark");
            self.grid.lacks[cell] = lacked;
            // Only open boxes are ever decided, so none was inside before.
            self.inside[cell] &= lacked == 0;
        }
    }
}

//! The linear relaxation: boxes may be closed in part.
//!
//! Closing a set S of open boxes costs the number of different sides that S
//! lacks. If each box closed were paid for with λ, the best S would be a minimum
//! cut (a project-selection problem): the price of a shared side is charged in
//! halves, and half a side is paid wherever S ends. As λ rises, the best S
//! grows, and the costs of these sets are the corners of a convex function of
//! their sizes. Interpolated at the number of boxes to close, it is the value of
//! the relaxation (λ is the Lagrange multiplier of that number), and so a lower
//! bound; where a corner lies there, its set is a solution.

use std::sync::{Mutex, PoisonError};

use super::cut::GridCut;
use super::heuristics::SharedArcs;
use super::rules::Rules;
use crate::bits::Bits;
use crate::puzzle::Size;

/// A set of boxes: its size and what closing it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Corner {
    /// How many boxes.
    pub boxes: i32,
    /// How many arcs they lack.
    pub cost: i32,
}

/// The boxes of a board that are open and may be closed, and what they lack.
#[derive(Debug, Clone)]
pub struct Relaxation {
    size: Size,
    stride: usize,
    /// The sides that each box lacks (bits: top, left, right, bottom), with a
    /// frame around the board; 0 for boxes that are closed or not allowed.
    lacks: Vec<u8>,
    cut: GridCut,
    /// The largest set known with at most as many boxes as asked for, and the
    /// smallest with at least as many.
    below: Vec<bool>,
    above: Vec<bool>,
    /// What a box was worth at the end of the last search, in arcs per boxes:
    /// a good first guess for a board that differs little.
    guess: Option<(i32, i32)>,
}

impl Relaxation {
    /// For boards of a size.
    pub fn new(size: Size) -> Self {
        let stride = size.cols + 2;
        let cells = stride * (size.rows + 2);
        Self {
            size,
            stride,
            lacks: vec![0; cells],
            cut: GridCut::new(cells, stride),
            below: vec![false; cells],
            above: vec![false; cells],
            guess: None,
        }
    }

    /// The place of a box in the framed arrays.
    pub fn cell(&self, r: usize, c: usize) -> usize {
        (r + 1) * self.stride + c + 1
    }

    fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { size, stride, .. } = *self;
        (0..size.rows).flat_map(move |r| (0..size.cols).map(move |c| (r + 1) * stride + c + 1))
    }

    /// Says what a box lacks; 0 if it is closed or must not be closed.
    pub fn set(&mut self, cell: usize, lacks: u8) {
        self.lacks[cell] = lacks;
    }

    /// The boxes that a missing side of one box would be shared with.
    fn partners(&self, cell: usize) -> [Option<usize>; 4] {
        let neighbours = [cell - self.stride, cell - 1, cell + 1, cell + self.stride];
        std::array::from_fn(|side| {
            let shared = self.lacks[cell] >> side & 1 == 1 && self.lacks[neighbours[side]] != 0;
            shared.then_some(neighbours[side])
        })
    }

    /// The size and cost of a set of boxes.
    fn corner(&self, within: impl Fn(usize) -> bool) -> Corner {
        let mut corner = Corner::default();
        for cell in self.cells().filter(|&cell| self.lacks[cell] != 0 && within(cell)) {
            corner.boxes += 1;
            corner.cost += self.lacks[cell].count_ones() as i32;
            // A side shared within the set was counted by its other box.
            let [up, left, ..] = self.partners(cell);
            corner.cost -= [up, left].into_iter().flatten().filter(|&other| within(other)).count() as i32;
        }
        corner
    }

    /// The two corners between which a number of boxes lies; `None` if fewer
    /// boxes are open. The sets are then in [`below`](Self::below) and
    /// [`above`](Self::above).
    pub fn solve(&mut self, boxes: i32) -> Option<(Corner, Corner)> {
        let mut low = Corner::default();
        let mut high = self.corner(|_| true);
        if high.boxes < boxes {
            return None;
        }
        self.below.fill(false);
        for cell in self.cells() {
            self.above[cell] = self.lacks[cell] != 0;
        }
        while low.boxes < boxes && boxes < high.boxes {
            let edge = (high.boxes - low.boxes, high.cost - low.cost);
            let (run, rise) = self.guess.take().unwrap_or(edge);
            self.cut_at(run, rise);
            let found = self.corner(|cell| self.cut.kept(cell));
            let height = |corner: Corner| run * corner.cost - rise * corner.boxes;
            if height(found) >= height(low).min(height(high)) {
                // Nothing lies below the edge; below another line there may.
                if rise * edge.0 == run * edge.1 {
                    break;
                }
                continue;
            }
            let into = if found.boxes <= boxes { &mut self.below } else { &mut self.above };
            for (cell, inside) in into.iter_mut().enumerate() {
                *inside = self.lacks[cell] != 0 && self.cut.kept(cell);
            }
            if found.boxes <= boxes { low = found } else { high = found }
        }
        if low.boxes < boxes && boxes < high.boxes {
            self.guess = Some((high.boxes - low.boxes, high.cost - low.cost));
        }
        if high.boxes == boxes {
            low = high;
            self.below.copy_from_slice(&self.above);
        }
        Some((low, high))
    }

    /// The best set when a box is worth `rise` / `run` arcs.
    fn cut_at(&mut self, run: i32, rise: i32) {
        for cell in self.cells() {
            if self.lacks[cell] == 0 {
                self.cut.set(cell, 0, [0; 4]);
                continue;
            }
            let partners = self.partners(cell);
            let shared = partners.iter().flatten().count() as i32;
            let halves = 2 * self.lacks[cell].count_ones() as i32 - shared;
            let prices = partners.map(|partner| if partner.is_some() { run } else { 0 });
            self.cut.set(cell, 2 * rise - run * halves, prices);
        }
        self.cut.solve();
    }

    /// The value of the relaxation between two corners, rounded up.
    pub fn value(low: Corner, high: Corner, boxes: i32) -> i32 {
        if low.boxes >= boxes {
            return low.cost;
        }
        let (run, rise) = (high.boxes - low.boxes, high.cost - low.cost);
        low.cost + (rise * (boxes - low.boxes) + run - 1) / run
    }

    /// Whether a box is in the set of the lower corner.
    pub fn below(&self, cell: usize) -> bool {
        self.below[cell]
    }

    /// Whether a box is in the set of the upper corner.
    pub fn above(&self, cell: usize) -> bool {
        self.above[cell]
    }
}

/// The relaxation as a heuristic.
#[derive(Debug)]
pub struct Relaxed<const W: usize> {
    shared: SharedArcs<W>,
    /// Working space, kept from one state to the next.
    relaxation: Mutex<Relaxation>,
}

impl<const W: usize> Relaxed<W> {
    /// For boards of a size with a goal.
    pub fn new<const O: bool>(rules: &Rules<W, O>, size: Size) -> Self {
        Self { shared: SharedArcs::new(rules, size), relaxation: Mutex::new(Relaxation::new(size)) }
    }

    /// The bound; `None` where too few boxes can still be closed.
    pub fn estimate<const O: bool>(&self, rules: &Rules<W, O>, arcs: &Bits<W>) -> Option<u32> {
        let shared = self.shared.estimate(rules, arcs)?;
        let left = rules.goal().saturating_sub(rules.closed(arcs).count());
        if left == 0 {
            return Some(0);
        }
        let relaxation = &mut *self.relaxation.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = rules.lost(arcs);
        let drawn = |set: &Bits<W>, top: usize| {
            let sides = rules.offsets().into_iter().enumerate();
            sides.fold(0, |sides, (side, offset)| sides | u8::from(set.has(top + offset)) << side)
        };
        for (cell, top) in relaxation.cells().zip(rules.boxes().iter()) {
            let able = !O || drawn(&lost, top) == 0;
            relaxation.set(cell, if able { 15 & !drawn(arcs, top) } else { 0 });
        }
        let (low, high) = relaxation.solve(left as i32)?;
        Some(shared.max(Relaxation::value(low, high, left as i32) as u32))
    }
}

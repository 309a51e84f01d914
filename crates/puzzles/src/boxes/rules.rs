//! The rules as a search problem: an arc is drawn, until enough boxes are closed.
//!
//! Arcs are numbered line by line from the top: the horizontal arcs above a row
//! of boxes, then the row's vertical arcs. So the four sides of a box are its
//! top side's number plus 0, cols, cols + 1 and 2·cols + 1, whatever the box,
//! and a few shifts of the set of arcs give the set of closed boxes, each under
//! the number of its top side.

use std::fmt;

use crate::Cost;
use novelo_search::Problem;

use super::instance::Board;
use crate::bits::Bits;

/// The number of an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arc(pub u16);

novelo_search::wire_fields!([] Arc { 0: u16 });

impl Arc {
    /// The horizontal arc above a box; rows and columns count from 0.
    pub fn horizontal(cols: usize, r: usize, c: usize) -> Self {
        Self((r * (2 * cols + 1) + c) as u16)
    }

    /// The vertical arc left of a box.
    pub fn vertical(cols: usize, r: usize, c: usize) -> Self {
        Self((r * (2 * cols + 1) + cols + c) as u16)
    }

    /// The move that draws it, on a board of so many columns.
    pub fn written(self, cols: usize) -> String {
        let (r, place) = (self.0 as usize / (2 * cols + 1), self.0 as usize % (2 * cols + 1));
        match place.checked_sub(cols) {
            None => Move { kind: 'h', r, c: place }.to_string(),
            Some(c) => Move { kind: 'v', r, c }.to_string(),
        }
    }
}

struct Move {
    kind: char,
    r: usize,
    c: usize,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {},{}", self.kind, self.r + 1, self.c + 1)
    }
}

/// Dots and Boxes for one player, with arcs in W words.
///
/// Where `ORDERED`, arcs are drawn in the order of their numbers only, so that
/// every set of arcs is generated once.
#[derive(Debug, Clone)]
pub struct Rules<const W: usize, const ORDERED: bool> {
    start: Bits<W>,
    all: Bits<W>,
    /// Every box, under the number of its top side.
    boxes: Bits<W>,
    cols: usize,
    goal: u32,
}

impl<const W: usize, const ORDERED: bool> Rules<W, ORDERED> {
    /// The rules for an instance that fits.
    pub fn new(board: &Board) -> Self {
        let cols = board.size.cols;
        let cells = (0..board.boxes()).map(|cell| (cell / cols, cell % cols));
        Self {
            start: board.arcs().enumerate().filter(|&(_, drawn)| drawn).map(|(arc, _)| arc).collect(),
            all: (0..board.arcs().count()).collect(),
            boxes: cells.map(|(r, c)| Arc::horizontal(cols, r, c).0 as usize).collect(),
            cols,
            goal: board.goal as u32,
        }
    }

    /// How many boxes are to be closed.
    pub fn goal(&self) -> u32 {
        self.goal
    }

    /// Every box, under the number of its top side.
    pub fn boxes(&self) -> Bits<W> {
        self.boxes
    }

    /// How much lower a box's top side is numbered than its top, left, right
    /// and bottom side.
    #[inline]
    pub fn offsets(&self) -> [usize; 4] {
        [0, self.cols, self.cols + 1, 2 * self.cols + 1]
    }

    /// For each of the four sides, the boxes that have it.
    #[inline]
    pub fn sides(&self, arcs: &Bits<W>) -> [Bits<W>; 4] {
        self.offsets().map(|offset| arcs.back(offset) & self.boxes)
    }

    /// The closed boxes.
    #[inline]
    pub fn closed(&self, arcs: &Bits<W>) -> Bits<W> {
        let [top, left, right, bottom] = self.sides(arcs);
        top & left & right & bottom
    }

    /// The missing arcs that can be drawn from here on.
    #[inline]
    pub fn drawable(&self, arcs: &Bits<W>) -> Bits<W> {
        let missing = self.all.without(*arcs);
        if ORDERED { missing.without((*arcs ^ self.start).filled()) } else { missing }
    }

    /// The missing arcs that can no longer be drawn; none where any order is
    /// allowed.
    #[inline]
    pub fn lost(&self, arcs: &Bits<W>) -> Bits<W> {
        if ORDERED { (*arcs ^ self.start).filled().without(*arcs) } else { Bits::EMPTY }
    }
}

impl<const W: usize, const ORDERED: bool> Problem for Rules<W, ORDERED> {
    type State = Bits<W>;
    type Action = Arc;
    type Undo = ();
    type Cost = Cost;

    const BACK: Option<()> = Some(());
    const TREE: bool = ORDERED;

    fn start(&self) -> Bits<W> {
        self.start
    }

    #[inline]
    fn is_goal(&self, arcs: &Bits<W>) -> bool {
        self.closed(arcs).count() >= self.goal
    }

    #[inline]
    fn actions(&self, arcs: &Bits<W>, out: &mut Vec<Arc>) {
        out.extend(self.drawable(arcs).iter().map(|arc| Arc(arc as u16)));
    }

    #[inline]
    fn apply(&self, arcs: &mut Bits<W>, arc: Arc) -> (Cost, ()) {
        arcs.insert(arc.0 as usize);
        (1, ())
    }

    #[inline]
    fn undo(&self, arcs: &mut Bits<W>, arc: Arc, (): ()) {
        arcs.remove(arc.0 as usize);
    }

    fn unit_cost(&self) -> bool {
        true
    }
}

impl<const W: usize, const ORDERED: bool> crate::formulation::Rules for Rules<W, ORDERED> {
    fn written(&self, arc: Arc) -> String {
        arc.written(self.cols)
    }
}

//! Estimates for boxes. Sets of boxes are handled a word at a time, so each is
//! computed from scratch in a few dozen instructions.

use novelo_search::parameter::{Kind, Parameter, Values};
use novelo_search::{Heuristic, Meter, Promise};

use super::isoperimetric::fewest_arcs;
use super::relaxation::Relaxed;
use super::rules::Rules;
use crate::bits::Bits;
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::puzzle::Size;
use crate::request::RequestError;

heuristics! {
    visit[const W: usize, const O: bool, V: Visitor](
        name: &str,
        rules: Rules<W, O>,
        size: Size,
        values: &Values,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "shared-arcs",
            parameters: &[],
            about: "The larger of two bounds. One: every box is charged for its missing sides, half for a \
                    side that another box shares and whole for one on the border; the charges of the \
                    cheapest boxes, as many as the goal asks for, are added up. Two: any n boxes have at \
                    least as many different sides as the n boxes of the most compact shape that fits the \
                    board; the arcs drawn are subtracted.",
            promise: Promise::CONSISTENT,
            why: "Whichever boxes end up closed, an arc between two of them is paid in two halves. An arc \
                  drawn lowers two charges by a half, or one by a whole, and the second bound by one.",
        } => {
            let guide = BoxesHeuristic::SharedArcs(SharedArcs::new(&rules, size));
            visitor.visit(rules, guide, meter)
        },
        HeuristicInfo {
            name: "relaxation",
            parameters: &[],
            about: "The linear relaxation (boxes may be closed in part), solved exactly by minimum cuts, \
                    rounded up; or shared-arcs, where that is larger. Slow for each state, but close to \
                    the truth.",
            promise: Promise::CONSISTENT,
            why: "Every solution is one of the relaxation too, and drawing an arc improves its value by at \
                  most that arc's cost.",
        } => {
            let guide = BoxesHeuristic::Relaxation(Box::new(Relaxed::new(&rules, size)));
            visitor.visit(rules, guide, meter)
        },
        HeuristicInfo {
            name: "boxes-left",
            parameters: &[],
            about: "The number of boxes still to be closed.",
            promise: Promise::NONE,
            why: "Not admissible: one arc can close two boxes. It is never more than twice the true cost.",
        } => visitor.visit(rules, BoxesHeuristic::BoxesLeft, meter),
        HeuristicInfo {
            name: "corners",
            parameters: &[CLAMPED],
            about: "Four times the boxes asked for, less the corners present in all boxes, as a course defines it. A \
                    corner is a horizontal and a vertical side of a box that meet; a closed box has four. Where \
                    corners stand in boxes that need not be closed it falls below 0, and the lowest comes first.",
            promise: Promise::NONE,
            why: "Not admissible: one arc can complete four corners (two in each of two boxes), and corners \
                  in boxes that are never closed count as progress.",
        } => {
            let guide = if values.flag(CLAMPED.name) { BoxesHeuristic::CornersClamped } else { BoxesHeuristic::Corners };
            visitor.visit(rules, guide, meter)
        },
        ZERO => visitor.visit(rules, BoxesHeuristic::Zero, meter),
    }
}

const CLAMPED: Parameter = Parameter {
    name: "clamped",
    kind: Kind::Flag,
    default: Some("false"),
    required: false,
    about: "Whether the course's number counts as 0 where it is below.",
};

/// Any of them. One type keeps the number of compiled searches small; which of
/// them it is never changes during a search, so the processor foresees it.
#[derive(Debug)]
pub enum BoxesHeuristic<const W: usize> {
    /// Half of each missing side, or the isoperimetric bound.
    SharedArcs(SharedArcs<W>),
    /// The linear relaxation.
    Relaxation(Box<Relaxed<W>>),
    /// Boxes still to be closed.
    BoxesLeft,
    /// Corners still to be made, but for those that are present anywhere; kept as the corners missing on the whole board,
    /// which is more by the same number for every state.
    Corners,
    /// The same, not below 0.
    CornersClamped,
    /// Nothing.
    Zero,
}

impl<const W: usize, const O: bool> Heuristic<Rules<W, O>> for BoxesHeuristic<W> {
    type Memo = u32;
    type Value = u32;

    fn promise(&self) -> Promise {
        match self {
            Self::SharedArcs(_) | Self::Relaxation(_) | Self::Zero => Promise::CONSISTENT,
            Self::BoxesLeft | Self::Corners | Self::CornersClamped => Promise::NONE,
        }
    }

    #[inline]
    fn memo(&self, rules: &Rules<W, O>, arcs: &Bits<W>) -> Option<u32> {
        match self {
            Self::SharedArcs(shared) => shared.estimate(rules, arcs),
            Self::Relaxation(relaxed) => relaxed.estimate(rules, arcs),
            Self::BoxesLeft => Some(boxes_left(rules, arcs)),
            Self::Corners => Some(4 * rules.boxes().count() - corners(rules, arcs)),
            Self::CornersClamped => Some((4 * rules.goal()).saturating_sub(corners(rules, arcs))),
            Self::Zero => Some(0),
        }
    }

    #[inline]
    fn value(&self, memo: &u32) -> u32 {
        *memo
    }

    fn shift(&self, rules: &Rules<W, O>) -> f64 {
        match self {
            Self::Corners => 4.0 * (f64::from(rules.boxes().count()) - f64::from(rules.goal())),
            _ => 0.0,
        }
    }

    #[inline]
    fn resume(&self, _: &Rules<W, O>, _: &Bits<W>, value: u32) -> u32 {
        value
    }
}

/// Boxes still to be closed.
#[inline]
fn boxes_left<const W: usize, const O: bool>(rules: &Rules<W, O>, arcs: &Bits<W>) -> u32 {
    rules.goal().saturating_sub(rules.closed(arcs).count())
}

/// Corners present.
#[inline]
fn corners<const W: usize, const O: bool>(rules: &Rules<W, O>, arcs: &Bits<W>) -> u32 {
    let [top, left, right, bottom] = rules.sides(arcs);
    let corners = [top & left, top & right, bottom & left, bottom & right];
    corners.iter().map(Bits::count).sum()
}

/// Half of each missing side, whole on the border; or the isoperimetric bound.
#[derive(Debug, Clone, Copy)]
pub struct SharedArcs<const W: usize> {
    /// The boxes at the top, left, right and bottom border.
    border: [Bits<W>; 4],
    /// The fewest arcs that the goal's number of boxes can have.
    fewest: u32,
}

impl<const W: usize> SharedArcs<W> {
    /// For boards of a size with a goal.
    pub fn new<const O: bool>(rules: &Rules<W, O>, size: Size) -> Self {
        let boxes: Vec<_> = rules.boxes().iter().collect();
        let row = |r: usize| boxes[r * size.cols..(r + 1) * size.cols].iter().copied().collect();
        let col = |c: usize| boxes.iter().skip(c).step_by(size.cols).copied().collect();
        Self {
            border: [row(0), col(0), col(size.cols - 1), row(size.rows - 1)],
            fewest: fewest_arcs(size, rules.goal() as usize).map_or(u32::MAX, |fewest| fewest as u32),
        }
    }

    /// The bound; `None` where too few boxes can still be closed.
    #[inline]
    pub fn estimate<const O: bool>(&self, rules: &Rules<W, O>, arcs: &Bits<W>) -> Option<u32> {
        let mut able = rules.boxes();
        if O {
            for lost in rules.sides(&rules.lost(arcs)) {
                able = able.without(lost);
            }
        }
        // How much each box is charged, in halves: the bits of all boxes'
        // sums, the lowest first.
        let mut sums = [Bits::EMPTY; 4];
        for (side, border) in rules.sides(arcs).into_iter().zip(self.border) {
            let missing = able.without(side);
            add(&mut sums, missing);
            add(&mut sums, missing & border);
        }
        let (mut left, mut halves) = (rules.goal(), 0);
        for charge in 0..=8 {
            let with = sums.iter().enumerate().fold(able, |with, (bit, sum)| {
                if charge >> bit & 1 == 1 { with & *sum } else { with.without(*sum) }
            });
            let taken = with.count().min(left);
            halves += taken * charge;
            left -= taken;
            if left == 0 {
                return Some(halves.div_ceil(2).max(self.fewest.saturating_sub(arcs.count())));
            }
        }
        None
    }
}

/// Adds one to the sums of the boxes in a set.
#[inline]
fn add<const W: usize>(sums: &mut [Bits<W>; 4], mut carry: Bits<W>) {
    for sum in sums {
        let next = *sum & carry;
        *sum = *sum ^ carry;
        carry = next;
    }
}

//! Gaps: neighbours in the stack that are no neighbours in size (Helmert, 2010).
//!
//! Below the stack lies a plate, larger than every pancake. In a sorted stack each pancake lies on the next larger one or
//! on the plate. A flip of the topmost k changes what lies on the pancake below them, and no other pair of neighbours. So
//! it closes one gap at most, and as many flips are needed as there are gaps. The estimate is consistent, and it changes
//! by what that one pair was and is.
//!
//! Where a flip costs as much as it turns pancakes, let m be the largest pancake that is not in its place. Those below it
//! are, so what lies on pancake m + 1, or on the plate, is not m: a gap. Pancake m comes to its place by a flip of m
//! pancakes at least, and each of the other gaps takes a flip of its own, of two at least: m, and 2 for each other gap.
//! This is consistent as well. A flip of fewer than m leaves m as it is and closes one other gap, which lowers the estimate
//! by 2. A flip of m, at a cost of m, keeps the other gaps; the estimate falls by the difference of m to its next value,
//! which is 0 or at least 2, and by 2 if a gap that was counted now is the one at m. A flip of more than m moves a larger
//! pancake from its place; the estimate rises.
//!
//! Gaps of the smallest pancakes can be left out of the count, which makes weaker estimates for the study of search: all of
//! the above holds for any choice of pairs that are counted.

use crate::Cost;
use novelo_search::estimator::Estimator;
use novelo_search::parameter::{Kind, Parameter, Values};
use novelo_search::{Heuristic, Meter, Problem, Promise};

use super::instance::{LARGEST, Stack};
use super::rules::{Flip, Pancakes, Rules};
use crate::formulation::Visitor;
use crate::heuristic::{HeuristicInfo, ZERO, heuristics};
use crate::request::RequestError;

const SKIP: Parameter = Parameter {
    name: "skip",
    kind: Kind::Integer { least: 0, most: LARGEST as u64 },
    default: Some("0"),
    required: false,
    about: "The smallest pancakes, so many, whose gaps are left out; gap:skip=2 is known as GAP-2.",
};

heuristics! {
    visit[const N: usize, V: Visitor](
        name: &str,
        values: &Values,
        stack: &Stack,
        meter: &Meter<'_>,
        visitor: V,
    ) -> Result<V::Output, RequestError> {
        HeuristicInfo {
            name: "gap",
            parameters: &[SKIP],
            about: "The gaps: pancakes that lie on one, or on the plate, that is not the next in size. Where flips cost \
                    what they turn, the largest pancake out of place, and 2 for each gap above it. Helmert's GAP; with \
                    skip=x his successors' GAP-x, which leaves out the gaps of the x smallest pancakes.",
            promise: Promise::CONSISTENT,
            why: "A flip changes one pair of neighbours only, so it closes one gap at most.",
        } => {
            let skip = values.number::<u8>("skip").unwrap_or_default();
            visitor.visit(Rules::<N>::new(stack), Gap::new(skip, stack.weighted), meter)
        },
        ZERO => visitor.visit(Rules::<N>::new(stack), Gap::NOTHING, meter),
    }
}

/// Counts gaps.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// Gaps of pancakes up to this one are not counted.
    skip: u8,
    /// Whether flips cost what they turn.
    weighted: bool,
}

/// What is known of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gaps {
    /// The gaps that are counted, without that at `out` where flips cost what they turn.
    count: u8,
    /// The largest pancake out of its place, or 0, where flips cost what they turn.
    out: u8,
}

impl Gap {
    /// Counts no gaps: the estimate that knows nothing, of the same type, so that the algorithms need not be compiled for
    /// another.
    pub const NOTHING: Self = Self { skip: u8::MAX, weighted: false };

    /// Counts the gaps of pancakes larger than some.
    pub fn new(skip: u8, weighted: bool) -> Self {
        Self { skip, weighted }
    }

    /// One if there is a gap that counts between two neighbours.
    #[inline]
    fn between(self, a: u8, b: u8) -> u8 {
        u8::from(a.abs_diff(b) != 1 && a.min(b) > self.skip)
    }

    /// The gap after pancake number `place` from the top.
    #[inline]
    fn after<const N: usize>(self, place: u8, Pancakes(stack): &Pancakes<N>) -> u8 {
        self.between(stack[usize::from(place) - 1], stack[usize::from(place)])
    }

    /// What a flip makes of a stack, seen before it is done.
    #[inline]
    fn flipped<const N: usize>(self, gaps: Gaps, pancakes: &Pancakes<N>, Flip(turned): Flip) -> Gaps {
        let stack = &pancakes.0;
        let Gaps { count, out } = gaps;
        if !self.weighted || turned < out {
            let opened = self.between(stack[0], stack[usize::from(turned)]);
            return Gaps { count: count + opened - self.after(turned, pancakes), out };
        }
        if turned > out {
            // A larger pancake leaves its place; the gap where the last one was is one like the others now.
            let like_others = if out == 0 { 0 } else { self.after(out, pancakes) };
            return Gaps { count: count + like_others, out: turned };
        }
        // The pancake that comes to each place, from the bottom of the flip on.
        let comes = |place: u8| stack[usize::from(out - place)];
        let next = (1..=out).rev().find(|&place| comes(place) != place).unwrap_or(0);
        let apart = if next == 0 || next == out { 0 } else { self.between(comes(next), next + 1) };
        Gaps { count: count - apart, out: next }
    }
}

impl<const N: usize> Heuristic<Rules<N>> for Gap {
    type Memo = Gaps;
    type Value = Cost;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, rules: &Rules<N>, pancakes: &Pancakes<N>) -> Option<Gaps> {
        let out = if self.weighted { out_of_place(rules, pancakes) } else { 0 };
        let places = (1..=rules.size() as u8).filter(|&place| place != out);
        Some(Gaps { count: places.map(|place| self.after(place, pancakes)).sum(), out })
    }

    #[inline]
    fn value(&self, &Gaps { count, out }: &Gaps) -> Cost {
        if self.weighted { Cost::from(out) + 2 * Cost::from(count) } else { count.into() }
    }

    #[inline]
    fn child(
        &self,
        _: &Rules<N>,
        &parent: &Gaps,
        pancakes: &Pancakes<N>,
        &flip: &Flip,
        (): &(),
    ) -> Option<Gaps> {
        if self.weighted {
            let mut before = *pancakes;
            before.0[..usize::from(flip.0)].reverse();
            return Some(self.flipped(parent, &before, flip));
        }
        // Before the flip, what now lies at its end was on top.
        let stack = &pancakes.0;
        let closed = self.between(stack[0], stack[usize::from(flip.0)]);
        Some(Gaps { count: parent.count + self.after(flip.0, pancakes) - closed, ..parent })
    }

    #[inline]
    fn peek(
        &self,
        rules: &Rules<N>,
        &parent: &Gaps,
        before: &Pancakes<N>,
        &flip: &Flip,
    ) -> Option<(Cost, Gaps)> {
        Some((rules.cost(flip), self.flipped(parent, before, flip)))
    }

    #[inline]
    fn resume(&self, rules: &Rules<N>, pancakes: &Pancakes<N>, value: Cost) -> Gaps {
        if !self.weighted {
            return Gaps { count: value as u8, out: 0 };
        }
        let out = out_of_place(rules, pancakes);
        Gaps { count: ((value - Cost::from(out)) / 2) as u8, out }
    }

    fn toward_start<'h>(&'h self, rules: &'h Rules<N>) -> Option<Box<dyn Estimator<Rules<N>, Cost> + 'h>> {
        Some(Box::new(TowardStart::new(*self, rules)))
    }
}

/// Gaps on the way to the start: each pancake goes by its place there, and then the start is the sorted stack.
#[derive(Debug, Clone)]
struct TowardStart {
    gap: Gap,
    /// The place of each pancake, and of the plate, in the start.
    places: [u8; LARGEST + 2],
}

impl TowardStart {
    fn new<const N: usize>(gap: Gap, rules: &Rules<N>) -> Self {
        let mut places = [0; LARGEST + 2];
        for (&pancake, place) in rules.start().0[..=rules.size()].iter().zip(1..) {
            places[usize::from(pancake)] = place;
        }
        Self { gap, places }
    }

    #[inline]
    fn renamed<const N: usize>(&self, rules: &Rules<N>, pancakes: &Pancakes<N>) -> Pancakes<N> {
        let mut renamed = *pancakes;
        for pancake in &mut renamed.0[..=rules.size()] {
            *pancake = self.places[usize::from(*pancake)];
        }
        renamed
    }
}

impl<const N: usize> Heuristic<Rules<N>> for TowardStart {
    type Memo = Gaps;
    type Value = Cost;

    fn promise(&self) -> Promise {
        Promise::CONSISTENT
    }

    fn memo(&self, rules: &Rules<N>, pancakes: &Pancakes<N>) -> Option<Gaps> {
        self.gap.memo(rules, &self.renamed(rules, pancakes))
    }

    #[inline]
    fn value(&self, gaps: &Gaps) -> Cost {
        Heuristic::<Rules<N>>::value(&self.gap, gaps)
    }

    #[inline]
    fn child(
        &self,
        rules: &Rules<N>,
        parent: &Gaps,
        pancakes: &Pancakes<N>,
        flip: &Flip,
        undo: &(),
    ) -> Option<Gaps> {
        self.gap.child(rules, parent, &self.renamed(rules, pancakes), flip, undo)
    }

    #[inline]
    fn resume(&self, rules: &Rules<N>, pancakes: &Pancakes<N>, value: Cost) -> Gaps {
        self.gap.resume(rules, &self.renamed(rules, pancakes), value)
    }
}

/// The largest pancake that is not in its place, or 0.
fn out_of_place<const N: usize>(rules: &Rules<N>, Pancakes(stack): &Pancakes<N>) -> u8 {
    (1..=rules.size() as u8).rev().find(|&place| stack[usize::from(place) - 1] != place).unwrap_or(0)
}

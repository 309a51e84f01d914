//! Bounded suboptimal search: what `focal` and `ees` share.
//!
//! The smallest f of all open nodes is a lower bound on the cost of any solution, if the estimate is admissible. Any node
//! whose f is within the bound of that may be expanded next, for a goal among them costs no more than the bound allows; so
//! the one comes first from which a goal seems nearest. `ees` goes by a guess that is not admissible: it takes a node
//! whose guessed f is within the bound, nearest by the guess, and only where there is none the one that raises the lower
//! bound.
//!
//! The lower bound never falls. With an inconsistent estimate the smallest f may: what was proved stays proved.

use super::both_ways::Peekable;
use super::space::{Ended, Placed, Space};
use crate::cost::{Cost, ROUNDING, Real};
use crate::heuristic::{Estimate, Weight};
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::open::HeapQueue;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Guided;
use crate::store::{Column, Handle, NodeStore};

/// What is left from a node, by a guess from its g and h and the h of the start.
pub(super) type Guess = fn(g: f64, h: f64, start: f64) -> f64;

/// Runs a search whose solution costs at most `bound` times a lower bound. Without a guess it goes by the estimate itself.
pub(super) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    bound: Weight,
    guess: Option<Guess>,
) -> OutcomeOf<P> {
    Space::search(search, meter, |space, incumbent| {
        let Some(h) = space.root else { return Ok(None) };
        Bounded::<P, V>::new(h, bound, guess).run(space, incumbent)
    })
}

/// By what nodes are compared: the estimate, or the guess made of it.
#[derive(Clone, Copy)]
struct Measure {
    guess: Option<Guess>,
    /// The estimate of the start.
    start: f64,
}

impl Measure {
    /// What is left from a node.
    fn left<C: Cost, V: Estimate<C>>(self, g: C, h: V) -> Real {
        let left = self.guess.map_or(h.to_f64(), |guess| guess(g.to_f64(), h.to_f64(), self.start));
        Real::new(left.max(0.0))
    }

    fn f<C: Cost, V: Estimate<C>>(self, g: C, h: V) -> Real {
        Real::new(g.to_f64() + self.left(g, h).get())
    }
}

struct Bounded<P: Problem, V: Estimate<P::Cost>> {
    bound: Weight,
    measure: Measure,
    /// The largest of the smallest f so far.
    least: V,
    /// The largest of the smallest guessed f so far, below which nodes are in `focal`.
    least_guessed: f64,
    /// All open nodes by f.
    by_f: Peekable<V::Open, V::Key, V>,
    /// All open nodes by guessed f, if there is a guess.
    by_guess: Peekable<HeapQueue<Real, V>, Real, V>,
    /// Those whose (guessed) f is within the bound of the least, by what is (guessed to be) left.
    focal: Peekable<HeapQueue<Real, V>, Real, V>,
    /// The others, by (guessed) f.
    waiting: Peekable<HeapQueue<Real, V>, Real, V>,
    /// Whether each node is open.
    open: Column<bool>,
}

impl<P: Problem, V: Estimate<P::Cost>> Bounded<P, V> {
    fn new(start: V, bound: Weight, guess: Option<Guess>) -> Self {
        Self {
            bound,
            measure: Measure { guess, start: start.to_f64() },
            least: start,
            least_guessed: start.to_f64(),
            by_f: Peekable::new(),
            by_guess: Peekable::new(),
            focal: Peekable::new(),
            waiting: Peekable::new(),
            open: Column::new(),
        }
    }

    fn run<O: Observer<P>>(
        mut self,
        space: &mut Space<'_, P, V, O>,
        incumbent: &mut Incumbent<'_, P::Action, P::Cost>,
    ) -> Ended {
        let root = Placed { node: 0, g: P::Cost::ZERO, h: self.least, is_new: true };
        self.place(root)?;
        while let Some((h, node)) = self.next(&space.store) {
            *self.open.get_mut(node as usize) = false;
            space.prove(incumbent, self.least);
            if space.is_goal(node) {
                return Ok(Some(node));
            }
            if !space.may_expand(node)? {
                continue;
            }
            let (frontier, beside) = (Frontier::F(self.least.to_f64()), self.bytes());
            space.expand((node, h), frontier, beside, |_, _| false, |placed| self.place(placed))?;
            space.tell_frontier(|store| self.in_order(store));
        }
        Ok(None)
    }

    fn bytes(&self) -> usize {
        let lists = self.by_f.bytes() + self.by_guess.bytes() + self.focal.bytes() + self.waiting.bytes();
        lists + self.open.bytes()
    }

    /// Puts a node into the lists.
    fn place(&mut self, Placed { node, g, h, is_new }: Placed<P::Cost, V>) -> Result<(), Stop> {
        if is_new {
            self.open.push(true);
        }
        *self.open.get_mut(node as usize) = true;
        self.by_f.push(h.plus(g).ok_or(Stop::Overflow)?.key(), h, node);
        let (f, left) = (self.measure.f(g, h), self.measure.left(g, h));
        if self.measure.guess.is_some() {
            self.by_guess.push(f, h, node);
        }
        if is_within(f.get(), self.least_guessed, self.bound) {
            self.focal.push(left, h, node);
        } else {
            self.waiting.push(f, h, node);
        }
        Ok(())
    }

    /// The open nodes, beginning with the one that comes next.
    fn in_order(&mut self, store: &NodeStore<'_, P>) -> Vec<Handle> {
        let first = self.next(store).map(|(_, node)| node);
        let lists = [self.focal.in_order(), self.waiting.in_order()].concat();
        let mut seen = vec![false; self.open.len()];
        let all = first.into_iter().chain(lists.into_iter().map(|(.., node)| node));
        let is_new = |&node: &Handle| {
            *self.open.get(node as usize) && !std::mem::replace(&mut seen[node as usize], true)
        };
        all.filter(is_new).collect()
    }

    /// The node that comes next; once it is no longer open, its entries are stale.
    fn next(&mut self, store: &NodeStore<'_, P>) -> Option<(V, Handle)> {
        let open = &self.open;
        let (_, least_h, first) = self.by_f.peek(|key, h, node| {
            *open.get(node as usize) && h.plus(store.cost(node)).map(V::key) == Some(key)
        })?;
        self.least = self.least.max(least_h.plus(store.cost(first))?);
        let measure = self.measure;
        let is_valid =
            |key, h, node: Handle| *open.get(node as usize) && measure.f(store.cost(node), h) == key;
        let best = if measure.guess.is_some() { self.by_guess.peek(is_valid) } else { None };
        let least_guessed = best.map_or(self.least.to_f64(), |(f, ..)| f.get());
        self.least_guessed = self.least_guessed.max(least_guessed);
        self.fill_focal(store);
        // Within the bound of the lower bound: nothing else may be expanded but what raises that.
        let least = self.least.to_f64();
        let is_allowed = |f: Real| is_within(f.get(), least, self.bound);
        let open = &self.open;
        let near = self.focal.peek(|_, _, node| *open.get(node as usize));
        let near = near.map(|(_, h, node)| (h, node));
        let chosen = near.filter(|&(h, node)| is_allowed(measure.f(store.cost(node), h)));
        let guessed = || best.filter(|&(f, ..)| is_allowed(f)).map(|(_, h, node)| (h, node));
        Some(chosen.or_else(guessed).unwrap_or((least_h, first)))
    }

    /// Moves nodes into `focal` that have come within the bound.
    fn fill_focal(&mut self, store: &NodeStore<'_, P>) {
        let measure = self.measure;
        loop {
            let open = &self.open;
            let is_valid =
                |key, h, node: Handle| *open.get(node as usize) && measure.f(store.cost(node), h) == key;
            let Some((f, h, node)) = self.waiting.peek(is_valid) else { return };
            if !is_within(f.get(), self.least_guessed, self.bound) {
                return;
            }
            self.waiting.take_seen();
            self.focal.push(measure.left(store.cost(node), h), h, node);
        }
    }
}

/// Whether an f is at most so many times the least. Small whole numbers are compared exactly; others allow for rounding, so
/// that what is within is so indeed.
fn is_within(f: f64, least: f64, bound: Weight) -> bool {
    let (numerator, denominator) = bound.fraction();
    let (scaled, most) = (f * f64::from(denominator), least * f64::from(numerator));
    let whole = f.fract() == 0.0 && least.fract() == 0.0;
    if whole && scaled.max(most) < f64::powi(2.0, 53) {
        scaled <= most
    } else if !whole && f <= least {
        true
    } else {
        // Whole numbers of this size that look equal may have been rounded to it.
        f < f64::INFINITY && f <= least * bound.to_f64() * (1.0 - ROUNDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_within_exactly() {
        let bound = Weight::new(1.5).unwrap();
        assert!(is_within(15.0, 10.0, bound) && !is_within(16.0, 10.0, bound));
        assert!(is_within(0.0, 0.0, bound) && !is_within(1.0, 0.0, bound));
        assert!(is_within(f64::INFINITY, f64::INFINITY, bound) && !is_within(f64::INFINITY, 1.0, bound));
        assert!(
            is_within(0.3, 0.3, Weight::ONE) && is_within(0.449, 0.3, bound) && !is_within(0.451, 0.3, bound)
        );
        let large = f64::powi(2.0, 60);
        assert!(is_within(large, large, bound) && !is_within(large, large, Weight::ONE));
    }
}

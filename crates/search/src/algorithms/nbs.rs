//! Near-optimal bidirectional search.

use super::both_ways::{self, Both, Open, Placed};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost;
use crate::estimator::Estimator;
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::Meter;
use crate::observer::{Observer, Side};
use crate::outcome::OutcomeOf;
use crate::problem::{Problem, Reversible};
use crate::search::Guided;
use crate::store::Handle;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "nbs",
    title: "Near-optimal bidirectional search",
    about: include_str!("nbs.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "always: it takes none but consistent heuristics",
    time: "at most twice the expansions that any search from both ends needs for its proof",
    space: "as much as time: every state found is kept",
    needs: Needs::HeuristicBothWays,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastCost, pseudocode: include_str!("nbs.txt") }),
};

pub(crate) fn search<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    toward_start: &dyn Estimator<P, V>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    both_ways::search(search, toward_start, meter, false, |both, roots| {
        let fronts = [Front::new(), Front::new()];
        let mut pairs = Pairs { fronts, bound: P::Cost::ZERO, epsilon: both.epsilon };
        for root in roots {
            pairs.fronts[root.side as usize].place(root, P::Cost::ZERO)?;
        }
        run(both, pairs)
    })
}

/// The open nodes of one side, in two stages. Each is in one of them, but for entries that are stale: a node's g has fallen
/// since.
struct Front<P: Problem, V: Estimate<P::Cost>> {
    /// By f.
    waiting: Open<P, V>,
    /// Those whose f is no more than the bound, by g.
    ready: Open<P, V>,
}

impl<P: Problem, V: Estimate<P::Cost>> Front<P, V> {
    fn new() -> Self {
        Self { waiting: Open::<P, V>::new(), ready: Open::<P, V>::new() }
    }

    #[inline]
    fn place(
        &mut self,
        Placed { node, g, h, left, .. }: Placed<P::Cost, V>,
        bound: P::Cost,
    ) -> Result<(), Stop> {
        let f = g.checked_add(left).ok_or(Stop::Overflow)?;
        if f < bound {
            self.ready.push(V::cost_key(g), h, node);
        } else {
            self.waiting.push(V::cost_key(f), h, node);
        }
        Ok(())
    }

    /// The f of a node.
    fn f(cost: &impl Fn(Handle) -> P::Cost, h: V, node: Handle) -> Option<P::Cost> {
        h.ceil().and_then(|left| cost(node).checked_add(left))
    }

    /// The smallest f of those that wait.
    fn least_f(&mut self, cost: &impl Fn(Handle) -> P::Cost) -> Option<P::Cost> {
        let valid = |key, h, node| Self::f(cost, h, node).map(V::cost_key) == Some(key);
        let (_, h, node) = self.waiting.peek(valid)?;
        Self::f(cost, h, node)
    }

    /// The node with the smallest g of those that are ready.
    fn first(&mut self, cost: &impl Fn(Handle) -> P::Cost) -> Option<(P::Cost, V, Handle)> {
        let (_, h, node) = self.ready.peek(|key, _, node| V::cost_key(cost(node)) == key)?;
        Some((cost(node), h, node))
    }

    /// Makes nodes ready for as long as their f is `near` enough; whether any was.
    fn make_ready(&mut self, cost: &impl Fn(Handle) -> P::Cost, near: impl Fn(P::Cost) -> bool) -> bool {
        let mut any = false;
        while self.least_f(cost).is_some_and(&near) {
            let Some((_, h, node)) = self.waiting.peek(|_, _, _| true) else { break };
            self.waiting.take_seen();
            self.ready.push(V::cost_key(cost(node)), h, node);
            any = true;
        }
        any
    }
}

/// A node of each side.
type Pair<V> = ((V, Handle), (V, Handle));

struct Pairs<P: Problem, V: Estimate<P::Cost>> {
    fronts: [Front<P, V>; 2],
    /// What no solution but the best costs less than.
    bound: P::Cost,
    epsilon: P::Cost,
}

impl<P: Problem, V: Estimate<P::Cost>> Pairs<P, V> {
    /// The pair of nodes with the least bound on the cost of a path through both: the largest of their f, and of what both
    /// have come and a step between them.
    fn next(
        &mut self,
        ahead: impl Fn(Handle) -> P::Cost,
        back: impl Fn(Handle) -> P::Cost,
    ) -> Result<Option<Pair<V>>, Stop> {
        let Self { fronts: [forward, backward], bound, epsilon } = self;
        loop {
            forward.make_ready(&ahead, |f| f < *bound);
            backward.make_ready(&back, |f| f < *bound);
            let firsts = (forward.first(&ahead), backward.first(&back));
            let waiting = (forward.least_f(&ahead), backward.least_f(&back));
            if firsts.0.is_none() && waiting.0.is_none() || firsts.1.is_none() && waiting.1.is_none() {
                return Ok(None);
            }
            let mut least = [waiting.0, waiting.1].into_iter().flatten().min();
            if let (Some((here, h, node)), Some((there, back_h, back_node))) = firsts {
                let sum = here.checked_add(there).and_then(|sum| sum.checked_add(*epsilon));
                let sum = sum.ok_or(Stop::Overflow)?;
                if sum <= *bound {
                    return Ok(Some(((h, node), (back_h, back_node))));
                }
                least = Some(least.map_or(sum, |least| least.min(sum)));
            }
            let at_bound = |f| f <= *bound;
            let moved = [forward.make_ready(&ahead, at_bound), backward.make_ready(&back, at_bound)];
            if moved == [false, false] {
                // One of them is there: neither side is empty.
                *bound = least.unwrap_or(*bound);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.fronts.iter().map(|front| front.waiting.bytes() + front.ready.bytes()).sum()
    }
}

fn run<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    both: &mut Both<'_, P, V, O>,
    mut pairs: Pairs<P, V>,
) -> Result<(), Stop> {
    loop {
        let next = pairs.next(|node| both.forward.cost(node), |node| both.backward.cost(node))?;
        let Some((ahead, back)) = next else { return Ok(()) };
        for (side, (h, node)) in [(Side::Forward, ahead), (Side::Backward, back)] {
            if both.prove(pairs.bound) {
                return Ok(());
            }
            let beside = pairs.bytes();
            let Pairs { fronts, bound, .. } = &mut pairs;
            let front = &mut fronts[side as usize];
            front.ready.take_seen();
            let frontier = Frontier::F(bound.to_f64());
            both.expand(side, (node, h), frontier, beside, |placed| front.place(placed, *bound))?;
            if O::ACTIVE && side == Side::Backward {
                // So that those are ready which come next.
                pairs.next(|node| both.forward.cost(node), |node| both.backward.cost(node))?;
            }
            both.tell_frontier(|cost| {
                let of = |side: Side, Front { waiting, ready }: &mut Front<P, V>| {
                    let cost = |node| cost(side, node);
                    let ready = ready.in_order().into_iter();
                    let ready = ready.filter(|&(key, _, node)| V::cost_key(cost(node)) == key);
                    let waiting = waiting.in_order().into_iter();
                    let waiting = waiting.filter(|&(key, h, node)| {
                        Front::<P, V>::f(&cost, h, node).map(V::cost_key) == Some(key)
                    });
                    ready.chain(waiting).map(|(.., node)| (side, node)).collect::<Vec<_>>()
                };
                let [forward, backward] = &mut pairs.fronts;
                [of(Side::Forward, forward), of(Side::Backward, backward)].concat()
            });
        }
    }
}

//! Bidirectional search that meets in the middle.

use std::collections::BTreeMap;

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
use crate::store::{Column, Handle};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "mm",
    title: "Bidirectional search that meets in the middle",
    about: include_str!("mm.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "always: it takes none but consistent heuristics",
    time: "O(b^(d/2)) with a heuristic that knows nothing; less with a good one",
    space: "as much as time: every state found is kept",
    needs: Needs::HeuristicBothWays,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("mm.txt") }),
};

pub(crate) fn search<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    toward_start: &dyn Estimator<P, V>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    both_ways::search(search, toward_start, meter, false, |both, roots| {
        let mut fronts = [Front::<P, V>::new(), Front::new()];
        for root in roots {
            fronts[root.side as usize].place(root, both.epsilon)?;
        }
        run(both, fronts)
    })
}

/// The open nodes of one side.
struct Front<P: Problem, V: Estimate<P::Cost>> {
    /// By the larger of f and 2g + epsilon.
    open: Open<P, V>,
    /// How many open nodes have each f, and each g.
    by_f: BTreeMap<P::Cost, usize>,
    by_g: BTreeMap<P::Cost, usize>,
    is_open: Column<bool>,
}

fn priority<C: Cost>(g: C, left: C, epsilon: C) -> Result<C, Stop> {
    let twice = g.checked_add(g).and_then(|twice| twice.checked_add(epsilon));
    Ok(g.checked_add(left).ok_or(Stop::Overflow)?.max(twice.ok_or(Stop::Overflow)?))
}

fn remove<C: Ord>(counts: &mut BTreeMap<C, usize>, key: C) {
    if let std::collections::btree_map::Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= 1;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

impl<P: Problem, V: Estimate<P::Cost>> Front<P, V> {
    fn new() -> Self {
        Self {
            open: Open::<P, V>::new(),
            by_f: BTreeMap::new(),
            by_g: BTreeMap::new(),
            is_open: Column::new(),
        }
    }

    fn place(
        &mut self,
        Placed { node, g, h, left, before, .. }: Placed<P::Cost, V>,
        epsilon: P::Cost,
    ) -> Result<(), Stop> {
        match before {
            None => self.is_open.push(true),
            Some(before) if *self.is_open.get(node as usize) => self.forget(before, left),
            Some(_) => *self.is_open.get_mut(node as usize) = true,
        }
        *self.by_f.entry(g.checked_add(left).ok_or(Stop::Overflow)?).or_insert(0) += 1;
        *self.by_g.entry(g).or_insert(0) += 1;
        self.open.push(V::cost_key(priority(g, left, epsilon)?), h, node);
        Ok(())
    }

    fn forget(&mut self, g: P::Cost, left: P::Cost) {
        g.checked_add(left).into_iter().for_each(|f| remove(&mut self.by_f, f));
        remove(&mut self.by_g, g);
    }

    /// The next node, with its priority.
    fn peek(&mut self, cost: impl Fn(Handle) -> P::Cost, epsilon: P::Cost) -> Option<(P::Cost, V, Handle)> {
        let of = |h: V, node| h.ceil().and_then(|left| priority(cost(node), left, epsilon).ok());
        let is_open = &self.is_open;
        let (_, h, node) = self.open.peek(|key, h, node| {
            *is_open.get(node as usize) && of(h, node).is_some_and(|priority| V::cost_key(priority) == key)
        })?;
        Some((of(h, node)?, h, node))
    }

    fn bytes(&self) -> usize {
        // A node of a B-tree is more than half full, and has some room for links.
        let counted = (self.by_f.len() + self.by_g.len()) * 2 * size_of::<(P::Cost, usize)>();
        self.open.bytes() + self.is_open.bytes() + counted
    }
}

fn run<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    both: &mut Both<'_, P, V, O>,
    mut fronts: [Front<P, V>; 2],
) -> Result<(), Stop> {
    let epsilon = both.epsilon;
    loop {
        let [forward, backward] = &mut fronts;
        let ahead = forward.peek(|node| both.forward.cost(node), epsilon);
        let back = backward.peek(|node| both.backward.cost(node), epsilon);
        let (Some(ahead), Some(back)) = (ahead, back) else { return Ok(()) };
        let side = if ahead.0 <= back.0 { Side::Forward } else { Side::Backward };
        let (least, h, node) = if side == Side::Forward { ahead } else { back };
        if both.prove(bound(&fronts, least, epsilon)?) {
            return Ok(());
        }
        let (g, left) = (both.cost(side, node), h.ceil().ok_or(Stop::Overflow)?);
        let beside = fronts[0].bytes() + fronts[1].bytes();
        let front = &mut fronts[side as usize];
        front.open.take_seen();
        *front.is_open.get_mut(node as usize) = false;
        front.forget(g, left);
        let frontier = Frontier::F(both.lower_bound.to_f64());
        both.expand(side, (node, h), frontier, beside, |placed| front.place(placed, epsilon))?;
        both.tell_frontier(|cost| {
            let of = |side: Side, front: &mut Front<P, V>| {
                let mut next = Vec::new();
                let mut seen = vec![false; front.is_open.len()];
                for (key, h, node) in front.open.in_order() {
                    let now = h.ceil().and_then(|left| priority(cost(side, node), left, epsilon).ok());
                    let valid = *front.is_open.get(node as usize) && now.map(V::cost_key) == Some(key);
                    if valid && !std::mem::replace(&mut seen[node as usize], true) {
                        next.push((side, node));
                    }
                }
                next
            };
            let [forward, backward] = &mut fronts;
            [of(Side::Forward, forward), of(Side::Backward, backward)].concat()
        });
    }
}

/// What no solution but the best costs less than: the smallest priority; the smallest f of either side; what the two
/// sides have come and a step between them.
fn bound<P: Problem, V: Estimate<P::Cost>>(
    [forward, backward]: &[Front<P, V>; 2],
    least: P::Cost,
    epsilon: P::Cost,
) -> Result<P::Cost, Stop> {
    let first = |counts: &BTreeMap<P::Cost, usize>| counts.keys().next().copied().unwrap_or(P::Cost::ZERO);
    let between = first(&forward.by_g).checked_add(first(&backward.by_g));
    let between = between.and_then(|sum| sum.checked_add(epsilon)).ok_or(Stop::Overflow)?;
    Ok(least.max(first(&forward.by_f)).max(first(&backward.by_f)).max(between))
}

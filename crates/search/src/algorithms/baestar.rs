//! Bidirectional A* that adds the error.

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
use crate::store::Column;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "baestar",
    title: "Bidirectional A* that adds the error",
    about: include_str!("baestar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "always: it takes none but consistent heuristics",
    time: "usually less than A* and other searches from both ends",
    space: "as much as time: every state found is kept",
    needs: Needs::HeuristicBothWays,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("baestar.txt") }),
};

pub(crate) fn search<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    toward_start: &dyn Estimator<P, V>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    both_ways::search(search, toward_start, meter, true, |both, roots| {
        let mut fronts = [Front::<P, V>::new(), Front::new()];
        for root in roots {
            fronts[root.side as usize].place(root)?;
        }
        run(both, fronts)
    })
}

/// The open nodes of one side.
struct Front<P: Problem, V: Estimate<P::Cost>> {
    /// By b = f + g - h', h' being the estimate of the cost from this side's own end. With consistent estimates b never
    /// falls along a path, so that a node is expanded at its least g.
    open: Open<P, V>,
    /// Whether each node has been expanded since it was last reached at a lower cost.
    expanded: Column<bool>,
}

impl<P: Problem, V: Estimate<P::Cost>> Front<P, V> {
    fn new() -> Self {
        Self { open: Open::<P, V>::new(), expanded: Column::new() }
    }

    #[inline]
    fn place(
        &mut self,
        Placed { node, g, h, left, behind, before, .. }: Placed<P::Cost, V>,
    ) -> Result<(), Stop> {
        if before.is_none() {
            self.expanded.push(false);
        }
        *self.expanded.get_mut(node as usize) = false;
        let f = g.checked_add(left);
        let b = f.and_then(|f| f.checked_add(g.saturating_sub(behind))).ok_or(Stop::Overflow)?;
        self.open.push(V::cost_key(b), h, node);
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.open.bytes() + self.expanded.bytes()
    }
}

fn run<P: Reversible, V: Estimate<P::Cost>, O: Observer<P>>(
    both: &mut Both<'_, P, V, O>,
    mut fronts: [Front<P, V>; 2],
) -> Result<(), Stop> {
    let mut side = Side::Backward;
    loop {
        let tops = fronts
            .each_mut()
            .map(|Front { open, expanded }| open.peek(|_, _, node| !*expanded.get(node as usize)));
        let [Some(ahead), Some(back)] = tops else { return Ok(()) };
        // Any path through an open node of each side costs at least half the sum of their b: what lies between them is no
        // less than the difference of their estimates, of either kind.
        let bound = |key| V::ceil_key(key).ok_or(Stop::Overflow);
        let least: P::Cost = Cost::mean(bound(ahead.0)?, bound(back.0)?);
        if both.prove(least) {
            return Ok(());
        }
        side = if side == Side::Forward { Side::Backward } else { Side::Forward };
        let (_, h, node) = if side == Side::Forward { ahead } else { back };
        let beside = fronts[0].bytes() + fronts[1].bytes();
        let front = &mut fronts[side as usize];
        front.open.take_seen();
        *front.expanded.get_mut(node as usize) = true;
        let frontier = Frontier::F(both.lower_bound.to_f64());
        both.expand(side, (node, h), frontier, beside, |placed| front.place(placed))?;
        both.tell_frontier(|_| {
            let of = |side: Side, Front { open, expanded }: &mut Front<P, V>| {
                let mut seen: Vec<bool> = (0..expanded.len()).map(|node| *expanded.get(node)).collect();
                let next = open.in_order().into_iter().map(|(.., node)| node);
                let next = next.filter(|&node| !std::mem::replace(&mut seen[node as usize], true));
                next.map(|node| (side, node)).collect::<Vec<_>>()
            };
            let [forward, backward] = &mut fronts;
            [of(Side::Forward, forward), of(Side::Backward, backward)].concat()
        });
    }
}

//! Anytime repairing A*.

use super::best_first::Rule;
use super::space::{Ended, Placed, Space};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost;
use crate::heuristic::{Estimate, Weight};
use crate::incumbent::Incumbent;
use crate::limits::Stop;
use crate::meter::Meter;
use crate::observer::Observer;
use crate::open::OpenList;
use crate::outcome::OutcomeOf;
use crate::parameter::{Kind, Parameter};
use crate::problem::Problem;
use crate::search::Guided;
use crate::store::{Column, Handle};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "arastar",
    title: "Anytime repairing A*",
    about: include_str!("arastar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "if the heuristic is admissible, and it ends by itself; before that, within the bound it tells",
    time: "O(b^d) at worst; a first solution usually far sooner than A*",
    space: "as much as time: every state found is kept",
    needs: Needs::Heuristic,
    parameters: &[Parameter {
        name: "weight",
        kind: Kind::Number { least: 1.0, most: 1000.0 },
        default: Some("5"),
        required: false,
        about: "How much the estimate counts at first, exact to two decimals.",
    }],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("arastar.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
    weight: Weight,
) -> OutcomeOf<P> {
    Space::search(search, meter, |space, incumbent| Repair::new(weight).run(space, incumbent))
}

/// A search in hand.
struct Repair<P: Problem, V: Estimate<P::Cost>> {
    weight: Weight,
    /// By g plus the weighted h. An entry is stale once its node was reached at a lower cost.
    open: V::Open,
    /// Nodes that were reached at a lower cost after this round had expanded them: they wait for the next.
    inconsistent: Vec<(P::Cost, V, Handle)>,
    /// In which round each node was expanded last.
    expanded: Column<u8>,
    round: u8,
}

impl<P: Problem, V: Estimate<P::Cost>> Repair<P, V> {
    fn new(weight: Weight) -> Self {
        Self { weight, open: V::Open::default(), inconsistent: Vec::new(), expanded: Column::new(), round: 0 }
    }

    fn key(weight: Weight, g: P::Cost, h: V) -> Result<V::Key, Stop> {
        Rule::Sum(weight).key(g, h).ok_or(Stop::Overflow)
    }

    fn run<O: Observer<P>>(
        mut self,
        space: &mut Space<'_, P, V, O>,
        incumbent: &mut Incumbent<'_, P::Action, P::Cost>,
    ) -> Ended {
        let Some(h) = space.root else { return Ok(None) };
        self.open.push(Self::key(self.weight, P::Cost::ZERO, h)?, h, 0);
        self.expanded.push(0);
        loop {
            self.next_round();
            let goal = self.search_round(space, incumbent)?;
            let mut left = self.left(space);
            let least = left.iter().filter_map(|&(g, h, _)| h.plus(g)).min();
            if let Some(goal) = goal {
                // The goal is no longer open: no solution costs less than the smallest f of the others, or than this one.
                let cost = space.store.cost(goal);
                let bound = least.and_then(Estimate::ceil).map_or(cost, |least: P::Cost| least.min(cost));
                if space.admissible && !space.cut {
                    incumbent.prove(bound);
                }
                space.offer(goal, incumbent)?;
            } else if let (Some(least), Some(cost)) = (least, incumbent.cost()) {
                let bound = least.ceil().map_or(cost, |least: P::Cost| least.min(cost));
                if space.admissible && !space.cut {
                    incumbent.prove(bound);
                }
            }
            left.retain(|&(g, h, _)| !space.is_beaten(incumbent, g, h));
            if incumbent.is_optimal() || left.is_empty() {
                return Ok(None);
            }
            self.weight = smaller(self.weight, incumbent.cost(), incumbent.lower_bound());
            // Of those that are equal, the last in is the first out.
            for (g, h, node) in left.into_iter().rev() {
                self.open.push(Self::key(self.weight, g, h)?, h, node);
            }
            let open = &mut self.open;
            space.tell_frontier(|_| open.in_order().into_iter().map(|(.., node)| node).collect());
        }
    }

    fn next_round(&mut self) {
        if self.round == u8::MAX {
            (0..self.expanded.len()).for_each(|node| *self.expanded.get_mut(node) = 0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Takes all open nodes out, with their costs and estimates, in the order in which they would come.
    fn left<O>(&mut self, space: &Space<'_, P, V, O>) -> Vec<(P::Cost, V, Handle)> {
        let weight = self.weight;
        let open = std::mem::take(&mut self.open).in_order();
        let open = open.into_iter().map(|(key, h, node)| (key, space.store.cost(node), h, node));
        let open = open.filter(|&(key, g, h, _)| Rule::Sum(weight).key(g, h) >= Some(key));
        let inconsistent = self.inconsistent.drain(..).filter(|&(g, _, node)| g == space.store.cost(node));
        open.map(|(_, g, h, node)| (g, h, node)).chain(inconsistent).collect()
    }

    /// Weighted A* in which no node is expanded twice, up to the first goal.
    fn search_round<O: Observer<P>>(
        &mut self,
        space: &mut Space<'_, P, V, O>,
        incumbent: &Incumbent<'_, P::Action, P::Cost>,
    ) -> Ended {
        let rule = Rule::Sum(self.weight);
        while let Some((key, h, node)) = self.open.pop() {
            let g = space.store.cost(node);
            if rule.key(g, h) < Some(key) || space.is_beaten(incumbent, g, h) {
                continue;
            }
            if space.is_goal(node) {
                return Ok(Some(node));
            }
            if !space.may_expand(node)? {
                continue;
            }
            let Self { open, inconsistent, expanded, round, .. } = self;
            *expanded.get_mut(node as usize) = *round;
            let beside =
                open.bytes() + inconsistent.capacity() * size_of::<(P::Cost, V, Handle)>() + expanded.bytes();
            let frontier = rule.frontier::<P::Cost, V>(key);
            let (admissible, incumbent) = (space.admissible, &incumbent);
            let beaten = |g, h: V| incumbent.beats(g, admissible.then_some(h));
            space.expand((node, h), frontier, beside, beaten, |Placed { node, g, h, is_new }| {
                if is_new {
                    expanded.push(0);
                }
                if *expanded.get(node as usize) == *round {
                    inconsistent.push((g, h, node));
                } else {
                    open.push(rule.key(g, h).ok_or(Stop::Overflow)?, h, node);
                }
                Ok(())
            })?;
            space.tell_frontier(|store| {
                let next = open.in_order().into_iter().filter(|&(key, h, node)| {
                    let g = store.cost(node);
                    rule.key(g, h) >= Some(key) && !beaten(g, h)
                });
                next.map(|(.., node)| node).collect()
            });
        }
        Ok(None)
    }
}

/// The weight of the next round: its excess over one is half of what is left to prove, or of this weight's.
fn smaller<C: Cost>(weight: Weight, cost: Option<C>, lower_bound: Option<C>) -> Weight {
    let ratio = cost.zip(lower_bound).map(|(cost, bound)| cost.to_f64() / bound.to_f64());
    let least =
        ratio.filter(|ratio| ratio.is_finite()).map_or(weight.to_f64(), |ratio| ratio.min(weight.to_f64()));
    let excess = ((least - 1.0) * 100.0).max(0.0) as u32 / 2;
    Weight::new(1.0 + f64::from(excess) / 100.0).unwrap_or(Weight::ONE)
}

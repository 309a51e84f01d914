//! Partial expansion A*.

use super::space::{Ended, Placed, Space};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost;
use crate::heuristic::Estimate;
use crate::incumbent::Incumbent;
use crate::limits::{Frontier, Stop};
use crate::meter::Meter;
use crate::observer::Observer;
use crate::open::OpenList;
use crate::outcome::OutcomeOf;
use crate::problem::Problem;
use crate::search::Guided;
use crate::store::Column;

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "peastar",
    title: "Partial expansion A*",
    about: include_str!("peastar.md"),
    complete: "yes, if each state has finitely many actions and no endless path is free",
    optimal: "if the heuristic is admissible",
    time: "as A*, times the number of different f among the successors of a state",
    space: "less than A*: no state is kept whose f is above the optimal cost",
    needs: Needs::Heuristic,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::LeastSum, pseudocode: include_str!("peastar.txt") }),
};

pub(crate) fn search<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    search: Guided<'_, P, V, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    Space::search(search, meter, run)
}

/// A node is in the open list by the smallest f of what it has yet to give: its own at first, then that of its next
/// successors. An entry is stale once its node was reached at a lower cost, after which it gives all anew.
fn run<P: Problem, V: Estimate<P::Cost>, O: Observer<P>>(
    space: &mut Space<'_, P, V, O>,
    incumbent: &mut Incumbent<'_, P::Action, P::Cost>,
) -> Ended {
    let Some(h) = space.root else { return Ok(None) };
    let mut open = V::Open::default();
    // The g at which each node's entry was made, and the f it stands for.
    let mut entries = Column::new();
    let first: V = h.plus(P::Cost::ZERO).ok_or(Stop::Overflow)?;
    entries.push((P::Cost::ZERO, first));
    open.push(first.key(), h, 0);
    while let Some((key, h, node)) = open.pop() {
        let (g, due) = *entries.get(node as usize);
        if due.key() != key {
            continue;
        }
        space.prove(incumbent, due);
        let own = h.plus(g).ok_or(Stop::Overflow)?;
        if space.is_goal(node) {
            return Ok(Some(node));
        }
        if !space.may_expand(node)? {
            continue;
        }
        let beside = open.bytes() + entries.bytes();
        // What has an f below the one that is due was given before, unless this is the first time.
        let first = due == own;
        let wanted = |f: V| f == due || first && f < due;
        let later = |f: V| f > due;
        let frontier = Frontier::F(due.to_f64());
        let next = space.expand_part((node, h), frontier, beside, wanted, later, |placed| {
            let Placed { node, g, h, is_new } = placed;
            let f = h.plus(g).ok_or(Stop::Overflow)?;
            if is_new {
                entries.push((g, f));
            }
            *entries.get_mut(node as usize) = (g, f);
            open.push(f.key(), h, node);
            Ok(())
        })?;
        // A free action may lead back to the node itself at the same cost, but not at a lower one: its entry is as it was.
        if let Some(next) = next {
            *entries.get_mut(node as usize) = (g, next);
            open.push(next.key(), h, node);
        }
        space.tell_frontier(|_| {
            let next = open.in_order().into_iter();
            next.filter(|&(key, _, node)| entries.get(node as usize).1.key() == key)
                .map(|(.., node)| node)
                .collect()
        });
    }
    Ok(None)
}

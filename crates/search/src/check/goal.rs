//! A small search for a goal.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rustc_hash::FxBuildHasher;

use crate::cost::Cost;
use crate::problem::Problem;

/// Expansions of the search for a goal from one state.
const EXPANSIONS: usize = 300;

/// The cost of a path to a goal, the cheapest if it is found by a few expansions.
pub(super) fn cost_to_goal<P: Problem>(problem: &P, from: &P::State) -> Option<P::Cost> {
    let mut nodes = vec![from.clone()];
    let mut costs: HashMap<P::State, P::Cost, FxBuildHasher> = HashMap::default();
    costs.insert(from.clone(), P::Cost::ZERO);
    let mut open = BinaryHeap::from([Reverse((P::Cost::ZERO, 0))]);
    let mut actions = Vec::new();
    for _ in 0..EXPANSIONS {
        let Reverse((g, node)) = open.pop()?;
        let state = nodes[node].clone();
        if problem.is_goal(&state) {
            return Some(g);
        }
        if costs.get(&state).is_some_and(|&known| known < g) {
            continue;
        }
        actions.clear();
        problem.actions(&state, &mut actions);
        for action in &actions {
            let (child, cost, _) = problem.successor(&state, action);
            let Some(g) = g.checked_add(cost) else { continue };
            if costs.get(&child).is_none_or(|&known| g < known) {
                costs.insert(child.clone(), g);
                open.push(Reverse((g, nodes.len())));
                nodes.push(child);
            }
        }
    }
    // None came out; one that is still in there was reached all the same.
    open.into_iter().find(|&Reverse((_, node))| problem.is_goal(&nodes[node])).map(|Reverse((g, _))| g)
}

//! What A* expands in strict order, to judge the counts of both sides by.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use novelo_search::{Heuristic, Problem};

/// Expansions of A* that takes the smallest f first, among those the smallest h, and among those the last that came.
/// Plain, and independent of both sides.
pub fn expansions<P, H>(problem: &P, heuristic: &H) -> u64
where
    P: Problem<Cost = u32>,
    H: Heuristic<P, Value = u32>,
{
    let estimate = |state: &P::State| Some(heuristic.value(&heuristic.memo(problem, state)?));
    let start = problem.start();
    let h = estimate(&start).expect("the start is no dead end");
    let mut least = HashMap::from([(start.clone(), 0)]);
    let mut open = BinaryHeap::from([(Reverse((h, h)), 0, 0)]);
    let mut states = vec![start];
    let (mut expanded, mut actions) = (0, Vec::new());
    while let Some((_, at, g)) = open.pop() {
        let state = states[at].clone();
        // A cheaper path to it was found since.
        if least[&state] < g {
            continue;
        }
        if problem.is_goal(&state) {
            break;
        }
        expanded += 1;
        problem.actions(&state, &mut actions);
        for action in actions.drain(..) {
            let (next, cost, _) = problem.successor(&state, &action);
            let g = g + cost;
            let known = least.entry(next.clone()).or_insert(u32::MAX);
            if g < *known
                && let Some(h) = estimate(&next)
            {
                *known = g;
                open.push((Reverse((g + h, h)), states.len(), g));
                states.push(next);
            }
        }
    }
    expanded
}

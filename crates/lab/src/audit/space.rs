//! The states of an instance with their true distances.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use novelo_puzzles::Cost;
use novelo_puzzles::Formulation;
use novelo_search::Problem as _;

/// A state of any puzzle.
pub(super) type State = <Formulation<'static> as novelo_search::Problem>::State;

/// States, the actions between them, and what is left to the goal from each.
pub(super) struct Space {
    /// The states.
    pub states: Vec<State>,
    /// From which state to which, at what cost.
    pub steps: Vec<(u32, u32, Cost)>,
    /// The cost of an optimal solution from each state; `None` where there is no solution.
    pub distances: Vec<Option<Cost>>,
}

impl Space {
    /// Every state that can be reached, if there are no more than `most`.
    pub fn of(formulation: &Formulation<'_>, most: usize, cancel: &AtomicBool) -> Option<Self> {
        let mut states = vec![formulation.start()];
        let mut places = HashMap::from([(states[0].clone(), 0_u32)]);
        let mut steps = Vec::new();
        let mut goals = Vec::new();
        let mut actions = Vec::new();
        let mut next = 0;
        while next < states.len() {
            if states.len() > most || cancel.load(Ordering::Relaxed) {
                return None;
            }
            let state = states[next].clone();
            let from = next as u32;
            next += 1;
            // What lies beyond a goal counts too: all are states of the puzzle.
            if formulation.is_goal(&state) {
                goals.push(from);
            }
            actions.clear();
            formulation.actions(&state, &mut actions);
            for &action in &actions {
                let mut reached = state.clone();
                let (cost, ()) = formulation.apply(&mut reached, action);
                let to = *places.entry(reached).or_insert_with_key(|reached| {
                    states.push(reached.clone());
                    states.len() as u32 - 1
                });
                steps.push((from, to, cost));
            }
        }
        let distances = distances(states.len(), &steps, &goals);
        Some(Self { states, steps, distances })
    }

    /// The states along an optimal solution, each with those one action away, whose distances are not known.
    pub fn along(formulation: &Formulation<'_>, moves: &[String], cost: Cost) -> Option<Self> {
        let mut space =
            Self { states: vec![formulation.start()], steps: Vec::new(), distances: vec![Some(cost)] };
        let mut left = cost;
        let mut here = 0_u32;
        for wanted in moves {
            let state = space.states[here as usize].clone();
            let mut actions = Vec::new();
            formulation.actions(&state, &mut actions);
            let mut on = None;
            for action in actions {
                let mut reached = state.clone();
                let (step, ()) = formulation.apply(&mut reached, action);
                let to = space.states.len() as u32;
                space.states.push(reached);
                space.steps.push((here, to, step));
                let chosen = formulation.written(action) == *wanted;
                space.distances.push(if chosen { Some(left.checked_sub(step)?) } else { None });
                if chosen {
                    on = Some((to, step));
                }
            }
            // A heuristic that prunes may leave out the action, and an exact method may know others.
            let (to, step) = on?;
            (here, left) = (to, left - step);
        }
        Some(space)
    }
}

/// Dijkstra from all goals at once, against the direction of the steps.
fn distances(count: usize, steps: &[(u32, u32, Cost)], goals: &[u32]) -> Vec<Option<Cost>> {
    // The steps into each state, as stretches of one array.
    let mut ends = vec![0_u32; count + 1];
    for &(_, to, _) in steps {
        ends[to as usize + 1] += 1;
    }
    for i in 0..count {
        ends[i + 1] += ends[i];
    }
    let mut fill = ends.clone();
    let mut into = vec![(0, 0); steps.len()];
    for &(from, to, cost) in steps {
        into[fill[to as usize] as usize] = (from, cost);
        fill[to as usize] += 1;
    }
    let mut distances = vec![None; count];
    let mut open: BinaryHeap<_> = goals.iter().map(|&goal| Reverse((0, goal))).collect();
    while let Some(Reverse((distance, state))) = open.pop() {
        let state = state as usize;
        if distances[state].is_some() {
            continue;
        }
        distances[state] = Some(distance);
        for &(from, cost) in &into[ends[state] as usize..ends[state + 1] as usize] {
            if distances[from as usize].is_none() {
                open.push(Reverse((distance + cost, from)));
            }
        }
    }
    distances
}

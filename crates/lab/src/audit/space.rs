//! The states of an instance with their true distances.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use novelo_puzzles::Cost;
use novelo_puzzles::{Formulation, Step};
use novelo_search::{Budget, Problem as _, Reserved, Stop};

/// A state of any puzzle.
pub(super) type State = <Formulation<'static> as novelo_search::Problem>::State;

/// Bytes of a state in the lists here, and of its estimate, beside what it holds itself: lists and tables may be half empty.
const STATE_BYTES: usize = 160;
/// Bytes of a step in the lists here.
const STEP_BYTES: usize = 40;
/// Memory is reserved for so many bytes at once.
const RESERVED_AT_ONCE: usize = 1 << 16;

/// States, the actions between them, and what is left to the goal from each.
pub(super) struct Space<'m> {
    /// The states.
    pub states: Vec<State>,
    /// How many of them, from the first on, were part of the space before this one.
    pub known: usize,
    /// From which state to which, at what cost.
    pub steps: Vec<(u32, u32, Cost)>,
    /// The cost of an optimal solution from each state; `None` where there is no solution, or none is known.
    pub distances: Vec<Option<Cost>>,
    /// The memory of all this.
    _memory: Memory<'m>,
}

/// Memory that is reserved as it is needed.
struct Memory<'m> {
    budget: Budget<'m>,
    reserved: Vec<Reserved<'m>>,
    /// Bytes that are reserved and not yet needed.
    left: usize,
}

impl<'m> Memory<'m> {
    fn new(budget: Budget<'m>) -> Self {
        Self { budget, reserved: Vec::new(), left: 0 }
    }

    fn take(&mut self, bytes: usize) -> Result<(), Stop> {
        if self.left < bytes {
            let more = bytes.max(RESERVED_AT_ONCE);
            self.reserved.push(self.budget.reserve(more)?);
            self.left += more;
        }
        self.left -= bytes;
        Ok(())
    }
}

/// Says what ends the work, if anything does.
fn go_on(budget: Budget<'_>) -> Result<(), Stop> {
    budget.ended().map_or(Ok(()), Err)
}

impl<'m> Space<'m> {
    /// Every state that can be reached, if there are no more than `most`.
    pub fn of(formulation: &Formulation<'_>, most: usize, budget: Budget<'m>) -> Result<Option<Self>, Stop> {
        let mut memory = Memory::new(budget);
        let mut states = vec![formulation.start()];
        let state_bytes = formulation.heap_bytes(&states[0]).unwrap_or_default() + STATE_BYTES;
        let mut places = HashMap::from([(states[0].clone(), 0_u32)]);
        let mut steps = Vec::new();
        let mut goals = Vec::new();
        let mut actions = Vec::new();
        let mut next = 0;
        while next < states.len() {
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
                go_on(budget)?;
                if states.len() > most {
                    return Ok(None);
                }
                let mut reached = state.clone();
                let (cost, ()) = formulation.apply(&mut reached, action);
                let before = states.len();
                let to = *places.entry(reached).or_insert_with_key(|reached| {
                    states.push(reached.clone());
                    states.len() as u32 - 1
                });
                memory.take(STEP_BYTES + (states.len() - before) * state_bytes)?;
                steps.push((from, to, cost));
            }
        }
        let distances = distances(states.len(), &steps, &goals);
        Ok(Some(Self { states, known: 0, steps, distances, _memory: memory }))
    }

    /// A state whose distance is known, with those one action away, of which that of one is known.
    fn around(
        formulation: &Formulation<'_>,
        state: &State,
        left: Cost,
        on: Step,
        budget: Budget<'m>,
    ) -> Result<(Self, State, Option<Cost>), Stop> {
        let mut memory = Memory::new(budget);
        let state_bytes = formulation.heap_bytes(state).unwrap_or_default() + STATE_BYTES + STEP_BYTES;
        let (mut states, mut steps, mut distances) = (vec![state.clone()], Vec::new(), vec![Some(left)]);
        let mut next = (state.clone(), None);
        let mut actions = Vec::new();
        formulation.actions(state, &mut actions);
        for action in actions {
            go_on(budget)?;
            memory.take(state_bytes)?;
            let mut reached = state.clone();
            let (cost, ()) = formulation.apply(&mut reached, action);
            steps.push((0, states.len() as u32, cost));
            let distance = if action == on { left.checked_sub(cost) } else { None };
            distances.push(distance);
            if action == on {
                next = (reached.clone(), distance);
            }
            states.push(reached);
        }
        Ok((Self { states, known: 1, steps, distances, _memory: memory }, next.0, next.1))
    }
}

/// The actions of a solution, unless one of them is none here: a heuristic that prunes may leave it out, and an exact method
/// may know others.
pub(super) fn steps_of(
    formulation: &Formulation<'_>,
    moves: &[String],
    budget: Budget<'_>,
) -> Result<Option<Vec<Step>>, Stop> {
    let mut state = formulation.start();
    let mut steps = Vec::new();
    let mut actions = Vec::new();
    for wanted in moves {
        go_on(budget)?;
        actions.clear();
        formulation.actions(&state, &mut actions);
        let Some(&step) = actions.iter().find(|&&action| formulation.written(action) == *wanted) else {
            return Ok(None);
        };
        formulation.apply(&mut state, step);
        steps.push(step);
    }
    Ok(Some(steps))
}

/// Shows the states along an optimal solution, each with those one action away, whose distances are not known: one after
/// the other, for all of them together may be many.
pub(super) fn along<'m>(
    formulation: &Formulation<'_>,
    steps: &[Step],
    cost: Cost,
    budget: Budget<'m>,
    mut show: impl FnMut(&Space<'m>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (mut here, mut left) = (formulation.start(), cost);
    for (i, &step) in steps.iter().enumerate() {
        let (mut space, next, after) = Space::around(formulation, &here, left, step, budget)?;
        space.known = usize::from(i > 0);
        show(&space)?;
        // A cost above that of the whole solution is the exact method's fault, and nothing is known behind it.
        let Some(after) = after else { return Ok(()) };
        (here, left) = (next, after);
    }
    Ok(())
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

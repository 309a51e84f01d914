//! Bidirectional breadth-first search.

use super::{AlgorithmInfo, Needs};
use crate::control::{Held, Meter};
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::observer::{Fate, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, Solution, path_cost};
use crate::problem::{Problem, Reversible};
use crate::search::Search;
use crate::store::{Arrival, Found, Handle, NodeStore, actions_along};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bidirectional",
    title: "Bidirectional breadth-first search",
    about: "Breadth-first search from the start and, with every action turned around, from the goal, \
            always a whole level of the smaller side. Where the two meet for the first time lies a \
            shallowest solution: two searches of half the depth instead of one.",
    complete: "yes, if each state has finitely many actions",
    optimal: "if every action costs the same",
    time: "O(b^(d/2))",
    space: "O(b^(d/2))",
    needs: Needs::Reversible,
};

/// One of the two searches: its nodes, and where its last level begins.
struct Side<P: Problem> {
    store: NodeStore<P>,
    level: usize,
    depth: u32,
}

impl<P: Problem> Side<P> {
    fn new(problem: &P, memory_limit: Option<usize>) -> Self {
        let mut store = NodeStore::new(memory_limit);
        store.insert_root(problem.start());
        Self { store, level: 0, depth: 0 }
    }

    fn frontier(&self) -> usize {
        self.store.len() - self.level
    }
}

struct Both<'s, P: Problem, Q: Problem>(&'s Side<P>, &'s Side<Q>);

impl<P: Problem, Q: Problem> Held for Both<'_, P, Q> {
    fn nodes(&self) -> u64 {
        self.0.store.nodes() + self.1.store.nodes()
    }

    fn bytes(&self) -> usize {
        self.0.store.bytes() + self.1.store.bytes()
    }

    fn passing_bytes(&self) -> usize {
        self.0.store.passing_bytes().max(self.1.store.passing_bytes())
    }
}

/// Levels up to depth a of one side and b of the other have not met, so every
/// solution is longer than a + b; the first meeting while a level is added to
/// either side makes one of length a + b + 1.
pub(crate) fn search<P: Reversible, O: Observer<P>>(search: Search<'_, P, Zero, O>) -> Outcome<P::Action> {
    let Search { problem, settings, mut control, mut observer, .. } = search;
    let mut meter = Meter::new(settings.limits, &mut control);
    let reverse = problem.reversed();
    let mut forward = Side::new(problem, settings.limits.memory);
    let mut backward = Side::new(&reverse, settings.limits.memory);
    let start = problem.start();
    let goal = reverse.start();
    let shuffle = settings.shuffle;
    // Like the root of the forward search, the goal was produced, not generated.
    let answer = if problem.is_goal(&start) {
        Answer::Solved(Solution { path: Vec::new(), cost: 0, optimal: true })
    } else {
        debug_assert!(problem.is_goal(&goal), "the reversed problem starts at a goal");
        loop {
            if forward.frontier() == 0 || backward.frontier() == 0 {
                break Answer::Unsolvable;
            }
            if settings.limits.depth.is_some_and(|limit| forward.depth + backward.depth >= limit) {
                break Answer::Stopped(Stop::Depth);
            }
            let met = if forward.frontier() <= backward.frontier() {
                add_level(problem, &mut forward, &backward, &mut meter, &mut observer, shuffle)
            } else {
                add_level(&reverse, &mut backward, &forward, &mut meter, &mut (), shuffle)
            };
            match met {
                Ok(None) => {}
                Ok(Some(state)) => {
                    let here = forward.store.find(&state).expect("met in both");
                    let there = backward.store.find(&state).expect("met in both");
                    let mut states = forward.store.ancestry(problem, here);
                    states.extend(backward.store.ancestry(&reverse, there).into_iter().rev().skip(1));
                    let path = actions_along(problem, &states);
                    let cost = path_cost(problem, &path);
                    break Answer::Solved(Solution { path, cost, optimal: problem.unit_cost() });
                }
                Err(stop) => break Answer::Stopped(stop),
            }
        }
    };
    let stats = meter.finish(&Both(&forward, &backward));
    Outcome { answer, lower_bound: None, stats }.proved_by_bound()
}

/// Expands the last level of one side until a state of the other is met.
fn add_level<P: Problem, Q: Problem<State = P::State>, O: Observer<P>>(
    problem: &P,
    side: &mut Side<P>,
    other: &Side<Q>,
    meter: &mut Meter<'_, '_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<P::State>, Stop> {
    let end = side.store.len();
    let depth = side.depth + other.depth;
    side.store.leave_room(other.store.bytes());
    let mut actions = Vec::new();
    let mut children = Vec::new();
    for node in side.level..end {
        meter.expand(&Both(side, other), Frontier::Depth(depth))?;
        let mut state = side.store.state(node as Handle).clone();
        observer.expanded(&state, side.depth, 0.0);
        actions.clear();
        order::actions(problem, shuffle, &state, &mut actions);
        children.clear();
        meter.stats.generated += actions.len() as u64;
        for &action in &actions {
            let (_, undo) = problem.apply(&mut state, action);
            let hash = order::hash(&state);
            side.store.prefetch(hash);
            other.store.prefetch(hash);
            children.push((state.clone(), action, hash));
            problem.undo(&mut state, action, undo);
        }
        for (state, action, hash) in &children {
            let arrival = Arrival { parent: node as Handle, action: *action, cost: 0 };
            let found = side.store.insert(state, *hash, arrival)?;
            let fate = if matches!(found, Found::New(_)) { Fate::New } else { Fate::Repeated };
            observer.generated(*action, state, side.depth + 1, None, fate);
            if fate == Fate::New && other.store.find(state).is_some() {
                return Ok(Some(state.clone()));
            }
        }
    }
    side.level = end;
    side.depth += 1;
    Ok(None)
}

//! Breadth-first search.

use super::{AlgorithmInfo, Needs};
use crate::control::Meter;
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::observer::{Fate, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, Solution, path_cost};
use crate::problem::Problem;
use crate::search::Search;
use crate::store::{Arrival, Found, Handle, NodeStore};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    title: "Breadth-first search",
    about: "Expands states in the order in which they were found, level by level, each state once. \
            The first solution it meets has the fewest actions. Every state found is kept, so memory \
            ends most of its runs.",
    complete: "yes, if each state has finitely many actions",
    optimal: "if every action costs the same",
    time: "O(b^d)",
    space: "O(b^d)",
    needs: Needs::Nothing,
};

/// Successors produced together, more or less: enough to have many memory
/// accesses under way.
const BATCH: usize = 64;

struct Child<P: Problem> {
    state: P::State,
    action: P::Action,
    parent: Handle,
    hash: u64,
}

/// The store is the queue: nodes are expanded in the order of their handles.
/// They are taken in batches, all successors of a batch being produced before
/// the first is looked up, which leaves the order as it is.
pub(crate) fn search<P: Problem, O: Observer<P>>(search: Search<'_, P, Zero, O>) -> Outcome<P::Action> {
    let Search { problem, settings, mut control, mut observer, .. } = search;
    let mut meter = Meter::new(settings.limits, &mut control);
    let mut store = NodeStore::<P>::new(settings.limits.memory);
    let mut queue = Queue { next: 0, depth: 0, level_end: 1, cut: false };
    let start = problem.start();
    let answer = if problem.is_goal(&start) {
        Ok(Some(Vec::new()))
    } else {
        store.insert_root(start);
        run(problem, &mut store, &mut queue, &mut meter, &mut observer, settings.shuffle)
    };
    let unit = problem.unit_cost();
    let answer = match answer {
        Ok(Some(path)) => {
            let cost = path_cost(problem, &path);
            Answer::Solved(Solution { path, cost, optimal: unit || cost == 0 })
        }
        Ok(None) if queue.cut => Answer::Stopped(Stop::Depth),
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Stopped(stop),
    };
    let stats = meter.finish(&store);
    Outcome { answer, lower_bound: None, stats }.proved_by_bound()
}

struct Queue {
    next: usize,
    depth: u32,
    level_end: usize,
    cut: bool,
}

impl Queue {
    /// The next node to expand; `None` at the end, at the depth limit, and at
    /// the end of a level while successors are `pending` that belong to the next.
    fn next(&mut self, stored: usize, pending: bool, depth_limit: Option<u32>) -> Option<Handle> {
        if self.next == stored {
            return None;
        }
        if self.next == self.level_end {
            if pending {
                return None;
            }
            self.depth += 1;
            self.level_end = stored;
        }
        if depth_limit.is_some_and(|limit| self.depth >= limit) {
            self.cut = true;
            return None;
        }
        self.next += 1;
        Some((self.next - 1) as Handle)
    }
}

fn run<P: Problem, O: Observer<P>>(
    problem: &P,
    store: &mut NodeStore<P>,
    queue: &mut Queue,
    meter: &mut Meter<'_, '_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<Vec<P::Action>>, Stop> {
    let mut actions = Vec::new();
    let mut children: Vec<Child<P>> = Vec::new();
    loop {
        children.clear();
        let mut goal = None;
        'batch: while children.len() < BATCH
            && let Some(parent) = queue.next(store.len(), !children.is_empty(), meter.limits().depth)
        {
            meter.expand(&*store, Frontier::Depth(queue.depth))?;
            let mut state = store.state(parent).clone();
            observer.expanded(&state, queue.depth, 0.0);
            actions.clear();
            order::actions(problem, shuffle, &state, &mut actions);
            // Taking back the action that led here produces the parent, which
            // is known: it is counted and, unless someone watches, left undone.
            let arrival = if O::ACTIVE { None } else { store.arrival(parent) };
            for &action in &actions {
                meter.stats.generated += 1;
                if arrival.is_some_and(|arrival| problem.reverses(action, arrival)) {
                    continue;
                }
                let (_, undo) = problem.apply(&mut state, action);
                let hash = if P::TREE { 0 } else { order::hash(&state) };
                store.prefetch(hash);
                children.push(Child { state: state.clone(), action, parent, hash });
                if problem.is_goal(&state) {
                    goal = Some((parent, action));
                    break 'batch;
                }
                problem.undo(&mut state, action, undo);
            }
        }
        children.iter().for_each(|child| store.prefetch_match(child.hash));
        for Child { state, action, parent, hash } in &children {
            let fate =
                match store.insert(state, *hash, Arrival { parent: *parent, action: *action, cost: 0 })? {
                    Found::New(_) => Fate::New,
                    Found::Old(_) => Fate::Repeated,
                };
            observer.generated(*action, state, queue.depth + 1, None, fate);
        }
        if let Some((parent, action)) = goal {
            let mut path = store.path(problem, parent);
            path.push(action);
            return Ok(Some(path));
        }
        if children.is_empty() {
            return Ok(None);
        }
    }
}

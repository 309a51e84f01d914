//! Breadth-first search.

use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost as _;
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Meter};
use crate::observer::{Node, Observer, Side};
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::problem::Problem;
use crate::search::Search;
use crate::store::{Arrival, Costs, Handle, NodeStore};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "bfs",
    title: "Breadth-first search",
    about: include_str!("bfs.md"),
    complete: "yes, if each state has finitely many actions",
    optimal: "if every action costs the same",
    time: "O(b^d)",
    space: "O(b^d)",
    needs: Needs::Nothing,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Oldest, pseudocode: include_str!("bfs.txt") }),
};

/// Bytes of a store up to which successors are looked up one by one: about what the second cache holds, and the half of
/// the store that is not in it is mostly not asked for. On grids of 260,000 cells that saves a sixth of the time.
const SMALL: usize = 3 << 20;

/// Bytes of a stored node beside its state, more or less.
const BESIDE: usize = 8;

/// Successors produced together, more or less: enough to have many memory
/// accesses under way.
const BATCH: usize = 64;

struct Child<P: Problem> {
    state: P::State,
    /// The place of the action among those of the batch.
    action: u32,
    parent: Handle,
    hash: u64,
    /// The cost of the action.
    cost: P::Cost,
}

/// The store is the queue: nodes are expanded in the order of their handles.
/// They are taken in batches, all successors of a batch being produced before
/// the first is looked up, which leaves the order as it is.
pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    let mut store = NodeStore::new(problem, meter.budget());
    meter.note_root();
    let mut queue = Queue { next: 0, depth: 0, level_end: 1, cut: false };
    let start = problem.start();
    let answer = if problem.is_goal(&start) {
        Ok(Some(Vec::new()))
    } else {
        store.insert_root(start);
        run(problem, &mut store, &mut queue, &mut counter, &mut observer, settings.shuffle)
    };
    let answer = match answer {
        Ok(Some(path)) => solved(problem, path, problem.unit_cost()),
        Ok(None) if queue.cut => Answer::Stopped(Stop::Depth),
        Ok(None) => Answer::Unsolvable,
        Err(stop) => Answer::Stopped(stop),
    };
    counter.finish(&store);
    Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound()
}

struct Queue {
    next: usize,
    depth: u32,
    level_end: usize,
    cut: bool,
}

impl Queue {
    /// Whether nothing is left to expand, or only what the depth limit forbids.
    fn is_done(&self, stored: usize) -> bool {
        self.cut || self.next == stored
    }

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
    store: &mut NodeStore<'_, P>,
    queue: &mut Queue,
    counter: &mut Counter<'_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<Vec<P::Action>>, Stop> {
    let mut actions = Vec::new();
    let mut children: Vec<Child<P>> = Vec::new();
    let mut watched = Costs::new::<P, O>(1);
    loop {
        children.clear();
        actions.clear();
        let mut goal = None;
        let mut ended = Ok(());
        'batch: while children.len() < BATCH
            && let Some(parent) = queue.next(store.len(), !children.is_empty(), counter.limits().depth)
        {
            if let Err(stop) = counter.expand(&*store, Frontier::Depth(queue.depth)) {
                ended = Err(stop);
                break;
            }
            let state = store.state(parent).clone();
            if O::ACTIVE {
                let seen = Node::forward(parent, &state, watched.get(parent), None);
                if observer.expanded(seen, &|| store.path(parent)).is_break() {
                    ended = Err(Stop::Interrupted);
                    break;
                }
            }
            let first = actions.len();
            order::actions(problem, shuffle, &state, &mut actions);
            // Taking back the action that led here produces the parent, which
            // is known: it is counted and, unless someone watches, left undone.
            let arrival = if O::ACTIVE { None } else { store.arrival(parent) };
            // What fits the caches need not be fetched.
            let small = store.len() <= SMALL / (size_of::<P::State>() + BESIDE);
            let at_once = !O::ACTIVE && children.is_empty() && small;
            for (i, action) in actions.iter().enumerate().skip(first) {
                if let Err(stop) = counter.produce(i - first, &*store) {
                    ended = Err(stop);
                    break 'batch;
                }
                counter.generated += 1;
                if arrival.as_ref().is_some_and(|arrival| problem.reverses(action, arrival)) {
                    continue;
                }
                let (state, cost, _) = problem.successor(&state, action);
                let hash = store.hash(&state, parent);
                let is_goal = problem.is_goal(&state);
                if at_once {
                    store.insert(&state, hash, Arrival { parent, action, cost: P::Cost::ZERO })?;
                } else {
                    store.prefetch(hash);
                    children.push(Child { state, action: i as u32, parent, hash, cost });
                }
                if is_goal {
                    goal = Some((parent, i));
                    break 'batch;
                }
            }
            // Whoever watches sees the successors of each node before the next is expanded.
            if O::ACTIVE {
                break;
            }
        }
        children.iter().for_each(|child| store.prefetch_match(child.hash));
        for &Child { ref state, action, parent, hash, cost } in &children {
            let action = &actions[action as usize];
            let found = store.insert(state, hash, Arrival { parent, action, cost: P::Cost::ZERO })?;
            if O::ACTIVE {
                let (node, g, fate) = watched.note(found, parent, cost)?;
                let above = Node::forward(parent, store.state(parent), watched.get(parent), None);
                observer.generated(above, action, Node::forward(node, state, g, None), fate);
            }
        }
        if O::ACTIVE {
            let open = queue.next..store.len();
            observer.frontier(&mut || open.clone().map(|node| (Side::Forward, node as Handle)).collect());
        }
        // What was produced before a limit ended the batch is stored all the same: counts must not depend on batches.
        ended?;
        if let Some((parent, i)) = goal {
            let mut path = store.path(parent);
            path.push(actions.swap_remove(i));
            return Ok(Some(path));
        }
        if children.is_empty() && queue.is_done(store.len()) {
            return Ok(None);
        }
    }
}

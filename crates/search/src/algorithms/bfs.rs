//! Breadth-first search.

use super::{AlgorithmInfo, Needs};
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Meter};
use crate::observer::{Node, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, Solution, path_cost};
use crate::problem::{Cost, Problem};
use crate::search::Search;
use crate::store::{Arrival, Costs, Handle, NodeStore};

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
    parameters: &[],
};

/// Successors produced together, more or less: enough to have many memory
/// accesses under way.
const BATCH: usize = 64;

/// Bytes of a store up to which its successors are looked up one by one: about what the second cache holds, and the
/// half of the store that is not in it is mostly not asked for. On grids of 260,000 cells that saves a sixth of the time.
const SMALL: usize = 3 << 20;

/// Bytes of a stored node beside its state, more or less.
const BESIDE: usize = 8;

struct Child<P: Problem> {
    state: P::State,
    action: P::Action,
    parent: Handle,
    hash: u64,
    /// The cost of the action.
    cost: Cost,
}

/// The store is the queue: nodes are expanded in the order of their handles.
/// They are taken in batches, all successors of a batch being produced before
/// the first is looked up, which leaves the order as it is.
pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> Outcome<P::Action> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    let mut store = NodeStore::<P>::new(meter.room());
    meter.note_root();
    let mut queue = Queue { next: 0, depth: 0, level_end: 1, cut: false };
    let start = problem.start();
    let answer = if problem.is_goal(&start) {
        Ok(Some(Vec::new()))
    } else {
        store.insert_root(start);
        run(problem, &mut store, &mut queue, &mut counter, &mut observer, settings.shuffle)
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
    counter.finish(&store);
    Outcome { answer, lower_bound: None, stats: meter.stats() }.proved_by_bound()
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
    store: &mut NodeStore<P>,
    queue: &mut Queue,
    counter: &mut Counter<'_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<Vec<P::Action>>, Stop> {
    let mut actions = Vec::new();
    let mut children: Vec<Child<P>> = Vec::new();
    let mut watched = Costs::new::<P, O>();
    loop {
        children.clear();
        let mut goal = None;
        let mut ended = Ok(());
        while children.len() < BATCH
            && let Some(parent) = queue.next(store.len(), !children.is_empty(), counter.limits().depth)
        {
            if let Err(stop) = counter.expand(&*store, Frontier::Depth(queue.depth)) {
                ended = Err(stop);
                break;
            }
            let state = store.state(parent).clone();
            if O::ACTIVE {
                let seen = Node::forward(parent, &state, watched.get(parent), None);
                if observer.expanded(seen, &|| store.path(problem, parent)).is_break() {
                    ended = Err(Stop::Interrupted);
                    break;
                }
            }
            // Taking back the action that led here produces the parent, which
            // is known: it is counted and, unless someone watches, left undone.
            let arrival = if O::ACTIVE || shuffle.is_some() { None } else { store.arrival(parent) };
            let all = order::actions_of(problem, shuffle, &state, arrival, &mut actions);
            counter.generated += all;
            // What fits the caches need not be fetched.
            let at_once =
                !O::ACTIVE && children.is_empty() && store.len() <= SMALL / (size_of::<P::State>() + BESIDE);
            for &action in &actions {
                let mut child = state.clone();
                let (cost, _) = problem.apply(&mut child, action);
                let hash = if P::TREE { 0 } else { order::hash(&child) };
                let is_goal = problem.is_goal(&child);
                if at_once {
                    store.insert(&child, hash, Arrival { parent, action, cost: 0 })?;
                } else {
                    store.prefetch(hash);
                    children.push(Child { state: child, action, parent, hash, cost });
                }
                if is_goal {
                    goal = Some((parent, action));
                    break;
                }
            }
            if let Some((_, action)) = goal {
                // Those behind the goal were not produced.
                actions.clear();
                order::actions(problem, shuffle, &state, &mut actions);
                let produced = 1 + actions.iter().take_while(|&&other| other != action).count();
                counter.generated -= all - produced as u64;
                break;
            }
        }
        children.iter().for_each(|child| store.prefetch_match(child.hash));
        for &Child { ref state, action, parent, hash, cost } in &children {
            let found = store.insert(state, hash, Arrival { parent, action, cost: 0 })?;
            if O::ACTIVE {
                let (node, fate) = watched.note(found, parent, cost);
                let above = Node::forward(parent, store.state(parent), watched.get(parent), None);
                let g = above.g.saturating_add(cost);
                observer.generated(above, action, Node::forward(node, state, g, None), fate);
            }
        }
        // What was produced before a limit ended the batch is stored all the same: counts must not depend on batches.
        ended?;
        if let Some((parent, action)) = goal {
            let mut path = store.path(problem, parent);
            path.push(action);
            return Ok(Some(path));
        }
        if children.is_empty() && queue.is_done(store.len()) {
            return Ok(None);
        }
    }
}

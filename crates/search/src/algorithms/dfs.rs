//! Depth-first search.

use super::backtrack::{Descent, Ending, Open, Path, Root};
use super::{AlgorithmInfo, Needs};
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Node, Observer};
use crate::order;
use crate::outcome::{Answer, Outcome, Solution, path_cost};
use crate::problem::Problem;
use crate::search::Search;
use crate::store::{Arrival, Costs, Depths, Found, Handle, NodeStore};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    title: "Depth-first search",
    about: "Always goes on from the state found last, trying actions in their order, and never \
            visits a state twice. It is quick where any solution will do and most paths lead to one; \
            its solutions can be absurdly long. Where no state can be reached twice, it needs only \
            the memory of one path.",
    complete: "yes, if there are finitely many states",
    optimal: "no",
    time: "O(b^m)",
    space: "O(b^m), every state visited; O(b·m) where states cannot repeat",
    needs: Needs::Nothing,
    parameters: &[],
};

pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> Outcome<P::Action> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    meter.note_root();
    let start = problem.start();
    let answer = if problem.is_goal(&start) {
        Answer::Solved(Solution { path: Vec::new(), cost: 0, optimal: true })
    } else if problem.is_tree() {
        let mut path = Path::new();
        let mut descent = Descent {
            problem,
            guard: &mut Open,
            observer: &mut observer,
            shuffle: settings.shuffle,
            depth_limit: meter.limits().depth.unwrap_or(u32::MAX),
            bound: None,
        };
        let answer = match descent.run(Root::start(problem, ()), &mut path, &mut counter) {
            Ok(Ending::Found(path, cost)) => Answer::Solved(Solution { path, cost, optimal: false }),
            Ok(Ending::Exhausted { cut: true }) => Answer::Stopped(Stop::Depth),
            Ok(Ending::Exhausted { cut: false }) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        };
        counter.finish(&path);
        return Outcome { answer, lower_bound: None, stats: meter.stats() }.proved_by_bound();
    } else {
        let mut lists = Lists {
            store: NodeStore::new(meter.room()),
            stack: Vec::new(),
            depths: Depths::new(meter.limits().depth),
        };
        lists.store.insert_root(start);
        lists.depths.push_root();
        let answer = match run(problem, &mut lists, &mut counter, &mut observer, settings.shuffle) {
            Ok(Some(path)) => {
                let cost = path_cost(problem, &path);
                Answer::Solved(Solution { path, cost, optimal: false })
            }
            Ok(None) if lists.depths.cut => Answer::Stopped(Stop::Depth),
            Ok(None) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        };
        counter.finish(&lists);
        answer
    };
    Outcome { answer, lower_bound: None, stats: meter.stats() }.proved_by_bound()
}

struct Lists<P: Problem> {
    store: NodeStore<P>,
    stack: Vec<Handle>,
    depths: Depths,
}

impl<P: Problem> Lists<P> {
    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        self.stack.len() * size_of::<Handle>() + self.depths.bytes()
    }
}

impl<P: Problem> Held for Lists<P> {
    fn nodes(&self) -> u64 {
        self.store.nodes()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.beside()
    }

    fn passing_bytes(&self) -> usize {
        self.store.passing_bytes()
    }
}

fn run<P: Problem, O: Observer<P>>(
    problem: &P,
    lists: &mut Lists<P>,
    counter: &mut Counter<'_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<Vec<P::Action>>, Stop> {
    let mut actions = Vec::new();
    let mut children = Vec::new();
    let mut watched = Costs::new::<P, O>();
    let mut next = Some(0);
    while let Some(node) = next {
        if !lists.depths.at_limit(node) {
            counter.expand(&*lists, Frontier::Depth(lists.depths.get(node)))?;
            lists.store.leave_room(lists.beside());
            let mut state = lists.store.state(node).clone();
            let before = O::ACTIVE.then(|| state.clone());
            if O::ACTIVE {
                let seen = Node::forward(node, &state, watched.get(node), None);
                if observer.expanded(seen, &|| lists.store.path(problem, node)).is_break() {
                    return Err(Stop::Interrupted);
                }
            }
            actions.clear();
            order::actions(problem, shuffle, &state, &mut actions);
            children.clear();
            for &action in &actions {
                let (cost, undo) = problem.apply(&mut state, action);
                counter.generated += 1;
                let arrival = Arrival { parent: node, action, cost: 0 };
                let found = lists.store.insert(&state, order::hash(&state), arrival)?;
                if let Some(before) = &before {
                    let (child, fate) = watched.note(found, node, cost);
                    let above = Node::forward(node, before, watched.get(node), None);
                    let g = above.g.saturating_add(cost);
                    observer.generated(above, action, Node::forward(child, &state, g, None), fate);
                }
                if let Found::New(child) = found {
                    if problem.is_goal(&state) {
                        return Ok(Some(lists.store.path(problem, child)));
                    }
                    lists.depths.push_child(node);
                    children.push(child);
                }
                problem.undo(&mut state, action, undo);
            }
            lists.stack.extend(children.iter().rev());
        }
        next = lists.stack.pop();
    }
    Ok(None)
}

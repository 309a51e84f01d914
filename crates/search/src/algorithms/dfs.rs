//! Depth-first search.

use super::backtrack::{Descent, Ending, Open, Path, Root};
use super::{AlgorithmInfo, Lesson, Needs, Next};
use crate::cost::Cost as _;
use crate::heuristic::Zero;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held, Meter};
use crate::observer::{Fate, Node, Observer, Side};
use crate::order;
use crate::outcome::{Answer, Outcome, OutcomeOf, solved};
use crate::problem::Problem;
use crate::search::Search;
use crate::store::{Arrival, Costs, Handle, NodeStore, Nodes};

pub(crate) const INFO: AlgorithmInfo = AlgorithmInfo {
    name: "dfs",
    title: "Depth-first search",
    about: include_str!("dfs.md"),
    complete: "yes, if there are finitely many states",
    optimal: "no",
    time: "O(b^m)",
    space: "O(b^m), every state visited; O(b·m) where states cannot repeat",
    needs: Needs::Nothing,
    parameters: &[],
    lesson: Some(&Lesson { next: Next::Newest, pseudocode: include_str!("dfs.txt") }),
};

pub(crate) fn search<P: Problem, O: Observer<P>>(
    search: Search<'_, P, Zero, O>,
    meter: &Meter<'_>,
) -> OutcomeOf<P> {
    let Search { problem, settings, mut observer, .. } = search;
    let mut counter = meter.counter();
    meter.note_root();
    let start = problem.start();
    let answer = if problem.is_goal(&start) {
        solved(problem, Vec::new(), true)
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
            Ok(Ending::Found(path)) => solved(problem, path, false),
            Ok(Ending::Exhausted { cut: true }) => Answer::Stopped(Stop::Depth),
            Ok(Ending::Exhausted { cut: false }) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        };
        counter.finish(&path);
        return Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound();
    } else {
        let mut lists = Lists::new(problem, meter);
        let mut ended = run(problem, &mut lists, &mut counter, &mut observer, settings.shuffle);
        // As long as no node is at the depth limit, it makes no difference.
        if matches!(ended, Ok(None)) && lists.cut {
            counter.hold(&());
            lists = Lists { heeds_depths: true, ..Lists::new(problem, meter) };
            observer.iteration(f64::from(meter.limits().depth.unwrap_or(u32::MAX)));
            ended = run(problem, &mut lists, &mut counter, &mut observer, settings.shuffle);
        }
        let answer = match ended {
            Ok(Some(path)) => solved(problem, path, false),
            Ok(None) if lists.cut => Answer::Stopped(Stop::Depth),
            Ok(None) => Answer::Unsolvable,
            Err(stop) => Answer::Stopped(stop),
        };
        counter.finish(&lists);
        answer
    };
    Outcome { answer, lower_bound: None, stop: None, stats: meter.stats() }.proved_by_bound()
}

struct Lists<'s, P: Problem> {
    store: NodeStore<'s, P>,
    stack: Vec<Handle>,
    /// For each state on the current path, how long the stack was below its successors.
    levels: Vec<usize>,
    /// Whether a state that was first reached by a longer path is gone on from again: under a depth limit it has more
    /// below it.
    heeds_depths: bool,
    /// Whether a node was not expanded because of the depth limit.
    cut: bool,
}

impl<'s, P: Problem> Lists<'s, P> {
    fn new(problem: &'s P, meter: &'s Meter<'s>) -> Self {
        let limit = meter.limits().depth;
        let mut store = NodeStore::new(problem, meter.budget()).with_depths(limit, Nodes::States);
        store.insert_root(problem.start());
        Self { store, stack: Vec::new(), levels: Vec::new(), heeds_depths: false, cut: false }
    }

    /// Bytes held beside the store.
    fn beside(&self) -> usize {
        self.stack.len() * size_of::<Handle>() + self.levels.len() * size_of::<usize>()
    }

    /// The state to go on from: the one found last.
    fn next(&mut self) -> Option<Handle> {
        while self.levels.last().is_some_and(|&below| self.stack.len() == below) {
            self.levels.pop();
        }
        self.stack.pop()
    }
}

impl<P: Problem> Held for Lists<'_, P> {
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
    lists: &mut Lists<'_, P>,
    counter: &mut Counter<'_>,
    observer: &mut O,
    shuffle: Option<u64>,
) -> Result<Option<Vec<P::Action>>, Stop> {
    let mut actions = Vec::new();
    let mut children = Vec::new();
    let mut watched = Costs::new::<P, O>(1);
    let mut next = Some(0);
    while let Some(node) = next {
        let depth = lists.levels.len() as u32;
        if lists.store.at_limit(node) {
            lists.cut = true;
            if !lists.heeds_depths {
                return Ok(None);
            }
        } else if lists.store.is_shallower(node, depth) {
            // It was reached by a shorter path since it was put on the stack, and has been gone on from.
        } else {
            counter.expand(&*lists, Frontier::Depth(depth))?;
            lists.store.leave_room(lists.beside());
            let state = lists.store.state(node).clone();
            if O::ACTIVE {
                let seen = Node::forward(node, &state, watched.get(node), None);
                if observer.expanded(seen, &|| lists.store.path(node)).is_break() {
                    return Err(Stop::Interrupted);
                }
            }
            actions.clear();
            order::actions(problem, shuffle, &state, &mut actions);
            children.clear();
            for (i, action) in actions.iter().enumerate() {
                counter.produce(i, &*lists)?;
                let (below, cost, _) = problem.successor(&state, action);
                counter.generated += 1;
                let arrival = Arrival { parent: node, action, cost: P::Cost::ZERO };
                let found = lists.store.insert(&below, lists.store.hash(&below, node), arrival)?;
                let (child, g, mut fate) = watched.note(found, node, cost)?;
                if fate == Fate::Repeated && lists.heeds_depths && lists.store.is_deeper(child, depth + 1) {
                    lists.store.improve(child, arrival);
                    watched.improve(child, g);
                    fate = Fate::Better;
                }
                if O::ACTIVE {
                    let above = Node::forward(node, &state, watched.get(node), None);
                    observer.generated(above, action, Node::forward(child, &below, g, None), fate);
                }
                if fate != Fate::Repeated {
                    children.push(child);
                    if problem.is_goal(&below) {
                        tell_frontier(observer, &children, &lists.stack);
                        return Ok(Some(lists.store.path(child)));
                    }
                }
            }
            tell_frontier(observer, &children, &lists.stack);
            lists.levels.push(lists.stack.len());
            lists.stack.extend(children.iter().rev());
        }
        next = lists.next();
    }
    Ok(None)
}

/// Tells an observer what is open: the children of the state expanded last, then what was on the stack before.
fn tell_frontier<P: Problem, O: Observer<P>>(observer: &mut O, children: &[Handle], stack: &[Handle]) {
    if O::ACTIVE {
        let open = || children.iter().chain(stack.iter().rev()).map(|&node| (Side::Forward, node));
        observer.frontier(&mut || open().collect());
    }
}

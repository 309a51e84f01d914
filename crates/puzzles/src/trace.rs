//! The tree of a small search, node by node as it grew.

use std::collections::{HashMap, HashSet};
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::atomic::AtomicBool;

use crate::Cost;
use novelo_search::algorithms::Measure;
use novelo_search::{Algorithm, Answer, Control, Fate, Meter, Side};
use serde::{Serialize, Serializer};

use crate::puzzle::Instance;
use crate::request::{Attempt, Request, RequestError};
use crate::watch::{Seen, Watcher};

/// A search tree in the order in which it grew.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Trace {
    /// Every node, parents before children; siblings in the order in which they were generated.
    pub nodes: Vec<TraceNode>,
    /// The nodes in the order in which they were expanded.
    pub expansions: Vec<u32>,
    /// The number of each iteration, and the first node of each.
    pub iterations: Vec<(f64, u32)>,
    /// What these numbers are: the bounds of iterative deepening, the widths of beams, …
    #[serde(serialize_with = "named")]
    pub measure: Measure,
    /// The nodes of the solution, from the root on; empty without one.
    pub path: Vec<u32>,
    /// Whether every node of the search is here: there may have been too many.
    pub complete: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn named<S: Serializer>(measure: &Measure, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(measure.name())
}

/// One node of a search tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TraceNode {
    /// The node it was generated from; none for a root.
    pub parent: Option<u32>,
    /// The move that led to it; on the backward side of bidirectional search, the move that leads from it to its parent.
    pub action: Option<String>,
    /// Whether it was reached from the goal, against the direction of moves.
    pub backward: bool,
    /// The cost of the way to it.
    pub g: Cost,
    /// The estimate, where one was computed.
    pub h: Option<f64>,
    /// What the algorithm orders nodes by, or holds against its bound, where it does.
    pub f: Option<f64>,
    /// What became of it: `root`, `new`, `better`, `repeated`, `dead`, `cut` or `limit`.
    pub fate: &'static str,
    /// After how many expansions it was generated.
    pub born: u32,
    /// The node of the same state that was known before, if it is `repeated` or `better` and that one is kept.
    pub known: Option<u32>,
}

impl TraceNode {
    /// Its side.
    pub fn side(&self) -> Side {
        if self.backward { Side::Backward } else { Side::Forward }
    }
}

impl Trace {
    /// The moves from the root to a node.
    pub fn moves_to(&self, node: u32) -> Vec<String> {
        let above = std::iter::successors(self.nodes.get(node as usize), |node| {
            node.parent.and_then(|parent| self.nodes.get(parent as usize))
        });
        let mut moves: Vec<_> = above.filter_map(|node| node.action.clone()).collect();
        moves.reverse();
        moves
    }

    /// The nodes from the root down to one.
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        let parent = |&node: &u32| self.nodes.get(node as usize).and_then(|node| node.parent);
        let mut path: Vec<_> = std::iter::successors(Some(node), parent).collect();
        path.reverse();
        path
    }

    /// Finds the nodes along a solution in the trees of the last iteration that has them: from the root on as far as the
    /// forward tree goes and, for bidirectional search, the rest from the goal's tree. An iteration that only proves the
    /// solution of another to be the cheapest has none of it.
    fn follow(&mut self, solution: &[String]) {
        let mut children: HashMap<(u32, &str), u32> = HashMap::new();
        let mut roots = [Vec::new(), Vec::new()];
        for (number, node) in (0..).zip(&self.nodes) {
            match (node.parent, &node.action) {
                // A node that is expanded in part produces a successor several times, and keeps it once.
                (Some(parent), Some(action)) if ["cut", "repeated", "dead"].contains(&node.fate) => {
                    children.entry((parent, action)).or_insert(number);
                }
                (Some(parent), Some(action)) => _ = children.insert((parent, action), number),
                _ => roots[usize::from(node.backward)].push(number),
            }
        }
        let walk = |root: Option<u32>, actions: &mut dyn Iterator<Item = &String>| {
            let mut path: Vec<u32> = root.into_iter().collect();
            for action in actions {
                let next = path.last().and_then(|&last| children.get(&(last, action.as_str())));
                let Some(&next) = next else { break };
                path.push(next);
            }
            path
        };
        let [starts, goals] = roots;
        let tries = || starts.iter().rev().map(|&root| walk(Some(root), &mut solution.iter()));
        let whole = tries().find(|path| path.len() > solution.len());
        let mut path = whole.or_else(|| tries().next()).unwrap_or_default();
        if path.len() <= solution.len() {
            let back = walk(goals.last().copied(), &mut solution.iter().rev());
            if path.len() + back.len() <= solution.len() {
                return;
            }
            // Where the two meet, the state has a node in each.
            let rest = solution.len() + 1 - path.len();
            path.extend(back[..rest].iter().rev());
        }
        self.path = path;
    }
}

/// Searches and keeps the tree, up to a number of nodes.
pub fn trace(
    instance: &dyn Instance,
    request: &Request,
    most: usize,
    cancel: &AtomicBool,
) -> Result<(Attempt, Trace), RequestError> {
    let mut recorder = Recorder::new(most, None);
    let meter = Meter::new(request.settings.limits, Control::cancelled_by(cancel));
    let attempt = instance.run(request, &meter, Some(&mut recorder))?;
    let mut trace = recorder.trace;
    if let Answer::Solved(solution) = &attempt.outcome.answer {
        trace.follow(&solution.path);
    }
    Ok((attempt, trace))
}

/// One expansion and what came of it.
#[derive(Debug)]
pub struct TraceStep<'t> {
    /// The tree so far.
    pub trace: &'t Trace,
    /// Which expansion it is, from 1.
    pub number: u64,
    /// The node that was expanded.
    pub node: u32,
    /// The iteration, from 1, and its number in the measure of the trace.
    pub iteration: Option<(usize, f64)>,
    /// The nodes that were generated before the next expansion: its successors, and in depth-first search also those of
    /// nodes above it that it went back to.
    pub generated: Range<u32>,
    /// The open list afterwards, of each side in the order in which nodes come next; none for searches in place.
    pub open: Option<Vec<u32>>,
}

impl TraceStep<'_> {
    /// The nodes that have been expanded and are not open again, in the order of their first expansion: the closed list.
    pub fn closed(&self) -> Vec<u32> {
        // A node that was reached again at a lower cost is the same node of the search, by the number of the first.
        let mut first: Vec<u32> = Vec::with_capacity(self.trace.nodes.len());
        for (number, node) in (0..).zip(&self.trace.nodes) {
            first.push(node.known.map_or(number, |known| first[known as usize]));
        }
        let mut out: HashSet<u32> = self.open.iter().flatten().map(|&node| first[node as usize]).collect();
        let expanded = self.trace.expansions.iter().copied();
        expanded.filter(|&node| out.insert(first[node as usize])).collect()
    }
}

/// Who is told of steps.
pub trait Listener {
    /// An algorithm of the engine begins. It is not told if the method walks through no states.
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>);

    /// A step is complete; a break ends the run.
    fn step(&mut self, step: &TraceStep<'_>) -> ControlFlow<()>;
}

/// Searches, and tells of a window of its steps as they are done. The tree is kept up to the end of the window or to a
/// number of nodes; the rest of the search is only counted.
pub fn steps(
    instance: &dyn Instance,
    request: &Request,
    most: usize,
    window: RangeInclusive<u64>,
    control: Control<'_>,
    listener: &mut dyn Listener,
) -> Result<(Attempt, Trace), RequestError> {
    let steps = Steps { window, listener, expanded: 0, latest: None, open: None, ended: false };
    let mut recorder = Recorder::new(most, Some(steps));
    let meter = Meter::new(request.settings.limits, control);
    let attempt = instance.run(request, &meter, Some(&mut recorder))?;
    // Nothing is left for a break to end.
    let _ = recorder.tell();
    let mut trace = recorder.trace;
    if let (true, Answer::Solved(solution)) = (trace.complete, &attempt.outcome.answer) {
        trace.follow(&solution.path);
    }
    Ok((attempt, trace))
}

/// What is told of steps while they go on.
struct Steps<'l> {
    window: RangeInclusive<u64>,
    listener: &'l mut dyn Listener,
    /// Expansions so far.
    expanded: u64,
    /// The step under way: its node, and the first that was generated in it.
    latest: Option<(u32, u32)>,
    open: Option<Vec<u32>>,
    /// Whether the listener has had enough.
    ended: bool,
}

struct Recorder<'l> {
    most: usize,
    /// The node of the tree that a living node of the search is: the one by which it was reached last, or best.
    latest: HashMap<(Side, u32), u32>,
    trace: Trace,
    steps: Option<Steps<'l>>,
}

impl<'l> Recorder<'l> {
    fn new(most: usize, steps: Option<Steps<'l>>) -> Self {
        let trace = Trace { complete: true, ..Trace::default() };
        Self { most, latest: HashMap::new(), trace, steps }
    }

    fn add(&mut self, node: TraceNode) -> Option<u32> {
        if self.trace.nodes.len() >= self.most {
            self.trace.complete = false;
            return None;
        }
        self.trace.nodes.push(node);
        Some(self.trace.nodes.len() as u32 - 1)
    }

    fn node(&self, seen: Seen, fate: &'static str) -> TraceNode {
        let born = self.trace.expansions.len() as u32;
        let Seen { side, g, h, f, .. } = seen;
        let backward = side == Side::Backward;
        TraceNode { parent: None, action: None, backward, g, h, f, fate, born, known: None }
    }

    /// Tells of the step that is now complete.
    fn tell(&mut self) -> ControlFlow<()> {
        let Self { trace, steps: Some(steps), .. } = self else { return ControlFlow::Continue(()) };
        let Some((node, first)) = steps.latest.take() else { return ControlFlow::Continue(()) };
        let step = TraceStep {
            trace,
            number: steps.expanded,
            node,
            iteration: trace.iterations.last().map(|&(number, _)| (trace.iterations.len(), number)),
            generated: first..trace.nodes.len() as u32,
            open: steps.open.take(),
        };
        if steps.window.contains(&step.number) {
            steps.ended |= steps.listener.step(&step).is_break();
        }
        if steps.ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Watcher for Recorder<'_> {
    fn begins(&mut self, algorithm: Algorithm, heuristic: Option<&str>) {
        self.trace.measure = algorithm.measure();
        if let Some(steps) = &mut self.steps {
            steps.listener.begins(algorithm, heuristic);
        }
    }

    fn iteration(&mut self, number: f64) {
        // A listener who wants to end the run does so at the next expansion.
        let _ = self.tell();
        self.latest.clear();
        self.trace.iterations.push((number, self.trace.nodes.len() as u32));
    }

    fn expanded(&mut self, seen: Seen, _: &dyn Fn() -> Vec<String>) -> ControlFlow<()> {
        self.tell()?;
        let key = (seen.side, seen.key);
        let known = self.latest.get(&key).copied();
        if let Some(steps) = &mut self.steps {
            steps.expanded += 1;
            if steps.expanded > *steps.window.end() {
                self.most = 0;
                self.latest.clear();
                self.trace.complete = false;
                return ControlFlow::Continue(());
            }
        }
        let node = known.or_else(|| {
            // The roots come into the world by no move; a node that did not fit is none.
            let whole = self.trace.complete;
            let root = self.add(self.node(seen, "root")).filter(|_| whole)?;
            self.latest.insert(key, root);
            Some(root)
        });
        self.trace.expansions.extend(node);
        if let Some(steps) = &mut self.steps {
            steps.latest = node.map(|node| (node, self.trace.nodes.len() as u32));
        }
        ControlFlow::Continue(())
    }

    fn generated(&mut self, parent: Seen, action: &dyn Fn() -> String, child: Seen, fate: Fate) {
        let above = self.latest.get(&(parent.side, parent.key)).copied();
        let Some(above) = above else {
            self.trace.complete = false;
            return;
        };
        let node = self.node(child, fate.name());
        let key = (child.side, child.key);
        let is_known = matches!(fate, Fate::Repeated | Fate::Better);
        let known = self.latest.get(&key).copied().filter(|_| is_known);
        let node = self.add(TraceNode { parent: Some(above), action: Some(action()), known, ..node });
        if matches!(fate, Fate::New | Fate::Better) {
            match node {
                Some(node) => _ = self.latest.insert(key, node),
                None => _ = self.latest.remove(&key),
            }
        }
    }

    fn frontier(&mut self, open: &mut dyn FnMut() -> Vec<(Side, u32)>) {
        let told = |steps: &Steps<'_>| steps.latest.is_some() && steps.window.contains(&steps.expanded);
        if !self.steps.as_ref().is_some_and(told) {
            return;
        }
        let keys = open();
        if !self.trace.nodes.iter().any(|node| node.backward) {
            // The goals that bidirectional search begins with are open before the first of them is expanded.
            for &(side, key) in keys.iter().filter(|(side, _)| *side == Side::Backward) {
                let goal = self.node(Seen { side, key, g: 0, h: None, f: None }, "root");
                let goal = self.add(goal);
                self.latest.extend(goal.map(|goal| ((side, key), goal)));
            }
        }
        let numbers = keys.iter().filter_map(|key| self.latest.get(key).copied()).collect();
        if let Some(steps) = &mut self.steps {
            steps.open = Some(numbers);
        }
    }
}

//! The tree of a small search, node by node as it grew.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::Cost;
use novelo_search::{Answer, Control, Fate, Meter, Side};
use serde::Serialize;

use crate::puzzle::Instance;
use crate::request::{Attempt, Request, RequestError};
use crate::watch::{Seen, Watcher};

/// A search tree in the order in which it grew.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Trace {
    /// Every node, parents before children; siblings in the order in which they were generated.
    pub nodes: Vec<TraceNode>,
    /// The nodes in the order in which they were expanded.
    pub expansions: Vec<u32>,
    /// The bound of each iteration of iterative deepening, and the first node of each.
    pub iterations: Vec<(f64, u32)>,
    /// The nodes of the solution, from the root on; empty without one.
    pub path: Vec<u32>,
    /// Whether every node of the search is here: there may have been too many.
    pub complete: bool,
}

/// One node of a search tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// What became of it: `root`, `new`, `better`, `repeated`, `dead`, `cut` or `limit`.
    pub fate: &'static str,
    /// After how many expansions it was generated.
    pub born: u32,
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

    /// Finds the nodes along a solution in the last iteration's trees: from the root on as far as the forward tree has
    /// them and, for bidirectional search, the rest from the goal's tree.
    fn follow(&mut self, solution: &[String]) {
        let mut children: HashMap<(u32, &str), u32> = HashMap::new();
        let mut roots = [None, None];
        for (number, node) in (0..).zip(&self.nodes) {
            match (node.parent, &node.action) {
                (Some(parent), Some(action)) => _ = children.insert((parent, action), number),
                _ => roots[usize::from(node.backward)] = Some(number),
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
        let mut path = walk(roots[0], &mut solution.iter());
        if path.len() <= solution.len() {
            let back = walk(roots[1], &mut solution.iter().rev());
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
    let mut recorder = Recorder { most, latest: HashMap::new(), trace: Trace::default() };
    recorder.trace.complete = true;
    let meter = Meter::new(request.settings.limits, Control::cancelled_by(cancel));
    let attempt = instance.run(request, &meter, Some(&mut recorder))?;
    let mut trace = recorder.trace;
    if let Answer::Solved(solution) = &attempt.outcome.answer {
        trace.follow(&solution.path);
    }
    Ok((attempt, trace))
}

struct Recorder {
    most: usize,
    /// The node of the tree that a living node of the search is: the one by which it was reached last, or best.
    latest: HashMap<(Side, u32), u32>,
    trace: Trace,
}

impl Recorder {
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
        let Seen { side, g, h, .. } = seen;
        TraceNode { parent: None, action: None, backward: side == Side::Backward, g, h, fate, born }
    }
}

impl Watcher for Recorder {
    fn iteration(&mut self, bound: f64) {
        self.latest.clear();
        self.trace.iterations.push((bound, self.trace.nodes.len() as u32));
    }

    fn expanded(&mut self, seen: Seen, _: &dyn Fn() -> Vec<String>) -> ControlFlow<()> {
        let key = (seen.side, seen.key);
        let known = self.latest.get(&key).copied();
        let node = known.or_else(|| {
            // The roots come into the world by no move; a node that did not fit is none.
            let whole = self.trace.complete;
            let root = self.add(self.node(seen, "root")).filter(|_| whole)?;
            self.latest.insert(key, root);
            Some(root)
        });
        self.trace.expansions.extend(node);
        ControlFlow::Continue(())
    }

    fn generated(&mut self, parent: Seen, action: &dyn Fn() -> String, child: Seen, fate: Fate) {
        let above = self.latest.get(&(parent.side, parent.key)).copied();
        let Some(above) = above else {
            self.trace.complete = false;
            return;
        };
        let node = self.node(child, fate.name());
        let node = self.add(TraceNode { parent: Some(above), action: Some(action()), ..node });
        if matches!(fate, Fate::New | Fate::Better) {
            match node {
                Some(node) => _ = self.latest.insert((child.side, child.key), node),
                None => _ = self.latest.remove(&(child.side, child.key)),
            }
        }
    }
}

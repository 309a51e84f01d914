//! The tree of a small search, node by node as it grew.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use novelo_search::{Answer, Control, Cost, Fate, Observer, Problem};
use serde::Serialize;

use crate::formulation::{Formulation, Position};
use crate::puzzle::Instance;
use crate::request::{Attempt, Request, RequestError};
use crate::watch::{run, watched};

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
    /// The move that led to it.
    pub action: Option<String>,
    /// The cost of the way to it.
    pub g: Cost,
    /// The estimate, where one was computed.
    pub h: Option<f64>,
    /// What became of it: `root`, `new`, `better`, `repeated`, `dead` or `cut`.
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

    /// Finds the nodes along a solution in the last iteration's tree.
    fn follow(&mut self, solution: &[String]) {
        let mut children: HashMap<(u32, &str), u32> = HashMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if let (Some(parent), Some(action)) = (node.parent, &node.action) {
                children.insert((parent, action), number as u32);
            }
        }
        let root = self.nodes.iter().rposition(|node| node.parent.is_none());
        let mut path: Vec<_> = root.map(|root| root as u32).into_iter().collect();
        for action in solution {
            let next = path.last().and_then(|&last| children.get(&(last, action.as_str())));
            let Some(&next) = next else { return };
            path.push(next);
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
    let mut trace = Trace::default();
    let control = || Control { cancel: Some(cancel), progress: None };
    let attempt = watched(instance, request, control(), |formulation, means| {
        let mut recorder = Recorder { formulation, most, latest: HashMap::new(), trace: Trace::default() };
        recorder.trace.complete = true;
        let outcome = run(formulation, request, means, &mut recorder, control());
        trace = recorder.trace;
        outcome
    })?;
    if let Answer::Solved(solution) = &attempt.outcome.answer {
        trace.follow(&solution.path);
    }
    Ok((attempt, trace))
}

struct Recorder<'r, 'h> {
    formulation: &'r Formulation<'h>,
    most: usize,
    /// The node that stands for a state: the one by which it was reached last, or best.
    latest: HashMap<Position, u32>,
    trace: Trace,
}

impl Recorder<'_, '_> {
    fn add(&mut self, position: &Position, g: Cost, h: Option<f64>, fate: &'static str) -> Option<u32> {
        if self.trace.nodes.len() >= self.most {
            self.trace.complete = false;
            return None;
        }
        let above = position.parent();
        let parent = above.and_then(|(before, _)| self.latest.get(before).copied());
        let action = above.map(|(_, step)| self.formulation.written(step));
        let born = self.trace.expansions.len() as u32;
        self.trace.nodes.push(TraceNode { parent, action, g, h, fate, born });
        Some(self.trace.nodes.len() as u32 - 1)
    }
}

impl Observer<Formulation<'_>> for Recorder<'_, '_> {
    fn iteration(&mut self, bound: f64) {
        self.latest.clear();
        self.trace.iterations.push((bound, self.trace.nodes.len() as u32));
    }

    fn expanded(&mut self, position: &Position, g: Cost, h: f64) {
        let known = self.latest.get(position).copied();
        let node = known.or_else(|| {
            let root = self.add(position, g, Some(h), "root")?;
            self.latest.insert(position.clone(), root);
            Some(root)
        });
        self.trace.expansions.extend(node);
    }

    fn generated(
        &mut self,
        _: <Formulation<'_> as Problem>::Action,
        position: &Position,
        g: Cost,
        h: Option<f64>,
        fate: Fate,
    ) {
        let name = match fate {
            Fate::New => "new",
            Fate::Better => "better",
            Fate::Repeated => "repeated",
            Fate::Dead => "dead",
            Fate::Cut => "cut",
        };
        if let Some(node) = self.add(position, g, h, name)
            && matches!(fate, Fate::New | Fate::Better)
        {
            self.latest.insert(position.clone(), node);
        }
    }
}

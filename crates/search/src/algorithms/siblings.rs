//! The current path with the open successors of every state on it: what recursive best-first search and budgeted tree
//! search hold. A successor that lies on the path already is left out: a cheapest solution that is as short as can be
//! visits no state twice, and without circles a finite graph has finitely many paths, so that a search which has followed
//! all of them has proved something.

use super::beginning::is_finite;
use crate::cost::Cost as _;
use crate::estimator::{Estimator, Successor};
use crate::heuristic::Estimate;
use crate::limits::{Frontier, Stop};
use crate::meter::{Counter, Held};
use crate::observer::{Fate, Node, NodeOf, Observer};
use crate::order;
use crate::problem::Problem;
use crate::search::Guided;

/// A state on the path, or an open successor of one.
pub(super) struct Sibling<P: Problem, V> {
    pub state: P::State,
    /// The action that led to it; none at the root.
    pub action: Option<P::Action>,
    pub g: P::Cost,
    pub h: V,
    /// What the search knows of the paths through it; `None` when nothing is left of them.
    pub value: Option<V>,
}

/// A state on the path: its place among the nodes, where its successors begin, and where it is counted in the filter.
struct Level {
    at: usize,
    first: usize,
    slot: usize,
}

/// States of the path are counted by some bits of their hash: most successors are seen to be new at one glance.
const SLOTS: usize = 1 << 10;

pub(super) struct Siblings<'s, P: Problem, V, O> {
    pub problem: &'s P,
    pub heuristic: &'s dyn Estimator<P, V>,
    pub observer: O,
    pub admissible: bool,
    shuffle: Option<u64>,
    depth_limit: usize,
    /// The root, then the successors of each state of the path.
    pub nodes: Vec<Sibling<P, V>>,
    path: Vec<Level>,
    filter: Vec<u32>,
    actions: Vec<P::Action>,
    successors: Vec<Successor<P, V>>,
    /// Whether a node was not expanded because of the depth limit.
    pub cut: bool,
    /// Whether the sum of some cost and estimate was beyond what its type can hold, and so beyond every bound.
    pub overflow: bool,
}

impl<P: Problem, V, O> Held for Siblings<'_, P, V, O> {
    fn nodes(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Sibling<P, V>>()
            + self.path.capacity() * size_of::<Level>()
            + size_of_val(self.filter.as_slice())
            + self.actions.capacity() * size_of::<P::Action>()
            + self.successors.capacity() * size_of::<Successor<P, V>>()
            + self.nodes.iter().filter_map(|node| self.problem.heap_bytes(&node.state)).sum::<usize>()
    }
}

impl<'s, P: Problem, V: Estimate<P::Cost>, O: Observer<P>> Siblings<'s, P, V, O> {
    /// Nothing but the start, whose estimate is known.
    pub fn new(search: Guided<'s, P, V, O>, h: V, depth_limit: Option<u32>) -> Self {
        let Guided { problem, heuristic, settings, observer, .. } = search;
        let root = Sibling { state: problem.start(), action: None, g: P::Cost::ZERO, h, value: Some(h) };
        Self {
            problem,
            heuristic,
            observer,
            admissible: heuristic.promise().admissible,
            shuffle: settings.shuffle,
            depth_limit: depth_limit.unwrap_or(u32::MAX) as usize,
            nodes: vec![root],
            path: Vec::new(),
            filter: vec![0; SLOTS],
            actions: Vec::new(),
            successors: Vec::new(),
            cut: false,
            overflow: false,
        }
    }

    /// The place of the deepest state of the path, and where its successors begin; they go to the end of the nodes. None
    /// if nothing is expanded.
    #[inline]
    pub fn deepest(&self) -> Option<(usize, usize)> {
        self.path.last().map(|level| (level.at, level.first))
    }

    /// The actions from the start to a successor of the deepest state, or to that state itself.
    pub fn path_to(&self, at: usize) -> Vec<P::Action> {
        let above = self.path.iter().map(|level| level.at).filter(|&above| above != at);
        above.chain([at]).filter_map(|at| self.nodes[at].action.clone()).collect()
    }

    /// Takes the deepest state off the path, and its successors with it.
    #[inline]
    pub fn leave(&mut self) {
        if let Some(level) = self.path.pop() {
            self.nodes.truncate(level.first);
            self.filter[level.slot] -= 1;
        }
    }

    /// Expands a successor of the deepest state, or the root: it is the deepest then. `judge` is told of each of its
    /// successors the cost, the estimate and the sum of both, and says with what value it is kept, or why it is not.
    #[inline]
    pub fn expand(
        &mut self,
        at: usize,
        counter: &mut Counter<'_>,
        frontier: Frontier,
        mut judge: impl FnMut(P::Cost, V, V) -> Result<V, Fate>,
    ) -> Result<(), Stop> {
        if self.path.len() >= self.depth_limit {
            self.cut = true;
            self.enter(at);
            return Ok(());
        }
        counter.expand(self, frontier)?;
        if O::ACTIVE {
            self.tell_expanded(at)?;
        }
        self.actions.clear();
        let node = &self.nodes[at];
        match &node.action {
            None => order::actions(self.problem, self.shuffle, &node.state, &mut self.actions),
            Some(previous) => {
                order::actions_after(self.problem, self.shuffle, &node.state, previous, &mut self.actions);
            }
        }
        let mut successors = std::mem::take(&mut self.successors);
        let of = (self.heuristic, self.problem);
        counter.successors(of, (&node.state, node.h), &self.actions, &mut successors, self)?;
        let above = node.g;
        self.enter(at);
        let last = self.path.len() >= self.depth_limit;
        for (place, Successor { state, cost, h }) in successors.drain(..).enumerate() {
            counter.generated += 1;
            let g = above.checked_add(cost).ok_or(Stop::Overflow)?;
            let judged = if self.is_on_path(&state) {
                Err(Fate::Repeated)
            } else {
                self.sum(g, h).and_then(|(h, f)| judge(g, h, f).map(|value| (h, value)))
            };
            let judged = match judged {
                Ok(_) if last && !self.problem.is_goal(&state) => {
                    self.cut = true;
                    Err(Fate::AtLimit)
                }
                judged => judged,
            };
            let key = if judged.is_ok() { self.nodes.len() as u32 } else { u32::MAX };
            if O::ACTIVE {
                let child = Node::forward(key, &state, g, h.map(V::to_f64));
                let fate = judged.err().unwrap_or(Fate::New);
                let parent = Self::seen(&self.nodes, at);
                self.observer.generated(parent, &self.actions[place], child, fate);
            }
            if let Ok((h, value)) = judged {
                let action = Some(self.actions[place].clone());
                self.nodes.push(Sibling { state, action, g, h, value: Some(value) });
            }
        }
        self.successors = successors;
        counter.stored_peak = counter.stored_peak.max(self.nodes.len() as u64);
        Ok(())
    }

    /// The estimate of a successor and its sum with the cost, unless it is known to be a dead end or beyond everything.
    #[inline]
    fn sum(&mut self, g: P::Cost, h: Option<V>) -> Result<(V, V), Fate> {
        let h = h.ok_or(Fate::Dead)?;
        match h.plus(g).filter(|&f| is_finite(f)) {
            Some(f) => Ok((h, f)),
            None if self.admissible && !is_finite(h) => Err(Fate::Dead),
            None => {
                self.overflow = true;
                Err(Fate::Cut)
            }
        }
    }

    fn seen(nodes: &[Sibling<P, V>], at: usize) -> NodeOf<'_, P> {
        let node = &nodes[at];
        Node::forward(at as u32, &node.state, node.g, Some(node.h.to_f64()))
    }

    fn tell_expanded(&mut self, at: usize) -> Result<(), Stop> {
        let Self { observer, nodes, path, .. } = self;
        let steps = || {
            let above = path.iter().map(|level| level.at).chain([at]);
            above.filter_map(|at| nodes[at].action.clone()).collect()
        };
        let told = observer.expanded(Self::seen(nodes, at), &steps);
        if told.is_break() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    #[inline]
    fn enter(&mut self, at: usize) {
        let slot = self.slot(&self.nodes[at].state);
        self.path.push(Level { at, first: self.nodes.len(), slot });
        self.filter[slot] += 1;
    }

    #[inline]
    fn slot(&self, state: &P::State) -> usize {
        if self.problem.is_tree() { 0 } else { (order::hash(state) >> 54) as usize }
    }

    #[inline]
    fn is_on_path(&self, state: &P::State) -> bool {
        !self.problem.is_tree()
            && self.filter[self.slot(state)] > 0
            && self.path.iter().any(|level| self.nodes[level.at].state == *state)
    }
}

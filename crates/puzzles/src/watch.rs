//! Searches that are watched: what `solve` does, with somebody looking on.

use std::ops::ControlFlow;

use crate::Cost;
use novelo_search::algorithms::Measure;
use novelo_search::{Algorithm, Fate, Node, Observer, Side};

use crate::formulation::{Formulation, Position, Step};

/// A node of a search on any puzzle; see [`Node`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Seen {
    /// The end it was reached from.
    pub side: Side,
    /// Tells nodes of one side apart as long as they live.
    pub key: u32,
    /// The cost of the path to it.
    pub g: Cost,
    /// The estimate, where one was computed.
    pub h: Option<f64>,
    /// What the algorithm orders nodes by, or holds against its bound: g + h for A* and IDA*.
    pub f: Option<f64>,
}

/// An [`Observer`] of searches on any puzzle. Moves come in their written form, when asked for.
pub trait Watcher {
    /// An algorithm of the engine begins, with a heuristic if it takes one. Methods that walk through no states do not
    /// tell anything.
    fn begins(&mut self, _algorithm: Algorithm, _heuristic: Option<&str>) {}

    /// A new iteration begins, with a number in the algorithm's [measure](Algorithm::measure).
    fn iteration(&mut self, _number: f64) {}

    /// A node is expanded; `path` tells the moves that led to it. A break ends the run.
    fn expanded(&mut self, node: Seen, path: &dyn Fn() -> Vec<String>) -> ControlFlow<()>;

    /// A successor of a node was produced. On the backward side the move leads from it to that node.
    fn generated(&mut self, _parent: Seen, _action: &dyn Fn() -> String, _child: Seen, _fate: Fate) {}

    /// The successors of the node expanded last are placed; `open` lists the open nodes, of each side in the order in
    /// which they come next. Searches in place do not tell.
    fn frontier(&mut self, _open: &mut dyn FnMut() -> Vec<(Side, u32)>) {}
}

/// Tells a watcher what the engine tells an observer.
pub(crate) struct Told<'r, 'h, 'w> {
    pub formulation: &'r Formulation<'h>,
    pub algorithm: Algorithm,
    pub watcher: &'w mut dyn Watcher,
}

impl Told<'_, '_, '_> {
    fn seen<S>(&self, node: &Node<'_, S>) -> Seen {
        let &Node { side, key, g, h, .. } = node;
        let h = h.map(|h| h - self.formulation.shift());
        Seen { side, key, g, h, f: self.algorithm.f(g.into(), h) }
    }
}

impl<'h> Observer<Formulation<'h>> for Told<'_, 'h, '_> {
    fn iteration(&mut self, number: f64) {
        let is_of_f = self.algorithm.measure() == Measure::Bound && self.algorithm.info().needs.heuristic();
        let shift = if is_of_f { self.formulation.shift() } else { 0.0 };
        self.watcher.iteration(number - shift);
    }

    fn expanded(&mut self, node: Node<'_, Position>, path: &dyn Fn() -> Vec<Step>) -> ControlFlow<()> {
        let written = || path().into_iter().map(|action| self.formulation.written(action)).collect();
        let seen = self.seen(&node);
        self.watcher.expanded(seen, &written)
    }

    fn generated(
        &mut self,
        parent: Node<'_, Position>,
        &action: &Step,
        child: Node<'_, Position>,
        fate: Fate,
    ) {
        let (parent, child) = (self.seen(&parent), self.seen(&child));
        self.watcher.generated(parent, &|| self.formulation.written(action), child, fate);
    }

    fn frontier(&mut self, open: &mut dyn FnMut() -> Vec<(Side, u32)>) {
        self.watcher.frontier(open);
    }
}

//! Watching a search from inside, node by node, and ending it.
//!
//! This is the whole of `examples/watching.rs`:
//!
//! ```
#![doc = include_str!("../examples/watching.rs")]
//! ```

use std::ops::ControlFlow;

use crate::problem::Problem;

/// What became of a generated state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fate {
    /// New: it will be considered.
    New,
    /// Known, but reached at a lower cost than before.
    Better,
    /// Known at this cost or a lower one, or already on the current path.
    Repeated,
    /// The heuristic knows that no goal can be reached from it.
    Dead,
    /// Beyond the current bound on f, no better than the best solution so far, or without room where room is bounded.
    Cut,
    /// At the depth limit, where it is tested and not expanded.
    AtLimit,
}

impl Fate {
    /// The fate in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Better => "better",
            Self::Repeated => "repeated",
            Self::Dead => "dead",
            Self::Cut => "cut",
            Self::AtLimit => "limit",
        }
    }
}

/// From which end a node was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// From the start: the only one there is, but for bidirectional search.
    Forward,
    /// From the goal, against the direction of actions.
    Backward,
}

/// A node as an observer sees it.
#[derive(Debug)]
pub struct Node<'s, S, C = u32> {
    /// The end it was reached from.
    pub side: Side,
    /// Tells nodes of one side apart as long as they live: its number in the closed list or, in depth-first search in
    /// place, its depth, for there only the nodes of one path live.
    pub key: u32,
    /// Its state.
    pub state: &'s S,
    /// The cost of the path to it, from its end.
    pub g: C,
    /// The estimate, where one was computed.
    pub h: Option<f64>,
}

impl<S, C: Copy> Clone for Node<'_, S, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, C: Copy> Copy for Node<'_, S, C> {}

impl<'s, S, C> Node<'s, S, C> {
    pub(crate) fn forward(key: u32, state: &'s S, g: C, h: Option<f64>) -> Self {
        Self { side: Side::Forward, key, state, g, h }
    }
}

/// A node of a problem, as an observer sees it.
pub type NodeOf<'s, P> = Node<'s, <P as Problem>::State, <P as Problem>::Cost>;

/// Is told of every expansion and every generated state. Statically
/// dispatched: the unit type, which does nothing, costs nothing.
pub trait Observer<P: Problem> {
    /// Whether it wants to be told at all. If not, algorithms need not produce
    /// states whose fate they know beforehand.
    const ACTIVE: bool = true;

    /// A new iteration begins, with this number: what it is, the algorithm's
    /// [measure](crate::Algorithm::measure) tells. Of iterative deepening it is
    /// the bound on depth or f.
    fn iteration(&mut self, _number: f64) {}

    /// A node is expanded; `path` tells the actions that led to it, and takes as long as the path. A break ends the run,
    /// as if it had been cancelled.
    fn expanded(&mut self, _node: NodeOf<'_, P>, _path: &dyn Fn() -> Vec<P::Action>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A successor of a node was produced. On the [backward](Side::Backward) side the action leads from it to that node.
    /// The key of a node that is not stored (because it is [dead](Fate::Dead), say) means nothing.
    fn generated(&mut self, _parent: NodeOf<'_, P>, _action: &P::Action, _child: NodeOf<'_, P>, _fate: Fate) {
    }

    /// The successors of the node expanded last (of several that were expanded together, in large searches) have been
    /// placed; `open` lists the open nodes, of each side in the order in which they come next, and takes about as long as
    /// there are many. Searches in place, which hold one path and no open list, do not tell.
    fn frontier(&mut self, _open: &mut dyn FnMut() -> Vec<(Side, u32)>) {}
}

impl<P: Problem> Observer<P> for () {
    const ACTIVE: bool = false;
}

impl<P: Problem, O: Observer<P>> Observer<P> for &mut O {
    const ACTIVE: bool = O::ACTIVE;

    fn iteration(&mut self, bound: f64) {
        (**self).iteration(bound);
    }

    fn expanded(&mut self, node: NodeOf<'_, P>, path: &dyn Fn() -> Vec<P::Action>) -> ControlFlow<()> {
        (**self).expanded(node, path)
    }

    fn generated(&mut self, parent: NodeOf<'_, P>, action: &P::Action, child: NodeOf<'_, P>, fate: Fate) {
        (**self).generated(parent, action, child, fate);
    }

    fn frontier(&mut self, open: &mut dyn FnMut() -> Vec<(Side, u32)>) {
        (**self).frontier(open);
    }
}

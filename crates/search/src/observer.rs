//! Watching a search from inside, node by node.

use crate::problem::{Cost, Problem};

/// What became of a generated state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// New: it will be considered.
    New,
    /// Known, but reached at a lower cost than before.
    Better,
    /// Known at this cost or a lower one, or already on the current path.
    Repeated,
    /// The heuristic knows that no goal can be reached from it.
    Dead,
    /// Beyond the current bound on depth or f.
    Cut,
}

/// Is told of every expansion and every generated state. Statically
/// dispatched: the unit type, which does nothing, costs nothing.
///
/// The parent of a generated state is the state expanded last (in the
/// depth-first algorithms: expanded last at the depth above).
pub trait Observer<P: Problem> {
    /// Whether it wants to be told at all. If not, algorithms need not produce
    /// states whose fate they know beforehand.
    const ACTIVE: bool = true;

    /// A new iteration of iterative deepening begins, with this bound on depth
    /// or f.
    fn iteration(&mut self, _bound: f64) {}
    /// A state is expanded.
    fn expanded(&mut self, _state: &P::State, _g: Cost, _h: f64) {}
    /// A successor was produced; `h` is absent where none was computed.
    fn generated(&mut self, _action: P::Action, _state: &P::State, _g: Cost, _h: Option<f64>, _fate: Fate) {}
    /// A depth-first algorithm returns to the parent of the state it expanded.
    fn left(&mut self) {}
}

impl<P: Problem> Observer<P> for () {
    const ACTIVE: bool = false;
}

impl<P: Problem, O: Observer<P>> Observer<P> for &mut O {
    const ACTIVE: bool = O::ACTIVE;

    fn iteration(&mut self, bound: f64) {
        (**self).iteration(bound);
    }
    fn expanded(&mut self, state: &P::State, g: Cost, h: f64) {
        (**self).expanded(state, g, h);
    }
    fn generated(&mut self, action: P::Action, state: &P::State, g: Cost, h: Option<f64>, fate: Fate) {
        (**self).generated(action, state, g, h, fate);
    }
    fn left(&mut self) {
        (**self).left();
    }
}

//! A heuristic without its type, for the algorithms that are compiled once for all heuristics of a problem.
//!
//! An algorithm over [`Heuristic`] is compiled for each problem with each heuristic: fastest, and the price is paid by the
//! compiler. One over `&dyn Estimator` is compiled once for each problem and kind of value. What depends on the heuristic's
//! type is a single loop, [`successors`](Estimator::successors), which does the actions of one expansion and estimates what
//! they lead to: one virtual call an expansion, a few nanoseconds beside the hundred or so that an expansion takes, and
//! inside it all is typed, and incremental, as ever.
//!
//! ```
//! use novelo_search::estimator::Estimator;
//! use novelo_search::{Problem as _, Zero, from_successors};
//!
//! let line = from_successors(0u32, |&at| [("on", at + 1, 1u32)], |&at| at == 9);
//! let (mut actions, mut found) = (Vec::new(), Vec::new());
//! line.actions(&0, &mut actions);
//! let estimator: &dyn Estimator<_, u32> = &Zero;
//! estimator.successors(&line, &0, 0, &actions, &mut found);
//! assert_eq!((found[0].state, found[0].cost, found[0].h), (1, 1, Some(0)));
//! ```

use crate::heuristic::{Heuristic, Promise};
use crate::problem::Problem;

/// A state that an action led to.
#[derive(Debug)]
pub struct Successor<P: Problem, V> {
    /// The state.
    pub state: P::State,
    /// What the action cost.
    pub cost: P::Cost,
    /// The estimate of what is left from there; `None` when no goal can be reached.
    pub h: Option<V>,
}

/// What algorithms ask of a heuristic whose type they do not know. Every [`Heuristic`] is one.
pub trait Estimator<P: Problem, V>: Sync {
    /// What it promises.
    fn promise(&self) -> Promise;

    /// The estimate of a state, computed from scratch; `None` when no goal can be reached.
    fn estimate(&self, problem: &P, state: &P::State) -> Option<V>;

    /// Appends the successors of a state, whose estimate is known, by each of some actions in turn.
    fn successors(
        &self,
        problem: &P,
        before: &P::State,
        h: V,
        actions: &[P::Action],
        out: &mut Vec<Successor<P, V>>,
    );

    /// Appends the cost of each action and the estimate of what it would lead to, without doing it; `None` for those of
    /// which the heuristic [cannot tell](Heuristic::peek).
    fn peek(
        &self,
        problem: &P,
        before: &P::State,
        h: V,
        actions: &[P::Action],
        out: &mut Vec<Option<(P::Cost, V)>>,
    );

    /// The estimate of the cost from the start to a state, if [there is one](Heuristic::toward_start).
    fn toward_start<'h>(&'h self, problem: &'h P) -> Option<Box<dyn Estimator<P, V> + 'h>>;
}

impl<P: Problem, H: Heuristic<P>> Estimator<P, H::Value> for H {
    fn promise(&self) -> Promise {
        Heuristic::promise(self)
    }

    fn estimate(&self, problem: &P, state: &P::State) -> Option<H::Value> {
        self.memo(problem, state).map(|memo| self.value(&memo))
    }

    fn successors(
        &self,
        problem: &P,
        before: &P::State,
        h: H::Value,
        actions: &[P::Action],
        out: &mut Vec<Successor<P, H::Value>>,
    ) {
        let memo = self.resume(problem, before, h);
        out.extend(actions.iter().map(|action| {
            let (state, cost, undo) = problem.successor(before, action);
            let h = self.child(problem, &memo, &state, action, &undo).map(|memo| self.value(&memo));
            Successor { state, cost, h }
        }));
    }

    fn peek(
        &self,
        problem: &P,
        before: &P::State,
        h: H::Value,
        actions: &[P::Action],
        out: &mut Vec<Option<(P::Cost, H::Value)>>,
    ) {
        let memo = self.resume(problem, before, h);
        out.extend(actions.iter().map(|action| {
            let (cost, memo) = Heuristic::peek(self, problem, &memo, before, action)?;
            Some((cost, self.value(&memo)))
        }));
    }

    fn toward_start<'h>(&'h self, problem: &'h P) -> Option<Box<dyn Estimator<P, H::Value> + 'h>> {
        Heuristic::toward_start(self, problem)
    }
}

/// A heuristic with another that estimates the cost from the start, as [`Search::toward_start`](crate::Search::toward_start)
/// makes it.
#[derive(Debug, Clone, Copy)]
pub struct BothWays<H, B> {
    pub(crate) toward_goal: H,
    pub(crate) toward_start: B,
}

impl<P: Problem, H: Heuristic<P>, B: Heuristic<P, Value = H::Value>> Heuristic<P> for BothWays<H, B> {
    type Memo = H::Memo;
    type Value = H::Value;

    fn promise(&self) -> Promise {
        Heuristic::promise(&self.toward_goal)
    }

    fn memo(&self, problem: &P, state: &P::State) -> Option<H::Memo> {
        self.toward_goal.memo(problem, state)
    }

    fn value(&self, memo: &H::Memo) -> H::Value {
        self.toward_goal.value(memo)
    }

    fn child(
        &self,
        problem: &P,
        parent: &H::Memo,
        state: &P::State,
        action: &P::Action,
        undo: &P::Undo,
    ) -> Option<H::Memo> {
        self.toward_goal.child(problem, parent, state, action, undo)
    }

    fn peek(
        &self,
        problem: &P,
        parent: &H::Memo,
        before: &P::State,
        action: &P::Action,
    ) -> Option<(P::Cost, H::Memo)> {
        Heuristic::peek(&self.toward_goal, problem, parent, before, action)
    }

    fn resume(&self, problem: &P, state: &P::State, value: H::Value) -> H::Memo {
        self.toward_goal.resume(problem, state, value)
    }

    fn shift(&self, problem: &P) -> f64 {
        self.toward_goal.shift(problem)
    }

    fn toward_start<'h>(&'h self, _: &'h P) -> Option<Box<dyn Estimator<P, H::Value> + 'h>> {
        Some(Box::new(&self.toward_start))
    }
}

//! The larger of two estimates.

use crate::heuristic::{Heuristic, Promise};
use crate::problem::Problem;

/// The maximum of two heuristics: it promises what both promise, and is at least as good as either.
#[derive(Debug, Clone, Copy)]
pub struct Maximum<A, B>(pub A, pub B);

impl<P: Problem, A: Heuristic<P>, B: Heuristic<P, Value = A::Value>> Heuristic<P> for Maximum<A, B> {
    type Memo = (A::Memo, B::Memo);
    type Value = A::Value;

    fn promise(&self) -> Promise {
        let (a, b) = (self.0.promise(), self.1.promise());
        Promise { admissible: a.admissible && b.admissible, consistent: a.consistent && b.consistent }
    }

    fn memo(&self, problem: &P, state: &P::State) -> Option<Self::Memo> {
        Some((self.0.memo(problem, state)?, self.1.memo(problem, state)?))
    }

    fn value(&self, memo: &Self::Memo) -> A::Value {
        self.0.value(&memo.0).max(self.1.value(&memo.1))
    }

    fn child(
        &self,
        problem: &P,
        parent: &Self::Memo,
        state: &P::State,
        action: &P::Action,
        undo: &P::Undo,
    ) -> Option<Self::Memo> {
        let first = self.0.child(problem, &parent.0, state, action, undo)?;
        Some((first, self.1.child(problem, &parent.1, state, action, undo)?))
    }
}

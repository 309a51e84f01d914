//! One of two heuristics, chosen when the program runs.

use crate::estimator::Estimator;
use crate::heuristic::{Heuristic, Promise};
use crate::problem::Problem;

/// One of two heuristics with one kind of value. Algorithms are compiled once for both; which of them it is never changes
/// during a search, so the processor foresees it.
///
/// ```
/// use novelo_search::heuristic::from_fn;
/// use novelo_search::{Algorithm, Either, Promise, Search, Zero, from_successors};
///
/// let line = from_successors(0u32, |&at| [("on", at + 1, 1u32)], |&at| at == 9);
/// let left = from_fn(Promise::CONSISTENT, |_: &_, &at: &u32| 9 - at.min(9));
/// for heuristic in [Either::First(left), Either::Second(Zero)] {
///     let outcome = Search::new(&line).heuristic(heuristic).run(Algorithm::AStar).unwrap();
///     assert_eq!(outcome.solution().unwrap().cost, 9);
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Either<A, B> {
    /// The one.
    First(A),
    /// The other.
    Second(B),
}

use Either::{First, Second};

const STRAY: &str = "a memo stays with the heuristic that made it";

impl<P: Problem, A: Heuristic<P>, B: Heuristic<P, Value = A::Value>> Heuristic<P> for Either<A, B> {
    type Memo = Either<A::Memo, B::Memo>;
    type Value = A::Value;

    fn promise(&self) -> Promise {
        match self {
            First(first) => first.promise(),
            Second(second) => second.promise(),
        }
    }

    #[inline]
    fn memo(&self, problem: &P, state: &P::State) -> Option<Self::Memo> {
        match self {
            First(first) => first.memo(problem, state).map(First),
            Second(second) => second.memo(problem, state).map(Second),
        }
    }

    #[inline]
    fn value(&self, memo: &Self::Memo) -> A::Value {
        match (self, memo) {
            (First(first), First(memo)) => first.value(memo),
            (Second(second), Second(memo)) => second.value(memo),
            _ => unreachable!("{STRAY}"),
        }
    }

    #[inline]
    fn child(
        &self,
        problem: &P,
        parent: &Self::Memo,
        state: &P::State,
        action: &P::Action,
        undo: &P::Undo,
    ) -> Option<Self::Memo> {
        match (self, parent) {
            (First(first), First(parent)) => first.child(problem, parent, state, action, undo).map(First),
            (Second(second), Second(parent)) => {
                second.child(problem, parent, state, action, undo).map(Second)
            }
            _ => unreachable!("{STRAY}"),
        }
    }

    #[inline]
    fn peek(
        &self,
        problem: &P,
        parent: &Self::Memo,
        before: &P::State,
        action: &P::Action,
    ) -> Option<(P::Cost, Self::Memo)> {
        match (self, parent) {
            (First(first), First(parent)) => Heuristic::peek(first, problem, parent, before, action)
                .map(|(cost, memo)| (cost, First(memo))),
            (Second(second), Second(parent)) => Heuristic::peek(second, problem, parent, before, action)
                .map(|(cost, memo)| (cost, Second(memo))),
            _ => unreachable!("{STRAY}"),
        }
    }

    fn shift(&self, problem: &P) -> f64 {
        match self {
            First(first) => first.shift(problem),
            Second(second) => second.shift(problem),
        }
    }

    #[inline]
    fn resume(&self, problem: &P, state: &P::State, value: A::Value) -> Self::Memo {
        match self {
            First(first) => First(first.resume(problem, state, value)),
            Second(second) => Second(second.resume(problem, state, value)),
        }
    }

    fn toward_start<'h>(&'h self, problem: &'h P) -> Option<Box<dyn Estimator<P, A::Value> + 'h>> {
        match self {
            First(first) => Heuristic::toward_start(first, problem),
            Second(second) => Heuristic::toward_start(second, problem),
        }
    }
}

//! A problem by functions: the short way in.
//!
//! This is the whole of `examples/grid.rs`:
//!
//! ```
#![doc = include_str!("../examples/grid.rs")]
//! ```

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::cost::Cost;
use crate::problem::Problem;

/// A [`Problem`] made of functions; see [`from_successors`].
#[derive(Debug, Clone)]
pub struct FromSuccessors<S, F, G> {
    start: S,
    successors: F,
    is_goal: G,
    unit_cost: bool,
    heap_bytes: Option<fn(&S) -> usize>,
}

/// A problem with a start, a function from a state to its successors, each an action, a state and a cost, and a function
/// that tells goals.
///
/// Costs are of one type, `1u32`, `1u64` or `Real::new(1.5)`. The states may be of any type that can be cloned, compared and hashed. The actions of a solution are [`Step`]s, which
/// have the states they lead to with them. Where states own memory and runs are to have a memory limit,
/// [`heap_bytes`](FromSuccessors::heap_bytes) says how much; where every action costs the same,
/// [`unit_cost`](FromSuccessors::unit_cost) lets breadth-first searches call their answers optimal.
///
/// ```
/// use novelo_search::{Algorithm, Promise, Search, from_successors};
///
/// // A knight on an endless board: the fewest moves from one corner of a 4x4 square to the other.
/// let knight = from_successors(
///     (0i32, 0i32),
///     |&(x, y)| {
///         let leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
///         leaps.map(|(dx, dy)| ((dx, dy), (x + dx, y + dy), 1u32))
///     },
///     |&at| at == (3, 3),
/// );
/// let outcome = Search::new(&knight)
///     .estimate(Promise::CONSISTENT, |_, (x, y)| (x - 3).unsigned_abs().max((y - 3).unsigned_abs()).div_ceil(2))
///     .run(Algorithm::AStar)?;
/// let solution = outcome.solution().unwrap();
/// assert!(solution.optimal && solution.cost == 2);
/// assert_eq!(solution.path[1].state, (3, 3));
/// # Ok::<(), novelo_search::CannotRun>(())
/// ```
pub fn from_successors<S, A, C, I, F, G>(start: S, successors: F, is_goal: G) -> FromSuccessors<S, F, G>
where
    I: IntoIterator<Item = (A, S, C)>,
    F: Fn(&S) -> I,
    G: Fn(&S) -> bool,
{
    FromSuccessors { start, successors, is_goal, unit_cost: false, heap_bytes: None }
}

impl<S, F, G> FromSuccessors<S, F, G> {
    /// Promises that every action costs the same.
    #[must_use]
    pub fn unit_cost(self) -> Self {
        Self { unit_cost: true, ..self }
    }

    /// Says how many bytes a state holds beyond its own size.
    #[must_use]
    pub fn heap_bytes(self, bytes: fn(&S) -> usize) -> Self {
        Self { heap_bytes: Some(bytes), ..self }
    }
}

/// One step of a solution: the action, the state it leads to, and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step<A, S, C> {
    /// The action.
    pub action: A,
    /// The state it leads to.
    pub state: S,
    /// Its cost.
    pub cost: C,
}

impl<A: Debug, S, C: Debug> Debug for Step<A, S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step").field("action", &self.action).field("cost", &self.cost).finish_non_exhaustive()
    }
}

impl<S, A, C, I, F, G> Problem for FromSuccessors<S, F, G>
where
    S: Clone + Eq + Hash + Send + Sync,
    A: Clone + Debug + Send + Sync,
    C: Cost,
    I: IntoIterator<Item = (A, S, C)>,
    F: Fn(&S) -> I + Sync,
    G: Fn(&S) -> bool + Sync,
{
    type State = S;
    type Action = Step<A, S, C>;
    /// The state before, where it is needed to walk back.
    type Undo = Option<S>;
    type Cost = C;

    fn start(&self) -> S {
        self.start.clone()
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        (self.is_goal)(state)
    }

    #[inline]
    fn actions(&self, state: &S, out: &mut Vec<Step<A, S, C>>) {
        let successors = (self.successors)(state).into_iter();
        out.extend(successors.map(|(action, state, cost)| Step { action, state, cost }));
    }

    #[inline]
    fn apply(&self, state: &mut S, step: Step<A, S, C>) -> (C, Option<S>) {
        (step.cost, Some(std::mem::replace(state, step.state)))
    }

    #[inline]
    fn undo(&self, state: &mut S, _: Step<A, S, C>, before: Option<S>) {
        if let Some(before) = before {
            *state = before;
        }
    }

    #[inline]
    fn successor(&self, _: &S, step: &Step<A, S, C>) -> (S, C, Option<S>) {
        (step.state.clone(), step.cost, None)
    }

    fn unit_cost(&self) -> bool {
        self.unit_cost
    }

    #[inline]
    fn heap_bytes(&self, state: &S) -> Option<usize> {
        match self.heap_bytes {
            Some(bytes) => Some(bytes(state)),
            None => (!std::mem::needs_drop::<S>()).then_some(0),
        }
    }
}

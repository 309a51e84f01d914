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
use crate::parallel::Wire;
use crate::problem::{Problem, Reversible};
use crate::wire_fields;

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

    /// The same problem, to be run backwards as well: with all its goal states, and a function from a state to its
    /// predecessors, each an action, the state that it leads from, and its cost. They must be the same actions as those of
    /// the successors, at the same costs. The actions of a solution are [`Edge`]s.
    ///
    /// ```
    /// use novelo_search::{Algorithm, Search, from_successors};
    ///
    /// // From 1 to 1000 by doubling and adding three; backwards by halving and taking three away.
    /// let problem = from_successors(1u32, |&n| [("double", 2 * n, 1u32), ("add", n + 3, 1)], |&n| n == 1000)
    ///     .unit_cost()
    ///     .backwards([1000], |&n| {
    ///         let half = (n % 2 == 0).then_some(("double", n / 2, 1));
    ///         half.into_iter().chain(n.checked_sub(3).map(|less| ("add", less, 1)))
    ///     });
    /// let outcome = Search::new(&problem).run_reversible(Algorithm::Bidirectional)?;
    /// let solution = outcome.solution().unwrap();
    /// assert!(solution.optimal && solution.cost == 13);
    /// assert_eq!(solution.path[12].to, 1000);
    /// # Ok::<(), novelo_search::CannotRun>(())
    /// ```
    pub fn backwards<A, C, I, B>(
        self,
        goals: impl IntoIterator<Item = S>,
        predecessors: B,
    ) -> Backwards<S, F, G, B>
    where
        I: IntoIterator<Item = (A, S, C)>,
        B: Fn(&S) -> I,
    {
        Backwards { forwards: self, goals: goals.into_iter().collect(), predecessors }
    }

    fn held(&self, state: &S) -> Option<usize> {
        match self.heap_bytes {
            Some(bytes) => Some(bytes(state)),
            None => (!std::mem::needs_drop::<S>()).then_some(0),
        }
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

wire_fields!([A: Wire, S: Wire, C: Wire] Step<A, S, C> { action: A, state: S, cost: C });

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
        self.held(state)
    }
}

/// A [`Reversible`] problem made of functions; see [`FromSuccessors::backwards`].
#[derive(Debug, Clone)]
pub struct Backwards<S, F, G, B> {
    forwards: FromSuccessors<S, F, G>,
    goals: Vec<S>,
    predecessors: B,
}

/// One step of a solution of a problem that can be run backwards: the action, the states it leads from and to, and what it
/// costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Edge<A, S, C> {
    /// The action.
    pub action: A,
    /// The state it leads from.
    pub from: S,
    /// The state it leads to.
    pub to: S,
    /// Its cost.
    pub cost: C,
}

impl<A: Debug, S, C: Debug> Debug for Edge<A, S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edge").field("action", &self.action).field("cost", &self.cost).finish_non_exhaustive()
    }
}

impl<S, A, C, I, J, F, G, B> Problem for Backwards<S, F, G, B>
where
    S: Clone + Eq + Hash + Send + Sync,
    A: Clone + Debug + Send + Sync,
    C: Cost,
    I: IntoIterator<Item = (A, S, C)>,
    J: IntoIterator<Item = (A, S, C)>,
    F: Fn(&S) -> I + Sync,
    G: Fn(&S) -> bool + Sync,
    B: Fn(&S) -> J + Sync,
{
    type State = S;
    type Action = Edge<A, S, C>;
    type Undo = ();
    type Cost = C;

    fn start(&self) -> S {
        self.forwards.start.clone()
    }

    #[inline]
    fn is_goal(&self, state: &S) -> bool {
        (self.forwards.is_goal)(state)
    }

    #[inline]
    fn actions(&self, state: &S, out: &mut Vec<Edge<A, S, C>>) {
        let successors = (self.forwards.successors)(state).into_iter();
        out.extend(successors.map(|(action, to, cost)| Edge { action, from: state.clone(), to, cost }));
    }

    #[inline]
    fn apply(&self, state: &mut S, edge: Edge<A, S, C>) -> (C, ()) {
        *state = edge.to;
        (edge.cost, ())
    }

    #[inline]
    fn undo(&self, state: &mut S, edge: Edge<A, S, C>, (): ()) {
        *state = edge.from;
    }

    #[inline]
    fn successor(&self, _: &S, edge: &Edge<A, S, C>) -> (S, C, ()) {
        (edge.to.clone(), edge.cost, ())
    }

    fn unit_cost(&self) -> bool {
        self.forwards.unit_cost
    }

    #[inline]
    fn heap_bytes(&self, state: &S) -> Option<usize> {
        self.forwards.held(state)
    }
}

impl<S, A, C, I, J, F, G, B> Reversible for Backwards<S, F, G, B>
where
    S: Clone + Eq + Hash + Send + Sync,
    A: Clone + Debug + Send + Sync,
    C: Cost,
    I: IntoIterator<Item = (A, S, C)>,
    J: IntoIterator<Item = (A, S, C)>,
    F: Fn(&S) -> I + Sync,
    G: Fn(&S) -> bool + Sync,
    B: Fn(&S) -> J + Sync,
{
    fn goals(&self) -> Vec<S> {
        self.goals.clone()
    }

    #[inline]
    fn actions_into(&self, state: &S, out: &mut Vec<Edge<A, S, C>>) {
        let predecessors = (self.predecessors)(state).into_iter();
        out.extend(predecessors.map(|(action, from, cost)| Edge { action, from, to: state.clone(), cost }));
    }

    #[inline]
    fn retract(&self, state: &mut S, edge: Edge<A, S, C>) -> C {
        *state = edge.from;
        edge.cost
    }
}

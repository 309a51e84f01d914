//! What a state-space problem is: states, actions, costs.

use std::hash::Hash;

/// What an action, or a whole path, costs.
pub type Cost = u32;

/// A state-space problem: where it starts, what can be done, when it is solved.
///
/// The engine changes states in place: [`apply`](Problem::apply) and
/// [`undo`](Problem::undo) must be exact inverses. A state should be small and
/// cheap to copy, since the algorithms with a closed list store each one once.
pub trait Problem: Sync {
    /// A configuration; packed into as few bytes as possible.
    type State: Clone + Eq + Hash + Send + Sync;
    /// One step; a small plain value.
    type Action: Copy + Eq + std::fmt::Debug + Send + Sync;
    /// What [`apply`](Problem::apply) overwrote and [`undo`](Problem::undo) needs.
    type Undo: Copy;

    /// A value of `Undo` that serves for every action, for problems where a
    /// state and the action that led to it suffice to walk back. The node store
    /// then keeps the action (often one byte) instead of a parent handle (four).
    const BACK: Option<Self::Undo> = None;

    /// Whether no state can be reached by two different paths. Then no
    /// algorithm keeps a closed set.
    const TREE: bool = false;

    /// [`TREE`](Problem::TREE), for problems that know it only when they run.
    #[inline]
    fn is_tree(&self) -> bool {
        Self::TREE
    }

    /// The state the search starts from.
    fn start(&self) -> Self::State;

    /// Whether a state is a solution.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Appends the actions possible in a state to the caller's buffer, in the
    /// order in which they should be tried.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Does one action in place and returns its cost. Iterative deepening
    /// needs every cycle to cost something.
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> (Cost, Self::Undo);

    /// Takes one action back.
    fn undo(&self, state: &mut Self::State, action: Self::Action, undo: Self::Undo);

    /// Whether `action`, done right after `previous`, only takes it back.
    /// The depth-first algorithms skip such actions.
    fn reverses(&self, _action: Self::Action, _previous: Self::Action) -> bool {
        false
    }

    /// Appends the actions possible in a state that `previous` has led to, but
    /// for those that only take it back, and returns how many those are. Worth
    /// writing out where it can be read from a table.
    #[inline]
    fn actions_after(
        &self,
        state: &Self::State,
        previous: Self::Action,
        out: &mut Vec<Self::Action>,
    ) -> usize {
        let first = out.len();
        self.actions(state, out);
        let mut kept = first;
        for i in first..out.len() {
            out[kept] = out[i];
            kept += usize::from(!self.reverses(out[i], previous));
        }
        let left_out = out.len() - kept;
        out.truncate(kept);
        left_out
    }

    /// Whether every action costs the same. Only then are the shallowest
    /// solutions, which `bfs`, `ids` and `bidirectional` find, the cheapest.
    fn unit_cost(&self) -> bool {
        false
    }
}

/// A problem that can be run backwards from its only goal state.
pub trait Reversible: Problem {
    /// The only goal state.
    fn goal(&self) -> Self::State;

    /// Appends the actions that lead into a state, in the order in which they should be tried.
    fn actions_into(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Turns a state into the one from which `action` leads to it; the cost of that action.
    fn retract(&self, state: &mut Self::State, action: Self::Action) -> Cost;
}

/// A problem run backwards: it starts at the goal, and actions are retracted.
#[derive(Debug)]
pub(crate) struct Backward<'p, P>(pub &'p P);

impl<P: Reversible> Problem for Backward<'_, P> {
    type State = P::State;
    type Action = P::Action;
    type Undo = ();

    /// Doing the action takes its retraction back.
    const BACK: Option<()> = Some(());

    fn start(&self) -> P::State {
        self.0.goal()
    }

    fn is_goal(&self, state: &P::State) -> bool {
        *state == self.0.start()
    }

    fn actions(&self, state: &P::State, out: &mut Vec<P::Action>) {
        self.0.actions_into(state, out);
    }

    fn apply(&self, state: &mut P::State, action: P::Action) -> (Cost, ()) {
        (self.0.retract(state, action), ())
    }

    fn undo(&self, state: &mut P::State, action: P::Action, (): ()) {
        self.0.apply(state, action);
    }

    /// What takes an action back takes its retraction back, too.
    fn reverses(&self, action: P::Action, previous: P::Action) -> bool {
        self.0.reverses(action, previous)
    }
}

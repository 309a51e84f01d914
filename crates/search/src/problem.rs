//! What a state-space problem is: states, actions, costs.

use std::hash::Hash;

use crate::cost::Cost;

/// A state-space problem: where it starts, what can be done, when it is solved.
///
/// The engine changes states in place: [`apply`](Problem::apply) and
/// [`undo`](Problem::undo) must be exact inverses. A state should be small and
/// cheap to copy, since the algorithms with a closed list store each one once.
pub trait Problem: Sync {
    /// A configuration; packed into as few bytes as possible.
    type State: Clone + Eq + Hash + Send + Sync;
    /// One step; best a small plain value.
    type Action: Clone + std::fmt::Debug + Send + Sync;
    /// What [`apply`](Problem::apply) overwrote and [`undo`](Problem::undo) needs.
    type Undo: Clone;
    /// What actions cost: `u32`, `u64` or [`Real`](crate::Real).
    type Cost: Cost;

    /// A value of `Undo` that serves for every action, for problems where a
    /// state and the action that led to it suffice to walk back. The node store
    /// then keeps the action (often one byte) instead of a parent handle (four).
    const BACK: Option<Self::Undo> = None;

    /// Whether the space is searched as a tree: no algorithm then looks whether
    /// it has met a state before (but for `bidirectional`, which must), and
    /// every path is a node of its own. It spares the index of states where few
    /// can be reached by two paths. It is right only where no path leads from a
    /// state back to it: answers and proofs are then the same, and counts are
    /// those of paths.
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

    /// Does one action in place and returns its cost.
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> (Self::Cost, Self::Undo);

    /// Takes one action back.
    fn undo(&self, state: &mut Self::State, action: Self::Action, undo: Self::Undo);

    /// Whether `action`, done right after `previous`, only takes it back.
    /// The depth-first algorithms skip such actions.
    fn reverses(&self, _action: &Self::Action, _previous: &Self::Action) -> bool {
        false
    }

    /// Appends the actions possible in a state that `previous` has led to, but
    /// for those that only take it back, and returns how many those are. Worth
    /// writing out where it can be read from a table.
    #[inline]
    fn actions_after(
        &self,
        state: &Self::State,
        previous: &Self::Action,
        out: &mut Vec<Self::Action>,
    ) -> usize {
        let first = out.len();
        self.actions(state, out);
        let mut kept = first;
        for i in first..out.len() {
            out.swap(kept, i);
            kept += usize::from(!self.reverses(&out[kept], previous));
        }
        let left_out = out.len() - kept;
        out.truncate(kept);
        left_out
    }

    /// The state that an action leads to, with its cost and what would take it
    /// back. Worth writing out where that is quicker than changing a copy.
    #[inline]
    fn successor(&self, state: &Self::State, action: &Self::Action) -> (Self::State, Self::Cost, Self::Undo) {
        let mut successor = state.clone();
        let (cost, undo) = self.apply(&mut successor, action.clone());
        (successor, cost, undo)
    }

    /// Bytes that a state holds beyond its own size, on the heap; `None` where
    /// nobody knows. Without it, states that own something (a `Vec`, say) cannot
    /// be searched within a memory limit: [`allocated`](crate::allocated) tells
    /// what an allocation takes.
    #[inline]
    fn heap_bytes(&self, _state: &Self::State) -> Option<usize> {
        (!std::mem::needs_drop::<Self::State>()).then_some(0)
    }

    /// A hash by which states are dealt out to the workers of a [parallel](crate::parallel) search. By default it is one of
    /// the whole state, which spreads states evenly and sends nearly every successor to another worker. Worth writing out
    /// where some feature of a state seldom changes from one state to the next and has many values: states that agree in it
    /// stay together. Equal states must have equal hashes.
    #[inline]
    fn projection(&self, state: &Self::State) -> u64 {
        crate::order::hash(state)
    }

    /// Whether every action costs the same. Only then are the shallowest
    /// solutions, which `bfs`, `ids` and `bidirectional` find, the cheapest.
    fn unit_cost(&self) -> bool {
        false
    }
}

/// A problem that can be run backwards from its goal states, all of which are known.
pub trait Reversible: Problem {
    /// All goal states.
    fn goals(&self) -> Vec<Self::State>;

    /// Appends the actions that lead into a state, in the order in which they should be tried.
    fn actions_into(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Turns a state into the one from which `action` leads to it; the cost of that action.
    fn retract(&self, state: &mut Self::State, action: Self::Action) -> Self::Cost;
}

/// Bytes that an allocation takes, more or less: allocators round up, and keep a word beside it.
pub const fn allocated(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + size_of::<usize>()).next_multiple_of(16) }
}

/// A problem whose states are looked up even where it says it is a [tree](Problem::TREE).
#[derive(Debug)]
pub(crate) struct Forward<'p, P>(pub &'p P);

impl<P: Problem> Problem for Forward<'_, P> {
    type State = P::State;
    type Action = P::Action;
    type Undo = P::Undo;
    type Cost = P::Cost;

    const BACK: Option<P::Undo> = P::BACK;

    fn start(&self) -> P::State {
        self.0.start()
    }

    fn is_goal(&self, state: &P::State) -> bool {
        self.0.is_goal(state)
    }

    fn actions(&self, state: &P::State, out: &mut Vec<P::Action>) {
        self.0.actions(state, out);
    }

    fn apply(&self, state: &mut P::State, action: P::Action) -> (P::Cost, P::Undo) {
        self.0.apply(state, action)
    }

    fn undo(&self, state: &mut P::State, action: P::Action, undo: P::Undo) {
        self.0.undo(state, action, undo);
    }

    fn reverses(&self, action: &P::Action, previous: &P::Action) -> bool {
        self.0.reverses(action, previous)
    }

    fn heap_bytes(&self, state: &P::State) -> Option<usize> {
        self.0.heap_bytes(state)
    }
}

/// A problem run backwards, by retracting actions, from its first goal or wherever one begins.
#[derive(Debug)]
pub(crate) struct Backward<'p, P>(pub &'p P);

impl<P: Reversible> Problem for Backward<'_, P> {
    type State = P::State;
    type Action = P::Action;
    type Undo = ();
    type Cost = P::Cost;

    /// Doing the action takes its retraction back.
    const BACK: Option<()> = Some(());

    fn start(&self) -> P::State {
        self.0.goals().into_iter().next().unwrap_or_else(|| self.0.start())
    }

    fn is_goal(&self, state: &P::State) -> bool {
        *state == self.0.start()
    }

    fn actions(&self, state: &P::State, out: &mut Vec<P::Action>) {
        self.0.actions_into(state, out);
    }

    fn apply(&self, state: &mut P::State, action: P::Action) -> (P::Cost, ()) {
        (self.0.retract(state, action), ())
    }

    fn undo(&self, state: &mut P::State, action: P::Action, (): ()) {
        self.0.apply(state, action);
    }

    /// Retracted one after the other, `action` was done first, and `previous` took it back.
    fn reverses(&self, action: &P::Action, previous: &P::Action) -> bool {
        self.0.reverses(previous, action)
    }

    fn heap_bytes(&self, state: &P::State) -> Option<usize> {
        self.0.heap_bytes(state)
    }
}

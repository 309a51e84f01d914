//! The node store: every state once, with what is needed to find the way back.
//!
//! A node is a row in a few columns, named by a `u32` handle in order of
//! insertion: the state; and, side by side, its path cost in as few bytes as
//! the costs met so far allow and the link to its parent. For problems whose actions can be taken
//! back knowing only the state and the action ([`Problem::BACK`]) the link is
//! the action, and the parent is found by undoing it and looking the state up;
//! for the others it is the parent's handle, and the action is found by trying
//! the parent's actions again. Either way a path is rebuilt once, at the end,
//! and storing a node stays cheap: on the 15-puzzle 8 + 1 + 1 bytes, and about
//! 5 more for the hash [`index`] beside it.

mod column;
mod costs;
mod depths;
mod index;
mod links;
mod memory;

use std::cell::Cell;

use crate::limits::Stop;
use crate::meter::Held;
use crate::order;
use crate::problem::{Cost, Problem};

pub(crate) use column::Column;
pub(crate) use costs::Costs;
pub(crate) use depths::Depths;
pub(crate) use index::Slot;
use index::{Glance, Index};
use links::Links;
pub(crate) use memory::Buffer;

/// A node's row number.
pub(crate) type Handle = u32;

/// What looking a state up came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// It was not there; it is now, under this handle.
    New(Handle),
    /// It is there, reached before.
    Old(Handle),
}

/// How a node was reached.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival<A> {
    pub parent: Handle,
    pub action: A,
    /// The path cost; kept only by a store made [with costs](NodeStore::with_costs).
    pub cost: Cost,
}

/// Stored nodes of one search.
pub(crate) struct NodeStore<P: Problem> {
    states: Column<P::State>,
    /// One of these two has a row for each node, the other none.
    by_action: Links<P::Action>,
    by_parent: Links<Handle>,
    index: Index,
    memory_limit: usize,
    /// Bytes held elsewhere that the limit is meant for as well.
    beside: usize,
    /// All that was held while the index grew, the old one beside the new one, if it has grown since anyone asked.
    growing: Cell<usize>,
}

impl<P: Problem> NodeStore<P> {
    /// Whether the link to the parent is the action that led here.
    const LINK_BY_ACTION: bool = P::BACK.is_some() && !P::TREE;

    /// An empty store that refuses to grow beyond a number of bytes, and keeps no path costs.
    pub fn new(memory_limit: Option<usize>) -> Self {
        Self::empty(memory_limit, false)
    }

    /// The same with the path cost of every node.
    pub fn with_costs(memory_limit: Option<usize>) -> Self {
        Self::empty(memory_limit, true)
    }

    fn empty(memory_limit: Option<usize>, costs: bool) -> Self {
        Self {
            states: Column::new(),
            by_action: Links::new(costs),
            by_parent: Links::new(costs),
            index: Index::new(),
            memory_limit: memory_limit.unwrap_or(usize::MAX),
            beside: 0,
            growing: Cell::new(0),
        }
    }

    /// From now on, leaves room within its limit for so many bytes that are held elsewhere.
    #[inline]
    pub fn leave_room(&mut self, beside: usize) {
        self.beside = beside;
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    #[inline]
    pub fn state(&self, node: Handle) -> &P::State {
        self.states.get(node as usize)
    }

    #[inline]
    pub fn cost(&self, node: Handle) -> Cost {
        if Self::LINK_BY_ACTION {
            self.by_action.cost(node as usize)
        } else {
            self.by_parent.cost(node as usize)
        }
    }

    /// The action that led to a node from its parent, where that is at hand.
    #[inline]
    pub fn arrival(&self, node: Handle) -> Option<P::Action> {
        (Self::LINK_BY_ACTION && node != 0).then(|| self.by_action.link(node as usize))
    }

    /// Asks the processor to fetch what is stored of a node.
    #[inline]
    pub fn prefetch_node(&self, node: Handle) {
        self.states.prefetch(node as usize);
        if Self::LINK_BY_ACTION {
            self.by_action.prefetch(node as usize);
        } else {
            self.by_parent.prefetch(node as usize);
        }
    }

    /// Asks the processor to fetch the place where a state of this hash would be.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        if !P::TREE {
            self.index.prefetch(hash);
        }
    }

    /// Asks the processor to fetch the node that one of this hash is likely to
    /// be compared with.
    #[inline]
    pub fn prefetch_match(&self, hash: u64) {
        if !P::TREE
            && let Glance::Alike(node) = self.index.glance(hash)
        {
            self.states.prefetch(node as usize);
        }
    }

    /// Stores the root.
    pub fn insert_root(&mut self, state: P::State) -> Handle {
        if !P::TREE {
            self.index.insert(order::hash(&state), 0);
        }
        self.states.push(state);
        if Self::LINK_BY_ACTION {
            self.by_action.push_root();
        } else {
            self.by_parent.push_root();
        }
        0
    }

    /// Finds a state, or stores it as reached in one way.
    #[inline]
    pub fn insert(&mut self, state: &P::State, hash: u64, by: Arrival<P::Action>) -> Result<Found, Stop> {
        match self.look_up(state, hash) {
            Ok(old) => Ok(Found::Old(old)),
            Err(slot) => self.insert_at(slot, state, hash, by).map(Found::New),
        }
    }

    /// The handle of a state, or the place where [`insert_at`](Self::insert_at) stores it while nothing else is stored.
    #[inline]
    pub fn look_up(&self, state: &P::State, hash: u64) -> Result<Handle, Slot> {
        if P::TREE {
            return Err(Slot::NONE);
        }
        let states = &self.states;
        self.index.find(hash, |node| states.get(node as usize) == state)
    }

    /// Stores a state that was looked up and not found.
    #[inline]
    pub fn insert_at(
        &mut self,
        slot: Slot,
        state: &P::State,
        hash: u64,
        by: Arrival<P::Action>,
    ) -> Result<Handle, Stop> {
        let node = self.states.len();
        if P::TREE {
            if node == Handle::MAX as usize {
                return Err(Stop::Memory);
            }
        } else if self.index.is_full() {
            self.grow_index(hash)?;
        } else {
            self.index.fill(slot, node as Handle);
        }
        Ok(self.push(state, by))
    }

    /// Stores a state if it takes no more than a glance to see that it is new; its handle then. Otherwise asks the
    /// processor to fetch what [`insert`](Self::insert) will need.
    #[inline(always)]
    pub fn insert_if_new(&mut self, state: &P::State, hash: u64, by: Arrival<P::Action>) -> Option<Handle> {
        if P::TREE || self.index.is_full() {
            return None;
        }
        match self.index.glance(hash) {
            Glance::New(slot) => {
                self.index.fill(slot, self.states.len() as Handle);
                Some(self.push(state, by))
            }
            Glance::Alike(node) => {
                self.prefetch_node(node);
                None
            }
            Glance::Full => None,
        }
    }

    /// Adds a row.
    #[inline(always)]
    fn push(&mut self, state: &P::State, by: Arrival<P::Action>) -> Handle {
        let node = self.states.len() as Handle;
        self.states.push(state.clone());
        if Self::LINK_BY_ACTION {
            self.by_action.push(by.cost, by.action);
        } else {
            self.by_parent.push(by.cost, by.parent);
        }
        node
    }

    /// A node was reached in a cheaper way.
    #[inline]
    pub fn improve(&mut self, node: Handle, by: Arrival<P::Action>) {
        if Self::LINK_BY_ACTION {
            self.by_action.improve(node as usize, by.cost, by.action);
        } else {
            self.by_parent.improve(node as usize, by.cost, by.parent);
        }
    }

    /// Makes room in the index and adds the hash of the node that comes next.
    #[cold]
    #[inline(never)]
    fn grow_index(&mut self, hash: u64) -> Result<(), Stop> {
        let room = self.memory_limit.saturating_sub(self.beside + self.bytes());
        let beside = self.index.grow(room, &self.states).ok_or(Stop::Memory)?;
        self.growing.set(self.bytes() + beside);
        self.index.insert(hash, self.states.len() as Handle);
        Ok(())
    }

    /// Whether a state is in the store.
    #[inline]
    pub fn holds(&self, state: &P::State, hash: u64) -> bool {
        self.look_up(state, hash).is_ok()
    }

    /// The handle of a state that is in the store.
    pub fn find(&self, state: &P::State) -> Option<Handle> {
        self.index.find(order::hash(state), |node| self.state(node) == state).ok()
    }

    /// The states from the root to a node, both included.
    pub fn ancestry(&self, problem: &P, node: Handle) -> Vec<P::State> {
        let mut states = vec![self.state(node).clone()];
        let mut node = node;
        while node != 0 {
            node = if Self::LINK_BY_ACTION {
                let mut state = self.state(node).clone();
                let back = P::BACK.expect("linked by action");
                problem.undo(&mut state, self.by_action.link(node as usize), back);
                self.find(&state).expect("a stored node's parent is stored")
            } else {
                self.by_parent.link(node as usize)
            };
            states.push(self.state(node).clone());
        }
        states.reverse();
        states
    }

    /// The actions from the root to a node.
    pub fn path(&self, problem: &P, node: Handle) -> Vec<P::Action> {
        actions_along(problem, &self.ancestry(problem, node))
    }
}

/// The cheapest actions that lead from each state of a chain to the next.
pub(crate) fn actions_along<P: Problem>(problem: &P, states: &[P::State]) -> Vec<P::Action> {
    let mut buffer = Vec::new();
    let step = |pair: &[P::State]| {
        buffer.clear();
        problem.actions(&pair[0], &mut buffer);
        buffer
            .iter()
            .filter_map(|&action| {
                let mut state = pair[0].clone();
                let (cost, _) = problem.apply(&mut state, action);
                (state == pair[1]).then_some((cost, action))
            })
            .min_by_key(|&(cost, _)| cost)
            .expect("each state of a path is a successor of the one before")
            .1
    };
    states.windows(2).map(step).collect()
}

impl<P: Problem> Held for NodeStore<P> {
    fn nodes(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&self) -> usize {
        self.states.bytes() + self.by_action.bytes() + self.by_parent.bytes() + self.index.bytes()
    }

    fn passing_bytes(&self) -> usize {
        self.growing.take().saturating_sub(self.bytes())
    }
}

#[cfg(test)]
mod tests;

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
use std::mem::needs_drop;

use crate::cost::Cost;
use crate::limits::Stop;
use crate::meter::{Budget, Held};
use crate::order;
use crate::problem::Problem;

pub(crate) use column::Column;
pub(crate) use costs::Costs;
use depths::Depths;
pub(crate) use depths::Nodes;
use index::{Glance, Index, Slot};
use links::Links;
pub(crate) use memory::Buffer;

/// A node's row number.
pub type Handle = u32;

/// What looking a state up came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It was not there; it is now, under this handle.
    New(Handle),
    /// It is there, reached before.
    Old(Handle),
}

/// How a node was reached.
#[derive(Debug)]
pub struct Arrival<'a, A, C> {
    /// Its parent.
    pub parent: Handle,
    /// The action that led from there.
    pub action: &'a A,
    /// The path cost; kept only by a store made [with costs](NodeStore::with_costs).
    pub cost: C,
}

impl<A, C: Copy> Clone for Arrival<'_, A, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, C: Copy> Copy for Arrival<'_, A, C> {}

/// Where the parent of a node is to be found.
pub(crate) enum Link<P: Problem> {
    /// Nowhere: it is a root.
    Root,
    /// It is the node of this state.
    State(P::State),
    /// It has this handle.
    Node(Handle),
}

/// [`Arrival`] for a problem.
pub type ArrivalOf<'a, P> = Arrival<'a, <P as Problem>::Action, <P as Problem>::Cost>;

/// Stored nodes of one search.
pub struct NodeStore<'s, P: Problem> {
    problem: &'s P,
    /// The part of a run that it grows in; none when the search is over.
    budget: Option<Budget<'s>>,
    states: Column<P::State>,
    /// One of these two has a row for each node, the other none.
    by_action: Links<P::Action>,
    by_parent: Links<Handle>,
    index: Index,
    depths: Depths,
    /// The first so many nodes are roots.
    roots: usize,
    /// Bytes that states hold on the heap.
    heap: usize,
    memory_limit: usize,
    /// Bytes held elsewhere that the limit is meant for as well.
    beside: usize,
    /// All that was held while the index grew, the old one beside the new one, if it has grown since anyone asked.
    growing: Cell<usize>,
}

impl<'s, P: Problem> NodeStore<'s, P> {
    /// Whether the link to the parent is the action that led here. It must be plain data, for links are not dropped, and
    /// smaller than a handle or not much larger.
    pub(crate) const LINK_BY_ACTION: bool = {
        let back = P::BACK;
        let small = size_of::<P::Action>() <= 2 * size_of::<Handle>();
        let linked = back.is_some() && !P::TREE && small && !needs_drop::<P::Action>();
        std::mem::forget(back);
        linked
    };

    /// An empty store that stays within a part of a run, and keeps neither path costs nor depths.
    pub fn new(problem: &'s P, budget: Budget<'s>) -> Self {
        Self {
            problem,
            budget: Some(budget),
            states: Column::new(),
            by_action: Links::new(false),
            by_parent: Links::new(false),
            index: Index::new(),
            depths: Depths::new(None, Nodes::States),
            roots: 0,
            heap: 0,
            memory_limit: budget.meter().room().unwrap_or(usize::MAX),
            beside: 0,
            growing: Cell::new(0),
        }
    }

    /// The same with the path cost of every node.
    #[must_use]
    pub fn with_costs(self) -> Self {
        Self { by_action: Links::new(true), by_parent: Links::new(true), ..self }
    }

    /// The same with the depth of every node, if there is a limit to it.
    pub(crate) fn with_depths(self, limit: Option<u32>, nodes: Nodes) -> Self {
        Self { depths: Depths::new(limit, nodes), ..self }
    }

    /// The nodes of a search that is over, for as long as its problem lives.
    pub(crate) fn released(self, problem: &P) -> NodeStore<'_, P> {
        let Self { states, by_action, by_parent, index, depths, roots, heap, .. } = self;
        NodeStore {
            problem,
            budget: None,
            states,
            by_action,
            by_parent,
            index,
            depths,
            roots,
            heap,
            memory_limit: usize::MAX,
            beside: 0,
            growing: Cell::new(0),
        }
    }

    /// From now on, leaves room within its limit for so many bytes that are held elsewhere.
    #[inline]
    pub(crate) fn leave_room(&mut self, beside: usize) {
        self.beside = beside;
    }

    /// How many nodes there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// A node's state.
    #[inline]
    pub fn state(&self, node: Handle) -> &P::State {
        self.states.get(node as usize)
    }

    /// A node's path cost; nothing where costs are not kept.
    #[inline]
    pub fn cost(&self, node: Handle) -> P::Cost {
        P::Cost::from_bits(if Self::LINK_BY_ACTION {
            self.by_action.cost(node as usize)
        } else {
            self.by_parent.cost(node as usize)
        })
    }

    /// Whether a node is known at a depth below this.
    #[inline]
    pub(crate) fn is_shallower(&self, node: Handle, depth: u32) -> bool {
        self.depths.is_shallower(node, depth)
    }

    /// Whether a node is known at a depth above this.
    #[inline]
    pub(crate) fn is_deeper(&self, node: Handle, depth: u32) -> bool {
        self.depths.get(node) > depth
    }

    /// Whether a node is at the depth limit.
    #[inline]
    pub(crate) fn at_limit(&self, node: Handle) -> bool {
        self.depths.at_limit(node)
    }

    /// The action that led to a node from its parent, where that is at hand.
    #[inline]
    #[allow(unsafe_code, reason = "the links of nodes that are no roots are there")]
    pub(crate) fn arrival(&self, node: Handle) -> Option<P::Action> {
        // SAFETY: it is no root.
        (Self::LINK_BY_ACTION && node as usize >= self.roots)
            .then(|| unsafe { self.by_action.link(node as usize) })
    }

    /// The hash under which a state is stored as a child of a node.
    #[inline]
    pub fn hash(&self, state: &P::State, parent: Handle) -> u64 {
        if P::TREE { 0 } else { order::hash(state) ^ self.depths.salt_below(parent) }
    }

    /// Asks the processor to fetch what is stored of a node.
    #[inline]
    pub(crate) fn prefetch_node(&self, node: Handle) {
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
    pub(crate) fn prefetch_match(&self, hash: u64) {
        if !P::TREE
            && let Glance::Alike(node) = self.index.glance(hash)
        {
            self.states.prefetch(node as usize);
        }
    }

    /// Stores a root, before anything else but other roots. A state that is a root already stays what it is.
    pub fn insert_root(&mut self, state: P::State) {
        if !P::TREE {
            if self.find(&state).is_some() {
                return;
            }
            self.index.insert(order::hash(&state), self.states.len() as Handle);
        }
        self.heap += self.problem.heap_bytes(&state).unwrap_or(0);
        self.states.push(state);
        self.depths.push_root();
        if Self::LINK_BY_ACTION {
            self.by_action.push_root();
        } else {
            self.by_parent.push_root();
        }
        self.roots += 1;
    }

    /// Finds a state, or stores it as reached in one way.
    #[inline]
    pub fn insert(&mut self, state: &P::State, hash: u64, by: ArrivalOf<'_, P>) -> Result<Found, Stop> {
        match self.look_up(state, hash, by.parent) {
            Ok(old) => Ok(Found::Old(old)),
            Err(slot) => self.insert_at(slot, state, hash, by).map(Found::New),
        }
    }

    /// The handle of a state as a child of a node, or the place where [`insert_at`](Self::insert_at) stores it while
    /// nothing else is stored.
    #[inline(always)]
    pub(crate) fn look_up(&self, state: &P::State, hash: u64, parent: Handle) -> Result<Handle, Slot> {
        if P::TREE {
            return Err(Slot::NONE);
        }
        self.index.find(hash, |node| self.is_child(node, state, parent))
    }

    /// Whether a node is what a state is as a child of another node.
    #[inline]
    pub(crate) fn is_child(&self, node: Handle, state: &P::State, parent: Handle) -> bool {
        self.state(node) == state && self.depths.is_child(node, parent)
    }

    /// Stores a state that was looked up and not found.
    #[inline(always)]
    pub(crate) fn insert_at(
        &mut self,
        slot: Slot,
        state: &P::State,
        hash: u64,
        by: ArrivalOf<'_, P>,
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

    /// Whether a state of this hash is in the store; not for stores whose nodes are states at depths.
    #[inline]
    pub(crate) fn holds(&self, state: &P::State, hash: u64) -> bool {
        self.index.find(hash, |node| self.state(node) == state).is_ok()
    }

    /// The handle of a state of this hash, if it is in the store; not for stores whose nodes are states at depths.
    #[inline]
    pub(crate) fn find_hashed(&self, state: &P::State, hash: u64) -> Option<Handle> {
        self.index.find(hash, |node| self.state(node) == state).ok()
    }

    /// Stores a state if it takes no more than a glance to see that it is new; its handle then. Otherwise asks the
    /// processor to fetch what [`insert`](Self::insert) will need.
    #[inline(always)]
    pub(crate) fn insert_if_new(
        &mut self,
        state: &P::State,
        hash: u64,
        by: ArrivalOf<'_, P>,
    ) -> Option<Handle> {
        let stored = self.insert_at_a_glance(state, hash, by);
        if let Err(Some(alike)) = stored {
            self.prefetch_node(alike);
        }
        stored.ok()
    }

    /// Stores a state if it takes no more than a glance to see that it is new; its handle then. Otherwise the node that it
    /// may be, if a glance tells.
    #[inline(always)]
    pub(crate) fn insert_at_a_glance(
        &mut self,
        state: &P::State,
        hash: u64,
        by: ArrivalOf<'_, P>,
    ) -> Result<Handle, Option<Handle>> {
        if P::TREE || self.index.is_full() {
            return Err(None);
        }
        match self.index.glance(hash) {
            Glance::New(slot) => {
                self.index.fill(slot, self.states.len() as Handle);
                Ok(self.push(state, by))
            }
            Glance::Alike(node) => Err(Some(node)),
            Glance::Full => Err(None),
        }
    }

    /// Adds a row.
    #[inline(always)]
    fn push(&mut self, state: &P::State, by: ArrivalOf<'_, P>) -> Handle {
        let node = self.states.len() as Handle;
        self.heap += self.problem.heap_bytes(state).unwrap_or(0);
        self.states.push(state.clone());
        self.depths.push_child(by.parent);
        if Self::LINK_BY_ACTION {
            self.by_action.push(by.cost.to_bits(), by.action.clone());
        } else {
            self.by_parent.push(by.cost.to_bits(), by.parent);
        }
        node
    }

    /// A node was reached in a better way.
    #[inline]
    pub fn improve(&mut self, node: Handle, by: ArrivalOf<'_, P>) {
        self.depths.improve(node, by.parent);
        if Self::LINK_BY_ACTION {
            self.by_action.improve(node as usize, by.cost.to_bits(), by.action.clone());
        } else {
            self.by_parent.improve(node as usize, by.cost.to_bits(), by.parent);
        }
    }

    /// Makes room in the index and adds the hash of the node that comes next.
    #[cold]
    #[inline(never)]
    fn grow_index(&mut self, hash: u64) -> Result<(), Stop> {
        let room = self.memory_limit.saturating_sub(self.beside + self.bytes());
        let Self { index, states, depths, budget, .. } = self;
        let salt = |node| depths.salt(depths.get(node));
        let go_on = || budget.as_ref().and_then(Budget::ended).map_or(Ok(()), Err);
        let beside = index.grow(room, states, salt, go_on)?;
        self.growing.set(self.bytes() + beside);
        self.index.insert(hash, self.states.len() as Handle);
        Ok(())
    }

    /// The handle of a state that is in the store; not for stores whose nodes are states at depths.
    pub fn find(&self, state: &P::State) -> Option<Handle> {
        self.find_at(state, 0)
    }

    /// The handle of a state at a depth, where that makes a difference.
    fn find_at(&self, state: &P::State, depth: u32) -> Option<Handle> {
        let is_it = |node| self.state(node) == state && self.depths.is_at(node, depth);
        self.index.find(order::hash(state) ^ self.depths.salt(depth), is_it).ok()
    }

    /// Where the parent of a node is, which may be in another store.
    #[allow(unsafe_code, reason = "the links of nodes that are no roots are there")]
    pub(crate) fn link(&self, node: Handle) -> Link<P> {
        if (node as usize) < self.roots {
            return Link::Root;
        }
        if Self::LINK_BY_ACTION {
            let mut state = self.state(node).clone();
            let back = P::BACK.expect("linked by action");
            // SAFETY: it is no root.
            let action = unsafe { self.by_action.link(node as usize) };
            self.problem.undo(&mut state, action, back);
            Link::State(state)
        } else {
            // SAFETY: it is no root.
            Link::Node(unsafe { self.by_parent.link(node as usize) })
        }
    }

    /// The parent of a node that is no root.
    pub fn parent(&self, node: Handle) -> Handle {
        match self.link(node) {
            Link::Root => panic!("a root has no parent"),
            Link::State(state) => {
                let depth = self.depths.get(node).saturating_sub(1);
                self.find_at(&state, depth).expect("a stored node's parent is stored")
            }
            Link::Node(parent) => parent,
        }
    }

    /// The states from a root to a node, both included.
    pub fn ancestry(&self, node: Handle) -> Vec<P::State> {
        let mut states = vec![self.state(node).clone()];
        let mut node = node;
        while node as usize >= self.roots {
            node = self.parent(node);
            states.push(self.state(node).clone());
        }
        states.reverse();
        states
    }

    /// The actions from a root to a node.
    pub fn path(&self, node: Handle) -> Vec<P::Action> {
        actions_along(self.problem, &self.ancestry(node))
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
            .filter_map(|action| {
                let (state, cost, _) = problem.successor(&pair[0], action);
                (state == pair[1]).then_some((cost, action))
            })
            .min_by_key(|&(cost, _)| cost)
            .expect("each state of a path is a successor of the one before")
            .1
            .clone()
    };
    states.windows(2).map(step).collect()
}

impl<P: Problem> std::fmt::Debug for NodeStore<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NodeStore").field("nodes", &self.len()).finish_non_exhaustive()
    }
}

impl<P: Problem> Held for NodeStore<'_, P> {
    fn nodes(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&self) -> usize {
        let rows =
            self.states.bytes() + self.by_action.bytes() + self.by_parent.bytes() + self.depths.bytes();
        rows + self.index.bytes() + self.heap
    }

    fn passing_bytes(&self) -> usize {
        self.growing.take().saturating_sub(self.bytes())
    }
}

#[cfg(test)]
mod tests;

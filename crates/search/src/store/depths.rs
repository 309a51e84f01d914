//! Depths of stored nodes, kept only where a depth limit asks for them.

use super::Handle;
use super::column::Column;

/// What a depth limit makes of the nodes of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// A state is one node, whatever its depth.
    States,
    /// A state at another depth is another node. Where a cheaper path may be a longer one, neither of two depths of a
    /// state can stand in for the other: the cheaper may be out of depth before it reaches a goal.
    StatesAtDepths,
}

/// The depth of each node under a depth limit; without one, nothing.
pub(crate) struct Depths {
    limit: Option<u32>,
    /// Without a limit, states.
    nodes: Nodes,
    column: Column<u32>,
}

impl Depths {
    pub fn new(limit: Option<u32>, nodes: Nodes) -> Self {
        let nodes = if limit.is_some() { nodes } else { Nodes::States };
        Self { limit, nodes, column: Column::new() }
    }

    pub fn push_root(&mut self) {
        if self.limit.is_some() {
            self.column.push(0);
        }
    }

    /// A node was stored as a child of `parent`.
    #[inline]
    pub fn push_child(&mut self, parent: Handle) {
        if self.limit.is_some() {
            self.column.push(self.below(parent));
        }
    }

    /// A node has got another parent.
    #[inline]
    pub fn improve(&mut self, node: Handle, parent: Handle) {
        if self.limit.is_some() {
            *self.column.get_mut(node as usize) = self.below(parent);
        }
    }

    /// A node's depth; 0 where depths are not kept.
    #[inline]
    pub fn get(&self, node: Handle) -> u32 {
        if self.limit.is_some() { *self.column.get(node as usize) } else { 0 }
    }

    /// The depth of a node's children.
    #[inline]
    pub fn below(&self, parent: Handle) -> u32 {
        self.get(parent) + 1
    }

    /// Whether a node is known at a depth below this.
    #[inline]
    pub fn is_shallower(&self, node: Handle, depth: u32) -> bool {
        self.limit.is_some() && self.get(node) < depth
    }

    /// Whether a node must not be expanded.
    #[inline]
    pub fn at_limit(&self, node: Handle) -> bool {
        self.limit.is_some_and(|limit| self.get(node) >= limit)
    }

    /// Whether a stored node is its state as a child of another node.
    #[inline]
    pub fn is_child(&self, node: Handle, parent: Handle) -> bool {
        self.nodes == Nodes::States || self.is_at(node, self.below(parent))
    }

    /// Whether a stored node is its state at a depth.
    #[inline]
    pub fn is_at(&self, node: Handle, depth: u32) -> bool {
        self.nodes == Nodes::States || self.get(node) == depth
    }

    /// What being a child of a node adds to the hash of a state.
    #[inline]
    pub fn salt_below(&self, parent: Handle) -> u64 {
        match self.nodes {
            Nodes::States => 0,
            Nodes::StatesAtDepths => self.salt(self.below(parent)),
        }
    }

    /// What the depth adds to the hash of a state.
    #[cold]
    pub fn salt(&self, depth: u32) -> u64 {
        match self.nodes {
            Nodes::States => 0,
            Nodes::StatesAtDepths => u64::from(depth).wrapping_mul(0xD1B5_4A32_D192_ED03),
        }
    }

    pub fn bytes(&self) -> usize {
        self.column.bytes()
    }
}

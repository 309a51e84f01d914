//! Depths of stored nodes, kept only where a depth limit asks for them.

use super::Handle;
use super::column::Column;

/// The depth of each node under a depth limit; without one, nothing.
pub(crate) struct Depths {
    limit: Option<u32>,
    column: Column<u32>,
    /// Whether a node was not expanded because of the limit.
    pub cut: bool,
}

impl Depths {
    pub fn new(limit: Option<u32>) -> Self {
        Self { limit, column: Column::new(), cut: false }
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
            self.column.push(self.get(parent) + 1);
        }
    }

    /// A node has got another parent.
    #[inline]
    pub fn improve(&mut self, node: Handle, parent: Handle) {
        if self.limit.is_some() {
            *self.column.get_mut(node as usize) = self.get(parent) + 1;
        }
    }

    /// A node's depth; 0 where depths are not kept.
    #[inline]
    pub fn get(&self, node: Handle) -> u32 {
        if self.limit.is_some() { *self.column.get(node as usize) } else { 0 }
    }

    /// Whether a node must not be expanded; remembers that it was so.
    #[inline]
    pub fn at_limit(&mut self, node: Handle) -> bool {
        let at = self.limit.is_some_and(|limit| self.get(node) >= limit);
        self.cut |= at;
        at
    }

    pub fn bytes(&self) -> usize {
        self.column.bytes()
    }
}

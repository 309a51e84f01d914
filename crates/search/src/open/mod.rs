//! Open lists: which node comes next in a best-first search.
//!
//! The order is the same everywhere: smaller key (f), then smaller h, then last
//! in first out.

mod bits;
mod bucket;
mod heap;
mod level;
mod lists;
mod stacks;

pub use bucket::BucketQueue;
pub use heap::HeapQueue;

/// A queue of nodes by key and estimate.
pub trait OpenList<K, E>: Default {
    /// Adds a node.
    fn push(&mut self, key: K, h: E, node: u32);
    /// Takes the next node out, with its key and h.
    fn pop(&mut self) -> Option<(K, E, u32)>;
    /// Takes out up to `most` of the next nodes with their h, all of one key and one h, and returns that key. What comes
    /// in between by expanding one of them, at this key, would have a smaller h: a batch differs from single nodes only
    /// within such a plateau.
    fn pop_batch(&mut self, most: usize, out: &mut Vec<(E, u32)>) -> Option<K>;
    /// Bytes held.
    fn bytes(&self) -> usize;
    /// All nodes with their keys and h, in the order in which they come out; they are in it as before.
    fn in_order(&mut self) -> Vec<(K, E, u32)>
    where
        K: Copy,
        E: Copy,
    {
        let all: Vec<_> = std::iter::from_fn(|| self.pop()).collect();
        // Of those that are equal, the last in is the first out.
        for &(key, h, node) in all.iter().rev() {
            self.push(key, h, node);
        }
        all
    }
}

#[cfg(test)]
mod tests;

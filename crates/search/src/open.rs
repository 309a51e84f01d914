//! Open lists: which node comes next in a best-first search.
//!
//! The order is the same everywhere: smaller key (f), then smaller h, then last
//! in first out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::store::{Column, Handle};

/// A queue of nodes by key and estimate.
pub trait OpenList<E>: Default {
    /// Adds a node.
    fn push(&mut self, key: E, h: E, node: u32);
    /// Takes the next node out, with its key and h.
    fn pop(&mut self) -> Option<(E, E, u32)>;
    /// Takes the next node out, with its h, if it has just this key.
    fn pop_key(&mut self, key: E) -> Option<(E, u32)>;
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// Key, h, when it was pushed, node.
type Entry<E> = (E, E, Reverse<u64>, Handle);

/// A heap, for keys that are no small integers.
#[derive(Debug)]
pub struct HeapQueue<E> {
    heap: BinaryHeap<Reverse<Entry<E>>>,
    pushed: u64,
}

impl<E: Ord> Default for HeapQueue<E> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), pushed: 0 }
    }
}

impl<E: Ord> OpenList<E> for HeapQueue<E> {
    fn push(&mut self, key: E, h: E, node: Handle) {
        self.heap.push(Reverse((key, h, Reverse(self.pushed), node)));
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(E, E, Handle)> {
        let Reverse((key, h, _, node)) = self.heap.pop()?;
        Some((key, h, node))
    }

    fn pop_key(&mut self, key: E) -> Option<(E, Handle)> {
        let Reverse((next, ..)) = self.heap.peek()?;
        if *next == key { self.pop().map(|(_, h, node)| (h, node)) } else { None }
    }

    fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Entry<E>>()
    }
}

/// Handles in a chunk of a stack.
const CHUNK: usize = 63;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Chunk {
    below: u32,
    nodes: [Handle; CHUNK],
}

/// A stack of handles: its top chunk and how full that is.
#[derive(Clone, Copy)]
struct Stack {
    top: u32,
    filled: u32,
}

const EMPTY: Stack = Stack { top: NONE, filled: 0 };

/// The buckets of one key, by h.
#[derive(Default)]
struct Row {
    stacks: Vec<Stack>,
    nodes: usize,
    /// No node has an h below this.
    lowest: usize,
}

impl Row {
    /// Takes out the next node of a row that has one.
    #[inline]
    fn pop(&mut self, pool: &mut Pool) -> (u32, Handle) {
        self.nodes -= 1;
        loop {
            if let Some(node) = pool.pop(&mut self.stacks[self.lowest]) {
                return (self.lowest as u32, node);
            }
            self.lowest += 1;
        }
    }
}

/// Bucket directories larger than this are sparse: a heap does better.
const LARGEST_DIRECTORY: usize = 1 << 20;

/// Buckets by key and h, for small integer keys: push and pop in constant time,
/// four bytes a node. The buckets share a pool of chunks, so that their memory
/// is what they hold and not what each once held. Keys too far spread for
/// buckets go to a heap, with everything that was there before them.
#[derive(Default)]
pub struct BucketQueue {
    rows: Vec<Row>,
    /// No node has a key below this.
    lowest: usize,
    directory: usize,
    pool: Pool,
    heap: Option<HeapQueue<u32>>,
}

impl std::fmt::Debug for BucketQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BucketQueue").field("lowest", &self.lowest).finish_non_exhaustive()
    }
}

struct Pool {
    chunks: Column<Chunk>,
    free: u32,
}

impl Default for Pool {
    fn default() -> Self {
        Self { chunks: Column::new(), free: NONE }
    }
}

impl Pool {
    #[inline]
    fn push(&mut self, stack: &mut Stack, node: Handle) {
        if stack.top == NONE || stack.filled as usize == CHUNK {
            let chunk = self.take();
            self.chunks.get_mut(chunk as usize).below = stack.top;
            *stack = Stack { top: chunk, filled: 0 };
        }
        self.chunks.get_mut(stack.top as usize).nodes[stack.filled as usize] = node;
        stack.filled += 1;
    }

    #[inline]
    fn pop(&mut self, stack: &mut Stack) -> Option<Handle> {
        if stack.top == NONE {
            return None;
        }
        stack.filled -= 1;
        let chunk = self.chunks.get_mut(stack.top as usize);
        let node = chunk.nodes[stack.filled as usize];
        if stack.filled == 0 {
            let emptied = stack.top;
            let below = chunk.below;
            chunk.below = self.free;
            self.free = emptied;
            *stack = Stack { top: below, filled: if below == NONE { 0 } else { CHUNK as u32 } };
        }
        Some(node)
    }

    fn take(&mut self) -> u32 {
        if self.free == NONE {
            self.chunks.push(Chunk { below: NONE, nodes: [0; CHUNK] });
            (self.chunks.len() - 1) as u32
        } else {
            let chunk = self.free;
            self.free = self.chunks.get(chunk as usize).below;
            chunk
        }
    }
}

impl BucketQueue {
    /// Moves everything to a heap, oldest first, so that ties stay last in
    /// first out.
    #[cold]
    fn spread(&mut self) -> &mut HeapQueue<u32> {
        let mut heap = HeapQueue::default();
        for (key, row) in self.rows.iter_mut().enumerate() {
            for (h, stack) in row.stacks.iter_mut().enumerate() {
                let mut nodes = Vec::new();
                while let Some(node) = self.pool.pop(stack) {
                    nodes.push(node);
                }
                for node in nodes.into_iter().rev() {
                    heap.push(key as u32, h as u32, node);
                }
            }
        }
        *self = Self { heap: Some(heap), ..Self::default() };
        self.heap.as_mut().expect("just made")
    }
}

impl OpenList<u32> for BucketQueue {
    #[inline]
    fn push(&mut self, key: u32, h: u32, node: Handle) {
        if let Some(heap) = &mut self.heap {
            return heap.push(key, h, node);
        }
        let (row, column) = (key as usize, h as usize);
        if row >= self.rows.len() || column >= self.rows[row].stacks.len() {
            let wider = (column + 1).saturating_sub(self.rows.get(row).map_or(0, |r| r.stacks.len()));
            self.directory += wider + (row + 1).saturating_sub(self.rows.len());
            if self.directory > LARGEST_DIRECTORY {
                return self.spread().push(key, h, node);
            }
            if row >= self.rows.len() {
                self.rows.resize_with(row + 1, Row::default);
            }
            self.rows[row].stacks.resize(column + 1, EMPTY);
        }
        let bucket = &mut self.rows[row];
        self.pool.push(&mut bucket.stacks[column], node);
        if bucket.nodes == 0 || column < bucket.lowest {
            bucket.lowest = column;
        }
        bucket.nodes += 1;
        self.lowest = self.lowest.min(row);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, u32, Handle)> {
        if let Some(heap) = &mut self.heap {
            return heap.pop();
        }
        while self.rows.get(self.lowest)?.nodes == 0 {
            self.lowest += 1;
        }
        let (h, node) = self.rows[self.lowest].pop(&mut self.pool);
        Some((self.lowest as u32, h, node))
    }

    #[inline]
    fn pop_key(&mut self, key: u32) -> Option<(u32, Handle)> {
        if let Some(heap) = &mut self.heap {
            return heap.pop_key(key);
        }
        let row = &mut self.rows[key as usize];
        if row.nodes == 0 || self.lowest < key as usize {
            return None;
        }
        Some(row.pop(&mut self.pool))
    }

    fn bytes(&self) -> usize {
        self.pool.chunks.bytes()
            + self.directory * size_of::<Stack>()
            + self.heap.as_ref().map_or(0, OpenList::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pushes and pops in the order given, against a plain list searched anew.
    fn agrees(steps: &[Option<(u32, u32)>]) {
        let mut queue = BucketQueue::default();
        let mut heap = HeapQueue::default();
        let mut plain: Vec<(u32, u32, Handle)> = Vec::new();
        for (node, step) in (0..).zip(steps) {
            if let &Some((key, h)) = step {
                queue.push(key, h, node);
                heap.push(key, h, node);
                plain.push((key, h, node));
            } else {
                let best = (0..plain.len()).min_by_key(|&i| (plain[i].0, plain[i].1, Reverse(plain[i].2)));
                let expected = best.map(|i| plain.remove(i));
                assert_eq!(queue.pop(), expected);
                assert_eq!(heap.pop(), expected);
                let Some((key, ..)) = expected else { continue };
                let best = (0..plain.len())
                    .filter(|&i| plain[i].0 == key)
                    .min_by_key(|&i| (plain[i].1, Reverse(plain[i].2)));
                let expected = best.map(|i| plain.remove(i)).map(|(_, h, node)| (h, node));
                assert_eq!(queue.pop_key(key), expected);
                assert_eq!(heap.pop_key(key), expected);
            }
        }
    }

    proptest! {
        #[test]
        fn small_keys(steps in prop::collection::vec(prop::option::weighted(0.6, (0u32..6, 0u32..4)), 0..600)) {
            agrees(&steps);
        }

        #[test]
        fn keys_of_any_size(steps in prop::collection::vec(prop::option::weighted(0.6, (any::<u32>(), any::<u32>())), 0..60)) {
            agrees(&steps);
        }
    }
}

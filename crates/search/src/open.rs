//! Open lists: which node comes next in a best-first search.
//!
//! The order is the same everywhere: smaller key (f), then smaller h, then last
//! in first out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::store::{Buffer, Handle};

/// A queue of nodes by key and estimate.
pub trait OpenList<K, E>: Default {
    /// Adds a node.
    fn push(&mut self, key: K, h: E, node: u32);
    /// Takes the next node out, with its key and h.
    fn pop(&mut self) -> Option<(K, E, u32)>;
    /// Takes out up to `most` of the next nodes with their h, all of one key,
    /// and returns that key.
    fn pop_batch(&mut self, most: usize, out: &mut Vec<(E, u32)>) -> Option<K>;
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// Key, h, when it was pushed, node.
type Entry<K, E> = (K, E, Reverse<u64>, Handle);

/// A heap, for keys that are no small integers.
#[derive(Debug)]
pub struct HeapQueue<K, E> {
    heap: BinaryHeap<Reverse<Entry<K, E>>>,
    pushed: u64,
}

impl<K: Ord, E: Ord> Default for HeapQueue<K, E> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), pushed: 0 }
    }
}

impl<K: Ord, E: Ord> OpenList<K, E> for HeapQueue<K, E> {
    fn push(&mut self, key: K, h: E, node: Handle) {
        self.heap.push(Reverse((key, h, Reverse(self.pushed), node)));
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(K, E, Handle)> {
        let Reverse((key, h, _, node)) = self.heap.pop()?;
        Some((key, h, node))
    }

    fn pop_batch(&mut self, most: usize, out: &mut Vec<(E, Handle)>) -> Option<K> {
        let (key, h, node) = self.pop()?;
        out.push((h, node));
        while out.len() < most && self.heap.peek().is_some_and(|Reverse((next, ..))| *next == key) {
            out.extend(self.pop().map(|(_, h, node)| (h, node)));
        }
        Some(key)
    }

    fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Entry<K, E>>()
    }
}

/// Slots of a chunk: a link to the chunk below, then handles.
const CHUNK: u32 = 64;

/// Stacks of handles in one pool, four bytes a handle: a stack is the place of its topmost handle. Its handles lie in
/// chunks, each of which begins with the place of the top handle in the chunk below. So the memory of all stacks is
/// what they hold, not what each once held.
#[derive(Default)]
struct Pool {
    slots: Buffer<u32>,
    /// The first chunk that is free, each of which begins with the next; 0 for none.
    free: u32,
}

/// The place of the topmost handle, or 0 for an empty stack: place 0 is the link of the first chunk, which no stack
/// ends on.
type Stack = u32;

impl Pool {
    #[inline]
    fn push(&mut self, stack: &mut Stack, node: Handle) {
        let mut place = *stack + 1;
        if place % CHUNK <= 1 {
            place = self.begin_chunk(*stack);
        }
        self.slots[place as usize] = node;
        *stack = place;
    }

    /// A chunk on top of a stack; the place of its first handle.
    #[cold]
    #[inline(never)]
    fn begin_chunk(&mut self, below: Stack) -> u32 {
        let chunk = if self.free == 0 {
            let chunk = self.slots.len();
            self.slots.extend(CHUNK as usize, 0);
            chunk as u32
        } else {
            let chunk = self.free - 1;
            self.free = self.slots[chunk as usize];
            chunk
        };
        self.slots[chunk as usize] = below;
        chunk + 1
    }

    /// Takes the topmost handle of a stack that is not empty.
    #[inline]
    fn pop(&mut self, stack: &mut Stack) -> Handle {
        let place = *stack;
        let node = self.slots[place as usize];
        *stack = if place % CHUNK == 1 { self.end_chunk(place - 1) } else { place - 1 };
        node
    }

    /// Frees a chunk; what was below it.
    #[cold]
    #[inline(never)]
    fn end_chunk(&mut self, chunk: u32) -> Stack {
        let below = std::mem::replace(&mut self.slots[chunk as usize], self.free);
        self.free = chunk + 1;
        below
    }
}

/// Bucket directories larger than this are sparse: a heap does better.
const LARGEST_DIRECTORY: usize = 1 << 20;

/// Buckets by key and h, for small integer keys: push and pop in constant time,
/// four bytes a node. Keys too far spread for buckets go to a heap, with
/// everything that was there before them.
///
/// What is known of where nodes are changes only when a stack ceases to be
/// empty, so that most pushes need not look at it.
#[derive(Default)]
pub struct BucketQueue {
    /// By key, then by h, in rows of `width`.
    stacks: Vec<Stack>,
    width: usize,
    /// For each key: no node has an h below this.
    lowest_h: Vec<u32>,
    /// No node has a key below this.
    lowest_key: usize,
    pool: Pool,
    heap: Option<HeapQueue<u64, u32>>,
}

impl std::fmt::Debug for BucketQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BucketQueue").field("lowest_key", &self.lowest_key).finish_non_exhaustive()
    }
}

impl BucketQueue {
    /// Makes room for a key and an h; where that is too much for buckets, puts the node into a heap instead.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, key: u64, h: u32, node: Handle) -> bool {
        let room = |wanted: u64, now: usize| {
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX).min(LARGEST_DIRECTORY);
            if wanted < now { now } else { (wanted + 1).next_power_of_two() }
        };
        let (keys, width) = (room(key, self.lowest_h.len()), room(h.into(), self.width));
        if self.heap.is_none() && width.saturating_mul(keys) > LARGEST_DIRECTORY {
            self.spread();
        }
        if let Some(heap) = &mut self.heap {
            heap.push(key, h, node);
            return false;
        }
        let mut stacks = vec![0; width * keys];
        for (row, old) in self.stacks.chunks_exact(self.width.max(1)).enumerate() {
            stacks[row * width..][..self.width].copy_from_slice(old);
        }
        self.stacks = stacks;
        self.width = width;
        self.lowest_h.resize(keys, 0);
        true
    }

    /// Moves everything to a heap, oldest first, so that ties stay last in
    /// first out.
    #[cold]
    fn spread(&mut self) {
        let mut heap = HeapQueue::default();
        for (bucket, stack) in self.stacks.iter_mut().enumerate() {
            let mut nodes = Vec::new();
            while *stack != 0 {
                nodes.push(self.pool.pop(stack));
            }
            for node in nodes.into_iter().rev() {
                heap.push((bucket / self.width) as u64, (bucket % self.width) as u32, node);
            }
        }
        *self = Self { heap: Some(heap), ..Self::default() };
    }

    /// A stack that was empty has got a node.
    #[cold]
    #[inline(never)]
    fn note(&mut self, key: usize, h: u32) {
        self.lowest_key = self.lowest_key.min(key);
        self.lowest_h[key] = self.lowest_h[key].min(h);
    }

    /// The lowest h of a key that has a node.
    #[inline]
    fn first_h(&mut self, key: usize) -> Option<u32> {
        let lowest = &mut self.lowest_h[key];
        let row = &self.stacks[key * self.width..][..self.width];
        while *row.get(*lowest as usize)? == 0 {
            *lowest += 1;
        }
        Some(*lowest)
    }

    /// The lowest key that has a node, and its lowest h.
    #[inline]
    fn first(&mut self) -> Option<(usize, u32)> {
        while self.lowest_key < self.lowest_h.len() {
            if let Some(h) = self.first_h(self.lowest_key) {
                return Some((self.lowest_key, h));
            }
            self.lowest_key += 1;
        }
        None
    }
}

impl OpenList<u64, u32> for BucketQueue {
    #[inline]
    fn push(&mut self, key: u64, h: u32, node: Handle) {
        let (at, column) = (key as usize, h as usize);
        if (key >= self.lowest_h.len() as u64 || column >= self.width) && !self.widen(key, h, node) {
            return;
        }
        let stack = &mut self.stacks[at * self.width + column];
        let was_empty = *stack == 0;
        self.pool.push(stack, node);
        if was_empty {
            self.note(at, h);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, u32, Handle)> {
        if let Some(heap) = &mut self.heap {
            return heap.pop();
        }
        let (key, h) = self.first()?;
        let node = self.pool.pop(&mut self.stacks[key * self.width + h as usize]);
        Some((key as u64, h, node))
    }

    #[inline]
    fn pop_batch(&mut self, most: usize, out: &mut Vec<(u32, Handle)>) -> Option<u64> {
        if let Some(heap) = &mut self.heap {
            return heap.pop_batch(most, out);
        }
        let (key, mut h) = self.first()?;
        loop {
            let stack = &mut self.stacks[key * self.width + h as usize];
            while out.len() < most && *stack != 0 {
                out.push((h, self.pool.pop(stack)));
            }
            if out.len() == most {
                break;
            }
            let Some(next) = self.first_h(key) else { break };
            h = next;
        }
        Some(key as u64)
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.pool.slots)
            + size_of_val(&*self.stacks)
            + size_of_val(&*self.lowest_h)
            + self.heap.as_ref().map_or(0, OpenList::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pushes and pops in the order given, against a plain list searched anew.
    fn agrees(steps: &[Option<(u64, u32)>]) {
        let mut queue = BucketQueue::default();
        let mut heap = HeapQueue::default();
        let mut plain: Vec<(u64, u32, Handle)> = Vec::new();
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
                // What a batch holds is what single pops would have given, while the key is the same.
                let mut batches = [Vec::new(), Vec::new()];
                let keys = [queue.pop_batch(3, &mut batches[0]), heap.pop_batch(3, &mut batches[1])];
                let mut batch = Vec::new();
                let first = plain.iter().map(|entry| entry.0).min();
                while batch.len() < 3
                    && let Some(i) = (0..plain.len())
                        .filter(|&i| Some(plain[i].0) == first)
                        .min_by_key(|&i| (plain[i].1, Reverse(plain[i].2)))
                {
                    let (_, h, node) = plain.remove(i);
                    batch.push((h, node));
                }
                assert!(first.is_none_or(|first| first >= key));
                assert_eq!(keys, [first; 2]);
                assert_eq!(batches, [batch.clone(), batch]);
            }
        }
    }

    proptest! {
        #[test]
        fn small_keys(steps in prop::collection::vec(prop::option::weighted(0.6, (0u64..6, 0u32..4)), 0..600)) {
            agrees(&steps);
        }

        #[test]
        fn keys_of_any_size(steps in prop::collection::vec(prop::option::weighted(0.6, (any::<u64>(), any::<u32>())), 0..60)) {
            agrees(&steps);
        }
    }
}

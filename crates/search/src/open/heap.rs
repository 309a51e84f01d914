//! A heap, for keys of any kind.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::OpenList;
use crate::store::Handle;

/// Key, h, when it was pushed, node.
type Entry<K, E> = (K, E, Reverse<u64>, Handle);

/// A heap, for keys that are no whole numbers.
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
        let first = out.len();
        let (key, h, node) = self.pop()?;
        out.push((h, node));
        while out.len() < most
            && self.heap.peek().is_some_and(|Reverse((next, h, ..))| *next == key && *h == out[first].0)
        {
            out.extend(self.pop().map(|(_, h, node)| (h, node)));
        }
        Some(key)
    }

    fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Entry<K, E>>()
    }
}

//! The queue for keys that are whole numbers, which takes the form that suits them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::OpenList;
use super::lists::Lists;
use super::stacks::{Stacks, room_for};
use crate::store::Handle;

/// A queue for keys that are whole numbers. It has three forms, and changes from one to another by how many nodes it
/// holds and how far their keys are spread:
///
/// - lists by key, the first of which is in order of h: 12 bytes a node, push and pop in constant time but for
///   putting a list in order. Every queue begins so, with a directory of 64 keys.
/// - stacks by key and h, 4 bytes a node: for many nodes of few keys, such as those of the 15-puzzle.
/// - a heap, 16 bytes a node: for keys too far spread for a directory. Among nodes of one key and h it takes the one
///   that was stored last, which is the one pushed last unless a node was reached again at a lower cost.
#[derive(Debug)]
pub struct BucketQueue {
    pub(super) form: Form,
    /// Nodes held.
    pub(super) len: usize,
    /// So many nodes are enough to think of another form.
    pub(super) enough: usize,
}

#[derive(Debug)]
pub(super) enum Form {
    Lists(Lists),
    Stacks(Stacks),
    Heap(BinaryHeap<Reverse<u128>>),
}

/// Nodes from which on stacks are thought of: fewer fit the caches in any form.
const MANY: usize = 1 << 12;
/// Nodes a cell of the directory from which on stacks are worth it. A cell takes 4 bytes and, unless it is empty, 128
/// more on average for the unused rest of a chunk.
const DENSE: usize = 8;
/// A directory may have so many entries, whatever is in the queue,
const SMALL_DIRECTORY: usize = 1 << 12;
/// and so many for each node.
const SPARSE: usize = 4;

fn largest_directory(nodes: usize) -> usize {
    SMALL_DIRECTORY.max(nodes.saturating_mul(SPARSE))
}

impl Default for BucketQueue {
    fn default() -> Self {
        Self { form: Form::Lists(Lists::new()), len: 0, enough: MANY }
    }
}

#[inline]
fn packed(key: u64, h: u32, node: Handle) -> Reverse<u128> {
    Reverse(u128::from(key) << 64 | u128::from(h) << 32 | u128::from(!node))
}

#[inline]
fn unpacked(Reverse(entry): Reverse<u128>) -> (u64, u32, Handle) {
    ((entry >> 64) as u64, (entry >> 32) as u32, !(entry as u32))
}

impl BucketQueue {
    /// Changes to stacks if they are worth it.
    #[cold]
    #[inline(never)]
    fn reconsider(&mut self) {
        self.enough = self.len.saturating_mul(2);
        if let Form::Lists(lists) = &mut self.form
            && let Some(span) = lists.highest.checked_sub(lists.lowest())
            && let (rows, width) = (room_for(span), room_for(lists.highest_h.into()))
            && rows.saturating_mul(width) <= self.len / DENSE
        {
            let mut stacks = Stacks::new(lists.lowest(), rows, width);
            lists.drain(|key, h, node| assert!(stacks.push(key, h, node), "there is room for all of them"));
            self.form = Form::Stacks(stacks);
        }
    }

    /// Adds a node for which the present form has no room.
    #[cold]
    #[inline(never)]
    fn push_elsewhere(&mut self, key: u64, h: u32, node: Handle) {
        let most = largest_directory(self.len);
        let has_room = match &mut self.form {
            Form::Lists(lists) => lists.widen(key, most),
            Form::Stacks(stacks) => stacks.widen(key, h, most),
            Form::Heap(_) => true,
        };
        if has_room {
            return self.place(key, h, node);
        }
        // It takes twice as many nodes to come back.
        self.enough = self.enough.max(self.len.saturating_mul(4));
        match std::mem::replace(&mut self.form, Form::Lists(Lists::new())) {
            Form::Lists(mut lists) => {
                let mut heap = BinaryHeap::with_capacity(2 * self.len);
                lists.drain(|key, h, node| heap.push(packed(key, h, node)));
                self.form = Form::Heap(heap);
            }
            Form::Stacks(mut stacks) => stacks.drain(|key, h, node| self.place(key, h, node)),
            Form::Heap(_) => {}
        }
        self.place(key, h, node);
    }

    #[inline]
    fn place(&mut self, key: u64, h: u32, node: Handle) {
        let placed = match &mut self.form {
            Form::Lists(lists) => lists.push(key, h, node),
            Form::Stacks(stacks) => stacks.push(key, h, node),
            Form::Heap(heap) => {
                heap.push(packed(key, h, node));
                true
            }
        };
        if !placed {
            self.push_elsewhere(key, h, node);
        }
    }
}

impl OpenList<u64, u32> for BucketQueue {
    #[inline]
    fn push(&mut self, key: u64, h: u32, node: Handle) {
        self.len += 1;
        if self.len >= self.enough {
            self.reconsider();
        }
        self.place(key, h, node);
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, u32, Handle)> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        match &mut self.form {
            Form::Lists(lists) => lists.pop(),
            Form::Stacks(stacks) => stacks.pop(),
            Form::Heap(heap) => heap.pop().map(unpacked),
        }
    }

    #[inline]
    fn pop_batch(&mut self, most: usize, out: &mut Vec<(u32, Handle)>) -> Option<u64> {
        let (key, h, node) = self.pop()?;
        let first = out.len();
        out.push((h, node));
        let more = most - 1;
        match &mut self.form {
            Form::Lists(lists) => lists.pop_alike(h, more, out),
            Form::Stacks(stacks) => stacks.pop_alike(key, h, more, out),
            Form::Heap(heap) => {
                while out.len() - first < most
                    && heap.peek().is_some_and(|&next| unpacked(next).0 == key && unpacked(next).1 == h)
                {
                    out.extend(heap.pop().map(|next| (h, unpacked(next).2)));
                }
            }
        }
        self.len -= out.len() - first - 1;
        Some(key)
    }

    fn bytes(&self) -> usize {
        match &self.form {
            Form::Lists(lists) => lists.bytes(),
            Form::Stacks(stacks) => stacks.bytes(),
            Form::Heap(heap) => heap.capacity() * size_of::<u128>(),
        }
    }
}

//! Nodes in stacks by key and h.

use crate::store::{Buffer, Handle};

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

/// Stacks by key and h: push and pop in constant time, four bytes a node.
///
/// What is known of where nodes are changes only when a stack ceases to be
/// empty, so that most pushes need not look at it.
pub(super) struct Stacks {
    /// By key, then by h, in rows of `width`.
    stacks: Vec<Stack>,
    width: usize,
    /// The key of the first row.
    base: u64,
    /// For each row: no node has an h below this.
    lowest_h: Vec<u32>,
    /// No node is in a row below this.
    lowest_row: usize,
    pool: Pool,
}

impl std::fmt::Debug for Stacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stacks").field("base", &self.base).finish_non_exhaustive()
    }
}

/// A power of two above a number, where there is one to count with.
pub(super) fn room_for(wanted: u64) -> usize {
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    wanted.saturating_add(1).checked_next_power_of_two().unwrap_or(usize::MAX)
}

impl Stacks {
    /// None yet, with a directory of `rows` from a key on and h below `width`.
    pub fn new(base: u64, rows: usize, width: usize) -> Self {
        Self {
            stacks: vec![0; rows * width],
            width,
            base,
            lowest_h: vec![0; rows],
            lowest_row: 0,
            pool: Pool::default(),
        }
    }

    /// Makes room for a key and an h, unless that takes more than so many stacks.
    pub fn widen(&mut self, key: u64, h: u32, most: usize) -> bool {
        let base = self.base.min(key);
        let below = self.base - base;
        let highest = (self.base + (self.lowest_h.len() as u64 - 1)).max(key);
        let (rows, width) = (room_for(highest - base), room_for(h.into()).max(self.width));
        if rows.saturating_mul(width) > most {
            return false;
        }
        let mut wider = Self::new(base, rows, width);
        for (row, old) in self.stacks.chunks_exact(self.width).enumerate() {
            wider.stacks[(row + below as usize) * width..][..self.width].copy_from_slice(old);
        }
        wider.lowest_h[below as usize..][..self.lowest_h.len()].copy_from_slice(&self.lowest_h);
        wider.pool = std::mem::take(&mut self.pool);
        *self = wider;
        true
    }

    /// Adds a node; false if the directory has no place for it.
    #[inline]
    pub fn push(&mut self, key: u64, h: u32, node: Handle) -> bool {
        let row = key.wrapping_sub(self.base);
        if row >= self.lowest_h.len() as u64 || h as usize >= self.width {
            return false;
        }
        let stack = &mut self.stacks[row as usize * self.width + h as usize];
        let was_empty = *stack == 0;
        self.pool.push(stack, node);
        if was_empty {
            self.note(row as usize, h);
        }
        true
    }

    /// A stack that was empty has got a node.
    #[cold]
    #[inline(never)]
    fn note(&mut self, row: usize, h: u32) {
        self.lowest_row = self.lowest_row.min(row);
        self.lowest_h[row] = self.lowest_h[row].min(h);
    }

    /// The lowest h of a row that has a node.
    #[inline]
    fn first_h(&mut self, row: usize) -> Option<u32> {
        let lowest = &mut self.lowest_h[row];
        let row = &self.stacks[row * self.width..][..self.width];
        while *row.get(*lowest as usize)? == 0 {
            *lowest += 1;
        }
        Some(*lowest)
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u32, Handle)> {
        while self.lowest_row < self.lowest_h.len() {
            if let Some(h) = self.first_h(self.lowest_row) {
                let node = self.pool.pop(&mut self.stacks[self.lowest_row * self.width + h as usize]);
                return Some((self.base + self.lowest_row as u64, h, node));
            }
            self.lowest_row += 1;
        }
        None
    }

    /// Takes more nodes of this key and h.
    #[inline]
    pub fn pop_alike(&mut self, key: u64, h: u32, most: usize, out: &mut Vec<(u32, Handle)>) {
        let stack = &mut self.stacks[(key - self.base) as usize * self.width + h as usize];
        for _ in 0..most {
            if *stack == 0 {
                break;
            }
            out.push((h, self.pool.pop(stack)));
        }
    }

    /// Hands out everything, of equal ones the oldest first.
    pub fn drain(&mut self, mut each: impl FnMut(u64, u32, Handle)) {
        let mut nodes = Vec::new();
        for (cell, stack) in self.stacks.iter_mut().enumerate() {
            while *stack != 0 {
                nodes.push(self.pool.pop(stack));
            }
            let (row, h) = (cell / self.width, cell % self.width);
            nodes.drain(..).rev().for_each(|node| each(self.base + row as u64, h as u32, node));
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.pool.slots) + size_of_val(&*self.stacks) + size_of_val(&*self.lowest_h)
    }
}

//! Open lists: which node comes next in a best-first search.
//!
//! The order is the same everywhere: smaller key (f), then smaller h, then last
//! in first out.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::store::{Buffer, Handle};

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
}

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
    form: Form,
    /// Nodes held.
    len: usize,
    /// So many nodes are enough to think of another form.
    enough: usize,
}

#[derive(Debug)]
enum Form {
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
        let next = match &mut self.form {
            Form::Lists(lists) => lists.pop(),
            Form::Stacks(stacks) => stacks.pop(),
            Form::Heap(heap) => heap.pop().map(unpacked),
        };
        self.len -= usize::from(next.is_some());
        next
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

/// A list of nodes for each key, as a link to the newest, in a ring of keys.
///
/// The nodes of the lowest key are taken out of their list when it is their turn, and put in order of h. A child of one
/// of them that has the same key has an h that is not above its parent's, so it comes next and goes on top of a stack.
/// Should a lower key come up, which a consistent heuristic excludes, what is left of the stack waits for its turn.
#[derive(Debug)]
struct Lists {
    /// By key modulo their number, a power of two: the newest entry plus one, or 0.
    heads: Vec<u32>,
    /// Which lists are not empty.
    used: Bits,
    entries: Vec<ListEntry>,
    /// The first entry that is free, plus one; each leads to the next.
    free: u32,
    /// The nodes taken from next. All keys are within a ring from its key on.
    level: Level,
    /// Levels of higher keys that were left for a lower one; the lowest key last.
    waiting: Vec<Level>,
    /// The highest key and h met.
    highest: u64,
    highest_h: u32,
}

#[derive(Debug, Clone, Copy)]
struct ListEntry {
    h: u32,
    node: Handle,
    next: u32,
}

/// Nodes of one key.
#[derive(Debug, Default)]
struct Level {
    key: u64,
    /// Of falling h, the next one last.
    stack: Vec<(u32, Handle)>,
    /// Those that came too late to be put on the stack. A node goes here if its h is that of the lowest here, so that of
    /// two equal ones, on the stack and here, this is the newer.
    late: BinaryHeap<Reverse<(u32, Reverse<u64>, Handle)>>,
    /// How many came too late.
    count: u64,
}

/// How far down a stack nodes are put in order by moving those above.
const SHALLOW: usize = 16;

impl Level {
    #[inline]
    fn push(&mut self, h: u32, node: Handle) {
        if self.late.is_empty() && self.stack.last().is_none_or(|&(top, _)| h <= top) {
            self.stack.push((h, node));
        } else {
            self.push_late(h, node);
        }
    }

    #[cold]
    fn push_late(&mut self, h: u32, node: Handle) {
        match self.late.peek() {
            None => {
                let above =
                    self.stack.iter().rev().take(SHALLOW).take_while(|&&(other, _)| other < h).count();
                if above < SHALLOW {
                    self.stack.insert(self.stack.len() - above, (h, node));
                    return;
                }
            }
            Some(Reverse((lowest, ..))) => {
                if h < *lowest && self.stack.last().is_none_or(|&(top, _)| h <= top) {
                    self.stack.push((h, node));
                    return;
                }
            }
        }
        self.late.push(Reverse((h, Reverse(self.count), node)));
        self.count += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, Handle)> {
        if self.late.is_empty() { self.stack.pop() } else { self.pop_late() }
    }

    #[cold]
    fn pop_late(&mut self) -> Option<(u32, Handle)> {
        let &Reverse((lowest, _, node)) = self.late.peek()?;
        if self.stack.last().is_some_and(|&(h, _)| h < lowest) {
            return self.stack.pop();
        }
        self.late.pop();
        Some((lowest, node))
    }

    fn is_empty(&self) -> bool {
        self.stack.is_empty() && self.late.is_empty()
    }
}

const FIRST_RING: usize = 64;

impl Lists {
    fn new() -> Self {
        Self {
            heads: Vec::new(),
            used: Bits::default(),
            entries: Vec::new(),
            free: 0,
            level: Level { key: u64::MAX, ..Level::default() },
            waiting: Vec::new(),
            highest: 0,
            highest_h: 0,
        }
    }

    /// No key is below this.
    fn lowest(&self) -> u64 {
        self.level.key
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.heads.len() - 1)
    }

    /// Adds a node; false if its key is too far from others.
    #[inline]
    fn push(&mut self, key: u64, h: u32, node: Handle) -> bool {
        let ring = self.heads.len() as u64;
        match key.cmp(&self.level.key) {
            Ordering::Equal => self.level.push(h, node),
            Ordering::Greater if key - self.level.key < ring => self.push_listed(key, h, node),
            Ordering::Less if self.highest.saturating_sub(key) < ring.max(1) => {
                self.begin_level(key, h, node);
            }
            _ => return false,
        }
        self.highest = self.highest.max(key);
        self.highest_h = self.highest_h.max(h);
        true
    }

    #[inline]
    fn push_listed(&mut self, key: u64, h: u32, node: Handle) {
        let slot = self.slot(key);
        let head = &mut self.heads[slot];
        if *head == 0 {
            self.used.set(slot);
        }
        let entry = ListEntry { h, node, next: *head };
        if self.free == 0 {
            self.entries.push(entry);
            *head = self.entries.len() as u32;
        } else {
            *head = self.free;
            self.free = std::mem::replace(&mut self.entries[self.free as usize - 1], entry).next;
        }
    }

    /// A key below all others has come.
    #[cold]
    fn begin_level(&mut self, key: u64, h: u32, node: Handle) {
        if self.level.is_empty() {
            self.level.key = key;
        } else {
            let lower = Level { key, ..Level::default() };
            self.waiting.push(std::mem::replace(&mut self.level, lower));
        }
        self.level.push(h, node);
    }

    /// Makes the ring large enough for a key, unless that takes more than so many lists.
    fn widen(&mut self, key: u64, most: usize) -> bool {
        let (low, high) = (self.level.key.min(key), self.highest.max(key));
        let wanted = usize::try_from(high - low).unwrap_or(usize::MAX);
        if wanted >= most {
            return false;
        }
        let keys = (wanted + 1).next_power_of_two().max(FIRST_RING);
        let old = std::mem::replace(&mut self.heads, vec![0; keys]);
        let used = std::mem::replace(&mut self.used, Bits::new(keys));
        let mut slot = 0;
        while let Some(next) = used.first_from(slot) {
            let key = self.level.key + (next as u64).wrapping_sub(self.level.key) % old.len() as u64;
            let to = self.slot(key);
            self.heads[to] = old[next];
            self.used.set(to);
            slot = next + 1;
        }
        true
    }

    #[inline]
    fn pop(&mut self) -> Option<(u64, u32, Handle)> {
        loop {
            if let Some((h, node)) = self.level.pop() {
                return Some((self.level.key, h, node));
            }
            if !self.next_level() {
                return None;
            }
        }
    }

    /// Takes more nodes of the level in hand that have this h.
    #[inline]
    fn pop_alike(&mut self, h: u32, most: usize, out: &mut Vec<(u32, Handle)>) {
        if !self.level.late.is_empty() {
            return;
        }
        for _ in 0..most {
            let Some(next) = self.level.stack.pop_if(|next| next.0 == h) else { break };
            out.push(next);
        }
    }

    /// Goes on to the next key; false if there is none.
    #[inline(never)]
    fn next_level(&mut self) -> bool {
        let listed = if self.heads.is_empty() {
            None
        } else {
            let here = self.slot(self.level.key);
            self.used.first_from(here).or_else(|| self.used.first_from(0)).map(|slot| {
                let key = self.level.key + ((slot.wrapping_sub(here) & (self.heads.len() - 1)) as u64);
                (key, slot)
            })
        };
        let waits = self.waiting.last().map(|level| level.key);
        if let Some(key) = waits
            && listed.is_none_or(|(listed, _)| key <= listed)
        {
            self.level = self.waiting.pop().expect("it was there");
        }
        match listed {
            Some((key, slot)) if waits.is_none_or(|waits| key <= waits) => {
                self.level.key = key;
                self.take_list(slot);
                true
            }
            _ => waits.is_some(),
        }
    }

    /// Adds a list to the level in hand.
    fn take_list(&mut self, slot: usize) {
        self.used.clear(slot);
        let Level { stack, late, .. } = &mut self.level;
        let before = stack.len();
        let first = std::mem::take(&mut self.heads[slot]);
        let mut at = first;
        loop {
            let entry = &mut self.entries[at as usize - 1];
            stack.push((entry.h, entry.node));
            if entry.next == 0 {
                entry.next = std::mem::replace(&mut self.free, first);
                break;
            }
            at = entry.next;
        }
        if stack.len() == 1 {
            return;
        }
        stack[before..].reverse();
        if before == 0 && late.is_empty() {
            // Stable: of equal ones the newest stays last.
            stack.sort_by_key(|&(h, _)| Reverse(h));
        } else {
            let newer = stack.split_off(before);
            newer.into_iter().for_each(|(h, node)| self.level.push(h, node));
        }
    }

    /// Hands out everything, of equal ones the oldest first.
    fn drain(&mut self, mut each: impl FnMut(u64, u32, Handle)) {
        let mut order = Vec::new();
        // Nodes that are listed are newer than those of the same key that wait.
        let levels = std::mem::take(&mut self.waiting);
        for mut level in levels.into_iter().chain([std::mem::take(&mut self.level)]) {
            while let Some((h, node)) = level.pop() {
                order.push((h, node));
            }
            order.drain(..).rev().for_each(|(h, node)| each(level.key, h, node));
            self.level.key = level.key;
        }
        while self.next_level() {
            for (h, node) in self.level.stack.drain(..) {
                each(self.level.key, h, node);
            }
        }
    }

    fn bytes(&self) -> usize {
        let level = |level: &Level| level.stack.capacity() * 8 + level.late.capacity() * 16;
        self.heads.len() * size_of::<u32>()
            + self.used.bytes()
            + self.entries.capacity() * size_of::<ListEntry>()
            + self.waiting.iter().map(level).sum::<usize>()
            + level(&self.level)
    }
}

/// A set of small numbers whose next member is found by looking at one bit for each 4096.
#[derive(Debug, Default)]
struct Bits {
    words: Vec<u64>,
    /// Which words are not 0.
    summary: Vec<u64>,
}

impl Bits {
    fn new(count: usize) -> Self {
        Self { words: vec![0; count.div_ceil(64)], summary: vec![0; count.div_ceil(64 * 64)] }
    }

    #[inline]
    fn set(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
        self.summary[i / 4096] |= 1 << (i / 64 % 64);
    }

    #[inline]
    fn clear(&mut self, i: usize) {
        let word = &mut self.words[i / 64];
        *word &= !(1 << (i % 64));
        if *word == 0 {
            self.summary[i / 4096] &= !(1 << (i / 64 % 64));
        }
    }

    /// The first member from `i` on.
    #[inline]
    fn first_from(&self, i: usize) -> Option<usize> {
        let word = self.words.get(i / 64)? & (u64::MAX << (i % 64));
        if word != 0 {
            return Some(i / 64 * 64 + word.trailing_zeros() as usize);
        }
        let next = i / 64 + 1;
        let mut at = next / 64;
        let mut summary = self.summary.get(at)? & (u64::MAX << (next % 64));
        while summary == 0 {
            at += 1;
            summary = *self.summary.get(at)?;
        }
        let word = at * 64 + summary.trailing_zeros() as usize;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }

    fn bytes(&self) -> usize {
        (self.words.len() + self.summary.len()) * size_of::<u64>()
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

/// Stacks by key and h: push and pop in constant time, four bytes a node.
///
/// What is known of where nodes are changes only when a stack ceases to be
/// empty, so that most pushes need not look at it.
struct Stacks {
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
fn room_for(wanted: u64) -> usize {
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    wanted.saturating_add(1).checked_next_power_of_two().unwrap_or(usize::MAX)
}

impl Stacks {
    /// None yet, with a directory of `rows` from a key on and h below `width`.
    fn new(base: u64, rows: usize, width: usize) -> Self {
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
    fn widen(&mut self, key: u64, h: u32, most: usize) -> bool {
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
    fn push(&mut self, key: u64, h: u32, node: Handle) -> bool {
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
    fn pop(&mut self) -> Option<(u64, u32, Handle)> {
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
    fn pop_alike(&mut self, key: u64, h: u32, most: usize, out: &mut Vec<(u32, Handle)>) {
        let stack = &mut self.stacks[(key - self.base) as usize * self.width + h as usize];
        for _ in 0..most {
            if *stack == 0 {
                break;
            }
            out.push((h, self.pool.pop(stack)));
        }
    }

    /// Hands out everything, of equal ones the oldest first.
    fn drain(&mut self, mut each: impl FnMut(u64, u32, Handle)) {
        let mut nodes = Vec::new();
        for (cell, stack) in self.stacks.iter_mut().enumerate() {
            while *stack != 0 {
                nodes.push(self.pool.pop(stack));
            }
            let (row, h) = (cell / self.width, cell % self.width);
            nodes.drain(..).rev().for_each(|node| each(self.base + row as u64, h as u32, node));
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.pool.slots) + size_of_val(&*self.stacks) + size_of_val(&*self.lowest_h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Step = Option<(u64, u32)>;

    /// Takes out what comes next of a plain list, by searching it anew.
    fn take(plain: &mut Vec<(u64, u32, Handle)>) -> Option<(u64, u32, Handle)> {
        let best = (0..plain.len()).min_by_key(|&i| (plain[i].0, plain[i].1, Reverse(plain[i].2)));
        best.map(|i| plain.remove(i))
    }

    /// Pushes and pops in the order given, against a plain list.
    fn agrees(steps: &[Step], mut queue: BucketQueue) {
        let mut heap = HeapQueue::default();
        let mut plain = Vec::new();
        for (node, step) in (0..).zip(steps) {
            if let &Some((key, h)) = step {
                queue.push(key, h, node);
                heap.push(key, h, node);
                plain.push((key, h, node));
                continue;
            }
            let expected = take(&mut plain);
            assert_eq!(queue.pop(), expected);
            assert_eq!(heap.pop(), expected);
            // What a batch holds is what single pops would have given, while key and h are the same. It may be shorter.
            let mut batch = Vec::new();
            let key: Option<u64> = queue.pop_batch(3, &mut batch);
            assert_eq!(key.is_some(), !batch.is_empty());
            assert_eq!(batch.is_empty(), plain.is_empty());
            let mut same = Vec::new();
            assert_eq!(heap.pop_batch(batch.len(), &mut same), key);
            assert_eq!(same, batch);
            for &(h, node) in &batch {
                assert_eq!(take(&mut plain), Some((key.expect("a key"), h, node)));
                assert_eq!(h, batch[0].0);
            }
        }
        assert_eq!(queue.len, plain.len());
        while let Some(expected) = take(&mut plain) {
            assert_eq!(queue.pop(), Some(expected));
        }
        assert_eq!(OpenList::pop(&mut queue), None);
    }

    /// A queue that thinks of stacks from so many nodes on.
    fn queue(enough: usize) -> BucketQueue {
        BucketQueue { enough, ..BucketQueue::default() }
    }

    fn steps(
        keys: impl Strategy<Value = u64>,
        hs: impl Strategy<Value = u32>,
        most: usize,
    ) -> impl Strategy<Value = Vec<Step>> {
        prop::collection::vec(prop::option::weighted(0.65, (keys, hs)), 0..most)
    }

    proptest! {
        #[test]
        fn small_keys(steps in steps(0u64..6, 0u32..4, 600), enough in 1usize..400) {
            agrees(&steps, queue(enough));
        }

        #[test]
        fn keys_of_any_size(steps in steps(any::<u64>(), any::<u32>(), 60)) {
            agrees(&steps, queue(8));
        }

        #[test]
        fn spread_keys(steps in steps(1_000_000u64..1_003_000, 0u32..3000, 400)) {
            agrees(&steps, queue(8));
        }

        #[test]
        fn sparse_keys(steps in steps((0u64..40).prop_map(|key| 777 * key), 0u32..3, 400), enough in 1usize..400) {
            agrees(&steps, queue(enough));
        }

        /// Stacks at first, then keys and estimates for which they have no room.
        #[test]
        fn keys_that_spread(
            dense in steps(100u64..104, 0u32..4, 600),
            wide in steps(prop_oneof![90u64..5000, Just(u64::MAX)], 0u32..1000, 100),
        ) {
            agrees(&[dense, wide].concat(), queue(32));
        }

        /// Children of the node taken last: a key that is never below, and an h that falls by as much as g grows.
        #[test]
        fn as_a_search_pushes(choices in prop::collection::vec(prop::collection::vec((0u32..4, 0u64..3), 0..4), 0..200)) {
            let (mut queue, mut plain, mut next) = (queue(64), vec![(50, 50, 0)], 1);
            queue.push(50u64, 50, 0);
            for children in choices {
                let Some((key, h, node)) = queue.pop() else { break };
                prop_assert_eq!(take(&mut plain), Some((key, h, node)));
                for (cost, detour) in children {
                    let child = (key + 14 * detour, (h + 14 * detour as u32).saturating_sub(cost), next);
                    queue.push(child.0, child.1, child.2);
                    plain.push(child);
                    next += 1;
                }
            }
        }
    }
}

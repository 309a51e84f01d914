//! Nodes in lists by key.

use std::cmp::{Ordering, Reverse};

use super::bits::Bits;
use super::level::Level;
use crate::store::Handle;

/// A list of nodes for each key, as a link to the newest, in a ring of keys.
///
/// The nodes of the lowest key are taken out of their list when it is their turn, and put in order of h. A child of one
/// of them that has the same key has an h that is not above its parent's, so it comes next and goes on top of a stack.
/// Should a lower key come up, which a consistent heuristic excludes, what is left of the stack waits for its turn.
#[derive(Debug)]
pub(super) struct Lists {
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
    pub highest: u64,
    pub highest_h: u32,
}

#[derive(Debug, Clone, Copy)]
struct ListEntry {
    h: u32,
    node: Handle,
    next: u32,
}

const FIRST_RING: usize = 64;

impl Lists {
    pub fn new() -> Self {
        Self {
            heads: Vec::new(),
            used: Bits::default(),
            entries: Vec::new(),
            free: 0,
            level: Level::new(u64::MAX),
            waiting: Vec::new(),
            highest: 0,
            highest_h: 0,
        }
    }

    /// No key is below this.
    pub fn lowest(&self) -> u64 {
        self.level.key
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.heads.len() - 1)
    }

    /// Adds a node; false if its key is too far from others.
    #[inline]
    pub fn push(&mut self, key: u64, h: u32, node: Handle) -> bool {
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
            self.waiting.push(std::mem::replace(&mut self.level, Level::new(key)));
        }
        self.level.push(h, node);
    }

    /// Makes the ring large enough for a key, unless that takes more than so many lists.
    pub fn widen(&mut self, key: u64, most: usize) -> bool {
        let (low, high) = (self.level.key.min(key), self.highest.max(key));
        let wanted = usize::try_from(high - low).unwrap_or(usize::MAX);
        if wanted >= most {
            return false;
        }
        let keys = (wanted + 1).next_power_of_two().max(FIRST_RING);
        let old = std::mem::replace(&mut self.heads, vec![0; keys]);
        if old.is_empty() {
            self.entries.reserve(FIRST_RING);
        }
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
    pub fn pop(&mut self) -> Option<(u64, u32, Handle)> {
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
    pub fn pop_alike(&mut self, h: u32, most: usize, out: &mut Vec<(u32, Handle)>) {
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
        let (mut at, mut last_h, mut in_order) = (first, 0, true);
        loop {
            let entry = &mut self.entries[at as usize - 1];
            stack.push((entry.h, entry.node));
            in_order &= last_h <= entry.h;
            last_h = entry.h;
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
            if !in_order {
                // Stable: of equal ones the newest stays last.
                stack.sort_by_key(|&(h, _)| Reverse(h));
            }
        } else {
            let newer = stack.split_off(before);
            newer.into_iter().for_each(|(h, node)| self.level.push(h, node));
        }
    }

    /// Hands out everything, of equal ones the oldest first.
    pub fn drain(&mut self, mut each: impl FnMut(u64, u32, Handle)) {
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

    pub fn bytes(&self) -> usize {
        let level = |level: &Level| level.stack.capacity() * 8 + level.late.capacity() * 16;
        self.heads.len() * size_of::<u32>()
            + self.used.bytes()
            + self.entries.capacity() * size_of::<ListEntry>()
            + self.waiting.iter().map(level).sum::<usize>()
            + level(&self.level)
    }
}

//! From a state's hash to its handle.

use std::mem::MaybeUninit;

use super::Handle;
use super::column::{huge_pages, prefetch};

/// A hash table of handles: open addressing, linear probing, four bytes a slot.
///
/// A slot holds a handle plus one (zero is empty) in as many low bits as the
/// table's size requires, and in the bits above it a tag from the hash. Without
/// tags every probe would have to fetch a state, a cache miss each; with the
/// ten tag bits that a table of four million slots has left, one in a thousand
/// does so in vain. Growing drops the old table before the new one is made:
/// the states themselves hold all that is needed to fill it.
pub(crate) struct Index {
    slots: Box<[u32]>,
    used: usize,
    /// The low bits of a slot that hold a handle plus one.
    handle_mask: u32,
}

/// An empty slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot(usize);

const SMALLEST: usize = 1 << 10;
/// At most three quarters of the slots are used: linear probing slows down
/// quickly beyond.
const fn most_used(slots: usize) -> usize {
    slots - slots / 4
}
/// How many hashes ahead a new table's slots are fetched while it is filled.
const AHEAD: usize = 16;

impl Index {
    pub fn new() -> Self {
        Self::with_slots(SMALLEST)
    }

    fn with_slots(count: usize) -> Self {
        let mut slots = Box::new_uninit_slice(count);
        // Before the pages are first touched.
        huge_pages(&mut slots);
        slots.fill(MaybeUninit::new(0));
        // SAFETY: every slot was just filled.
        let slots = unsafe { slots.assume_init() };
        let handle_bits = usize::BITS - count.leading_zeros();
        Self { slots, used: 0, handle_mask: ((1u64 << handle_bits) - 1) as u32 }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Whether the table must grow before the next insertion.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.used >= most_used(self.slots.len())
    }

    /// The high half of the hash, scaled to the number of slots.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[self.home(hash)]);
    }

    /// The handle stored under a hash for which `is_it` holds; or else the empty
    /// slot where it would be.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(Handle) -> bool) -> Result<Handle, Slot> {
        let tag = hash as u32 & !self.handle_mask;
        let mut place = self.home(hash);
        loop {
            let slot = self.slots[place];
            if slot == 0 {
                return Err(Slot(place));
            }
            if slot & !self.handle_mask == tag {
                let handle = (slot & self.handle_mask) - 1;
                if is_it(handle) {
                    return Ok(handle);
                }
            }
            place = self.after(place);
        }
    }

    /// The first handle under a hash that may be the right one.
    #[inline]
    pub fn likely(&self, hash: u64) -> Option<Handle> {
        let slot = self.slots[self.home(hash)];
        (slot != 0 && (slot ^ hash as u32) & !self.handle_mask == 0).then(|| (slot & self.handle_mask) - 1)
    }

    #[inline]
    fn after(&self, place: usize) -> usize {
        if place + 1 == self.slots.len() { 0 } else { place + 1 }
    }

    /// Puts a handle into the empty slot that `find` has named.
    #[inline]
    pub fn fill(&mut self, Slot(place): Slot, hash: u64, handle: Handle) {
        self.slots[place] = (hash as u32 & !self.handle_mask) | (handle + 1);
        self.used += 1;
    }

    /// Adds a handle that is not there yet.
    #[inline]
    pub fn insert(&mut self, hash: u64, handle: Handle) {
        let mut place = self.home(hash);
        while self.slots[place] != 0 {
            place = self.after(place);
        }
        self.fill(Slot(place), hash, handle);
    }

    /// Makes the table twice as large, or less if fewer bytes are free,
    /// and fills it from the hashes of all nodes in order. False if there is
    /// no room worth growing for.
    pub fn grow(&mut self, free_bytes: usize, hashes: impl Iterator<Item = u64>) -> bool {
        let old = self.slots.len();
        let wanted = old + old.min(free_bytes / 3 / size_of::<u32>());
        // The mask must leave room for every handle plus one.
        let count = wanted.min(u32::MAX as usize);
        if count < old + old / 16 {
            return false;
        }
        self.slots = Box::default();
        *self = Self::with_slots(count);
        let mut pending = [0; AHEAD];
        let mut seen = 0;
        for hash in hashes {
            if seen >= AHEAD {
                self.insert(pending[seen % AHEAD], (seen - AHEAD) as Handle);
            }
            pending[seen % AHEAD] = hash;
            self.prefetch(hash);
            seen += 1;
        }
        for i in seen.saturating_sub(AHEAD)..seen {
            self.insert(pending[i % AHEAD], i as Handle);
        }
        true
    }
}

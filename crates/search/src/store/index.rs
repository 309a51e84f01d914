//! From a state's hash to its handle.

use super::Handle;
use super::column::prefetch;
use super::memory::Filled;

/// A hash table of handles: open addressing in groups of slots, four bytes a slot.
///
/// A slot holds a handle plus one (zero is empty) in as many low bits as the
/// table's size requires, and in the bits above it a tag from the hash. Without
/// tags every probe would have to fetch a state, a cache miss each; with the
/// ten tag bits that a table of four million slots has left, few do so in vain.
/// The slots of a group are filled from the first to the last and compared all
/// at once; a group that is full passes on to the next. Growing drops the old
/// table before the new one is made: the states themselves hold all that is
/// needed to fill it.
pub(crate) struct Index {
    groups: Filled<Group>,
    /// How many more handles fit before it must grow.
    room: usize,
    /// The low bits of a slot that hold a handle plus one.
    handle_mask: u32,
}

/// Slots of a group, half a cache line.
const SLOTS: usize = 8;

/// Slots that are looked at together.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
struct Group([u32; SLOTS]);

/// Which slots of a group are of interest, a bit each.
struct Look {
    /// In use, with the tag that was looked for.
    alike: u32,
    /// Not in use.
    empty: u32,
}

impl Group {
    const EMPTY: Self = Self([0; SLOTS]);

    /// Compares every slot.
    #[inline]
    fn look(&self, tag: u32, tag_mask: u32) -> Look {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the instructions are part of every x86-64, and a group is two aligned registers.
        let bits = unsafe {
            use std::arch::x86_64::{
                __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_load_si128, _mm_movemask_epi8, _mm_packs_epi16,
                _mm_packs_epi32, _mm_set1_epi32, _mm_setzero_si128,
            };
            let half = |i| _mm_load_si128(std::ptr::from_ref(self).cast::<__m128i>().add(i));
            let (low, high) = (half(0), half(1));
            let (tag, mask) = (_mm_set1_epi32(tag.cast_signed()), _mm_set1_epi32(tag_mask.cast_signed()));
            let alike = |half| _mm_cmpeq_epi32(_mm_and_si128(half, mask), tag);
            let empty = |half| _mm_cmpeq_epi32(half, _mm_setzero_si128());
            let alike = _mm_packs_epi32(alike(low), alike(high));
            let empty = _mm_packs_epi32(empty(low), empty(high));
            _mm_movemask_epi8(_mm_packs_epi16(alike, empty)).cast_unsigned()
        };
        #[cfg(not(target_arch = "x86_64"))]
        let bits = self.0.iter().enumerate().fold(0, |bits, (i, &slot)| {
            let (alike, empty) = (slot & tag_mask == tag, slot == 0);
            bits | (u32::from(alike) | u32::from(empty) << SLOTS) << i
        });
        let empty = bits >> SLOTS;
        Look { alike: bits & !empty & ((1 << SLOTS) - 1), empty }
    }
}

/// An empty slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    group: usize,
    place: u32,
}

const SMALLEST: usize = (1 << 10) / SLOTS;
/// At most seven slots of eight are used: of more, too many groups would be full.
const fn most_used(slots: usize) -> usize {
    slots / 8 * 7
}
/// How many hashes ahead a new table's groups are fetched while it is filled.
const AHEAD: usize = 16;

impl Index {
    pub fn new() -> Self {
        Self::with_groups(SMALLEST)
    }

    fn with_groups(count: usize) -> Self {
        let slots = count * SLOTS;
        let handle_bits = usize::BITS - slots.leading_zeros();
        Self {
            groups: Filled::new(count, Group::EMPTY),
            room: most_used(slots),
            handle_mask: ((1u64 << handle_bits) - 1) as u32,
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.groups)
    }

    /// Whether the table must grow before the next insertion.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// The group where a hash belongs: its high half, scaled to the number of groups.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.groups.len() as u64) >> 32) as usize
    }

    /// The group after another.
    #[inline]
    fn after(&self, group: usize) -> usize {
        if group + 1 == self.groups.len() { 0 } else { group + 1 }
    }

    /// The group that `home` or `after` has named.
    #[inline]
    fn group(&self, number: usize) -> &Group {
        debug_assert!(number < self.groups.len());
        // SAFETY: `home` scales 32 bits to the number of groups and `after` wraps around, so both stay below it.
        unsafe { self.groups.get_unchecked(number) }
    }

    #[inline]
    fn look(&self, group: usize, hash: u64) -> Look {
        let tag_mask = !self.handle_mask;
        self.group(group).look(hash as u32 & tag_mask, tag_mask)
    }

    /// The handle in a slot that is in use.
    #[inline]
    fn handle(&self, group: usize, place: u32) -> Handle {
        (self.group(group).0[place as usize % SLOTS] & self.handle_mask) - 1
    }

    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.group(self.home(hash)));
    }

    /// The handle stored under a hash for which `is_it` holds; or else the empty
    /// slot where it would be.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(Handle) -> bool) -> Result<Handle, Slot> {
        let mut group = self.home(hash);
        loop {
            let Look { mut alike, empty } = self.look(group, hash);
            while alike != 0 {
                let handle = self.handle(group, alike.trailing_zeros());
                if is_it(handle) {
                    return Ok(handle);
                }
                alike &= alike - 1;
            }
            if empty != 0 {
                return Err(Slot { group, place: empty.trailing_zeros() });
            }
            group = self.after(group);
        }
    }

    /// The first handle under a hash that may be the right one.
    #[inline]
    pub fn likely(&self, hash: u64) -> Option<Handle> {
        let group = self.home(hash);
        let Look { alike, .. } = self.look(group, hash);
        (alike != 0).then(|| self.handle(group, alike.trailing_zeros()))
    }

    /// Puts a handle into the empty slot that `find` has named.
    #[inline]
    pub fn fill(&mut self, Slot { group, place }: Slot, hash: u64, handle: Handle) {
        self.groups[group].0[place as usize % SLOTS] = (hash as u32 & !self.handle_mask) | (handle + 1);
        self.room -= 1;
    }

    /// Adds a handle that is not there yet.
    #[inline]
    pub fn insert(&mut self, hash: u64, handle: Handle) {
        let mut group = self.home(hash);
        loop {
            let Look { empty, .. } = self.look(group, hash);
            if empty != 0 {
                return self.fill(Slot { group, place: empty.trailing_zeros() }, hash, handle);
            }
            group = self.after(group);
        }
    }

    /// Makes the table twice as large, or less if fewer bytes are free,
    /// and fills it from the hashes of all nodes in order. False if there is
    /// no room worth growing for.
    pub fn grow(&mut self, free_bytes: usize, hashes: impl Iterator<Item = u64>) -> bool {
        let old = self.groups.len();
        let wanted = old + old.min(free_bytes / 3 / size_of::<Group>());
        // The mask must leave room for every handle plus one.
        let count = wanted.min(u32::MAX as usize / SLOTS);
        if count < old + old / 16 {
            return false;
        }
        self.groups = Filled::new(0, Group::EMPTY);
        *self = Self::with_groups(count);
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

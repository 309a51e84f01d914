//! From a state's hash to its handle.

#![allow(unsafe_code, reason = "groups are named within the table; sixteen slots are compared at once")]

use std::hash::Hash;

use super::Handle;
use super::column::{Column, prefetch};
use super::memory::Buffer;
use crate::limits::Stop;
use crate::order;

/// A hash table of handles: open addressing in groups of slots, four bytes a slot.
///
/// A slot holds a handle plus one (zero is empty) in as many low bits as the
/// table's size requires, in the topmost bit whether it is astray, that is not in
/// the group where its hash belongs, and between the two a tag from the hash. Without
/// tags every probe would have to fetch a state, a cache miss each; with the
/// nine tag bits that a table of four million slots has left, few do so in vain.
/// The slots of a group are filled from the first to the last and compared all
/// at once; a group that is full passes on to the next.
///
/// A group's number is the head of the hash and the tag is what follows it. So a
/// table twice as large can be filled from the old one alone, in order and without
/// fetching a state: each group becomes two, and the tag's first bit says which of
/// them. Only for the few that are astray the hash is computed again.
pub(crate) struct Index {
    groups: Buffer<Group>,
    /// How many more handles fit before it must grow.
    room: usize,
    /// The low bits of a slot that hold a handle plus one, and the bits above that hold a tag.
    handle_mask: u32,
    tag_mask: u32,
}

/// Slots of a group, a cache line: a group that is full costs another, so the more slots the better.
const SLOTS: usize = 16;

/// Slots that are looked at together.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Group([u32; SLOTS]);

impl Group {
    const EMPTY: Self = Self([0; SLOTS]);

    /// The slots, a bit each, that are `value` in the bits of a mask.
    #[inline]
    fn equal(&self, value: u32, mask: u32) -> u32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the instructions are part of every x86-64, and a group is four aligned registers.
        let equal = unsafe {
            use std::arch::x86_64::{
                __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_load_si128, _mm_movemask_epi8, _mm_packs_epi16,
                _mm_packs_epi32, _mm_set1_epi32,
            };
            let (value, mask) = (_mm_set1_epi32(value.cast_signed()), _mm_set1_epi32(mask.cast_signed()));
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| {
                let quarter = _mm_load_si128(std::ptr::from_ref(self).cast::<__m128i>().add(i));
                _mm_cmpeq_epi32(_mm_and_si128(quarter, mask), value)
            });
            let bytes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_movemask_epi8(bytes).cast_unsigned()
        };
        #[cfg(not(target_arch = "x86_64"))]
        let equal = self
            .0
            .iter()
            .enumerate()
            .fold(0, |equal, (i, &slot)| equal | u32::from(slot & mask == value) << i);
        equal
    }

    /// The slots in use that have a tag, and the slots not in use, which are 0 and all behind those in use.
    #[inline]
    fn look(&self, tag: u32, tag_mask: u32) -> (u32, u32) {
        let empty = self.equal(0, u32::MAX);
        (self.equal(tag, tag_mask) & !empty, empty)
    }
}

/// An empty slot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// Its number in the whole table.
    number: u32,
    /// What is to be above the handle.
    mark: u32,
}

/// What can be told of a hash without looking at a state or at a second group.
pub(crate) enum Glance {
    /// It is not there; it would be here.
    New(Slot),
    /// It may be that of a handle.
    Alike(Handle),
    /// It may be elsewhere.
    Full,
}

/// The bit of a slot whose hash belongs in an earlier group.
const ASTRAY: u32 = 1 << 31;

const SMALLEST: usize = (1 << 10) / SLOTS;
/// At most seven slots of eight are used: of more, too many groups would be full.
const fn most_used(slots: usize) -> usize {
    slots / 8 * 7
}
/// States that are hashed together.
const AT_ONCE: usize = 32;

/// Groups that are filled between two looks at the clock: 256 KiB, some tenths of a millisecond.
const GROUPS_AT_ONCE: usize = 1 << 12;

impl Slot {
    /// For a table that is not used.
    pub const NONE: Self = Self { number: 0, mark: 0 };

    /// The first of the empty slots of a group.
    #[inline]
    fn first(group: usize, empty: u32, mark: u32) -> Self {
        Self { number: (group * SLOTS) as u32 + empty.trailing_zeros(), mark }
    }
}

impl Index {
    pub fn new() -> Self {
        let mut index = Self::with_room(SMALLEST);
        index.groups.extend(SMALLEST, Group::EMPTY);
        index
    }

    /// A table that is to have so many groups, and has none yet.
    fn with_room(count: usize) -> Self {
        let room = most_used(count * SLOTS);
        let handle_bits = usize::BITS - room.leading_zeros();
        let handle_mask = ((1u64 << handle_bits) - 1) as u32;
        Self { groups: Buffer::with_room(count), room, handle_mask, tag_mask: !(handle_mask | ASTRAY) }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.groups)
    }

    /// Whether the table must grow before the next insertion.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// The group where a hash belongs, and the tag of its slot there: the hash's high half, as a fraction, times the
    /// number of groups has the one before the point and the other after it.
    #[inline]
    fn home(&self, hash: u64) -> (usize, u32) {
        let scaled = (hash >> 32) * self.groups.len() as u64;
        ((scaled >> 32) as usize, scaled as u32 >> 1 & self.tag_mask)
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

    /// The handle in a slot that is in use.
    #[inline]
    fn handle(&self, group: usize, place: u32) -> Handle {
        (self.group(group).0[place as usize % SLOTS] & self.handle_mask) - 1
    }

    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(self.group(self.home(hash).0));
    }

    /// The handle stored under a hash for which `is_it` holds; or else the empty
    /// slot where it would be.
    #[inline(always)]
    pub fn find(&self, hash: u64, is_it: impl Fn(Handle) -> bool) -> Result<Handle, Slot> {
        let (home, tag) = self.home(hash);
        let mut group = home;
        loop {
            let (mut alike, empty) = self.group(group).look(tag, self.tag_mask);
            while alike != 0 {
                let handle = self.handle(group, alike.trailing_zeros());
                if is_it(handle) {
                    return Ok(handle);
                }
                alike &= alike - 1;
            }
            if empty != 0 {
                let astray = if group == home { 0 } else { ASTRAY };
                return Err(Slot::first(group, empty, tag | astray));
            }
            group = self.after(group);
        }
    }

    /// What the group where a hash belongs says of it.
    #[inline]
    pub fn glance(&self, hash: u64) -> Glance {
        let (group, tag) = self.home(hash);
        let (alike, empty) = self.group(group).look(tag, self.tag_mask);
        if alike != 0 {
            Glance::Alike(self.handle(group, alike.trailing_zeros()))
        } else if empty != 0 {
            Glance::New(Slot::first(group, empty, tag))
        } else {
            prefetch(self.group(self.after(group)));
            Glance::Full
        }
    }

    /// Puts a handle into the empty slot that `find` has named.
    #[inline]
    pub fn fill(&mut self, Slot { number, mark }: Slot, handle: Handle) {
        self.groups[number as usize / SLOTS].0[number as usize % SLOTS] = mark | (handle + 1);
        self.room -= 1;
    }

    /// Adds a handle that is not there yet.
    #[inline]
    pub fn insert(&mut self, hash: u64, handle: Handle) {
        if let Err(slot) = self.find(hash, |_| false) {
            self.fill(slot, handle);
        }
    }

    /// Makes the table twice as large, or less if fewer bytes are free, and fills it with the handles of all `states`,
    /// whose hashes are salted. Returns the bytes it held meanwhile beside those it holds now.
    ///
    /// A large table takes a second to grow: `go_on` is asked every now and then. Where it says no, or there is no room
    /// worth growing for, that is the error.
    pub fn grow<S: Hash>(
        &mut self,
        free_bytes: usize,
        states: &Column<S>,
        salt: impl Fn(Handle) -> u64,
        go_on: impl Fn() -> Result<(), Stop>,
    ) -> Result<usize, Stop> {
        let old = self.groups.len();
        let wanted = old + old.min(free_bytes / 3 / size_of::<Group>());
        // A slot must have a bit left above the handle.
        let groups = wanted.min(i32::MAX as usize / SLOTS);
        if groups < old + old / 16 {
            return Err(Stop::Memory);
        }
        // Doubling needs both tables; where that may be too much, the old one goes first.
        if groups == 2 * old && groups <= free_bytes / 4 / size_of::<Group>() {
            let before = self.bytes();
            let doubled = self.doubled(states, salt, go_on)?;
            std::mem::replace(self, doubled).groups.discard();
            return Ok(before);
        }
        std::mem::take(&mut self.groups).discard();
        *self = Self::with_room(groups);
        while self.groups.len() < groups {
            self.groups.extend(GROUPS_AT_ONCE.min(groups - self.groups.len()), Group::EMPTY);
            go_on()?;
        }
        self.rehash(states, 0..states.len() as Handle, salt, go_on)?;
        Ok(0)
    }

    /// The same handles in a table twice as large.
    fn doubled<S: Hash>(
        &self,
        states: &Column<S>,
        salt: impl Fn(Handle) -> u64,
        go_on: impl Fn() -> Result<(), Stop>,
    ) -> Result<Self, Stop> {
        let mut doubled = Self::with_room(2 * self.groups.len());
        let tag_mask = doubled.tag_mask;
        let mut astray = Vec::new();
        let mut at_home = 0;
        for groups in self.groups.chunks(GROUPS_AT_ONCE) {
            go_on()?;
            for Group(slots) in groups {
                let mut halves = [Group::EMPTY; 2];
                // Slots used so far of both, in a byte each.
                let mut used = 0;
                for slot in slots.iter().copied().take_while(|&slot| slot != 0) {
                    if slot & ASTRAY == 0 {
                        let half = slot << 1 >> 31;
                        let place = (used >> (8 * half)) as usize % SLOTS;
                        halves[half as usize].0[place] = (slot << 1 & tag_mask) | (slot & self.handle_mask);
                        used += 1 << (8 * half);
                    } else {
                        astray.push((slot & self.handle_mask) - 1);
                    }
                }
                halves.into_iter().for_each(|half| doubled.groups.extend(1, half));
                at_home += ((used & 255) + (used >> 8)) as usize;
            }
        }
        doubled.room -= at_home;
        doubled.rehash(states, astray.into_iter(), salt, go_on)?;
        Ok(doubled)
    }

    /// Adds handles by the hashes of their states, some at a time, so that memory is fetched for all of these at once.
    fn rehash<S: Hash>(
        &mut self,
        states: &Column<S>,
        mut handles: impl Iterator<Item = Handle>,
        salt: impl Fn(Handle) -> u64,
        go_on: impl Fn() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut some = Vec::with_capacity(AT_ONCE);
        for round in 1.. {
            some.clear();
            some.extend(handles.by_ref().take(AT_ONCE).map(|handle| (handle, 0)));
            if some.is_empty() {
                break;
            }
            if round % 128 == 0 {
                go_on()?;
            }
            some.iter().for_each(|&(handle, _)| states.prefetch(handle as usize));
            for (handle, hash) in &mut some {
                *hash = order::hash(states.get(*handle as usize)) ^ salt(*handle);
                self.prefetch(*hash);
            }
            some.iter().for_each(|&(handle, hash)| self.insert(hash, handle));
        }
        Ok(())
    }
}

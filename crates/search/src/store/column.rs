//! A growing array whose elements never move.

#![allow(unsafe_code, reason = "elements are written once, below the length, into memory that never moves")]

use std::mem::{needs_drop, size_of};
use std::ptr::NonNull;

use super::memory::Memory;

/// Bytes of the first segment, of which the unused rest is never touched: a small search has all its nodes there.
const FIRST_BYTES: usize = 1 << 15;
/// Elements in a first segment, at least.
const FEWEST: usize = 1 << 6;
/// Enough segments for every handle there can be.
const SEGMENTS: usize = 27;

/// A growing array in segments of doubling length.
///
/// Growing allocates a segment and copies nothing, so the peak is what is
/// held; and since the system gives memory page by page as it is written to,
/// the unused rest of the last segment costs nothing either.
///
/// Invariant: `starts[s]` is the first element of `segments[s]`, which is
/// [`FIRST`](Self::FIRST)` << s` elements long; the elements below `len` are initialised;
/// `next` is the place of element `len`, or `end`, the end of the last segment.
pub(crate) struct Column<T> {
    starts: [NonNull<T>; SEGMENTS],
    segments: Vec<Memory<T>>,
    /// Where the next element goes, and the end of the segment it goes to.
    next: NonNull<T>,
    end: NonNull<T>,
    len: usize,
}

impl<T> Column<T> {
    /// Elements in the first segment, a power of two; each further one is twice as long.
    const FIRST: usize = {
        let fit = FIRST_BYTES >> size_of::<T>().next_power_of_two().trailing_zeros();
        if fit < FEWEST { FEWEST } else { fit }
    };

    pub fn new() -> Self {
        let nowhere = NonNull::dangling();
        Self { starts: [nowhere; SEGMENTS], segments: Vec::new(), next: nowhere, end: nowhere, len: 0 }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// The address of an element below `len`.
    #[inline]
    fn place(&self, i: usize) -> NonNull<T> {
        debug_assert!(i < self.len);
        if i < Self::FIRST {
            // SAFETY: an element below `len`, and in the first segment.
            return unsafe { self.starts[0].add(i) };
        }
        let shifted = i + Self::FIRST;
        let bits = shifted.ilog2();
        let segment = bits - Self::FIRST.trailing_zeros();
        // SAFETY: an element below `len` has its segment in `starts`, and
        // its offset, the bits below the highest, is within that segment.
        unsafe { self.starts.get_unchecked(segment as usize).add(shifted ^ (1 << bits)) }
    }

    #[inline]
    pub fn push(&mut self, value: T) {
        if size_of::<T>() == 0 {
            // Takes no place: all elements are at the dangling address of their type.
            std::mem::forget(value);
            self.len += 1;
            return;
        }
        if self.next == self.end {
            self.add_segment();
        }
        // SAFETY: the place is within a segment that this column owns.
        unsafe {
            self.next.write(value);
            self.next = self.next.add(1);
        }
        self.len += 1;
    }

    #[cold]
    #[inline(never)]
    fn add_segment(&mut self) {
        let number = self.segments.len();
        let segment = Memory::new(Self::FIRST << number);
        self.starts[number] = segment.start();
        self.next = segment.start();
        // SAFETY: one past the end of the segment.
        self.end = unsafe { self.next.add(Self::FIRST << number) };
        self.segments.push(segment);
    }

    #[inline]
    pub fn get(&self, i: usize) -> &T {
        assert!(i < self.len);
        // SAFETY: elements below `len` were written by `push`, and none is ever
        // taken out.
        unsafe { self.place(i).as_ref() }
    }

    #[inline]
    pub fn get_mut(&mut self, i: usize) -> &mut T {
        assert!(i < self.len);
        // SAFETY: as in `get`.
        unsafe { self.place(i).as_mut() }
    }

    /// Asks the processor to fetch an element that will soon be read, if there
    /// is one.
    #[inline]
    pub fn prefetch(&self, i: usize) {
        if i < self.len {
            prefetch(self.get(i));
        }
    }
}

impl<T> Drop for Column<T> {
    fn drop(&mut self) {
        if needs_drop::<T>() {
            for i in 0..self.len {
                // SAFETY: every element below `len` is initialised and dropped once.
                unsafe { self.place(i).drop_in_place() };
            }
        }
    }
}

/// Asks the processor to fetch what a reference points to.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect on the program's meaning.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

//! Uninitialised memory for large arrays.

#![allow(unsafe_code, reason = "uninitialised memory, given back page by page")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::mem::align_of;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

const PAGE: usize = 4 << 10;
const LARGE_PAGE: usize = 2 << 20;
/// Arrays of as many bytes are large, and of some pages.
const LARGE: usize = 4 << 20;
const SOME_PAGES: usize = 256 << 10;

/// Where an array begins. A large one, where large pages begin, so that the system can back it by those: random access
/// is the engine's main cost, and half of that is address translation. In smaller ones the unused rest of a large page
/// would weigh more. Those of some pages, where a page begins, so that they can be given back.
const fn alignment<T>(bytes: usize) -> usize {
    match bytes {
        LARGE.. => LARGE_PAGE,
        SOME_PAGES.. => PAGE,
        _ => align_of::<T>(),
    }
}

/// An uninitialised array on the heap that never moves.
pub(crate) struct Memory<T> {
    start: NonNull<T>,
    layout: Layout,
}

// SAFETY: it owns its memory alone, as a box does.
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T> Memory<T> {
    /// Room for so many elements.
    pub fn new(count: usize) -> Self {
        let plain = Layout::array::<T>(count).expect("an array fits the address space");
        let layout = plain.align_to(alignment::<T>(plain.size())).expect("alignments are powers of two");
        if layout.size() == 0 {
            return Self { start: NonNull::dangling(), layout };
        }
        // SAFETY: the layout has a size.
        let start = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(start) else { handle_alloc_error(layout) };
        #[cfg(all(target_os = "linux", not(miri)))]
        if layout.align() == LARGE_PAGE {
            // SAFETY: the range is the memory just allocated, and the advice changes neither contents nor validity.
            unsafe { libc::madvise(start.as_ptr().cast(), layout.size(), libc::MADV_HUGEPAGE) };
        }
        Self { start: start.cast(), layout }
    }

    /// The address of the first element.
    #[inline]
    pub fn start(&self) -> NonNull<T> {
        self.start
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout.
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
        }
    }
}

/// A growing array of plain values, in one piece.
///
/// What it has grown out of goes back to the system at once, which the allocator would often rather keep.
pub(crate) struct Buffer<T> {
    memory: Memory<T>,
    capacity: usize,
    len: usize,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self { memory: Memory::new(0), capacity: 0, len: 0 }
    }
}

impl<T: Copy> Buffer<T> {
    /// An empty array with room for `count` elements.
    pub fn with_room(count: usize) -> Self {
        Self { memory: Memory::new(count), capacity: count, len: 0 }
    }

    /// Adds so many elements of one value.
    pub fn extend(&mut self, count: usize, value: T) {
        let len = self.len + count;
        if len > self.capacity {
            self.grow(len);
        }
        for i in self.len..len {
            // SAFETY: the element is within the memory.
            unsafe { self.memory.start().add(i).write(value) };
        }
        self.len = len;
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        let capacity = needed.max(2 * self.capacity);
        let larger = Memory::new(capacity);
        // SAFETY: the elements below `len` are initialised, and the new memory has room for them.
        unsafe { larger.start().copy_from_nonoverlapping(self.memory.start(), self.len) };
        let len = self.len;
        std::mem::replace(self, Self { memory: larger, capacity, len }).discard();
    }

    /// Drops the array and gives its pages back.
    pub fn discard(self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if self.memory.layout.align() >= PAGE {
            let (start, bytes) = (self.memory.start().as_ptr(), self.memory.layout.size());
            // SAFETY: whole pages of memory that is about to be freed: nobody reads it any more.
            unsafe { libc::madvise(start.cast(), bytes / PAGE * PAGE, libc::MADV_DONTNEED) };
        }
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the elements below `len` were written.
        unsafe { std::slice::from_raw_parts(self.memory.start().as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and it is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start().as_ptr(), self.len) }
    }
}

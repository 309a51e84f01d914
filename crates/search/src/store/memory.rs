//! Uninitialised memory for large arrays.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::mem::align_of;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Arrays from this size on are aligned to large pages, so that the system can back them by those: random access is
/// the engine's main cost, and half of that is address translation.
const LARGE_PAGE: usize = 2 << 20;
const WORTHWHILE: usize = 1 << 20;

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
        let large = plain.size() >= WORTHWHILE;
        let align = if large { LARGE_PAGE } else { align_of::<T>() };
        let layout = plain.align_to(align).expect("alignments are powers of two");
        if layout.size() == 0 {
            return Self { start: NonNull::dangling(), layout };
        }
        // SAFETY: the layout has a size.
        let start = unsafe { alloc(layout) };
        let Some(start) = NonNull::new(start) else { handle_alloc_error(layout) };
        #[cfg(target_os = "linux")]
        if large {
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

/// An initialised array of plain values.
pub(crate) struct Filled<T> {
    memory: Memory<T>,
    count: usize,
}

impl<T: Copy> Filled<T> {
    /// So many elements of one value.
    pub fn new(count: usize, value: T) -> Self {
        let memory = Memory::new(count);
        for i in 0..count {
            // SAFETY: the element is within the memory.
            unsafe { memory.start().add(i).write(value) };
        }
        Self { memory, count }
    }
}

impl<T> Deref for Filled<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: all elements were written when it was made.
        unsafe { std::slice::from_raw_parts(self.memory.start().as_ptr(), self.count) }
    }
}

impl<T> DerefMut for Filled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and it is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.memory.start().as_ptr(), self.count) }
    }
}

//! When the system refuses memory, the program ends with a sentence and the exit code of the memory limit.
//!
//! Rust's collections have no way to go on without memory that they ask for: the standard library aborts the process. Limits
//! are there so that it does not come to that; where it does (`ulimit -v`, a full machine), this is the end that remains.
//! C++ code (`CaDiCaL`) and the stacks of threads take memory past this allocator.

#![allow(unsafe_code, reason = "an allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};

use novelo::REFUSED_MEMORY;

/// The system's allocator, which never answers that there is no memory.
pub struct OrEnd;

// SAFETY: everything is the system allocator's, but for a null pointer, instead of which nothing is returned at all.
unsafe impl GlobalAlloc for OrEnd {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        given(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(memory, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn given(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { refused() } else { memory }
}

/// Ends the process without asking for memory again.
#[cold]
fn refused() -> ! {
    const MESSAGE: &[u8] = b"novelo: the system refuses memory; a --memory-limit below what there is ends a search with its counts\n";
    // SAFETY: writes bytes that are there; what cannot be written is lost. Ends the process at once: other threads may hold
    // locks that an orderly end would wait for.
    #[cfg(unix)]
    unsafe {
        libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
        libc::_exit(REFUSED_MEMORY)
    }
    #[cfg(not(unix))]
    {
        let _ = (MESSAGE, REFUSED_MEMORY);
        std::process::abort()
    }
}

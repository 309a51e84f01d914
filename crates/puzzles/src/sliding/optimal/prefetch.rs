//! Asking memory for what is needed soon.

/// Asks for an entry that is read later.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(entries: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch is a hint, whatever the address; it reads nothing that the program sees and never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(entries.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (entries, at);
}

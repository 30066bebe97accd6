//! Prefetching of cache lines.

/// The bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Prefetches the cache line in which the value begins.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    prefetch_slice(std::slice::from_ref(value), 1);
}

/// Prefetches the first `lines` cache lines of the slice, or all of it if it is shorter.
#[inline(always)]
pub(super) fn prefetch_slice<T>(slice: &[T], lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of_val(slice).div_ceil(LINE).min(lines) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = slice.as_ptr().wrapping_byte_add(line * LINE);
        // SAFETY: this is a hint without visible effects, and x86-64 always has SSE.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, lines);
}

//! Vectors in large pages, for arrays with random accesses.

use bytemuck::Zeroable;

use crate::memory;
use crate::os;

/// The size in bytes of a large page if small ones have 4 KiB. Smaller arrays stay in small pages.
const LARGE: usize = 2 << 20;

/// Returns `n` copies of `value`, in large pages if the system has some. An array of 4 MiB fills a
/// thousand small pages, and translating random addresses takes longer than fetching the data.
pub fn filled<T: Clone>(n: usize, value: T) -> Vec<T> {
    let mut values = Vec::with_capacity(n);
    // Large pages have to be asked for before anything is written to the memory.
    ask_for_large(values.spare_capacity_mut());
    values.resize(n, value);
    values
}

/// Returns `n` zeros, in large pages if the system has some, without writing to new memory. `None`
/// if there is too little memory.
pub fn zeroed<T: Zeroable>(n: usize) -> Option<Vec<T>> {
    let mut values = memory::fallible(|| bytemuck::try_zeroed_vec(n)).ok()?;
    ask_for_large(&mut values);
    Some(values)
}

/// Asks for large pages for memory that is uninitialised or zero. Pages that the process already
/// has would stay small, so they are returned to the system first.
fn ask_for_large<T>(memory: &mut [T]) {
    let (start, size) = (memory.as_mut_ptr().cast::<u8>(), size_of_val(memory));
    if size >= LARGE {
        // SAFETY: `memory` is uninitialised or zero.
        unsafe { os::discard(start, size) };
        os::prefer_large(start, size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_all_sizes_are_filled() {
        for n in [0, 1, 4096, LARGE / 8, LARGE + 12_345] {
            let values = filled(n, 7u64);
            assert_eq!(values.len(), n);
            assert!(values.iter().all(|&value| value == 7));
        }
        assert_eq!(filled(3, "a".to_string()), ["a", "a", "a"]);
    }
}

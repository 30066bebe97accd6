//! Vectors in large pages, for arrays with random accesses.

use bytemuck::Zeroable;

use crate::memory;

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
    #[cfg(not(target_os = "linux"))]
    let _ = (start, size);
    #[cfg(target_os = "linux")]
    if let Some((start, len)) = memory::whole_pages(start, size).filter(|&(_, len)| len >= LARGE) {
        // SAFETY: these are whole pages of `memory`, which is uninitialised or zero. The call makes
        // them zero.
        unsafe { libc::madvise(start, len, libc::MADV_DONTNEED) };
        memory::prefer_large(start.cast(), len);
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

    /// Checks the kernel's flags of this mapping, if it shows any and has large pages.
    #[test]
    #[cfg(target_os = "linux")]
    fn large_pages_are_asked_for() {
        let values = filled(32 << 20, 1u8);
        let middle = values[16 << 20..].as_ptr().addr();
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let is_here = |line: &str| {
            let ends = line
                .split_once(' ')
                .and_then(|(range, _)| range.split_once('-'));
            let number = |text| usize::from_str_radix(text, 16).ok();
            ends.is_some_and(|(start, end)| {
                number(start).is_some_and(|start| start <= middle)
                    && number(end).is_some_and(|end| middle < end)
            })
        };
        let flags = maps
            .lines()
            .skip_while(|line| !is_here(line))
            .find_map(|line| line.strip_prefix("VmFlags:"));
        if let Some(flags) = flags
            && std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists()
        {
            assert!(flags.split_whitespace().any(|flag| flag == "hg"), "{flags}");
        }
        assert_eq!(
            values
                .iter()
                .map(|&value| usize::from(value))
                .sum::<usize>(),
            32 << 20
        );
    }
}

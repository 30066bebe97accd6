//! How much memory the machine has.

/// Bytes of physical memory, if the system tells.
pub(super) fn physical() -> Option<usize> {
    // SAFETY: sysconf only returns numbers.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    usize::try_from(pages)
        .ok()?
        .checked_mul(usize::try_from(size).ok()?)
        .filter(|&bytes| bytes > 0)
}

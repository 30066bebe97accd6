//! Memory on Windows and macOS.

#[cfg(windows)]
pub use super::system::available_memory;
/// On macOS, all physical memory is available, because the system compresses and swaps.
#[cfg(unix)]
pub use super::system::physical_memory as available_memory;

/// Returns `None`: the address space has no limit that is kept.
pub fn address_space_left() -> Option<u64> {
    None
}

/// Does nothing: no heap reserves address space that is missing elsewhere.
pub fn share_heaps() {}

/// Does nothing: the system chooses the size of pages.
pub fn prefer_large(_memory: *mut u8, _size: usize) {}

/// Does nothing: only [`prefer_large`] needs it.
///
/// # Safety
/// None is needed.
pub unsafe fn discard(_memory: *mut u8, _size: usize) {}

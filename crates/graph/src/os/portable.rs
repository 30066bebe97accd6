//! Memory on systems other than Linux.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Returns the numbers of the system's memory.
fn memory() -> System {
    let ram = MemoryRefreshKind::nothing().with_ram();
    System::new_with_specifics(RefreshKind::nothing().with_memory(ram))
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical_memory() -> Option<u64> {
    Some(memory().total_memory())
}

/// Returns the number of bytes that processes can still get, if it is known.
pub fn available_memory() -> Option<u64> {
    Some(memory().available_memory())
}

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

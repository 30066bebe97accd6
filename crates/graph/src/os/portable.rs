//! Memory on Windows and macOS.

/// Returns the numbers of bytes of physical memory, and of memory that processes can still get.
#[cfg(windows)]
fn memory() -> Option<(u64, u64)> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let mut memory = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the call writes to `memory`, whose size it knows.
    let done = unsafe { GlobalMemoryStatusEx(&mut memory) } != 0;
    done.then_some((memory.ullTotalPhys, memory.ullAvailPhys))
}

/// Returns the number of bytes of physical memory twice: macOS compresses and swaps memory, so
/// processes can get what others have.
#[cfg(unix)]
fn memory() -> Option<(u64, u64)> {
    // SAFETY: the calls have no pointers.
    let numbers = [libc::_SC_PHYS_PAGES, libc::_SC_PAGESIZE].map(|of| unsafe { libc::sysconf(of) });
    let bytes = numbers.iter().product::<i64>().cast_unsigned();
    Some((bytes, bytes))
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical_memory() -> Option<u64> {
    Some(memory()?.0)
}

/// Returns the number of bytes that processes can still get, if it is known.
pub fn available_memory() -> Option<u64> {
    Some(memory()?.1)
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

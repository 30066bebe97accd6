//! Measures the available memory, and ends the process when an allocation fails.
//!
//! A failed allocation would abort the process with a core dump and leave temporary files behind.
//! [`CheckedAllocator`], the allocator of the program, removes these files and ends the process
//! with one line. Code that allocates a size stated in a file uses [`fallible`], so that it can
//! report the failure with the name of the file.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::io::{self, Cursor, Write};

use crate::os::{self, MORE_MEMORY};
use crate::output::temporary;

pub use os::{MORE_THREADS, end_process, share_heaps};

thread_local! {
    /// Whether this thread handles failed allocations itself.
    static HANDLED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, which handles failed allocations itself, as `Vec::try_reserve_exact` does.
pub fn fallible<T>(f: impl FnOnce() -> T) -> T {
    let before = HANDLED.replace(true);
    let result = f();
    HANDLED.set(before);
    result
}

/// The smallest size in bytes of an allocation that asks for large pages. With small pages, page
/// faults take a fifth of the time of reading a graph.
const LARGE: usize = 256 << 10;

/// The system's allocator. If it fails outside [`fallible`], the process prints one line and ends
/// with code 1.
pub struct CheckedAllocator;

// SAFETY: all calls go to the system's allocator. If an allocation fails, a null pointer is
// returned or the process ends.
unsafe impl GlobalAlloc for CheckedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        checked(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Handles the result of an allocation of `size` bytes.
#[inline]
fn checked(pointer: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !pointer.is_null() {
        os::prefer_large(pointer, size);
    }
    if pointer.is_null() && !HANDLED.get() {
        exhausted(size);
    }
    pointer
}

/// Reports a failed allocation and ends the process, without allocating anything.
#[cold]
fn exhausted(size: usize) -> ! {
    temporary::remove_all(false);
    exit_at_once(
        1,
        format_args!(
            "out of memory: an allocation of {size} bytes failed (use a machine with more memory, \
             or {MORE_MEMORY})"
        ),
    )
}

/// The largest size of the line of [`exit_at_once`] in bytes.
const LINE: usize = 256;

/// Ends the process with this code and one line on standard error; allocates nothing. Exit handlers
/// do not run, because they would tear down OpenCL drivers while other threads may call them.
pub fn exit_at_once(code: i32, text: fmt::Arguments) -> ! {
    let mut line = Cursor::new([0_u8; LINE]);
    let _ = writeln!(line, "brandes: {text}");
    let length = line.position() as usize;
    // `std::io::stderr` has a lock, which another thread may never release.
    // SAFETY: the buffer holds `length` bytes.
    unsafe { libc::write(2, line.get_ref().as_ptr().cast(), length as _) };
    end_process(code)
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical() -> Option<usize> {
    let bytes = os::physical_memory()?.try_into().ok();
    bytes.filter(|&bytes| bytes > 0)
}

/// The largest size in bytes that is assumed to fit: measuring the available memory takes longer
/// than searching a small graph.
const ASSUMED_TO_FIT: usize = 1 << 20;

/// Returns whether `bytes` are more than the available memory.
pub fn exceeded_by(bytes: usize) -> bool {
    bytes > ASSUMED_TO_FIT && available().is_some_and(|available| bytes > available)
}

/// Returns the number of bytes that this process can still get, within the limits of its control
/// groups and of its address space; `None` if the system states none of them.
pub fn available() -> Option<usize> {
    let limits = [os::available_memory(), os::address_space_left()];
    let least = limits.into_iter().flatten().min();
    least.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Checks that `count` more threads fit into the limit of the address space, if there is one.
///
/// A thread that gets its stack, but not the memory that the standard library takes at its start,
/// would panic before anything can catch the panic.
///
/// # Errors
/// An error that says how many threads fit.
pub fn room_for_threads(count: usize) -> io::Result<()> {
    os::address_space_left().map_or(Ok(()), |left| fits_threads(left, count))
}

/// Implements [`room_for_threads`] for an address space of which `left` bytes are free.
fn fits_threads(left: u64, count: usize) -> io::Result<()> {
    /// The stack of a thread and the other memory that it takes at its start, in bytes.
    const EACH: u64 = (2 << 20) + (128 << 10);
    let fit = left / EACH;
    if fit >= count as u64 {
        return Ok(());
    }
    let why = format!("the limit of the address space has room for {fit} more threads");
    Err(io::Error::new(io::ErrorKind::OutOfMemory, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_available_and_no_more_than_there_is() {
        let (available, physical) = (available().unwrap(), physical().unwrap());
        assert!(available > 0 && available <= physical, "{available}");
    }

    #[test]
    fn threads_need_room_for_their_stacks() {
        fits_threads(0, 0).unwrap();
        fits_threads(64 << 20, 30).unwrap();
        let error = fits_threads(64 << 20, 31).unwrap_err().to_string();
        assert!(error.ends_with("room for 30 more threads"), "{error}");
    }

    #[test]
    fn failures_are_handled_only_within_fallible() {
        fallible(|| {
            fallible(|| assert!(HANDLED.get()));
            assert!(HANDLED.get());
        });
        assert!(!HANDLED.get());
        let reserved = fallible(|| Vec::<u8>::new().try_reserve_exact(isize::MAX as usize));
        assert!(reserved.is_err());
    }
}

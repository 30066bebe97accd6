//! Measures the available memory, and ends the process when an allocation fails.
//!
//! A failed allocation would abort the process with a core dump and leave temporary files behind.
//! [`CheckedAllocator`], the allocator of the program, removes these files and ends the process
//! with one line. Code that allocates a size stated in a file uses [`fallible`], so that it can
//! report the failure with the name of the file.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::Path;

use crate::output::temporary;

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
        prefer_large(pointer, size);
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
             or raise the limit, ulimit -v)"
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
    // SAFETY: the buffer holds `length` bytes, and `_exit` does not return.
    unsafe {
        // `std::io::stderr` has a lock, which another thread may never release.
        libc::write(libc::STDERR_FILENO, line.get_ref().as_ptr().cast(), length);
        libc::_exit(code)
    }
}

/// Makes all threads share one heap if the address space is limited, since each heap reserves 64
/// MiB of it.
pub fn share_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if address_space_left().is_some() {
        // SAFETY: the call only sets a parameter of the C library's allocator.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Asks for large pages for `size` bytes of memory, which keep their content. By default Linux uses
/// large pages only where they are asked for.
pub fn prefer_large(memory: *mut u8, size: usize) {
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, size);
    #[cfg(target_os = "linux")]
    if let Some((start, len)) = whole_pages(memory, size) {
        // SAFETY: these are whole pages of that memory, which keep their content. The call may fail
        // where there are no large pages, which does no harm.
        unsafe { libc::madvise(start, len, libc::MADV_HUGEPAGE) };
    }
}

/// Returns the address and the size in bytes of the whole pages within `size` bytes of memory.
#[cfg(target_os = "linux")]
pub fn whole_pages(memory: *mut u8, size: usize) -> Option<(*mut libc::c_void, usize)> {
    let page = sysconf(libc::_SC_PAGESIZE).filter(|&page| page > 0)?;
    let skip = memory.addr().wrapping_neg() % page;
    let len = size.saturating_sub(skip) / page * page;
    Some((memory.wrapping_add(skip).cast(), len))
}

/// Returns a number of the system's configuration, if it is known.
pub fn sysconf(name: libc::c_int) -> Option<usize> {
    // SAFETY: the call has no pointers.
    usize::try_from(unsafe { libc::sysconf(name) }).ok()
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical() -> Option<usize> {
    let (pages, size) = (sysconf(libc::_SC_PHYS_PAGES)?, sysconf(libc::_SC_PAGESIZE)?);
    pages.checked_mul(size).filter(|&bytes| bytes > 0)
}

/// The largest size in bytes that is assumed to fit: measuring the available memory takes longer
/// than searching a small graph.
const ASSUMED_TO_FIT: usize = 1 << 20;

/// Returns whether `bytes` are more than the available memory.
pub fn exceeded_by(bytes: usize) -> bool {
    bytes > ASSUMED_TO_FIT && available().is_some_and(|available| bytes > available)
}

/// Returns the number of bytes that this process can still get: the available memory of the
/// machine, within the limits of the process's control groups and of its address space. `None` if
/// the system states none of them. A call reads a dozen files.
pub fn available() -> Option<usize> {
    let text = |path| fs::read_to_string(path).unwrap_or_default();
    let machine = field(&text("/proc/meminfo"), "MemAvailable:");
    let machine = machine.map(|kib| kib.saturating_mul(1024));
    let groups = left_by_groups(Path::new("/sys/fs/cgroup"), &text("/proc/self/cgroup"));
    let limits = [machine, groups, address_space_left()]
        .into_iter()
        .flatten();
    limits
        .min()
        .map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Returns the number after `name` in the line whose first word is `name`.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines()
        .map(str::split_ascii_whitespace)
        .find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

/// Returns the number of bytes that `RLIMIT_AS` leaves, if it is set.
fn address_space_left() -> Option<u64> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: the call only writes to `limit`.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    if result != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
        return None;
    }
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages: u64 = pages?.split_ascii_whitespace().next()?.parse().ok()?;
    let used = pages.saturating_mul(sysconf(libc::_SC_PAGESIZE)? as u64);
    Some(limit.rlim_cur.saturating_sub(used))
}

/// Checks that `count` more threads fit into the limit of the address space, if there is one.
///
/// A thread that gets its stack, but not the memory that the standard library takes at its start,
/// would panic before anything can catch the panic.
///
/// # Errors
/// An error that says how many threads fit.
pub fn room_for_threads(count: usize) -> io::Result<()> {
    address_space_left().map_or(Ok(()), |left| fits_threads(left, count))
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

/// Returns the smallest number of bytes that a control group in `memberships` (the text of
/// `/proc/self/cgroup`), or a group above one, leaves. `root` is the folder where control groups
/// (version 2) are mounted.
fn left_by_groups(root: &Path, memberships: &str) -> Option<u64> {
    let group = memberships
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))?;
    let above = Path::new(group).ancestors();
    above
        .filter_map(|group| left_by_group(&root.join(group)))
        .min()
}

/// Returns the number of bytes that a control group leaves. The field `inactive_file` of
/// `memory.stat` is the part of the usage that is pages of files, which the kernel frees first.
fn left_by_group(group: &Path) -> Option<u64> {
    let number = |name| {
        let text = fs::read_to_string(group.join(format!("memory.{name}"))).ok()?;
        text.trim().parse::<u64>().ok()
    };
    // A group without a limit states a word.
    let (limit, used) = (number("max")?, number("current")?);
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let used = used.saturating_sub(field(&stat, "inactive_file").unwrap_or(0));
    Some(limit.saturating_sub(used))
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
    fn the_tightest_group_counts() {
        let root = tempfile::tempdir().unwrap();
        let group = |path: &str, files: &[(&str, &str)]| {
            let folder = root.path().join(path);
            fs::create_dir_all(&folder).unwrap();
            for (name, text) in files {
                fs::write(folder.join(name), text).unwrap();
            }
        };
        let left = |memberships| left_by_groups(root.path(), memberships);
        assert_eq!(left("0::/a/b\n"), None);
        group(
            "a/b",
            &[("memory.max", "max\n"), ("memory.current", "30\n")],
        );
        assert_eq!(left("0::/a/b\n"), None);
        group("a", &[("memory.max", "100\n"), ("memory.current", "40\n")]);
        assert_eq!(left("0::/a/b\n"), Some(60));
        group("a", &[("memory.stat", "anon 5\ninactive_file 15\n")]);
        assert_eq!(left("0::/a/b\n"), Some(75));
        assert_eq!(left("4:cpu,memory:/x\n0::/a/b/gone\n"), Some(75));
        group("a/b", &[("memory.max", "20\n")]);
        assert_eq!(left("0::/a/b\n"), Some(0));
        assert_eq!(left("no such line"), None);
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

//! Memory on Linux: its files in `/proc` and `/sys/fs/cgroup`, and advice to the kernel.

use std::fs;
use std::path::Path;

use rustix::mm::{Advice, madvise};
use rustix::param::page_size;
use rustix::process::{Resource, getrlimit};

/// Makes all threads share one heap if the address space is limited, since each heap reserves 64
/// MiB of it.
pub fn share_heaps() {
    #[cfg(target_env = "gnu")]
    if address_space_left().is_some() {
        // SAFETY: the call only sets a parameter of the C library's allocator.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Asks for large pages for `size` bytes of memory, which keep their content. By default Linux uses
/// large pages only where they are asked for.
pub fn prefer_large(memory: *mut u8, size: usize) {
    // SAFETY: the content of the pages does not change.
    unsafe { advise(memory, size, Advice::LinuxHugepage) };
}

/// Returns whole pages of `size` bytes of memory to the system, and makes them zero.
///
/// # Safety
/// The memory belongs to the caller, and is uninitialised or zero.
pub unsafe fn discard(memory: *mut u8, size: usize) {
    // SAFETY: the caller keeps the contract.
    unsafe { advise(memory, size, Advice::LinuxDontNeed) };
}

/// Gives the kernel advice on the whole pages within `size` bytes of memory. The call may fail,
/// such as where there are no large pages, which does no harm.
unsafe fn advise(memory: *mut u8, size: usize, advice: Advice) {
    let skip = memory.addr().wrapping_neg() % page_size();
    let len = size.saturating_sub(skip) / page_size() * page_size();
    // SAFETY: these are whole pages of that memory, and the caller knows what the advice does.
    let _ = unsafe { madvise(memory.wrapping_add(skip).cast(), len, advice) };
}

/// Returns the number of bytes that processes can still get: those of the machine, within the
/// limits of this process's control groups. A call reads a dozen files.
pub fn available_memory() -> Option<u64> {
    let memberships = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let groups = left_by_groups(Path::new("/sys/fs/cgroup"), &memberships);
    let facts = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let machine = field(&facts, "MemAvailable:").map(|kib| kib.saturating_mul(1024));
    machine.into_iter().chain(groups).min()
}

/// Returns the second word, a number, of the line that starts with `name`.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Returns the number of bytes that `RLIMIT_AS` leaves, if it is set.
pub fn address_space_left() -> Option<u64> {
    let limit = getrlimit(Resource::As).current?;
    let pages = fs::read_to_string("/proc/self/statm").ok();
    let pages: u64 = pages?.split_ascii_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages.saturating_mul(page_size() as u64)))
}

/// Returns the smallest number of bytes that a control group in `memberships` (the text of
/// `/proc/self/cgroup`), or a group above one, leaves. `root` is the folder where control groups
/// (version 2) are mounted.
fn left_by_groups(root: &Path, memberships: &str) -> Option<u64> {
    let mut lines = memberships.lines();
    let group = lines.find_map(|line| line.strip_prefix("0::/"))?;
    let groups = Path::new(group).ancestors().map(|group| root.join(group));
    groups.filter_map(|group| left_by_group(&group)).min()
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
    use std::io::Write;

    use super::*;

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
    fn a_full_device_is_named() {
        let mut full = crate::output::Output::open(Path::new("/dev/full")).unwrap();
        let written = full.write(|out| out.write_all(b"new"));
        assert_eq!(
            written.unwrap_err().to_string(),
            "/dev/full: cannot be written: no space left on device (free some space, make the \
             file writable, close it in other programs, or write elsewhere)"
        );
    }

    /// Checks the kernel's flags of this mapping, if it shows any and has large pages.
    #[test]
    fn large_pages_are_asked_for() {
        let values = crate::pages::filled(32 << 20, 1u8);
        let middle = values[16 << 20..].as_ptr().addr();
        let maps = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let is_here = |line: &str| {
            let range = line.split(' ').next()?.split_once('-')?;
            let [start, end] = [range.0, range.1].map(|end| usize::from_str_radix(end, 16).ok());
            Some((start?..end?).contains(&middle))
        };
        let mut lines = maps.lines().skip_while(|line| is_here(line) != Some(true));
        let flags = lines.find_map(|line| line.strip_prefix("VmFlags:"));
        let has_large_pages = Path::new("/sys/kernel/mm/transparent_hugepage").exists();
        if let Some(flags) = flags.filter(|_| has_large_pages) {
            assert!(flags.split_whitespace().any(|flag| flag == "hg"), "{flags}");
        }
        assert!(values.iter().all(|&value| value == 1));
    }
}

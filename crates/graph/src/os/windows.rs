//! Files and processes on Windows.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use tempfile::Builder;
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

/// The number of pauses between attempts to replace a file, and their time: virus scanners and
/// indexers keep new files open for a moment.
const PAUSES: (u32, Duration) = (20, Duration::from_millis(100));

/// The advice on a lack of memory.
pub const MORE_MEMORY: &str = "enlarge the page file";
/// The advice on threads that cannot be started.
pub const MORE_THREADS: &str = MORE_MEMORY;

/// Does nothing: files have the permissions of their folder.
pub fn set_usual_mode(_builder: &mut Builder) {}

/// Renames a file, and replaces one that has the new name. Tries again for two seconds if another
/// program has that file open.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 0..PAUSES.0 {
        match fs::rename(from, to) {
            // Access is denied, or another program has the file open.
            Err(error) if matches!(error.raw_os_error(), Some(5 | 32)) => thread::sleep(PAUSES.1),
            result => return result,
        }
    }
    // The file with the new name can be written to, so access is denied because it is open.
    fs::rename(from, to).or(Err(io::Error::from_raw_os_error(32)))
}

/// Returns the state of the memory of the machine.
fn memory() -> Option<MEMORYSTATUSEX> {
    let mut memory = MEMORYSTATUSEX::default();
    memory.dwLength = size_of_val(&memory) as u32;
    // SAFETY: the call writes to `memory`, whose size it knows.
    let done = unsafe { GlobalMemoryStatusEx(&mut memory) } != 0;
    done.then_some(memory)
}

/// Returns the number of bytes of physical memory, if it is known.
pub fn physical_memory() -> Option<u64> {
    Some(memory()?.ullTotalPhys)
}

/// Returns the number of bytes that processes can still get, if it is known.
pub fn available_memory() -> Option<u64> {
    Some(memory()?.ullAvailPhys)
}

/// Ends the process, without the exit handlers of libraries.
pub fn end_process(code: i32) -> ! {
    // SAFETY: the handle stands for this process, whose threads all end.
    unsafe { TerminateProcess(GetCurrentProcess(), code.cast_unsigned()) };
    std::process::abort()
}

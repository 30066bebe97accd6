//! Files and processes on Windows.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::ptr;
use std::thread;
use std::time::Duration;

use tempfile::Builder;
use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_LOCK_VIOLATION, ERROR_SHARING_VIOLATION,
};
use windows_sys::Win32::Storage::FileSystem::WriteFile;
use windows_sys::Win32::System::Console::{GetStdHandle, STD_ERROR_HANDLE};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

const DENIED: i32 = ERROR_ACCESS_DENIED as i32;
const SHARED: i32 = ERROR_SHARING_VIOLATION as i32;
const LOCKED: i32 = ERROR_LOCK_VIOLATION as i32;

/// The number of attempts to replace a file, and the time between them: virus scanners and indexers
/// keep new files open for a moment.
const ATTEMPTS: (u32, Duration) = (20, Duration::from_millis(100));

/// Does nothing: files have the permissions of their folder.
pub fn set_usual_mode(_builder: &mut Builder) {}

/// Renames a file, and replaces one that has the new name. Tries again for two seconds if another
/// program has that file open.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 1..ATTEMPTS.0 {
        match fs::rename(from, to) {
            Err(error) if matches!(error.raw_os_error(), Some(DENIED | SHARED)) => {
                thread::sleep(ATTEMPTS.1);
            }
            result => return result,
        }
    }
    // The new name can be written to, so access is denied only because the file is open.
    fs::rename(from, to).map_err(|error| match error.raw_os_error() {
        Some(DENIED) => io::Error::from_raw_os_error(SHARED),
        _ => error,
    })
}

/// Returns the kind of an error.
pub fn error_kind(error: &io::Error) -> ErrorKind {
    match error.raw_os_error() {
        Some(SHARED | LOCKED) => ErrorKind::ResourceBusy,
        _ => error.kind(),
    }
}

/// Writes to standard error without a lock or an allocation, and ignores failures.
pub fn write_to_stderr(bytes: &[u8]) {
    let length = bytes.len() as u32;
    // SAFETY: the pointer and the length are those of a slice, and the others may be null.
    unsafe {
        let stderr = GetStdHandle(STD_ERROR_HANDLE);
        WriteFile(
            stderr,
            bytes.as_ptr(),
            length,
            ptr::null_mut(),
            ptr::null_mut(),
        );
    }
}

/// Ends the process, without the exit handlers of libraries.
pub fn end_process(code: i32) -> ! {
    // SAFETY: the handle stands for this process, whose threads all end.
    unsafe { TerminateProcess(GetCurrentProcess(), code.cast_unsigned()) };
    std::process::abort()
}

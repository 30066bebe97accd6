//! Devices that are the CPU itself go behind CPU workers, whose cores they share: a core searches
//! several times as many roots a second by itself as by way of OpenCL.
//!
//! Linux lets threads inherit their creator's name and priority, which is how the threads of a
//! driver are known and kept at the lowest priority. Elsewhere nothing is done.

/// The name of the thread that looks for devices, and of those that drivers make meanwhile.
pub(crate) const FINDER: &str = "find-devices";

/// At the lowest priority, a thread that shares a core with another one has about this part of it.
pub(crate) const SHARE: f64 = 1.0 / 70.0;

/// Lets the calling thread, and those that it will make, go behind others.
pub(crate) fn lower_own() {
    lower(0);
}

/// The same for threads that drivers made while devices were looked for.
#[cfg(target_os = "linux")]
pub(crate) fn lower_found() {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return;
    };
    // Old C libraries have no function for it.
    // SAFETY: the call has no arguments and cannot fail.
    let own = unsafe { libc::syscall(libc::SYS_gettid) } as i32;
    for thread in threads.flatten() {
        let name = std::fs::read_to_string(thread.path().join("comm"));
        let number = thread
            .file_name()
            .to_str()
            .and_then(|text| text.parse().ok());
        if let (Ok(name), Some(number)) = (name, number)
            && name.trim_end() == FINDER
            && number != own
        {
            lower(number);
        }
    }
}

/// Where it fails, the thread is only in the way of others.
#[cfg(target_os = "linux")]
fn lower(thread: i32) {
    const LOWEST: i32 = 19;
    // SAFETY: setpriority takes numbers, and a thread that has ended is an error.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, thread.cast_unsigned(), LOWEST) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn lower_found() {}

#[cfg(not(target_os = "linux"))]
fn lower(_thread: i32) {}

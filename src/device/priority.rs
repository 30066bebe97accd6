//! Lowers the priority of the threads of an OpenCL device that is the host CPU below that of CPU
//! workers, which share its cores: a core searches from several times as many roots a second with a
//! CPU engine as through OpenCL.
//!
//! On Linux, threads inherit the name and the priority of their creator, and the name identifies
//! the threads of an OpenCL driver. On other systems these functions do nothing.

/// The name of the thread that finds devices, and of the threads that OpenCL drivers start in it.
pub(crate) const FINDER: &str = "find-devices";

/// The share of a core that a thread of the lowest priority has beside a thread of normal priority.
pub(crate) const SHARE: f64 = 1.0 / 70.0;

/// Gives the calling thread, and threads that it will start, the lowest priority.
pub(crate) fn lower_own() {
    lower(0);
}

/// Gives the lowest priority to the threads that OpenCL drivers started during the search for
/// devices.
#[cfg(target_os = "linux")]
pub(crate) fn lower_found() {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return;
    };
    // Old C libraries have no `gettid`.
    // SAFETY: the call has no arguments and cannot fail.
    let own = unsafe { libc::syscall(libc::SYS_gettid) } as i32;
    for thread in threads.flatten() {
        let name = std::fs::read_to_string(thread.path().join("comm"));
        let number = thread.file_name();
        let number = number.to_str().and_then(|text| text.parse().ok());
        if let (Ok(name), Some(number)) = (name, number)
            && name.trim_end() == FINDER
            && number != own
        {
            lower(number);
        }
    }
}

/// Gives a thread the lowest priority. A failure is ignored: it only slows other threads down.
#[cfg(target_os = "linux")]
fn lower(thread: i32) {
    const LOWEST: i32 = 19;
    // SAFETY: setpriority takes only numbers, and returns an error if the thread has ended.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, thread.cast_unsigned(), LOWEST) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn lower_found() {}

#[cfg(not(target_os = "linux"))]
fn lower(_thread: i32) {}

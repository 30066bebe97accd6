//! Facts about machine and process on Windows and macOS.

/// Does nothing: nothing distinguishes the threads that drivers start from others.
pub fn lower_priority(_name: Option<&str>) {}

/// Returns the model name of the CPU, if it is known.
#[cfg(windows)]
pub fn cpu_model() -> Option<String> {
    std::env::var("PROCESSOR_IDENTIFIER").ok()
}

/// Returns the model name of the CPU, if it is known.
#[cfg(unix)]
pub fn cpu_model() -> Option<String> {
    let mut sysctl = std::process::Command::new("/usr/sbin/sysctl");
    let found = sysctl.args(["-n", "machdep.cpu.brand_string"]).output();
    let name = String::from_utf8(found.ok()?.stdout).ok()?;
    Some(name.trim().into()).filter(|name: &String| !name.is_empty())
}

/// Returns the peak resident memory of this process in bytes, if it is known.
#[cfg(windows)]
pub fn peak_rss() -> Option<u64> {
    use windows_sys::Win32::System::{ProcessStatus, Threading::GetCurrentProcess};
    let mut memory = ProcessStatus::PROCESS_MEMORY_COUNTERS::default();
    let size = size_of_val(&memory) as u32;
    // SAFETY: the call has no arguments.
    let process = unsafe { GetCurrentProcess() };
    // SAFETY: the handle stands for this process, and `memory` has that size.
    let done = unsafe { ProcessStatus::K32GetProcessMemoryInfo(process, &mut memory, size) };
    (done != 0).then_some(memory.PeakWorkingSetSize as u64)
}

/// Returns the peak resident memory of this process in bytes, if it is known.
#[cfg(unix)]
pub fn peak_rss() -> Option<u64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the call fills `usage`, unless it fails.
    let done = unsafe { libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) } == 0;
    // SAFETY: the call filled `usage`.
    done.then(|| unsafe { usage.assume_init() }.ru_maxrss.cast_unsigned())
}

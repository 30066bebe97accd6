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
    let (name, mut text) = (c"machdep.cpu.brand_string", [0_u8; 256]);
    let (place, mut size) = (text.as_mut_ptr().cast(), text.len());
    // SAFETY: the call writes at most `size` bytes to `text`, and the name is a C string.
    unsafe { libc::sysctlbyname(name.as_ptr(), place, &mut size, std::ptr::null_mut(), 0) };
    let text = std::ffi::CStr::from_bytes_until_nul(&text).ok()?;
    Some(text.to_str().ok()?.to_string()).filter(|text| !text.is_empty())
}

/// Returns the peak resident memory of this process in bytes, if it is known.
#[cfg(windows)]
pub fn peak_rss() -> Option<u64> {
    use windows_sys::Win32::System::ProcessStatus::{
        K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS,
    };
    use windows_sys::Win32::System::Threading::GetCurrentProcess;
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let size = size_of_val(&memory) as u32;
    // SAFETY: the handle stands for this process, and `memory` has that size.
    let done = unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &mut memory, size) };
    (done != 0).then_some(memory.PeakWorkingSetSize as u64)
}

/// Returns the peak resident memory of this process in bytes, if it is known.
#[cfg(unix)]
pub fn peak_rss() -> Option<u64> {
    // SAFETY: all zeros are a valid value, and the call only writes to it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    u64::try_from(usage.ru_maxrss).ok()
}

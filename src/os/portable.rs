//! Facts about a machine that does not run Linux.

use std::env;

use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// Does nothing: nothing distinguishes the threads that drivers start from others.
pub fn lower_priority(_name: Option<&str>) {}

/// Returns the name of the machine, and its operating system, release and architecture, as in
/// "Darwin 24.0.0 aarch64".
pub fn name_and_os() -> Option<(String, String)> {
    let os = format!("{} {}", System::kernel_long_version(), env::consts::ARCH);
    Some((System::host_name()?, os))
}

/// Returns the model name of the CPU, if it is known.
pub fn cpu_model() -> Option<String> {
    let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(cpus);
    let brand = system.cpus().first()?.brand().trim().to_string();
    Some(brand).filter(|brand| !brand.is_empty())
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

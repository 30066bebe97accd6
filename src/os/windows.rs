//! Signals, threads and child processes on Windows.

use std::env::{self, consts::ARCH};
use std::os::windows::process::CommandExt;
use std::process::{Command, ExitStatus};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use libc::{SIGINT, SIGTERM};
use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, CTRL_C_EVENT, SetConsoleCtrlHandler};
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, IDLE_PRIORITY_CLASS};
use windows_version::OsVersion;

/// Returns the number of cores of the machine.
pub use num_cpus::get as all_cores;

static HANDLE: OnceLock<fn(i32)> = OnceLock::new();

/// Calls `handle` with the number of each signal that asks the process to end, on another thread.
pub fn on_signal(handle: fn(i32)) {
    HANDLE.get_or_init(|| handle);
    // SAFETY: the handler may run on any thread, at any time.
    unsafe { SetConsoleCtrlHandler(Some(on_event), 1) };
}

unsafe extern "system" fn on_event(event: u32) -> i32 {
    let is_key = matches!(event, CTRL_C_EVENT | CTRL_BREAK_EVENT);
    let signal = if is_key { SIGINT } else { SIGTERM };
    HANDLE.get().into_iter().for_each(|handle| handle(signal));
    // Windows ends the process a few seconds later, or when a handler of the other events returns.
    if !is_key {
        thread::sleep(Duration::MAX);
    }
    1
}

/// Returns the name of a signal.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    Some(["the end of the console", "Ctrl-C"][usize::from(signal == SIGINT)])
}

/// Returns the name of the machine, and its operating system, release and architecture, as in
/// "Windows 10.0.26100 x86_64".
pub fn name_and_os() -> Option<(String, String)> {
    let version = OsVersion::current();
    let [major, minor, build] = [version.major, version.minor, version.build];
    let os = format!("Windows {major}.{minor}.{build} {ARCH}");
    Some((env::var("COMPUTERNAME").ok()?, os))
}

/// Returns the seconds since the first call: the CPU time of a thread has steps of 16 milliseconds.
pub fn thread_seconds() -> f64 {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed().as_secs_f64()
}

/// Makes a command start a process of the lowest priority, without a console.
pub fn subordinate(command: &mut Command) {
    command.creation_flags(IDLE_PRIORITY_CLASS | CREATE_NO_WINDOW);
}

/// Returns how a process crashed: an exception ends it with a negative exit code.
pub fn crash(status: ExitStatus) -> Option<String> {
    (status.code()? < 0).then(|| status.to_string())
}

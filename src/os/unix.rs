//! Signals, threads and child processes on Unix.

use std::env::consts::ARCH;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::ptr;
use std::sync::mpsc;
use std::thread;

use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
use rustix::process::setpriority_process;
use rustix::system::uname;
use rustix::time::{ClockId, clock_gettime};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

pub use signal_hook::low_level::signal_name;

/// Calls `handle` with the number of each signal that asks the process to end, on another thread. A
/// write beyond the limit of file sizes returns an error and raises no signal.
///
/// If the thread cannot be started, signals end the process at once.
pub fn on_signal(handle: fn(i32)) {
    // SAFETY: no other handler of this signal is installed.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let mut handled = vec![SIGHUP, SIGINT, SIGTERM];
    // `nohup`, and shells for background jobs, start commands with some signals ignored.
    handled.retain(|&signal| !is_ignored(signal));
    let (ready, is_ready) = mpsc::channel();
    let watch = move || {
        let mut signals = Signals::new(&handled);
        let _ = ready.send(());
        let signals = signals.iter_mut().flat_map(|all| all.forever());
        signals.for_each(handle);
    };
    let _ = thread::Builder::new().name("signals".into()).spawn(watch);
    // Without the thread, `ready` is gone, and this returns at once.
    let _ = is_ready.recv();
}

fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zeros are a valid value, and the call only writes the present action to it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, ptr::null(), &mut action);
        action.sa_sigaction == libc::SIG_IGN
    }
}

/// Returns the name of the machine, and its operating system, release and architecture, as in
/// "Linux 6.1.0 x86_64".
pub fn name_and_os() -> Option<(String, String)> {
    let system = uname();
    let texts = [system.nodename(), system.sysname(), system.release()];
    let [name, kind, release] = texts.map(|text| text.to_string_lossy());
    Some((name.into(), format!("{kind} {release} {ARCH}")))
}

/// Returns the CPU seconds of this thread, from an arbitrary start.
pub fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Returns the number of cores of the machine, including those that this process may not use.
pub fn all_cores() -> usize {
    // SAFETY: the call has no pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }).unwrap_or(1)
}

/// Makes a command start a process of the lowest priority, which Linux kills when this one ends.
/// Failures are ignored: the process then only competes for CPU time.
pub fn subordinate(command: &mut Command) {
    #[cfg(target_os = "linux")]
    const KILL: rustix::process::Signal = rustix::process::Signal::KILL;
    let prepare = || {
        let _ = setpriority_process(None, 19);
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_parent_process_death_signal(Some(KILL));
        Ok(())
    };
    // SAFETY: the function only makes system calls.
    unsafe { command.pre_exec(prepare) };
}

/// Returns how a process crashed, if it did.
pub fn crash(status: ExitStatus) -> Option<String> {
    let signal = status.signal()?;
    let is_crash = matches!(signal, SIGSEGV | SIGBUS | SIGABRT | SIGILL | SIGFPE);
    is_crash.then(|| status.to_string())
}

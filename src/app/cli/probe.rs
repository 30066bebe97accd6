//! Out-of-process probe: runs the self-test of a device in a child process, `brandes devices
//! --test`, because the driver of the device may crash.

use std::env;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use brandes::Strategy;
use brandes::device::{DeviceInfo, DeviceOptions};
use brandes::report::words::named;
use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

/// The time between two checks whether the process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The signals of a crash.
const CRASHES: [i32; 5] = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE];

/// Runs the self-test of `strategy` in a child process of the lowest priority, which Linux kills
/// when this process ends. Returns the signal with which the child crashed; `None` if it did not
/// crash within the limit or could not be started.
pub(super) fn probe(
    info: &DeviceInfo,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> Option<i32> {
    let mut command = Command::new(env::current_exe().ok()?);
    command.args(["devices", "--test", &info.number.to_string()]);
    command.args(["--strategy", strategy.name()]);
    command.args(["--precision", &named(options.precision)]);
    command.args((!options.cache).then_some("--no-cache"));
    command.args(options.weighted.then_some("--weighted"));
    command.args(options.count_edges.then_some("--edges"));
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the function only makes system calls.
    unsafe { command.pre_exec(subordinate) };
    let mut child = command.spawn().ok()?;
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().ok()? {
            return status.signal().filter(|signal| CRASHES.contains(signal));
        }
        thread::sleep(POLL_INTERVAL);
    }
    // A driver that hangs will also hang in this process, where time-outs handle it.
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Gives the calling process the lowest priority. On Linux, also asks the kernel to kill the
/// process when its parent ends. Failures are ignored: the process then only competes for CPU time.
fn subordinate() -> io::Result<()> {
    const LOWEST: i32 = 19;
    // SAFETY: both calls take only numbers.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, LOWEST);
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    Ok(())
}

//! The self-test of a device in a process of its own: `brandes devices --test`.

use std::env;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use brandes::device::{DeviceInfo, DeviceOptions};
use brandes::report::words::named;
use brandes::runner::Rehearsed;
use brandes::strategy::Strategy;
use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

/// How often it is looked whether the process has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Runs this program again for the self-test, behind the threads of this process, and as long as
/// this one lives.
pub(super) fn rehearse(
    info: &DeviceInfo,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> Rehearsed {
    let Ok(Some(status)) = run(info, options, strategy, limit) else {
        return Rehearsed::Unknown;
    };
    match status.signal() {
        Some(signal @ (SIGSEGV | SIGBUS | SIGABRT | SIGILL | SIGFPE)) => Rehearsed::Crashed(signal),
        _ if status.success() => Rehearsed::Passed,
        _ => Rehearsed::Unknown,
    }
}

/// `None` if the time is over.
fn run(
    info: &DeviceInfo,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> io::Result<Option<ExitStatus>> {
    let mut command = Command::new(env::current_exe()?);
    // What it builds may be what crashes.
    command.args(["devices", "--no-cache", "--test", &info.number.to_string()]);
    command.args(["--strategy", strategy.name()]);
    command.args(["--precision", &named(options.precision)]);
    command.args(options.weighted.then_some("--weighted"));
    command.args(options.count_edges.then_some("--edges"));
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the function makes system calls only.
    unsafe { command.pre_exec(behind_its_parent) };
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
    }
}

/// Lets the process that calls this go behind others, and end with its parent. Where it cannot, it
/// only takes their time.
fn behind_its_parent() -> io::Result<()> {
    const LOWEST: i32 = 19;
    // SAFETY: both take numbers.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, LOWEST);
        #[cfg(target_os = "linux")]
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    Ok(())
}

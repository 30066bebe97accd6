//! Out-of-process probe: runs the self-test of a device in a child process, `brandes devices
//! --test`, because the driver of the device may crash.

use std::env;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use brandes::Strategy;
use brandes::device::{DeviceInfo, DeviceOptions};
use brandes::os;
use brandes::report::words::named;

/// The time between two checks whether the process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Runs the self-test of `strategy` in a child process of the lowest priority. Returns how the
/// child crashed; `None` if it did not crash within the limit or could not be started.
pub(super) fn probe(
    info: &DeviceInfo,
    options: &DeviceOptions,
    strategy: Strategy,
    limit: Duration,
) -> Option<String> {
    let mut command = Command::new(env::current_exe().ok()?);
    command.args(["devices", "--test", &info.number.to_string()]);
    command.args(["--strategy", strategy.name()]);
    if options.no_fallback {
        command.args(["--precision", &named(options.precision)]);
    }
    command.args((!options.cache).then_some("--no-cache"));
    command.args(options.weighted.then_some("--weighted"));
    command.args(options.count_edges.then_some("--edges"));
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    os::subordinate(&mut command);
    let mut child = command.spawn().ok()?;
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().ok()? {
            return os::crash(status);
        }
        thread::sleep(POLL_INTERVAL);
    }
    // A driver that hangs will also hang in this process, where time-outs handle it.
    let _ = child.kill();
    let _ = child.wait();
    None
}

//! The CPU time of the calling thread.

use std::sync::OnceLock;
use std::time::Instant;

/// Returns the CPU seconds of this thread, from an arbitrary start. On systems without this clock,
/// returns the time since the first call.
pub fn thread_seconds() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for the result.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } != 0;
    if failed {
        return FIRST.get_or_init(Instant::now).elapsed().as_secs_f64();
    }
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

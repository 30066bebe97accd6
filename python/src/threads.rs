//! Chooses the thread pool for a call.
//!
//! Most calls use rayon's global pool with one thread per core. On a small graph, waking these
//! threads takes longer than the work, so a small call uses a pool that has only the calling thread.
//!
//! A child process that was forked after a call, as `multiprocessing` does, inherits the global pool
//! without its threads, so work sent to it would never end. Such a process makes new pools. It uses
//! no OpenCL devices by default, because drivers do not work after a fork.

use std::cell::LazyCell;
use std::process;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The id of the process that first called `forked`; 0 before that.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// The number of threads that have a pool of their own, or had one, and the largest such number:
/// rayon never frees the 8 kB of such a pool.
static POOLS: AtomicUsize = AtomicUsize::new(0);
const MAX_POOLS: usize = 256;

thread_local! {
    /// A pool whose only thread is this one; `None` if it could not be made.
    static OWN: LazyCell<Option<ThreadPool>> = LazyCell::new(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        (POOLS.fetch_add(1, Relaxed) < MAX_POOLS).then(|| pool.build().ok())?
    });
}

/// Returns whether this process was forked from one that had called this function before.
pub fn forked() -> bool {
    let own = process::id();
    let first = FIRST.compare_exchange(0, own, Relaxed, Relaxed);
    first.is_err_and(|first| first != own)
}

/// Runs `work` in a pool with one thread per core.
pub fn with_all<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !forked() {
        return work();
    }
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Runs `work` on the calling thread.
pub fn with_one<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    OWN.with(|own| match &**own {
        Some(pool) => pool.install(work),
        None => with_all(work),
    })
}

//! Chooses the thread pool for a call.
//!
//! Most calls use rayon's global pool with one thread per core. On a small graph, waking these
//! threads takes longer than the work, so small calls use pools of one thread, which are kept for
//! later calls.
//!
//! A child process that was forked after a call, as `multiprocessing` does, inherits the pools
//! without their threads, so work sent to them would never end. Such a process makes new pools. It
//! uses no OpenCL devices by default, because drivers do not work after a fork.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The id of the process that first called `forked`; 0 before that.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// Pools of one thread that are not in use.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// The largest number of idle pools to keep.
const MAX_IDLE: usize = 8;

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

/// Runs `work` in a pool of one thread, which is not the calling thread.
pub fn with_one<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if forked() {
        return with_all(work);
    }
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let spare = idle().pop();
    let pool = spare.map_or_else(|| ThreadPoolBuilder::new().num_threads(1).build(), Ok);
    let Ok(pool) = pool else {
        return with_all(work);
    };
    let result = pool.install(work);
    let mut idle = idle();
    if idle.len() < MAX_IDLE {
        idle.push(pool);
    }
    result
}

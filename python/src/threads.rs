//! The threads that the library shares out small work to.
//!
//! For most work that is its usual pool, of a thread for each core. Waking them takes longer than
//! all the work on a small graph, which therefore has one thread, kept from call to call.
//!
//! A process that was forked from one that has searched, as `multiprocessing` does it, has the
//! pools, but not their threads, so that work would wait for ever. It makes new ones. OpenCL
//! drivers have no children either.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that first came here; 0 before.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// Pools of one thread that nobody uses now.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// So many of them are kept.
const MOST_IDLE: usize = 8;

/// Whether this process was forked from one that had come here.
pub fn forked() -> bool {
    let own = process::id();
    let first = FIRST.compare_exchange(0, own, Relaxed, Relaxed);
    first.is_err_and(|first| first != own)
}

/// Does `work` with a thread for each core.
pub fn with_all<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !forked() {
        return work();
    }
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Does `work` on one thread, which is not the calling one.
pub fn with_one<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if forked() {
        return with_all(work);
    }
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = idle().pop();
    let pool = kept.map_or_else(|| ThreadPoolBuilder::new().num_threads(1).build(), Ok);
    let Ok(pool) = pool else {
        return with_all(work);
    };
    let result = pool.install(work);
    let mut idle = idle();
    if idle.len() < MOST_IDLE {
        idle.push(pool);
    }
    result
}

//! Searching in a process that was forked from one that had searched.
//!
//! `multiprocessing` forks. The child has the pool of threads that the library shares out small
//! work to, but not its threads, so that work would wait for ever. OpenCL drivers have no children
//! either.

use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The process that first came here; 0 before.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// Whether this process was forked from one that had come here.
pub fn forked() -> bool {
    let own = process::id();
    let first = FIRST.compare_exchange(0, own, Relaxed, Relaxed);
    first.is_err_and(|first| first != own)
}

/// Does `work`, in a forked process with a pool of its own.
pub fn with_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !forked() {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

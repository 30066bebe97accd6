//! Counts the searches whose device threads are still running. A process that exits while a thread
//! is inside an OpenCL driver may crash, so the package waits for these threads when Python exits.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

static COUNT: Mutex<usize> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn count() -> MutexGuard<'static, usize> {
    COUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A guard that counts one search as running until the guard is dropped.
pub struct Outstanding(());

impl Outstanding {
    /// Adds one to the count.
    pub fn new() -> Outstanding {
        *count() += 1;
        Outstanding(())
    }
}

impl Drop for Outstanding {
    fn drop(&mut self) {
        *count() -= 1;
        CHANGED.notify_all();
    }
}

/// Waits until no counted search is running, for at most `seconds`.
#[pyfunction]
pub fn wait(py: Python<'_>, seconds: f64) {
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    py.detach(|| drop(CHANGED.wait_timeout_while(count(), limit, |count| *count > 0)));
}

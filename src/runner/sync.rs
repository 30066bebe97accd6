//! Locks and atomics of the counter and the ledger. Their tests put simulated ones in their place,
//! under which threads take turns in every order ([`super::interleavings_tests`]).

use std::sync::PoisonError;
use std::time::Duration;

pub(super) use std::sync::atomic::{AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

/// Locks, whether or not another thread panicked with the lock: what these locks protect is whole
/// after every write.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `condvar` is notified or `time` is over. The guard is that of the mutex.
pub(super) fn wait_for<'m, T>(
    condvar: &Condvar,
    (_, guard): (&'m Mutex<T>, MutexGuard<'m, T>),
    time: Duration,
) -> MutexGuard<'m, T> {
    let waited = condvar.wait_timeout(guard, time);
    waited.unwrap_or_else(PoisonError::into_inner).0
}

//! Locks and atomics of the counter and the ledger. A test replaces them by those of a model
//! checker, which runs threads in many orders ([`super::interleavings_tests`]).

use std::sync::PoisonError;
use std::time::Duration;

pub(super) use std::sync::atomic::{AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

/// Locks a mutex, even if another thread panicked while it held the lock: the protected state is
/// consistent after every write.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `condvar` is notified or `time` is over. `guard` locks the mutex, which is a
/// parameter because the replacement in tests needs it.
pub(super) fn wait_for<'m, T>(
    condvar: &Condvar,
    (_, guard): (&'m Mutex<T>, MutexGuard<'m, T>),
    time: Duration,
) -> MutexGuard<'m, T> {
    let waited = condvar.wait_timeout(guard, time);
    waited.unwrap_or_else(PoisonError::into_inner).0
}

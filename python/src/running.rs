//! Runs work on a separate thread, while the calling thread checks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use brandes::CancelToken;
use crossbeam::channel::{RecvTimeoutError, bounded};
use pyo3::prelude::*;

use crate::errors::{Error, defect};
use crate::threads::{with_all, with_one};

/// The time between two checks for signals.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The size of a piece of work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// The work takes milliseconds, so it is not interruptible.
    Small,
    /// The work may take any time.
    Any,
    /// The work may take any time, and writes a checkpoint when it is cancelled.
    Saving,
}

/// Runs `work` on a separate thread and returns its result. Meanwhile other Python threads run, and
/// `poll` is called every 50 ms.
///
/// `work` returns the result and a function, which the separate thread calls after it has sent the
/// result. Small work runs on the calling thread, without checks for signals, and so does that
/// function after it.
///
/// # Errors
/// If a signal handler or `poll` raises, cancels the search and returns the exception. The thread
/// then ends later, and owns everything that it uses until then. Work that writes a checkpoint ends
/// before the exception is returned, unless a signal handler raises again.
pub fn interruptible<T: Send + 'static, A: FnOnce() + Send>(
    py: Python<'_>,
    size: Size,
    cancel: &CancelToken,
    mut poll: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> (T, A) + Send + 'static,
) -> PyResult<T> {
    if size == Size::Small {
        let work = || catch_unwind(AssertUnwindSafe(|| with_one(work)));
        let (result, after) = py.detach(work).map_err(|_| defect())?;
        after();
        return Ok(result);
    }
    let (sender, receiver) = bounded(1);
    let thread = thread::Builder::new().name("brandes".into());
    let started = thread.spawn(move || {
        // A panic drops the sender, so that the receiver reports the disconnection.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let (result, after) = with_all(work);
            let _ = sender.send(result);
            drop(sender);
            after();
        }));
    });
    if let Err(reason) = started {
        let text = format!("a thread for the search could not be started: {reason}");
        return Err(Error::new_err(text));
    }
    let mut raised = None;
    loop {
        match py.detach(|| receiver.recv_timeout(SIGNAL_CHECK_INTERVAL)) {
            Err(RecvTimeoutError::Timeout) if raised.is_some() => py.check_signals()?,
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals().and_then(|()| poll(py)) {
                    cancel.cancel();
                    if size != Size::Saving {
                        return Err(error);
                    }
                    raised = Some(error);
                }
            }
            ended => return raised.map_or(ended.map_err(|_| defect()), Err),
        }
    }
}

//! Work on a thread of its own, while the calling thread looks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use brandes::CancelToken;
use crossbeam::channel::{RecvTimeoutError, bounded};
use pyo3::prelude::*;

use crate::errors::{Error, defect};
use crate::threads::{with_all, with_one};

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// How much work there is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Milliseconds: nobody would interrupt that.
    Small,
    /// Anything.
    Any,
}

/// The result of `work`. Meanwhile other Python threads run, and `look` is called every 50 ms.
///
/// `work` gives what is to be done once the caller has the result. If a signal handler or `look`
/// raises, the search is cancelled, and the thread ends by itself later: it owns what it works on.
pub fn interruptible<T: Send + 'static, A: FnOnce() + Send>(
    py: Python<'_>,
    size: Size,
    cancel: &CancelToken,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
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
        // If this panics, the channel tells that it is closed.
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
    loop {
        match py.detach(|| receiver.recv_timeout(LOOK)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => return Err(defect()),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(error) = py.check_signals().and_then(|()| look(py)) {
                    cancel.cancel();
                    return Err(error);
                }
            }
        }
    }
}

//! Work on a thread of its own, while the calling thread looks for signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use brandes::CancelToken;
use pyo3::prelude::*;

use crate::errors::{Error, defect};

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// The result of `work`. Meanwhile other Python threads run, and `look` is called every 50 ms.
///
/// `work` gives what is to be done once the caller has the result. If a signal handler or `look`
/// raises, the search is cancelled, and the thread ends by itself later: it owns what it works on.
pub fn interruptible<T: Send + 'static, A: FnOnce()>(
    py: Python<'_>,
    cancel: &CancelToken,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> (T, A) + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    let thread = thread::Builder::new().name("brandes".into());
    let started = thread.spawn(move || {
        // The channel tells that it is closed if this panics.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let (result, after) = work();
            let _ = sender.send(result);
            drop(sender);
            after();
        }));
    });
    if let Err(reason) = started {
        let text = format!("a thread for the search could not be started: {reason}");
        return Err(Error::new_err(text));
    }
    // One channel, received from while detached: borrowed by a closure that may cross threads.
    let receiver = AssertUnwindSafe(std::sync::Mutex::new(receiver));
    loop {
        let next = py.detach(|| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(LOOK),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        });
        match next {
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

//! Signal handlers: a signal cancels a search, or removes temporary files and ends the process.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::memory::exit_at_once;
use crate::os::{self, signal_name};
use crate::output::temporary;

/// The state that decides what the next signal does.
struct State {
    /// The token that it cancels, instead of ending the process.
    token: Option<CancelToken>,
    /// The time of the last signal that cancelled a search.
    cancelled: Option<Instant>,
}

static STATE: Mutex<State> = Mutex::new(State {
    token: None,
    cancelled: None,
});

/// The number of the signal that has cancelled a search, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// A signal within this time after one that has cancelled a search is a duplicate: `timeout` and
/// some batch systems send a signal to the process and to its group.
const DUPLICATE_WITHIN: Duration = Duration::from_millis(500);

/// Makes the next signal cancel this token; without a token, it ends the process. A second signal,
/// half a second later or more, ends the process.
pub fn set_token(token: Option<&CancelToken>) {
    state().token = token.cloned();
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number and the name of the signal that has cancelled a search.
pub fn signal() -> Option<(i32, &'static str)> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    Some((signal, signal_name(signal)?))
}

/// Installs the signal handlers. A signal that ends the process removes unfinished files first.
pub fn install_handlers() {
    os::on_signal(|signal| {
        let mut state = state();
        let Some(token) = state.token.take() else {
            match state.cancelled {
                Some(when) if when.elapsed() < DUPLICATE_WITHIN => return,
                _ => end_process(signal),
            }
        };
        state.cancelled = Some(Instant::now());
        SIGNAL.store(signal, Ordering::Relaxed);
        token.cancel();
    });
}

/// Removes unfinished files and ends the process.
fn end_process(signal: i32) -> ! {
    let name = signal_name(signal).unwrap_or("a signal");
    let outputs = match temporary::remove_all(true) {
        None | Some((0, _)) => "",
        Some((_, 0)) => "; nothing was written",
        Some(_) => "; unfinished files were removed",
    };
    exit_at_once(128 + signal, format_args!("stopped by {name}{outputs}"))
}

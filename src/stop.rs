//! Signal handlers: a signal cancels a search, or removes temporary files and ends the process.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::signal_name;

use crate::cancel::CancelToken;
use crate::memory::exit_at_once;
use crate::output::temporary;

/// The token that the next signal cancels, instead of ending the process.
static TOKEN: Mutex<Option<CancelToken>> = Mutex::new(None);

/// The number of the signal that has cancelled a search, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// A signal within this time after one that has cancelled a search is a duplicate: `timeout` and
/// some batch systems send a signal to the process and to its group.
const DUPLICATE_WITHIN: Duration = Duration::from_millis(500);

/// Makes the next signal cancel this token; without a token, it ends the process. A second signal,
/// half a second later or more, ends the process.
pub fn set_token(token: Option<&CancelToken>) {
    *TOKEN.lock().unwrap_or_else(PoisonError::into_inner) = token.cloned();
}

/// Returns the number and the name of the signal that has cancelled a search.
pub fn signal() -> Option<(i32, &'static str)> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    Some((signal, signal_name(signal)?))
}

/// Installs the signal handlers. A signal that ends the process removes unfinished files first. A
/// write beyond the limit of file sizes returns an error and raises no signal.
///
/// If the thread of the handlers cannot be started, signals end the process at once.
pub fn install_handlers() {
    // SAFETY: no other handler of this signal is installed.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let mut handled = vec![SIGHUP, SIGINT, SIGTERM];
    // `nohup`, and shells for background jobs, start commands with some signals ignored.
    handled.retain(|&signal| !is_ignored(signal));
    let (ready, is_ready) = mpsc::channel();
    let watch = move || {
        let mut signals = Signals::new(&handled);
        let _ = ready.send(());
        let mut cancelled: Option<Instant> = None;
        for signal in signals.iter_mut().flat_map(|all| all.forever()) {
            let token = TOKEN.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(token) = token else {
                if cancelled.is_some_and(|when| when.elapsed() < DUPLICATE_WITHIN) {
                    continue;
                }
                end_process(signal);
            };
            cancelled = Some(Instant::now());
            SIGNAL.store(signal, Ordering::Relaxed);
            token.cancel();
        }
    };
    let started = thread::Builder::new().name("signals".into()).spawn(watch);
    if started.is_ok() {
        let _ = is_ready.recv();
    }
}

fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: `sigaction` only writes to `action`, and all zeros are a valid `libc::sigaction`.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
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

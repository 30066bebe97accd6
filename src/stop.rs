//! Ending the process at once on a signal.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::signal_name;

use crate::cancel::CancelToken;
use crate::memory::at_once;
use crate::output::temporary;

/// What the next signal cancels, instead of ending the process.
static CANCELS: Mutex<Option<CancelToken>> = Mutex::new(None);

/// The signal that has cancelled something, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// A signal so soon after one that has cancelled something is the same one: `timeout` sends it to
/// the process and to its group, and so do some batch systems.
const SAME: Duration = Duration::from_millis(500);

/// Lets the first signal cancel this from here on, or end the process again where it is `None`. A
/// second signal, half a second later or more, ends the process.
pub fn cancels(token: Option<&CancelToken>) {
    *CANCELS.lock().unwrap_or_else(PoisonError::into_inner) = token.cloned();
}

/// Number and name of the signal that has cancelled something.
pub fn signal() -> Option<(i32, &'static str)> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    Some((signal, signal_name(signal)?))
}

/// From here on a signal that asks to stop removes the files that are not whole before the process
/// ends, and a file that grows larger than it may is an error of who writes it.
///
/// Where no thread can be started for that, signals end the process as they always did.
pub fn on_signals() {
    // SAFETY: no other handler of this signal is installed.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let wanted = [SIGHUP, SIGINT, SIGTERM]
        .into_iter()
        // As nohup does it, and a shell that runs something in the background.
        .filter(|&signal| !is_ignored(signal));
    let wanted: Vec<_> = wanted.collect();
    let (ready, is_ready) = mpsc::channel();
    let watch = move || {
        let mut signals = Signals::new(&wanted);
        let _ = ready.send(());
        let mut cancelled: Option<Instant> = None;
        for signal in signals.iter_mut().flat_map(|all| all.forever()) {
            let token = CANCELS
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            let Some(token) = token else {
                if cancelled.is_some_and(|when| when.elapsed() < SAME) {
                    continue;
                }
                stopped_by(signal);
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
    // SAFETY: it only writes to `action`, of which all zeros are a value.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

fn stopped_by(signal: i32) -> ! {
    let name = signal_name(signal).unwrap_or("a signal");
    let outputs = match temporary::remove_all(true) {
        Some(removed) if removed.files > 0 && removed.placed > 0 => {
            "; files that were not yet whole were not written"
        }
        Some(removed) if removed.files > 0 => "; nothing was written",
        _ => "",
    };
    at_once(128 + signal, format_args!("stopped by {name}{outputs}"))
}

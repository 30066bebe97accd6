//! The source counter with threads that take turns in many orders: its source once more, with
//! simulated locks and atomics.

use std::sync::Arc;

use shuttle::thread;

use super::ledger;
use super::measured::{self, Ask, Kind};
use super::{claim, ranges, scheduler};
use claim::Claim;
use counter::SourceCounter;

#[expect(
    dead_code,
    clippy::duplicate_mod,
    reason = "a copy with other locks, used in part"
)]
#[path = "counter.rs"]
mod counter;

#[expect(clippy::duplicate_mod, reason = "as above")]
#[path = "fresh.rs"]
mod fresh;

mod sync {
    use std::sync::PoisonError;
    use std::time::Duration;

    pub use shuttle::sync::atomic::{AtomicUsize, Ordering};
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};

    pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn wait<'m, T>(condvar: &Condvar, guard: MutexGuard<'m, T>) -> MutexGuard<'m, T> {
        condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// The time is over when other threads have had a turn.
    pub fn wait_for<'m, T>(
        _: &Condvar,
        (mutex, guard): (&'m Mutex<T>, MutexGuard<'m, T>),
        _: Duration,
    ) -> MutexGuard<'m, T> {
        drop(guard);
        shuttle::thread::yield_now();
        lock(mutex)
    }
}

const ROOTS: usize = 300;

/// A clock that moves on by a millisecond whenever it is read.
#[derive(Default)]
struct Clock(std::sync::atomic::AtomicUsize);

impl Clock {
    fn now(&self) -> f64 {
        let ticks = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        ticks as f64 * 1e-3
    }
}

/// Claims until nothing is left, or `most` times. Returns what was claimed.
fn claim_all(
    (counter, clock): (&SourceCounter, &Clock),
    kind: Kind,
    together: usize,
    most: usize,
) -> Vec<std::ops::Range<usize>> {
    let participant = counter.join(kind);
    let ask = Ask {
        wanted: together,
        in_flight: 0,
        together,
        guess: (kind == Kind::Worker).then_some(1e-3),
    };
    let mut claimed = Vec::new();
    while claimed.len() < most {
        match participant.ask(&ask, clock.now()) {
            Claim::Roots(range) => {
                claimed.push(range);
            }
            Claim::Later => participant.wait(),
            Claim::Nothing => break,
        }
    }
    claimed
}

/// Three workers, of which one ends early, and a device that fails: every root is claimed once but
/// for those given back, and all threads come to an end.
fn run() {
    let counter = Arc::new(SourceCounter::new(ROOTS, 4, 4));
    let clock = Arc::new(Clock::default());
    let threads = [
        (Kind::Worker, 2, usize::MAX),
        (Kind::Worker, 8, usize::MAX),
        (Kind::Worker, 1, 5),
        (Kind::Driver, 16, 3),
    ]
    .map(|(kind, together, most)| {
        let (counter, clock) = (Arc::clone(&counter), Arc::clone(&clock));
        thread::spawn(move || {
            let mut claimed = claim_all((&counter, &clock), kind, together, most);
            if kind == Kind::Driver {
                for range in claimed.drain(..) {
                    counter.give_back(range);
                }
            }
            claimed
        })
    });
    let mut times = [0; ROOTS];
    let mut note = |claimed: Vec<std::ops::Range<usize>>| {
        claimed
            .into_iter()
            .flatten()
            .for_each(|root| times[root] += 1);
    };
    threads
        .into_iter()
        .for_each(|thread| note(thread.join().unwrap()));
    // What came back when all others had ended.
    note(claim_all((&counter, &clock), Kind::Worker, 64, usize::MAX));
    assert!(times.iter().all(|&times| times == 1), "{times:?}");
    assert!(!counter.has_work());
}

#[test]
fn every_root_is_handed_out_once_in_whatever_order_threads_run() {
    shuttle::check_random(run, 300);
    shuttle::check_pct(run, 200, 3);
}

/// Workers that wait are woken when the counter is closed.
#[test]
fn nobody_waits_for_ever() {
    shuttle::check_random(
        || {
            let counter = Arc::new(SourceCounter::new(50, 1, 4));
            let clock = Arc::new(Clock::default());
            // It has claimed much and is silent.
            let device = counter.join(Kind::Driver);
            let ask = Ask {
                wanted: 40,
                in_flight: 0,
                together: 40,
                guess: None,
            };
            assert!(matches!(device.ask(&ask, 0.0), Claim::Roots(_)));
            let workers = [(); 3].map(|()| {
                let (counter, clock) = (Arc::clone(&counter), Arc::clone(&clock));
                thread::spawn(move || claim_all((&counter, &clock), Kind::Worker, 32, 1))
            });
            thread::yield_now();
            counter.close();
            workers
                .into_iter()
                .for_each(|worker| drop(worker.join().unwrap()));
        },
        300,
    );
}

//! The root counter and the ledger under a model checker: the same code, with simulated locks and
//! atomics, so that threads take turns in many orders.

use std::sync::Arc;
use std::time::Duration;

use shuttle::thread;

use super::pace::{self, EngineRoots, Kind};
use super::{ranges, records};
use crate::engine::{EngineError, OwnSums, Sums};
use counter::RootCounter;
use ledger::{Account, Ledger};

#[expect(
    dead_code,
    clippy::duplicate_mod,
    reason = "a copy with other locks, used in part"
)]
#[path = "counter.rs"]
mod counter;

#[expect(dead_code, clippy::duplicate_mod, reason = "as above")]
#[path = "ledger.rs"]
mod ledger;

mod sync {
    use std::sync::PoisonError;
    use std::time::Duration;

    pub use shuttle::sync::atomic::{AtomicUsize, Ordering};
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};

    pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until other threads have had a turn.
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

/// A clock that advances by a millisecond at each reading.
#[derive(Default)]
struct Clock(std::sync::atomic::AtomicUsize);

impl Clock {
    fn now(&self) -> f64 {
        let ticks = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        ticks as f64 * 1e-3
    }
}

fn zero() -> OwnSums {
    let (vertices, arcs) = (vec![0.0; ROOTS], None);
    OwnSums { vertices, arcs }
}

#[derive(Clone)]
struct Run {
    counter: Arc<RootCounter>,
    ledger: Arc<Ledger>,
    clock: Arc<Clock>,
}

impl Run {
    fn new() -> Run {
        Run {
            counter: Arc::new(RootCounter::new(ROOTS, 4, 4)),
            ledger: Arc::default(),
            clock: Arc::default(),
        }
    }

    /// Commits sums, or discards them.
    fn commit(&self, account: &Account, summed: &mut Vec<usize>) {
        let summed = std::mem::take(summed);
        let add = |sums: &mut Sums<'_>| {
            summed.iter().for_each(|&root| sums.vertices[root] += 1.0);
            Ok::<_, ()>(())
        };
        if self.ledger.commit(account, zero, add) == Ok(false) {
            self.counter.give_back(account.discard_group());
        }
    }

    /// Searches until all is committed, or fails after `most` claims.
    fn take_part(&self, kind: Kind, batch: usize, most: usize) {
        let account = self.ledger.open(None);
        let mut participant = self.counter.join(kind, None);
        let mut summed = Vec::new();
        for claim in 1.. {
            if claim > most {
                self.counter.give_back(account.close().unwrap());
                return;
            }
            let (wanted, in_flight) = (batch, 0);
            let engine_roots = EngineRoots {
                wanted,
                in_flight,
                batch,
            };
            if let Some(range) = participant.claim(&engine_roots, self.clock.now()) {
                let seconds = participant.pace.unfinished_seconds();
                account.claim(range.clone(), self.clock.now(), seconds);
                summed.extend(range);
                account.mark_searched();
                if claim % 3 == 0 || account.is_superseded() {
                    self.commit(&account, &mut summed);
                }
                thread::yield_now();
                continue;
            }
            if account.has_uncommitted() {
                self.commit(&account, &mut summed);
            }
            if !self.counter.has_work() && !self.ledger.has_uncommitted() {
                return;
            }
            // An infinitely fast participant copies every group.
            let seconds = |_| Some(0.0);
            let copied = self.ledger.copy(&account, self.clock.now() + 9.0, seconds);
            summed.extend(copied.into_iter().flatten());
            if summed.is_empty() {
                self.counter.wait(Duration::ZERO);
            }
        }
    }
}

/// Three workers, of which one fails, and a device that fails: every root counts once, and all
/// threads come to an end.
fn run() {
    let run = Run::new();
    let threads = [
        (Kind::Worker, 2, usize::MAX),
        (Kind::Worker, 8, usize::MAX),
        (Kind::Worker, 1, 5),
        (Kind::Driver, 16, 4),
    ];
    let threads = threads.map(|(kind, batch, most)| {
        let run = run.clone();
        thread::spawn(move || run.take_part(kind, batch, most))
    });
    for thread in threads {
        thread.join().unwrap();
    }
    // Searches from the roots that came back after all others had ended.
    run.take_part(Kind::Worker, 64, usize::MAX);
    let sums = run.ledger.committed(zero()).sums.vertices;
    assert!(sums.iter().all(|&times| times == 1.0), "{sums:?}");
    assert_eq!(run.ledger.searched(), ROOTS);
    assert!(!run.counter.has_work() && !run.ledger.has_uncommitted());
}

#[test]
fn every_root_counts_once_in_whatever_order_threads_run() {
    shuttle::check_random(run, 300);
    shuttle::check_pct(run, 200, 3);
}

/// The runner closes the account of a participant whose call takes too long, or the participant
/// continues; not both.
fn close_or_continue() {
    let run = Run::new();
    let account = run.ledger.open(Some(0));
    let late = {
        let ledger = Arc::clone(&run.ledger);
        thread::spawn(move || ledger.close_late().len())
    };
    let in_time = account.with_limit(Duration::ZERO, || {
        thread::yield_now();
        Ok::<_, EngineError>(())
    });
    let continues = in_time.is_ok();
    assert_eq!(late.join().unwrap(), usize::from(!continues));
}

#[test]
fn the_account_of_a_participant_that_continues_stays_open() {
    shuttle::check_random(close_or_continue, 1000);
}

/// A root that is committed, withdrawn and committed by another participant counts at most once in
/// sums that are added up meanwhile.
fn withdraw_and_add_up() {
    let run = Run::new();
    let accounts = [(); 2].map(|()| run.ledger.open(None));
    let adding = {
        let run = run.clone();
        thread::spawn(move || run.ledger.committed(zero()).sums.vertices[0])
    };
    for account in &accounts {
        account.claim(0..1, 0.0, None);
        run.commit(account, &mut vec![0]);
        run.ledger.withdraw(account);
        assert_eq!(account.discard_group().len(), 1);
    }
    accounts[0].claim(0..1, 0.0, None);
    run.commit(&accounts[0], &mut vec![0]);
    assert!(adding.join().unwrap() <= 1.0);
}

#[test]
fn roots_that_go_from_account_to_account_are_committed_once() {
    shuttle::check_random(withdraw_and_add_up, 1000);
}

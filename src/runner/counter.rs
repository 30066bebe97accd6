//! The source counter: who searches which roots next.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::table::{Ask, Table};
pub use super::table::{Claim, Who};
use crate::engine::Engine;

/// After this time it is worth asking again after [`Claim::Later`].
pub const RETRY: Duration = Duration::from_millis(1);

/// Hands out the roots `0..total`, each once, in contiguous ranges, to whoever asks first.
///
/// Ranges given back by a failed device are handed out again before new ones.
pub struct SourceCounter {
    total: usize,
    /// Roots searched, for the progress display.
    done: AtomicUsize,
    table: Mutex<Table>,
    start: Instant,
}

impl SourceCounter {
    /// A counter of `total` roots, which are in groups of so many, for about this many workers and
    /// drivers.
    pub fn new(total: usize, group: usize, participants: usize) -> Self {
        SourceCounter {
            total,
            done: AtomicUsize::new(0),
            table: Mutex::new(Table::new(total, group, participants)),
            start: Instant::now(),
        }
    }

    /// No panic can leave the table half changed.
    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Corrects the number of workers and drivers, once it is known.
    pub fn set_participants(&self, participants: usize) {
        self.table().participants = participants.max(1);
    }

    /// Lets somebody take part.
    pub fn sit(&self, who: Who) -> Seat<'_> {
        let number = self.table().sit(who);
        Seat {
            counter: self,
            number,
        }
    }

    /// Notes that so many claimed roots have been searched.
    pub fn searched(&self, roots: usize) {
        self.done.fetch_add(roots, Ordering::Relaxed);
    }

    /// Roots searched so far.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Roots that are not searched yet.
    pub fn left(&self) -> usize {
        self.total.saturating_sub(self.done())
    }

    /// Whether there is anything to claim.
    pub fn has_work(&self) -> bool {
        let table = self.table();
        !table.closed && table.rest() > 0
    }

    /// Puts claimed but unfinished roots back. Those already noted as searched are told by
    /// `searched`.
    pub fn give_back(&self, range: Range<usize>, searched: bool) {
        if searched {
            self.done.fetch_sub(range.len(), Ordering::Relaxed);
        }
        self.table().give_back(range);
    }

    /// Lets nobody claim any more.
    pub fn close(&self) {
        self.table().closed = true;
    }
}

/// Somebody's place; given up when it is dropped.
pub struct Seat<'c> {
    counter: &'c SourceCounter,
    number: usize,
}

impl Seat<'_> {
    /// The next roots for this engine, whose last claim is searched or in flight.
    pub fn claim(&self, engine: &dyn Engine) -> Claim {
        let ask = Ask {
            wanted: engine.roots_wanted(),
            in_flight: engine.roots_in_flight(),
            together: engine.roots_together(),
            guess: None,
        };
        self.ask(ask)
    }

    /// The first roots for an engine that is not made yet. It searches so many together, in about
    /// so many seconds each.
    pub fn first_claim(&self, together: usize, guess: f64) -> Claim {
        self.ask(Ask {
            wanted: together,
            in_flight: 0,
            together,
            guess: Some(guess),
        })
    }

    /// The search of what was claimed last begins only now.
    pub fn begin(&self) {
        let now = self.counter.start.elapsed().as_secs_f64();
        self.counter.table().begin(self.number, now);
    }

    fn ask(&self, ask: Ask) -> Claim {
        let now = self.counter.start.elapsed().as_secs_f64();
        self.counter.table().claim(self.number, ask, now)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.counter.table().stand_up(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::asks::{ONE, wanting};
    use super::*;

    #[test]
    fn every_root_is_handed_out_once_even_if_some_come_back() {
        let counter = SourceCounter::new(10_000, 8, 4);
        let seen = Mutex::new(vec![0u32; 10_000]);
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (counter, seen) = (&counter, &seen);
                scope.spawn(move || {
                    let seat = counter.sit(Who::Worker);
                    let mut claims = 0;
                    loop {
                        let range = match seat.ask(wanting(1 + 37 * worker)) {
                            Claim::Roots(range) => range,
                            Claim::Later => {
                                std::thread::sleep(RETRY);
                                continue;
                            }
                            Claim::Nothing => break,
                        };
                        claims += 1;
                        if worker == 3 && claims % 5 == 0 && claims < 50 {
                            counter.give_back(range, false);
                            continue;
                        }
                        for root in range {
                            seen.lock().unwrap()[root] += 1;
                        }
                    }
                });
            }
        });
        assert!(seen.into_inner().unwrap().iter().all(|&times| times == 1));
    }

    #[test]
    fn a_closed_counter_gives_nothing() {
        let counter = SourceCounter::new(5, 1, 1);
        counter.give_back(0..1, false);
        assert!(counter.has_work());
        counter.close();
        assert_eq!(counter.sit(Who::Worker).ask(ONE), Claim::Nothing);
        assert!(!counter.has_work());
    }
}

//! What the source counter knows, and who gets which roots by it.

use std::ops::Range;

use super::share::{Pace, Searcher, fair, worth_it};
#[cfg(doc)]
use crate::engine::Engine;

/// Seconds that a worker waits for the first result of a device at most.
const LONGEST_WAIT: f64 = 1.0;

/// What an asker gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// These roots.
    Roots(Range<usize>),
    /// Nothing now: others will have searched all that is left before the asker could have searched
    /// any of it. That may change, as when one of them fails.
    Later,
    /// Nothing is left to claim. Others may still be searching.
    Nothing,
}

/// Who asks. Workers are taken to be alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// A CPU worker.
    Worker,
    /// The driver of a device.
    Driver,
}

/// What an engine says when roots are claimed for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask {
    /// See [`Engine::roots_wanted`].
    pub wanted: usize,
    /// See [`Engine::roots_in_flight`].
    pub in_flight: usize,
    /// See [`Engine::roots_together`].
    pub together: usize,
    /// Seconds that each of many roots may take, for as long as nobody like the asker has been
    /// measured.
    pub guess: Option<f64>,
}

impl Ask {
    /// What the asker's pace may be. Guesses are not trusted with how long others may have to wait.
    fn guessed(&self) -> Option<Pace> {
        let guess = self.guess?.max(1e-12);
        let batch = self.together.max(1);
        Some(Pace {
            rate: 1.0 / guess,
            batch,
            least: 2.0 * batch as f64 * guess,
        })
    }
}

/// Everything that claims depend on, for a clock that the caller has. Times are in seconds.
pub(super) struct Table {
    next: usize,
    total: usize,
    /// Claims end where groups of so many roots end, unless they are smaller.
    group: usize,
    returned: Vec<Range<usize>>,
    pub(super) closed: bool,
    /// Among how many the work is shared.
    pub(super) participants: usize,
    seats: Vec<Option<Sitter>>,
}

/// What is known of somebody who takes part.
struct Sitter {
    who: Who,
    together: usize,
    /// Roots searched and the seconds and claims that they took, the last claim in full and each
    /// one before with half the weight of the next.
    roots: f64,
    seconds: f64,
    claims: f64,
    /// The most roots that have been searched between two claims.
    largest: usize,
    /// Until when they are counted.
    since: f64,
    /// When the last claim was made, and how many roots were not searched then.
    claimed: f64,
    open: usize,
    /// Roots of the last claim.
    size: usize,
    /// Whether they were told to come later.
    waits: bool,
    /// Roots a second, as long as nothing but a guess is known.
    guess: Option<f64>,
}

impl Sitter {
    /// Notes what has been searched by `now`.
    fn note(&mut self, in_flight: usize, now: f64) {
        let searched = self.open.saturating_sub(in_flight);
        if searched > 0 && !self.waits {
            self.roots = self.roots / 2.0 + searched as f64;
            self.seconds = self.seconds / 2.0 + (now - self.since).max(1e-9);
            self.claims = self.claims / 2.0 + 1.0;
            self.largest = self.largest.max(searched);
        }
        // With some in flight and none searched, time runs on.
        if searched > 0 || in_flight == 0 {
            self.since = now;
        }
        self.open = in_flight;
    }

    fn pace(&self) -> Option<Pace> {
        (self.roots > 0.0).then(|| {
            // Under way is a fuller batch than any before: it may well take no longer than they.
            let full = self.size.min(self.together);
            let roots = match full > 2 * self.largest {
                true => full as f64 * self.claims,
                false => self.roots,
            };
            let rate = roots / self.seconds;
            let least = (self.together as f64 / rate).min(self.seconds / self.claims);
            Pace {
                rate,
                batch: self.together,
                least,
            }
        })
    }

    /// Seconds until everything claimed is searched. Who is late may be late for as long again.
    fn busy(&self, pace: Pace, now: f64) -> f64 {
        if self.waits || self.open == 0 {
            return 0.0;
        }
        (self.claimed + (self.open as f64 / pace.rate).max(pace.least) - now).abs()
    }
}

impl Table {
    pub(super) fn new(total: usize, group: usize, participants: usize) -> Self {
        Table {
            next: 0,
            total,
            group: group.max(1),
            returned: Vec::new(),
            closed: false,
            participants: participants.max(1),
            seats: Vec::new(),
        }
    }

    pub(super) fn sit(&mut self, who: Who) -> usize {
        self.seats.push(Some(Sitter {
            who,
            together: 1,
            roots: 0.0,
            seconds: 0.0,
            claims: 0.0,
            largest: 0,
            since: 0.0,
            claimed: 0.0,
            open: 0,
            size: 0,
            waits: false,
            guess: None,
        }));
        self.seats.len() - 1
    }

    pub(super) fn stand_up(&mut self, seat: usize) {
        self.seats[seat] = None;
    }

    /// Whoever sits there begins to search what they claimed last.
    pub(super) fn begin(&mut self, seat: usize, now: f64) {
        if let Some(sitter) = self.seats[seat].as_mut() {
            (sitter.since, sitter.claimed) = (now, now);
        }
    }

    pub(super) fn give_back(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.returned.push(range);
        }
    }

    pub(super) fn rest(&self) -> usize {
        self.total - self.next + self.returned.iter().map(Range::len).sum::<usize>()
    }

    /// The answer to whoever sits at `seat`.
    pub(super) fn claim(&mut self, seat: usize, ask: Ask, now: f64) -> Claim {
        if let Some(sitter) = self.seats[seat].as_mut() {
            sitter.together = ask.together.max(1);
            sitter.guess = ask.guessed().map(|pace| pace.rate);
            sitter.note(ask.in_flight, now);
        }
        let rest = self.rest();
        if self.closed || rest == 0 {
            return Claim::Nothing;
        }
        let size = self.size(seat, ask, rest, now);
        let range = (size > 0).then(|| self.take(size));
        if let Some(sitter) = self.seats[seat].as_mut() {
            sitter.waits = range.is_none();
            if let Some(range) = &range {
                sitter.claimed = now;
                sitter.open += range.len();
                sitter.size = range.len();
            }
        }
        range.map_or(Claim::Later, Claim::Roots)
    }

    /// The first so many roots, or as many as are in one piece.
    fn take(&mut self, size: usize) -> Range<usize> {
        let end = |start: usize| {
            let end = start + size;
            let groups = end - end % self.group;
            if groups > start { groups } else { end }
        };
        if let Some(range) = self.returned.pop() {
            let end = range.end.min(end(range.start));
            if end < range.end {
                self.returned.push(end..range.end);
            }
            return range.start..end;
        }
        let start = self.next;
        self.next = self.total.min(end(start));
        start..self.next
    }

    fn size(&self, seat: usize, ask: Ask, rest: usize, now: f64) -> usize {
        let wanted = ask.wanted.max(1);
        let others = || {
            let all = self.seats.iter().enumerate();
            all.filter(|&(i, _)| i != seat)
                .filter_map(|(_, sitter)| sitter.as_ref())
        };
        if self.participants == 1 && others().next().is_none() {
            return wanted.min(rest);
        }
        let alike = self.worker_pace();
        let pace = |sitter: &Sitter| match sitter.who {
            Who::Worker => sitter.pace().or(alike),
            Who::Driver => sitter.pace(),
        };
        // Less than a batch is not searched sooner, but workers are many.
        let batch = self.seats[seat]
            .as_ref()
            .map_or(1, |sitter| match sitter.who {
                Who::Driver => sitter.together.min(rest / 8),
                Who::Worker => 1,
            });
        let searcher = |sitter: &Sitter| {
            let pace = pace(sitter)?;
            let busy = sitter.busy(pace, now);
            Some(Searcher { pace, busy })
        };
        let known: Vec<_> = others().filter_map(searcher).collect();
        let unmeasured = others()
            .filter(|sitter| pace(sitter).is_none())
            .filter_map(|sitter| sitter.guess)
            .sum();
        if let Some(me) = self.seats[seat].as_ref().and_then(searcher) {
            return fair(rest, wanted, me, &known, unmeasured);
        }
        // Little, until it is known how fast this one is.
        let few = rest.div_ceil(8 * self.participants);
        let few = wanted.min(few.max(batch)).clamp(1, rest);
        let Some(pace) = ask.guessed() else {
            return few;
        };
        // The first result of a device may tell that it has searched everything by then.
        let unknown = |sitter: &Sitter| {
            sitter.who == Who::Driver
                && sitter.pace().is_none()
                && sitter.open > 0
                && now - sitter.claimed < pace.least.min(LONGEST_WAIT)
        };
        let drivers = others().filter(|sitter| sitter.who == Who::Driver).count();
        let workers = self.participants.saturating_sub(drivers).max(1);
        if others().any(unknown) || !worth_it(rest, &known, pace, workers) {
            return 0;
        }
        fair(rest, few, Searcher { pace, busy: 0.0 }, &known, 0.0)
    }

    /// The mean of the workers whose pace is known.
    fn worker_pace(&self) -> Option<Pace> {
        let sitters = self.seats.iter().flatten();
        let paces: Vec<_> = sitters
            .filter(|sitter| sitter.who == Who::Worker)
            .filter_map(Sitter::pace)
            .collect();
        let mean = |of: fn(&Pace) -> f64| paces.iter().map(of).sum::<f64>() / paces.len() as f64;
        (!paces.is_empty()).then(|| Pace {
            rate: mean(|pace| pace.rate),
            batch: paces[0].batch,
            least: mean(|pace| pace.least),
        })
    }
}

/// Asks of tests.
#[cfg(test)]
pub(super) mod asks {
    use super::Ask;

    pub const ONE: Ask = Ask {
        wanted: 1,
        in_flight: 0,
        together: 1,
        guess: None,
    };

    pub fn wanting(wanted: usize) -> Ask {
        Ask { wanted, ..ONE }
    }
}

#[cfg(test)]
mod tests {
    use super::asks::{ONE, wanting};
    use super::*;

    #[test]
    fn claims_end_with_groups() {
        let mut table = Table::new(100, 8, 1);
        let mut sizes = [20, 3, 3, 7, 50, 40].into_iter();
        let mut next = || table.take(sizes.next().unwrap());
        assert_eq!(next(), 0..16);
        // Smaller than a group; then up to its end at most.
        assert_eq!(next(), 16..19);
        assert_eq!(next(), 19..22);
        assert_eq!(next(), 22..24);
        assert_eq!(next(), 24..72);
        assert_eq!(next(), 72..100);
        table.give_back(24..72);
        assert_eq!(table.take(20), 24..40);
    }

    #[test]
    fn first_claims_are_small() {
        let mut table = Table::new(1000, 1, 5);
        let [worker, driver] = [Who::Worker, Who::Driver].map(|who| table.sit(who));
        assert_eq!(table.claim(worker, wanting(80), 0.0), Claim::Roots(0..25));
        assert_eq!(table.claim(worker, ONE, 0.0), Claim::Roots(25..26));
        // A device that searches a hundred at a time may have them.
        let ask = Ask {
            together: 100,
            ..wanting(800)
        };
        assert_eq!(table.claim(driver, ask, 0.0), Claim::Roots(26..126));
    }

    #[test]
    fn one_alone_gets_what_it_wants() {
        let mut table = Table::new(100, 1, 1);
        let seat = table.sit(Who::Driver);
        assert_eq!(table.claim(seat, wanting(80), 0.0), Claim::Roots(0..80));
        assert_eq!(table.claim(seat, wanting(80), 1.0), Claim::Roots(80..100));
        assert_eq!(table.claim(seat, wanting(80), 2.0), Claim::Nothing);
    }

    #[test]
    fn a_worker_is_judged_by_the_others_before_it_has_a_rate() {
        let mut table = Table::new(10_000, 1, 3);
        let ask = Ask {
            together: 10,
            ..wanting(10)
        };
        let device = table.sit(Who::Driver);
        let [old, new] = [(); 2].map(|()| table.sit(Who::Worker));
        assert_eq!(table.claim(old, ask, 0.0), Claim::Roots(0..10));
        assert_eq!(
            table.claim(device, wanting(4000), 0.0),
            Claim::Roots(10..427)
        );
        // A batch takes a worker a second. The rest takes the device two, most of which it claims
        // at once.
        let claims = |claim| matches!(claim, Claim::Roots(_));
        assert!(claims(table.claim(old, ask, 1.0)));
        assert!(claims(table.claim(device, wanting(9500), 0.1)));
        let left = table.rest();
        assert!(left > 0 && left < 100, "{left}");
        assert_eq!(table.claim(new, ask, 2.3), Claim::Later);
        // Without the device, the two of them have to.
        table.stand_up(device);
        assert!(claims(table.claim(new, ask, 2.3)));
    }

    #[test]
    fn a_worker_waits_for_the_first_result_of_a_device_no_longer_than_its_own_takes() {
        let mut table = Table::new(10_000, 1, 2);
        let device = table.sit(Who::Driver);
        let worker = table.sit(Who::Worker);
        // A batch of a tenth of a second, which may be two.
        let ask = Ask {
            together: 50,
            guess: Some(0.002),
            ..wanting(50)
        };
        let claims = |claim| matches!(claim, Claim::Roots(_));
        assert!(claims(table.claim(device, wanting(1000), 0.0)));
        assert_eq!(table.claim(worker, ask, 0.1), Claim::Later);
        assert!(claims(table.claim(worker, ask, 0.21)));
        // A device so fast that it will have searched the rest before.
        table.stand_up(worker);
        let worker = table.sit(Who::Worker);
        assert!(claims(table.claim(device, wanting(1000), 0.01)));
        assert_eq!(table.claim(worker, ask, 0.02), Claim::Later);
    }

    #[test]
    fn roots_given_back_are_handed_out_first_and_in_pieces() {
        let mut table = Table::new(100, 1, 1);
        let seat = table.sit(Who::Worker);
        assert_eq!(table.claim(seat, wanting(50), 0.0), Claim::Roots(0..50));
        table.give_back(0..50);
        assert_eq!(table.rest(), 100);
        assert_eq!(table.claim(seat, wanting(30), 1.0), Claim::Roots(0..30));
        assert_eq!(table.claim(seat, wanting(30), 2.0), Claim::Roots(30..50));
        assert_eq!(table.claim(seat, wanting(30), 3.0), Claim::Roots(50..80));
    }
}

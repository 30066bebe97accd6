//! How many roots a participant gets: from what is known of all participants to the rule of shares
//! ([`super::share`]), without a clock or threads.

use super::measured::{Ask, Kind, Measured};
use super::share::{Pace, Searcher, fair, worth_it};

/// Seconds that a worker waits for the first result of a device at most.
const LONGEST_WAIT: f64 = 1.0;

/// Everything that the answer to a participant depends on besides itself.
pub(super) struct Situation<'s> {
    /// Roots that are left to claim, at least one.
    pub(super) rest: usize,
    /// Among how many the work is shared.
    pub(super) participants: usize,
    /// The other participants.
    pub(super) others: &'s [Measured],
    /// Seconds by the clock that all are measured with.
    pub(super) now: f64,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    /// So many roots are its own now; if none, it is to ask again later.
    pub(super) size: usize,
    /// As long as half of what is left is still left, claims up to this size need no other answer.
    pub(super) freely: usize,
}

impl Situation<'_> {
    /// The answer to `me`.
    pub(super) fn share(&self, me: &Measured, ask: &Ask) -> Share {
        let (rest, wanted) = (self.rest, ask.wanted.max(1));
        if self.participants == 1 && self.others.is_empty() {
            let (size, freely) = (wanted.min(rest), usize::MAX);
            return Share { size, freely };
        }
        let alike = self.worker_pace(me);
        let pace = |other: &Measured| match other.kind {
            Kind::Worker => other.pace().or(alike),
            Kind::Driver => other.pace(),
        };
        let searcher = |other: &Measured| {
            let pace = pace(other)?;
            let busy = other.busy(pace, self.now);
            Some(Searcher { pace, busy })
        };
        let known: Vec<_> = self.others.iter().filter_map(searcher).collect();
        if me.waits && self.others.iter().all(|other| other.waits) {
            // Each leaves the rest to the others, which engines that differ can make them do.
            let (size, freely) = (wanted.min(me.together).min(rest), 0);
            return Share { size, freely };
        }
        if let Some(me) = searcher(me) {
            // Who may not have searched anything by the end leaves no smaller claims to others.
            let rate = me.pace.rate + known.iter().map(|other| other.pace.rate).sum::<f64>();
            let in_time = |guess: &Pace| guess.least <= rest as f64 / rate;
            let unmeasured = self.others.iter().filter(|other| pace(other).is_none());
            let guesses = unmeasured.filter_map(|other| other.guess.filter(in_time));
            let unmeasured = guesses.map(|guess| guess.rate).sum();
            let size = fair(rest, wanted, me, &known, unmeasured);
            let freely = fair(rest / 2, usize::MAX, me, &known, unmeasured);
            return Share { size, freely };
        }
        Share {
            size: self.first(me, ask, &known),
            freely: 0,
        }
    }

    /// The size of a claim of one that has not been measured, where `known` are the others that
    /// have: little, until it is known how fast it is.
    fn first(&self, me: &Measured, ask: &Ask, known: &[Searcher]) -> usize {
        let rest = self.rest;
        // Less than a batch is not searched sooner, but workers are many.
        let batch = match me.kind {
            Kind::Driver => me.together.min(rest / 8),
            Kind::Worker => 1,
        };
        let few = rest.div_ceil(8 * self.participants);
        let few = ask.wanted.max(1).min(few.max(batch)).clamp(1, rest);
        let Some(pace) = ask.guessed() else {
            return few;
        };
        let drivers = || {
            self.others
                .iter()
                .filter(|other| other.kind == Kind::Driver)
        };
        // The first result of a device may tell that it has searched everything by then. One that
        // has just joined will claim.
        let unknown = |driver: &Measured| {
            let waited = self.now - driver.claimed;
            driver.pace().is_none() && !driver.waits && waited < pace.least.min(LONGEST_WAIT)
        };
        let alike = match me.kind {
            Kind::Driver => 1,
            Kind::Worker => self.participants.saturating_sub(drivers().count()).max(1),
        };
        if drivers().any(unknown) || !worth_it(rest, known, pace, alike) {
            return 0;
        }
        fair(rest, few, Searcher { pace, busy: 0.0 }, known, 0.0)
    }

    /// The mean of the workers whose pace is known.
    fn worker_pace(&self, me: &Measured) -> Option<Pace> {
        let all = self.others.iter().chain([me]);
        let workers = all.filter(|other| other.kind == Kind::Worker);
        let (mut count, mut sum) = (0.0, None::<Pace>);
        for pace in workers.filter_map(Measured::pace) {
            count += 1.0;
            let sum = sum.get_or_insert(Pace {
                rate: 0.0,
                least: 0.0,
                ..pace
            });
            (sum.rate, sum.least) = (sum.rate + pace.rate, sum.least + pace.least);
        }
        sum.map(|sum| Pace {
            rate: sum.rate / count,
            least: sum.least / count,
            ..sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker that searched so many roots together in a second and waits now, or does not.
    fn worker(together: usize, waits: bool) -> Measured {
        let ask = Ask {
            wanted: together,
            in_flight: 0,
            together,
            guess: None,
        };
        let mut worker = Measured::new(Kind::Worker, 0.0);
        worker.claim(together, 0.0);
        worker.note(&ask, 1.0);
        worker.claim(usize::from(!waits), 1.0);
        worker
    }

    #[test]
    fn not_all_wait_for_each_other() {
        let ask = Ask {
            wanted: 64,
            in_flight: 0,
            together: 64,
            guess: None,
        };
        let size = |others: &[Measured]| {
            let situation = Situation {
                rest: 1,
                participants: 3,
                others,
                now: 1.0,
            };
            situation.share(&worker(64, true), &ask).size
        };
        let mut quick = worker(1, false);
        quick.note(&Ask { together: 1, ..ask }, 1.1);
        assert_eq!(size(&[quick, quick]), 0);
        quick.claim(0, 1.1);
        assert_eq!(size(&[quick, quick]), 1);
    }

    #[test]
    fn claims_are_no_smaller_for_who_will_not_search() {
        let ask = Ask {
            wanted: 64,
            in_flight: 0,
            together: 64,
            guess: None,
        };
        // A driver that has searched 64 roots in a second, and a worker that may search 8 together
        // in that time.
        let mut driver = Measured::new(Kind::Driver, 0.0);
        driver.claim(64, 0.0);
        driver.note(&ask, 1.0);
        let size = |rest| {
            let mut slow = Measured::new(Kind::Worker, 0.0);
            let guess = Some(1.0 / 8.0);
            let together = 8;
            slow.note(
                &Ask {
                    guess,
                    together,
                    ..ask
                },
                1.0,
            );
            let situation = Situation {
                rest,
                participants: 2,
                others: &[slow],
                now: 1.0,
            };
            situation
                .share(
                    &driver,
                    &Ask {
                        wanted: 1000,
                        together: 1,
                        ..ask
                    },
                )
                .size
        };
        assert_eq!(size(64), 64);
        assert!(size(640) < 600);
    }

    #[test]
    fn workers_wait_for_a_device_that_has_just_joined() {
        let size = |driver, now| {
            let situation = Situation {
                rest: 16_384,
                participants: 2,
                others: &[driver],
                now,
            };
            let ask = Ask {
                wanted: 32,
                in_flight: 0,
                together: 32,
                guess: Some(0.5),
            };
            situation
                .share(&Measured::new(Kind::Worker, 0.0), &ask)
                .size
        };
        let mut driver = Measured::new(Kind::Driver, 1.0);
        assert_eq!(size(driver, 1.0), 0);
        assert!(size(driver, 1.0 + LONGEST_WAIT) > 0);
        driver.claim(128, 1.0);
        assert_eq!(size(driver, 1.0), 0);
        driver.claim(0, 1.0);
        assert!(size(driver, 1.0) > 0, "it waits for others");
    }

    #[test]
    fn who_is_expected_to_be_slow_does_not_begin_near_the_end() {
        // The others search 64 roots in a second.
        let others = [worker(64, false); 2];
        let size = |rest, guess| {
            let situation = Situation {
                rest,
                participants: 3,
                others: &others,
                now: 1.0,
            };
            let ask = Ask {
                wanted: 64,
                in_flight: 0,
                together: 1,
                guess,
            };
            situation
                .share(&Measured::new(Kind::Driver, 0.0), &ask)
                .size
        };
        let seconds_for_root = Some(1.0);
        assert!(size(100, None) > 0);
        assert_eq!(size(100, seconds_for_root), 0);
        assert!(size(100_000, seconds_for_root) > 0);
    }
}

//! The measured rate of a participant, and the size of its claims: guided self-scheduling
//! (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987).

use crate::engine::Engine;

/// The least duration of a claim, in seconds. Shorter claims leave much of a GPU idle. Of 2, 4, 8
/// and 16 ms, 16 gave the smallest difference between the ends of two GPUs' work.
const MIN_CLAIM_SECONDS: f64 = 0.016;

/// The kind of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A CPU worker.
    #[default]
    Worker,
    /// The driver of a device.
    Driver,
}

/// The numbers of roots that an engine wants, works on, and searches at a time.
#[derive(Debug, Clone, Copy)]
pub struct EngineRoots {
    /// See [`Engine::roots_wanted`].
    pub wanted: usize,
    /// See [`Engine::roots_in_flight`].
    pub in_flight: usize,
    /// See [`Engine::roots_together`].
    pub batch: usize,
}

impl EngineRoots {
    /// Returns the numbers of an engine.
    pub fn new(engine: &dyn Engine) -> Self {
        EngineRoots {
            wanted: engine.roots_wanted(),
            in_flight: engine.roots_in_flight(),
            batch: engine.roots_together(),
        }
    }
}

/// The pace of a participant. Times are in seconds on the clock of the counter.
#[derive(Debug, Clone, Default)]
pub(super) struct Pace {
    pub(super) kind: Kind,
    /// The size of a batch: a search from this number of roots takes as long as from one root.
    pub(super) batch: usize,
    /// The number of batches searched and the seconds that they took. Each new claim halves the
    /// weight of all earlier ones.
    batches: f64,
    seconds: f64,
    /// The time up to which `batches` and `seconds` count.
    measured_until: f64,
    /// The number of roots that are claimed and not searched yet.
    unfinished: usize,
    /// The expected rate, in roots a second, used until one is measured.
    guess: Option<f64>,
}

impl Pace {
    pub(super) fn new(kind: Kind, guess: Option<f64>) -> Self {
        Pace {
            kind,
            guess,
            ..Pace::default()
        }
    }

    /// Updates the measured rate: all claimed roots that are not in flight are searched by `now`.
    pub(super) fn update(&mut self, engine_roots: &EngineRoots, now: f64) {
        let batch = engine_roots.batch.max(1);
        if self.batch != batch {
            // The engine has changed: the rate so far is only a guess of the new one.
            self.guess = self.rate();
            (self.batches, self.seconds) = (0.0, 0.0);
            self.batch = batch;
        }
        let searched = self.unfinished.saturating_sub(engine_roots.in_flight);
        if searched > 0 {
            self.batches = self.batches / 2.0 + searched.div_ceil(batch) as f64;
            self.seconds = self.seconds / 2.0 + (now - self.measured_until).max(1e-9);
        }
        // If all roots are in flight, the measurement goes on.
        if searched > 0 || engine_roots.in_flight == 0 {
            self.measured_until = now;
        }
        self.unfinished = engine_roots.in_flight;
    }

    /// Adds roots that were claimed, or copied for speculative re-execution.
    pub(super) fn add_claimed(&mut self, roots: usize) {
        self.unfinished += roots;
    }

    /// Sets the start of the search to `now`: the time since the claim does not count.
    pub(super) fn begin(&mut self, now: f64) {
        self.measured_until = now;
    }

    pub(super) fn is_measured(&self) -> bool {
        self.batches > 0.0
    }

    /// Returns the rate in roots a second, if it is known.
    pub(super) fn rate(&self) -> Option<f64> {
        match self.is_measured() {
            true => Some(self.batches * self.batch as f64 / self.seconds),
            false => self.guess,
        }
    }

    /// Returns the seconds that a search from `roots` roots takes, if the rate is known.
    pub(super) fn seconds(&self, roots: usize) -> Option<f64> {
        let whole = roots.next_multiple_of(self.batch.max(1));
        Some(whole as f64 / self.rate()?)
    }

    /// Returns the seconds that all claimed roots take, if the rate is known.
    pub(super) fn unfinished_seconds(&self) -> Option<f64> {
        self.seconds(self.unfinished)
    }

    /// Returns how many of `rest` unclaimed roots to claim: at least 1, at most `wanted`. `workers`
    /// is the sum of the rates of all workers, `drivers` that of all drivers, in roots a second.
    pub(super) fn claim_size(
        &self,
        (rest, wanted): (usize, usize),
        participants: usize,
        [workers, drivers]: [f64; 2],
    ) -> usize {
        let (wanted, batch) = (wanted.max(1), self.batch);
        let fair = self.rate().map(|rate| {
            let share = rate / (workers + drivers).max(rate);
            // A slow participant claims half of its share. A participant that does nearly all of
            // the work claims nearly all roots, since one large claim keeps a device busier than
            // several small ones.
            let part = (rest as f64 * share * share.max(0.5)).max(rate * MIN_CLAIM_SECONDS);
            // A claim is whole batches, unless workers would finish all roots before the device
            // finishes a batch.
            let is_driver = self.kind == Kind::Driver;
            let late = is_driver && batch as f64 * workers > rest as f64 * rate;
            let batch = if late { 1 } else { batch };
            // The cast saturates.
            let batches = ((part - 0.5) / batch as f64 + 1.0) as usize;
            batches.saturating_mul(batch)
        });
        // The size of a claim while the rate is unknown. A part of a batch takes as long as a whole
        // one, so a driver may claim a whole batch. Workers together would then claim too much.
        let first = match self.kind {
            _ if participants == 1 => wanted,
            Kind::Driver => rest.div_ceil(8 * participants).max(batch.min(rest / 8)),
            Kind::Worker => rest.div_ceil(8 * participants),
        };
        let size = match fair {
            Some(fair) if self.is_measured() => fair,
            Some(fair) => fair.min(first),
            None => first,
        };
        wanted.min(size).clamp(1, rest.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: EngineRoots = EngineRoots {
        wanted: 1,
        in_flight: 0,
        batch: 1,
    };

    /// Returns the pace of a participant that searched `rate` roots a second, `batch` at a time.
    fn measured(rate: f64, batch: usize) -> Pace {
        let engine_roots = EngineRoots { batch, ..ONE };
        let mut pace = Pace::new(Kind::Driver, None);
        pace.update(&engine_roots, 0.0);
        pace.add_claimed(batch);
        pace.update(&engine_roots, batch as f64 / rate);
        pace
    }

    #[test]
    fn claims_are_part_of_the_share_and_no_less_than_a_moment() {
        let unmeasured = |guess, batch| Pace {
            batch,
            ..Pace::new(Kind::Driver, guess)
        };
        for (pace, rest_and_wanted, participants, rates, size) in [
            (measured(100.0, 1), (1000, 600), 2, [0.0, 200.0], 250),
            (measured(100.0, 1), (1000, 60), 2, [0.0, 200.0], 60),
            // Its share is nine tenths: it claims nine tenths of that.
            (measured(900.0, 1), (1000, 5000), 2, [0.0, 1000.0], 810),
            // Work for 16 ms at both rates.
            (measured(1e5, 1), (3000, 5000), 2, [0.0, 2e5], 1600),
            (measured(1e5, 1), (1000, 5000), 2, [0.0, 1e5], 1000),
            // Whole batches, as long as there are any.
            (measured(100.0, 64), (1000, 128), 2, [0.0, 1e5], 64),
            (measured(100.0, 64), (3, 128), 2, [0.0, 1e5], 3),
            // Workers would finish before the device.
            (measured(100.0, 64), (1000, 128), 2, [1e5, 100.0], 2),
            // First claims are small, but a device that searches a hundred at a time gets them.
            (unmeasured(None, 1), (1000, 80), 5, [0.0; 2], 25),
            (unmeasured(None, 100), (1000, 800), 5, [0.0; 2], 100),
            // It is alone.
            (unmeasured(None, 1), (1000, 800), 1, [0.0; 2], 800),
            (unmeasured(Some(1.0), 1), (1000, 80), 5, [100.0, 0.0], 5),
        ] {
            let claimed = pace.claim_size(rest_and_wanted, participants, rates);
            assert_eq!(claimed, size, "{pace:?} {rest_and_wanted:?}");
        }
    }

    #[test]
    fn a_pace_is_measured_in_batches() {
        let at = |in_flight, batch| EngineRoots {
            in_flight,
            batch,
            ..ONE
        };
        let mut pace = Pace::new(Kind::Worker, Some(10.0));
        pace.update(&at(0, 8), 0.0);
        assert!(pace.rate() == Some(10.0) && !pace.is_measured());
        pace.add_claimed(3);
        pace.begin(1.0);
        // Three roots take as long as eight. Of two batches, one is in flight.
        pace.update(&at(0, 8), 2.0);
        assert_eq!(pace.rate(), Some(8.0));
        pace.add_claimed(16);
        pace.update(&at(8, 8), 4.0);
        assert_eq!(pace.rate(), Some(8.0 * 1.5 / 2.5));
        assert_eq!(pace.seconds(9), Some(2.0 * 2.5 / 1.5));
        // The engine changes.
        pace.update(&at(8, 1), 5.0);
        assert!(pace.rate() == Some(4.8) && !pace.is_measured());
    }
}

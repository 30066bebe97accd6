//! What is known of a participant: how fast it searches, and until when it is busy; and of all
//! together.

use super::share::Pace;
#[cfg(doc)]
use crate::engine::Engine;

/// The kind of a participant. Workers are taken to be alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A CPU worker.
    #[default]
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
    /// Seconds that each of many roots may take, as long as no participant of this kind has been
    /// measured.
    pub guess: Option<f64>,
}

impl Ask {
    /// What the asker's pace may be. Guesses are not trusted with how long others may have to wait.
    pub(super) fn guessed(&self) -> Option<Pace> {
        let guess = self.guess?.max(1e-12);
        let batch = self.together.max(1);
        Some(Pace {
            rate: 1.0 / guess,
            batch,
            least: 2.0 * batch as f64 * guess,
        })
    }
}

/// The claims and searches of a participant so far. Times are in seconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measured {
    pub(super) kind: Kind,
    pub(super) together: usize,
    /// Roots searched and the seconds and claims that they took, the last claim in full and each
    /// one before with half the weight of the next.
    roots: f64,
    seconds: f64,
    claims: f64,
    /// The most roots that have been searched between two claims.
    largest: usize,
    /// Until when they are counted.
    since: f64,
    /// When the last claim was made, or it joined, and how many roots were not searched then.
    pub(super) claimed: f64,
    pub(super) open: usize,
    /// Roots of the last claim.
    size: usize,
    /// Whether the last answer was to ask again later.
    pub(super) waits: bool,
    /// What the pace may be, as long as nothing but a guess is known.
    pub(super) guess: Option<Pace>,
}

impl Measured {
    /// Nothing but that it has joined.
    pub(super) fn new(kind: Kind, now: f64) -> Self {
        Measured {
            kind,
            together: 1,
            claimed: now,
            ..Measured::default()
        }
    }

    /// Notes what has been searched by `now`.
    pub(super) fn note(&mut self, ask: &Ask, now: f64) {
        let together = ask.together.max(1);
        if self.together != together {
            // Another engine, of which nothing is known.
            (self.roots, self.seconds, self.claims, self.largest) = (0.0, 0.0, 0.0, 0);
            self.together = together;
        }
        self.guess = ask.guessed();
        let searched = self.open.saturating_sub(ask.in_flight);
        if searched > 0 && !self.waits {
            self.roots = self.roots / 2.0 + searched as f64;
            self.seconds = self.seconds / 2.0 + (now - self.since).max(1e-9);
            self.claims = self.claims / 2.0 + 1.0;
            self.largest = self.largest.max(searched);
        }
        // With some in flight and none searched, time runs on.
        if searched > 0 || ask.in_flight == 0 {
            self.since = now;
        }
        self.open = ask.in_flight;
    }

    /// Notes a claim of so many roots; of none, that the participant waits.
    pub(super) fn claim(&mut self, roots: usize, now: f64) {
        self.waits = roots == 0;
        if roots > 0 {
            self.claimed = now;
            self.open += roots;
            self.size = roots;
        }
    }

    /// Notes that the search of what was claimed last begins only now.
    pub(super) fn begin(&mut self, now: f64) {
        (self.since, self.claimed) = (now, now);
    }

    /// How fast it searches; `None` until it has searched.
    pub(super) fn pace(&self) -> Option<Pace> {
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

    /// Seconds until everything claimed is searched. A participant that is late may be late for as
    /// long again.
    pub(super) fn busy(&self, pace: Pace, now: f64) -> f64 {
        if self.waits || self.open == 0 {
            return 0.0;
        }
        (self.end(pace) - now).abs()
    }

    /// When everything claimed is searched, if it is not late.
    fn end(&self, pace: Pace) -> f64 {
        self.claimed + (self.open as f64 / pace.rate).max(pace.least)
    }

    /// Whether it should have searched everything claimed.
    pub(super) fn is_late(&self, now: f64) -> bool {
        self.pace().is_some_and(|pace| self.end(pace) < now)
    }
}

/// How far a run is that asks for roots.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stock {
    /// Roots that it has searched.
    pub searched: usize,
    /// Roots that its participants search at a time, as far as that is known.
    pub together: usize,
    /// Seconds since it began to search.
    pub seconds: f64,
}

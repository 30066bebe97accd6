//! Successive halving: all candidates get the same time, and search from as many roots as the time
//! allows; then the slower half is eliminated, and the others get twice the time.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::predict::Rate;
use crate::app::bench::timing::Spread;
use crate::app::bench::{Numbers, Setting};

/// The result of a search from a sample.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Seconds from the first claim of roots until all sums are on the host.
    pub seconds: f64,
    /// Roots searched.
    pub roots: usize,
    /// Roots of the graph as prepared for this setting.
    pub total: usize,
    /// The number of roots that keep the engine busy, at least 1.
    pub together: usize,
    /// Seconds of building kernels for the search, which later searches do not need.
    pub setup: f64,
}

/// Measures searches, and has a clock.
pub trait Measurer {
    /// Returns the seconds since the tuning began.
    fn now(&self) -> f64;

    /// Searches from `size` of the roots, or from all if there are fewer. With `held_back`, the
    /// roots are in no other sample, unless they are all.
    ///
    /// # Errors
    /// The setting cannot search; the message is one line.
    fn search(&mut self, setting: &Setting, size: usize, held_back: bool) -> Result<Sample>;
}

/// The searches of a setting from one sample of the roots.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoundPart")]
pub struct Round {
    /// Roots asked for.
    #[serde(skip)]
    pub size: usize,
    /// Roots searched.
    pub roots: usize,
    /// Seconds of every search.
    pub seconds: Vec<f64>,
    /// Their median; null if none ended.
    pub median: Option<f64>,
}

/// The failure of a candidate that was never measured.
const NO_TIME: &str = "the budget ran out before it was measured; use a larger --budget";

/// The part of a race's time for the first search of each candidate.
const ENTRY: f64 = 0.6;
/// The largest number of searches from one sample.
const ENOUGH: usize = 9;
/// A sample grows only if there is time for this number of searches from the larger one. In a
/// sweep, each candidate gets as many searches if the budget allows it.
const FEWEST: usize = 2;
const FEWEST_OF_SWEEP: usize = 3;
/// The factor by which samples grow.
const GROWTH: usize = 8;
/// The expected overhead of the second search of a setting, as part of that of the first: drivers
/// do extra work when a kernel is launched for the first time.
const FIRST_OVERHEAD: f64 = 0.25;

/// A candidate: a setting and its measurements.
#[derive(Debug, Clone)]
pub struct Track {
    /// The setting.
    pub setting: Setting,
    /// Rounds, from the smallest sample to the largest.
    pub rounds: Vec<Round>,
    /// The number of its rounds when it was eliminated, if it was.
    pub dropped_after: Option<usize>,
    /// Why it could not search.
    pub failure: Option<String>,
    /// The result of the last search.
    pub last: Option<Sample>,
    /// Seconds that a search takes beyond the measured ones.
    overhead: f64,
}

impl Track {
    fn new(setting: Setting) -> Track {
        Track {
            setting,
            rounds: Vec::new(),
            dropped_after: None,
            failure: None,
            last: None,
            overhead: 0.0,
        }
    }

    /// Returns the seconds for all roots, estimated from the largest sample.
    pub fn predicted(&self) -> Option<f64> {
        self.seconds_of(self.last?.total)
    }

    /// Returns the estimated seconds for all roots, or infinity if the setting cannot search.
    pub fn seconds(&self) -> f64 {
        let seconds = self.predicted().filter(|_| self.failure.is_none());
        seconds.unwrap_or(f64::INFINITY)
    }

    /// Returns the seconds for `size` roots, estimated from the largest sample.
    fn seconds_of(&self, size: usize) -> Option<f64> {
        let (last, round) = (self.last?, self.rounds.last()?);
        let rate = Rate::scaled(round.median?, round.roots, last.total, last.together);
        Some(rate.of_part(size, last.together))
    }

    /// Returns the expected seconds of a search from `size` roots with all overhead; infinity
    /// before the first search.
    pub(super) fn cost(&self, size: usize) -> f64 {
        self.overhead + self.seconds_of(size).unwrap_or(f64::INFINITY)
    }

    /// Returns the size of the next sample that fits into `seconds`: a larger one if there is time
    /// for enough searches from it, otherwise the same again. `None` if neither fits, or if the
    /// sample has enough searches.
    fn next(&self, seconds: f64, sweep: bool) -> Option<usize> {
        let round = self.rounds.last().filter(|_| self.failure.is_none())?;
        let last = self.last?;
        let fewest = match sweep {
            true => FEWEST_OF_SWEEP,
            // A batch that is not full says little, so one search from a larger sample is enough.
            false if round.roots < last.together => 1,
            false => FEWEST,
        };
        // A sample of more than half of the roots becomes a search from all.
        let larger = match GROWTH * round.size {
            larger if 2 * larger > last.total => last.total,
            larger => larger,
        };
        if larger > round.size && fewest as f64 * self.cost(larger) <= seconds {
            return Some(larger);
        }
        let again = round.seconds.len() < ENOUGH && self.cost(round.size) <= seconds;
        again.then_some(round.size)
    }

    fn note(&mut self, sample: Sample, size: usize, wall: f64) {
        let overhead = (wall - sample.seconds - sample.setup).max(0.0);
        let first = self.last.replace(sample).is_none();
        self.overhead = if first { FIRST_OVERHEAD } else { 1.0 } * overhead;
        if self.rounds.last().is_none_or(|round| round.size != size) {
            self.rounds.push(Round::default());
        }
        if let Some(round) = self.rounds.last_mut() {
            (round.size, round.roots) = (size, sample.roots);
            round.seconds.push(sample.seconds);
            round.median = Spread::from_times(&round.seconds).map(|spread| spread.median);
        }
    }
}

/// A callback that gets all candidates and the time after every search.
pub type Observer<'o> = &'o mut dyn FnMut(&[Track], f64);

/// One race, or several in turn.
pub struct Race<'r, M> {
    /// Measures the searches.
    pub measurer: &'r mut M,
    /// All candidates of all races.
    pub tracks: Vec<Track>,
    /// Whether no candidate is eliminated.
    pub sweep: bool,
    /// Observes the searches.
    pub observe: Observer<'r>,
}

impl<M: Measurer> Race<'_, M> {
    /// Lets settings race until the clock reaches `until`, or all have enough searches. Returns the
    /// candidates that can search, fastest first. Only a search that takes longer than estimated
    /// ends later.
    pub fn run(&mut self, settings: impl IntoIterator<Item = Setting>, until: f64) -> Vec<usize> {
        let mut all = self.enter(settings, until);
        let mut left = all.clone();
        loop {
            left.retain(|&c| self.tracks[c].failure.is_none());
            let rounds = match self.sweep {
                true => 1,
                // The number of halvings that leave one candidate.
                false => left.len().next_power_of_two().ilog2().max(1),
            };
            let time = until - self.measurer.now();
            self.round(&left, time / (f64::from(rounds) * left.len() as f64));
            self.sort(&mut left);
            if self.sweep || left.len() <= 2 {
                break;
            }
            for c in left.split_off(left.len().div_ceil(2)) {
                self.tracks[c].dropped_after = Some(self.tracks[c].rounds.len());
            }
        }
        if self.sweep {
            self.complete(&left, until);
        }
        self.sort(&mut all);
        all
    }

    /// Removes candidates that cannot search, and sorts the others, fastest first.
    fn sort(&self, candidates: &mut Vec<usize>) {
        candidates.retain(|&c| self.tracks[c].failure.is_none());
        let seconds = |c: usize| self.tracks[c].seconds();
        candidates.sort_by(|&a, &b| seconds(a).total_cmp(&seconds(b)));
        candidates.sort_by_key(|&c| self.tracks[c].dropped_after.is_some());
    }

    /// Searches from one root with each new setting, as long as there is time. Returns the
    /// candidates.
    fn enter(&mut self, settings: impl IntoIterator<Item = Setting>, until: f64) -> Vec<usize> {
        let start = self.measurer.now();
        let mut all = Vec::new();
        for setting in settings {
            let known = self.tracks.iter().position(|t| t.setting == setting);
            // The first candidate searches however little time there is.
            let first = self.tracks.iter().all(|track| track.last.is_none());
            let in_time = first || self.measurer.now() < start + ENTRY * (until - start);
            // Variants in numbers that there was no time for are left out of the report.
            if known.is_none() && !in_time && setting.numbers != Numbers::default() && !self.sweep {
                continue;
            }
            let c = known.unwrap_or(self.tracks.len());
            if known.is_none() {
                self.tracks.push(Track::new(setting));
                match in_time {
                    true => _ = self.search(c, 1),
                    false => self.tracks[c].failure = Some(NO_TIME.into()),
                }
            }
            self.tracks[c].dropped_after = None;
            all.push(c);
        }
        all
    }

    /// Lets candidates search in turns, each until it has used its `seconds`.
    fn round(&mut self, candidates: &[usize], seconds: f64) {
        let mut left = vec![seconds; candidates.len()];
        let mut searched = true;
        while searched {
            searched = false;
            for (&c, left) in candidates.iter().zip(&mut left) {
                if let Some(size) = self.tracks[c].next(*left, self.sweep) {
                    *left -= self.search(c, size);
                    searched = true;
                }
            }
        }
    }

    /// Uses the time left for more searches of candidates that have too few.
    fn complete(&mut self, candidates: &[usize], until: f64) {
        for &c in candidates {
            let done = self.tracks[c].rounds.last();
            let (size, done) = done.map_or((1, 0), |round| (round.size, round.seconds.len()));
            for _ in done..FEWEST_OF_SWEEP {
                if self.measurer.now() + self.tracks[c].cost(size) <= until {
                    self.search(c, size);
                }
            }
        }
    }

    /// Searches with a candidate. Returns the seconds that this took.
    fn search(&mut self, c: usize, size: usize) -> f64 {
        let start = self.measurer.now();
        let track = &mut self.tracks[c];
        let sample = self.measurer.search(&track.setting, size, false);
        let now = self.measurer.now();
        match sample {
            Ok(sample) => track.note(sample, size, now - start),
            Err(error) => track.failure = Some(error.to_string()),
        }
        (self.observe)(&self.tracks, now);
        now - start
    }
}

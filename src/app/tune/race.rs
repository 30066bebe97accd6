//! Successive halving: all candidates get the same time, and search from as many of the roots as
//! that allows; the slower half is eliminated, and the others get twice as much.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::predict::Rate;
use crate::app::bench::timing::Spread;
use crate::app::bench::{Numbers, Setting};

/// What a search told.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Seconds from the first root to the last sum on the host.
    pub seconds: f64,
    /// Roots searched.
    pub roots: usize,
    /// Roots of the graph as this setting searches it.
    pub total: usize,
    /// Roots that the engine needs to be busy, at least 1.
    pub together: usize,
    /// Seconds that kernels were built for it, which need not be done again.
    pub setup: f64,
}

/// Something that can search, and has a clock.
pub trait Measurer {
    /// Seconds since the tuning began.
    fn now(&self) -> f64;

    /// Searches from `size` of the roots, or from all if there are no more. `held_back`: from roots
    /// that no other sample has, unless it is of all.
    ///
    /// # Errors
    /// In one line.
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

/// Why a candidate was never measured.
const NO_TIME: &str = "the budget ran out before it was measured; use a larger --budget";

/// Part of a race's time in which candidates are let in; the rest is for searches that tell more.
const ENTRY: f64 = 0.6;
/// Searches from one sample that are enough.
const ENOUGH: usize = 9;
/// Searches for which there has to be time before a sample grows; of a sweep, each candidate has
/// so many where the budget allows it.
const FEWEST: usize = 2;
const FEWEST_OF_SWEEP: usize = 3;
/// Samples grow by this factor.
const GROWTH: usize = 8;
/// Part of what the first search of a setting cost besides searching that the next one will:
/// drivers do much when a kernel is launched for the first time.
const FIRST_OVERHEAD: f64 = 0.25;

/// One setting and all that was measured of it.
#[derive(Debug, Clone)]
pub struct Track {
    /// The setting.
    pub setting: Setting,
    /// Its rounds, from the smallest sample to the largest.
    pub rounds: Vec<Round>,
    /// After how many of its rounds it was eliminated, if it was.
    pub dropped_after: Option<usize>,
    /// Why it could not search.
    pub failure: Option<String>,
    /// What the last search told.
    pub last: Option<Sample>,
    /// Seconds that a search costs besides those of the search.
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

    /// Seconds for all roots, as the largest sample tells.
    pub fn predicted(&self) -> Option<f64> {
        self.seconds_of(self.last?.total)
    }

    /// The same, or infinity if it cannot search.
    pub fn seconds(&self) -> f64 {
        let seconds = self.predicted().filter(|_| self.failure.is_none());
        seconds.unwrap_or(f64::INFINITY)
    }

    /// Seconds for `size` roots, as the largest sample tells.
    fn seconds_of(&self, size: usize) -> Option<f64> {
        let (last, round) = (self.last?, self.rounds.last()?);
        let rate = Rate::scaled(round.median?, round.roots, last.total, last.together);
        Some(rate.of_part(size, last.together))
    }

    /// Seconds that a search from `size` roots will cost; infinite if it has not searched.
    pub(super) fn cost(&self, size: usize) -> f64 {
        self.overhead + self.seconds_of(size).unwrap_or(f64::INFINITY)
    }

    /// The size of the next sample that is worth its time and fits into so many seconds: a larger
    /// one if there is time for enough searches from it, otherwise the same again.
    fn next(&self, seconds: f64, sweep: bool) -> Option<usize> {
        let round = self.rounds.last().filter(|_| self.failure.is_none())?;
        let last = self.last?;
        let fewest = match sweep {
            true => FEWEST_OF_SWEEP,
            // Batches that are not full tell little: there need not be time for two.
            false if round.roots < last.together => 1,
            false => FEWEST,
        };
        // A sample of more than half of the roots is made one of all.
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
            round.median = Spread::of(&round.seconds).map(|spread| spread.median);
        }
    }
}

/// Told after every search: all candidates, and the time.
pub type Observer<'o> = &'o mut dyn FnMut(&[Track], f64);

/// A race, or several one after the other.
pub struct Race<'r, M> {
    /// What searches.
    pub measurer: &'r mut M,
    /// All candidates that ever took part, by number.
    pub tracks: Vec<Track>,
    /// Whether none is ever eliminated.
    pub sweep: bool,
    /// What is to be told.
    pub observe: Observer<'r>,
}

impl<M: Measurer> Race<'_, M> {
    /// Lets settings race until the clock says `until`, or all was measured well. Returns those
    /// that can search, fastest first. Only searches whose time could not be foreseen end later.
    pub fn run(&mut self, settings: impl IntoIterator<Item = Setting>, until: f64) -> Vec<usize> {
        let mut all = self.enter(settings, until);
        let mut left = all.clone();
        loop {
            left.retain(|&c| self.tracks[c].failure.is_none());
            let rounds = match self.sweep {
                true => 1,
                // As many halvings as leave one.
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

    /// Removes those that cannot search, and puts the fastest of the others first.
    fn sort(&self, candidates: &mut Vec<usize>) {
        candidates.retain(|&c| self.tracks[c].failure.is_none());
        let seconds = |c: usize| self.tracks[c].seconds();
        candidates.sort_by(|&a, &b| seconds(a).total_cmp(&seconds(b)));
        candidates.sort_by_key(|&c| self.tracks[c].dropped_after.is_some());
    }

    /// Lets all settings search from one root, as long as there is time. Returns their numbers.
    fn enter(&mut self, settings: impl IntoIterator<Item = Setting>, until: f64) -> Vec<usize> {
        let start = self.measurer.now();
        let mut all = Vec::new();
        for setting in settings {
            let known = self.tracks.iter().position(|t| t.setting == setting);
            // One has to be the first, however little time there is.
            let first = self.tracks.iter().all(|track| track.last.is_none());
            let in_time = first || self.measurer.now() < start + ENTRY * (until - start);
            // Numbers that there was no time for are many, and of no interest.
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

    /// Lets candidates search in turns, each as long as it has some of its `seconds` left.
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

    /// Gives the time that some candidates have left to those with too few searches.
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

    /// Returns how long it took.
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

//! Successive halving: all candidates get the same time, and search from as many of the roots as
//! that allows; the slower half is eliminated, and the others get twice as much.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::setting::Setting;
use crate::app::bench::predict::Rate;
use crate::app::bench::timing::Spread;
use brandes::strategy::Strategy;

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
    /// The strategy on the device; what `auto` turned out to be.
    pub strategy: Option<Strategy>,
    /// Seconds that kernels were built for it, which need not be done again.
    pub setup: f64,
}

/// Something that can search, and has a clock.
pub trait Measurer {
    /// Seconds since the tuning began.
    fn now(&self) -> f64;

    /// Searches from `size` of the roots of the graph; from the same part of the roots for a
    /// setting that serves sources inside chains. `held_back`: from roots that no other sample
    /// has, unless it is of all.
    ///
    /// # Errors
    /// In one line.
    fn search(&mut self, setting: &Setting, size: usize, held_back: bool) -> Result<Sample>;
}

/// The searches of a setting from one sample of the roots.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoundPart")]
pub struct Round {
    /// Size of the sample, in roots of the graph as it stands.
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
pub const NO_TIME: &str = "the budget was gone before its turn";

/// Part of a race's time in which candidates are let in; the rest is for searches that tell more.
const ENTRY: f64 = 0.6;
/// Searches from one sample that are enough.
const ENOUGH: usize = 9;
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
    /// Of nothing so far.
    pub fn new(setting: Setting) -> Track {
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
        self.seconds(1, 1)
    }

    /// Seconds for `size` of `of` roots, as the largest sample tells.
    fn seconds(&self, size: usize, of: usize) -> Option<f64> {
        let (last, round) = (self.last?, self.rounds.last()?);
        let rate = Rate::scaled(round.median?, round.roots, last.total, last.together);
        Some(rate.of_part(part(last.total, size, of), last.together))
    }

    /// Seconds that a search from `size` of `of` roots will cost.
    pub(super) fn cost(&self, size: usize, of: usize) -> Option<f64> {
        Some(self.overhead + self.seconds(size, of)?)
    }

    /// The size of the next sample that is worth its time and fits into so many seconds: a larger
    /// one, if there is time for two of these, otherwise the same again. Batches that are not full
    /// tell little: there need not be time for two.
    fn next(&self, seconds: f64, of: usize) -> Option<usize> {
        let round = self.rounds.last().filter(|_| self.failure.is_none())?;
        let fits = |size, times| Some(times * self.cost(size, of)? <= seconds);
        // A sample of more than half of the roots is made one of all.
        let larger = match GROWTH * round.size {
            larger if 2 * larger > of => of,
            larger => larger,
        };
        let times = match round.roots < self.last?.together {
            true => 1.0,
            false => 2.0,
        };
        if larger > round.size && fits(larger, times)? {
            return Some(larger);
        }
        (round.seconds.len() < ENOUGH && fits(round.size, 1.0)?).then_some(round.size)
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

/// The same part of `total` as `size` is of `of`, rounded up.
pub fn part(total: usize, size: usize, of: usize) -> usize {
    let whole = total as u128 * size as u128;
    (whole.div_ceil(of.max(1) as u128) as usize).min(total)
}

/// Told after every search: all candidates, and the time.
pub type Observer<'o> = &'o mut dyn FnMut(&[Track], f64);

/// A race, or several one after the other.
pub struct Race<'r, M> {
    /// What searches.
    pub measurer: &'r mut M,
    /// All candidates that ever took part, by number.
    pub tracks: Vec<Track>,
    /// Roots of the graph as it stands.
    pub roots: usize,
    /// Whether none is ever eliminated.
    pub keep_all: bool,
    /// What is to be told.
    pub observe: Observer<'r>,
}

impl<M: Measurer> Race<'_, M> {
    /// Lets candidates race until the clock says `until`, or all was measured well. Returns those
    /// that can search, fastest first. Only searches whose time could not be foreseen end later.
    pub fn run(&mut self, candidates: &[usize], until: f64) -> Vec<usize> {
        self.enter(candidates, until);
        let mut left = candidates.to_vec();
        let mut ranked = Vec::new();
        loop {
            left.retain(|&c| self.tracks[c].failure.is_none());
            let rounds = match self.keep_all {
                true => 1,
                // As many halvings as leave one.
                false => left.len().next_power_of_two().ilog2().max(1),
            };
            let time = until - self.measurer.now();
            self.round(&left, time / (f64::from(rounds) * left.len() as f64));
            left.retain(|&c| self.tracks[c].failure.is_none());
            left.sort_by(|&a, &b| self.seconds(a).total_cmp(&self.seconds(b)));
            if self.keep_all || left.len() <= 2 {
                left.extend(ranked);
                return left;
            }
            let slower = left.split_off(left.len().div_ceil(2));
            for &c in &slower {
                self.tracks[c].dropped_after = Some(self.tracks[c].rounds.len());
            }
            ranked.splice(0..0, slower);
        }
    }

    /// Seconds for all roots; infinite if it has not searched.
    pub fn seconds(&self, c: usize) -> f64 {
        self.tracks[c].predicted().unwrap_or(f64::INFINITY)
    }

    /// Lets all candidates search from one root, as long as there is time.
    fn enter(&mut self, candidates: &[usize], until: f64) {
        let start = self.measurer.now();
        for &c in candidates {
            self.tracks[c].dropped_after = None;
            if !self.tracks[c].rounds.is_empty() || self.tracks[c].failure.is_some() {
                continue;
            }
            // One has to be the first, however little time there is.
            let first = self.tracks.iter().all(|track| track.last.is_none());
            if first || self.measurer.now() < start + ENTRY * (until - start) {
                self.search(c, 1);
            } else {
                self.tracks[c].failure = Some(NO_TIME.into());
            }
        }
    }

    /// Lets candidates search in turns, each as long as it has some of its `seconds` left.
    fn round(&mut self, candidates: &[usize], seconds: f64) {
        let mut left = vec![seconds; candidates.len()];
        let mut searched = true;
        while searched {
            searched = false;
            for (&c, left) in candidates.iter().zip(&mut left) {
                if let Some(size) = self.tracks[c].next(*left, self.roots) {
                    *left -= self.search(c, size);
                    searched = true;
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

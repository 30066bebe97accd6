//! Successive halving. A candidate is a strategy with values of its numeric options. All candidates
//! get the same time, and search from as many roots as that time allows. Then the slower half is
//! dropped, and the others get twice the time.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::Setting;
use crate::app::bench::timing::Spread;
use brandes::device::Numbers;

/// The result of a search from a sample of the roots.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The seconds from the first claim of roots until all sums are on the host.
    pub seconds: f64,
    /// The number of roots searched.
    pub roots: usize,
    /// The number of all roots of the graph, as prepared for this setting.
    pub total: usize,
    /// The number of roots that the engine searches at a time, at least 1.
    pub batch: usize,
}

/// Measures searches, and is the clock of a race.
pub trait Measurer {
    /// Returns the seconds since the tuning began.
    fn now(&self) -> f64;

    /// Searches from a sample of `size` roots, or from all roots if there are fewer. With
    /// `held_back`, the sample has no roots of other samples if enough roots remain for that.
    ///
    /// # Errors
    /// A message of one line if the setting cannot search.
    fn search(&mut self, setting: &Setting, size: usize, held_back: bool) -> Result<Sample>;
}

/// The searches of a setting from one sample of the roots; several rounds may pass between
/// halvings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RoundPart")]
pub struct Round {
    /// Roots requested.
    #[serde(skip)]
    pub size: usize,
    /// Roots searched.
    pub roots: usize,
    /// Seconds of every search.
    pub seconds: Vec<f64>,
    /// Median of `seconds`; null if no search ended.
    pub median: Option<f64>,
}

/// The failure of a candidate that was never measured.
const NO_TIME: &str = "the budget ran out before it was measured; use a larger --budget";

/// The share of a race's time in which candidates may begin their first searches.
const FIRST_SEARCHES_SHARE: f64 = 0.6;
/// The largest number of searches from one sample.
const MAX_SEARCHES: usize = 9;
/// A sample grows only if there is time for this number of searches from the larger one, or for one
/// if the present sample is smaller than a batch.
const MIN_SEARCHES: usize = 2;
/// The factor by which samples grow.
const GROWTH: usize = 8;

/// A candidate: a setting and its measurements.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The setting.
    pub setting: Setting,
    /// Rounds, from the smallest sample to the largest.
    pub rounds: Vec<Round>,
    /// The number of its rounds when it was dropped; `None` if it was not.
    pub dropped_after: Option<usize>,
    /// The reason why it could not search, if it could not.
    pub failure: Option<String>,
    /// The result of the last search.
    pub last: Option<Sample>,
    /// The wall time of the last search minus its measured seconds, for example the time to create
    /// the engine and, in the first search, to build kernels.
    overhead: f64,
}

impl Candidate {
    fn new(setting: Setting) -> Candidate {
        Candidate {
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

    /// Returns the seconds for `size` roots, estimated from the largest sample: in proportion, but
    /// for each batch at most twice the measured time of a batch, since measured batches may not
    /// have been full.
    fn seconds_of(&self, size: usize) -> Option<f64> {
        let (last, round) = (self.last?, self.rounds.last()?);
        let median = round.median?;
        let batches = |roots: usize| roots.div_ceil(last.batch) as f64;
        let proportional = median * size as f64 / round.roots as f64;
        Some(proportional.min(2.0 * median * batches(size) / batches(round.roots)))
    }

    /// Returns the expected seconds of a search from `size` roots with all overhead; infinity
    /// before the first search.
    pub(super) fn cost(&self, size: usize) -> f64 {
        self.overhead + self.seconds_of(size).unwrap_or(f64::INFINITY)
    }

    /// Returns the size of the sample for the next search, which must fit into `seconds`: a larger
    /// one if there is time for several searches from it, otherwise the present one. `None` if
    /// there is no time, or if the present sample was searched often enough.
    fn next_size(&self, seconds: f64) -> Option<usize> {
        let round = self.rounds.last().filter(|_| self.failure.is_none())?;
        let last = self.last?;
        // The time of a batch that is not full is a poor estimate, so one search from a larger
        // sample is enough.
        let searches = match round.roots < last.batch {
            true => 1,
            false => MIN_SEARCHES,
        };
        // A sample of more than half of the roots becomes a search from all.
        let larger = match GROWTH * round.size {
            larger if 2 * larger > last.total => last.total,
            larger => larger,
        };
        if larger > round.size && searches as f64 * self.cost(larger) <= seconds {
            return Some(larger);
        }
        let may_repeat = round.seconds.len() < MAX_SEARCHES && self.cost(round.size) <= seconds;
        may_repeat.then_some(round.size)
    }

    /// Adds the result of a search from a sample of `size` roots, which took `wall` seconds in all.
    fn add(&mut self, sample: Sample, size: usize, wall: f64) {
        self.last = Some(sample);
        self.overhead = (wall - sample.seconds).max(0.0);
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

/// A callback after each search, with all candidates and the time on the clock.
pub type Observer<'o> = &'o mut dyn FnMut(&[Candidate], f64);

/// A race of candidates by successive halving.
pub struct Race<'r, M> {
    /// Measures the searches.
    pub measurer: &'r mut M,
    /// All candidates.
    pub candidates: Vec<Candidate>,
    /// Observes the searches.
    pub observe: Observer<'r>,
}

impl<M: Measurer> Race<'_, M> {
    /// Lets the candidates race until the clock reaches `until`, or all have enough searches.
    /// Returns the index of the fastest. The race ends later only if a search takes longer than
    /// estimated.
    pub fn run(&mut self, until: f64) -> Option<usize> {
        let mut left = self.ranked();
        loop {
            // The number of halvings that are left, and at least one: two candidates are compared
            // once more.
            let halvings = left.len().next_power_of_two().ilog2().max(1);
            let time = until - self.measurer.now();
            self.search_in_turns(&left, time / (f64::from(halvings) * left.len() as f64));
            left = self.ranked();
            left.retain(|&c| self.candidates[c].dropped_after.is_none());
            if left.len() <= 2 {
                break;
            }
            for c in left.split_off(left.len().div_ceil(2)) {
                self.candidates[c].dropped_after = Some(self.candidates[c].rounds.len());
            }
        }
        self.ranked().first().copied()
    }

    /// Returns the candidates that can search, fastest first. Dropped ones come last, since their
    /// times are from smaller samples.
    pub fn ranked(&self) -> Vec<usize> {
        let can_search = |&c: &usize| self.candidates[c].failure.is_none();
        let mut ranked: Vec<usize> = (0..self.candidates.len()).filter(can_search).collect();
        ranked.sort_by(|&a, &b| {
            let (a, b) = (&self.candidates[a], &self.candidates[b]);
            let is_dropped = |candidate: &Candidate| candidate.dropped_after.is_some();
            (is_dropped(a).cmp(&is_dropped(b))).then(a.seconds().total_cmp(&b.seconds()))
        });
        ranked
    }

    /// Adds settings as candidates, and searches from one root with each of them, as long as there
    /// is time in a race that ends at `until`.
    pub fn add(&mut self, settings: impl IntoIterator<Item = Setting>, until: f64) {
        for setting in settings {
            if self
                .candidates
                .iter()
                .any(|candidate| candidate.setting == setting)
            {
                continue;
            }
            // Until one candidate has searched, each of them searches even if there is no time.
            let none_searched = self
                .candidates
                .iter()
                .all(|candidate| candidate.last.is_none());
            let in_time = none_searched || self.measurer.now() < FIRST_SEARCHES_SHARE * until;
            // A setting that only varies the numbers of a strategy, and for which no time is left,
            // is not reported.
            if !in_time && setting.numbers != Numbers::default() {
                continue;
            }
            let c = self.candidates.len();
            self.candidates.push(Candidate::new(setting));
            match in_time {
                true => _ = self.search(c, 1),
                false => self.candidates[c].failure = Some(NO_TIME.into()),
            }
        }
    }

    /// Lets candidates search in turns. Each of them may use `seconds`.
    fn search_in_turns(&mut self, candidates: &[usize], seconds: f64) {
        let mut left = vec![seconds; candidates.len()];
        let mut searched = true;
        while searched {
            searched = false;
            for (&c, left) in candidates.iter().zip(&mut left) {
                if let Some(size) = self.candidates[c].next_size(*left) {
                    *left -= self.search(c, size);
                    searched = true;
                }
            }
        }
    }

    /// Searches from `size` roots with candidate `c`. Returns the seconds that this took.
    fn search(&mut self, c: usize, size: usize) -> f64 {
        let start = self.measurer.now();
        let candidate = &mut self.candidates[c];
        let sample = self.measurer.search(&candidate.setting, size, false);
        let now = self.measurer.now();
        match sample {
            Ok(sample) => candidate.add(sample, size, now - start),
            Err(error) => candidate.failure = Some(error.to_string()),
        }
        (self.observe)(&self.candidates, now);
        now - start
    }
}

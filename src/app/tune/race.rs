//! Successive halving: everybody searches from the same few roots, in turns; the hopeless are
//! dropped, and the others search from more.

use super::estimate::{Basis, Estimate};
use super::setting::Setting;
use crate::app::bench::timing::Spread;
use brandes::strategy::Strategy;

/// Which roots to search from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// So many of the roots of the graph as it stands; the same part of the roots for a setting
    /// that searches the graph contracted.
    Share(usize),
    /// As many of those that no share had so far; all of them alike where there are too few.
    HeldBack(usize),
}

/// What a search told.
#[derive(Debug, Clone, Copy)]
pub struct Sighting {
    /// Seconds from the first root to the last sum on the host.
    pub seconds: f64,
    /// Roots searched.
    pub roots: usize,
    /// Roots of the graph as this setting searches it.
    pub total: usize,
    /// Roots that the engine takes together.
    pub unit: usize,
    /// The strategy on the device; what `auto` turned out to be.
    pub strategy: Option<Strategy>,
    /// Seconds that kernels were built for it, which need not be done again.
    pub setup: f64,
}

/// Something that can search, and has a clock.
pub trait Measurer {
    /// Seconds since the tuning began.
    fn now(&self) -> f64;
    /// Searches. The error is the reason in one line.
    fn search(&mut self, setting: &Setting, sample: Sample) -> Result<Sighting, String>;
}

/// The searches of one setting from one sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// Size of the sample, in roots of the graph as it stands.
    pub size: usize,
    /// Roots searched.
    pub roots: usize,
    /// Seconds of every turn.
    pub seconds: Vec<f64>,
}

impl Round {
    /// Median seconds.
    pub fn median(&self) -> f64 {
        Spread::of(&self.seconds).map_or(f64::INFINITY, |spread| spread.median)
    }

    /// How far times are from their median: half of their range, or a guess where there are few;
    /// and what a clock and a scheduler add to very short ones.
    fn noise(&self) -> f64 {
        let measured = match Spread::of(&self.seconds) {
            Some(spread) if self.seconds.len() >= 3 => spread.half_range(),
            _ => GUESSED_NOISE,
        };
        let jitter = JITTER / self.median().max(JITTER / MOST_NOISE);
        measured.max(LEAST_NOISE).max(jitter).min(MOST_NOISE)
    }
}

/// Bounds of what counts as noise, and noise where nothing is known of it.
const LEAST_NOISE: f64 = 0.02;
const MOST_NOISE: f64 = 1.0;
const GUESSED_NOISE: f64 = 0.3;
/// Seconds that come and go with every search.
const JITTER: f64 = 1e-3;

/// Why somebody was never measured.
pub const NO_TIME: &str = "the budget was gone before its turn";

/// Searches of each that are enough to tell who is faster.
const ENOUGH: usize = 9;
/// Part of what the first search of a setting cost besides searching that the next one will:
/// drivers do much when a kernel is launched for the first time.
const FIRST_OVERHEAD: f64 = 0.25;
/// Part of a race's time in which newcomers are let in; the rest is for searches that tell more.
const ENTRY: f64 = 0.6;
/// Turns of a round that costs little.
const TURNS: usize = 3;
/// Part of the time left that a round may take.
const PART: f64 = 0.25;
/// Part of the time left that the last two may take.
const LAST_PART: f64 = 0.9;
/// Samples grow by at least this factor, if everybody can afford it.
const GROWTH: usize = 4;

/// One setting and all that was measured of it.
#[derive(Debug, Clone)]
pub struct Track {
    /// The setting.
    pub setting: Setting,
    /// Its rounds, in order.
    pub rounds: Vec<Round>,
    /// After how many of its rounds it was dropped, if it was.
    pub dropped_after: Option<usize>,
    /// Why it could not search.
    pub failure: Option<String>,
    /// What the last search told.
    pub last: Option<Sighting>,
    /// Seconds of a single root.
    single: f64,
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
            single: 0.0,
            overhead: 0.0,
        }
    }

    /// The round that tells most: of the most roots.
    pub fn widest(&self) -> Option<&Round> {
        self.rounds.iter().max_by_key(|round| round.size)
    }

    /// Seconds for `size` of the `of` roots of the graph; `None` before the first search.
    fn predict(&self, size: usize, of: usize) -> Option<Estimate> {
        let (last, round) = (self.last?, self.widest()?);
        let basis = Basis {
            single: self.single,
            seconds: round.median(),
            roots: round.roots,
            unit: last.unit.clamp(1, last.total.max(1)),
        };
        Some(basis.predict(part(last.total, size, of)))
    }

    /// Seconds for all roots, by whole batches.
    pub fn predicted(&self) -> Option<f64> {
        self.predict(1, 1).map(|estimate| estimate.likely)
    }

    /// Seconds that a search of `size` roots will cost: it is allowed to be wrong, for an engine
    /// whose batches are not full yet, by less than the worst that it could be.
    pub(super) fn cost(&self, size: usize, of: usize) -> Option<f64> {
        let estimate = self.predict(size, of)?;
        Some(self.overhead + estimate.most.min(2.0 * estimate.likely))
    }

    fn note(&mut self, sighting: Sighting, size: usize, wall: f64) {
        let overhead = (wall - sighting.seconds - sighting.setup).max(0.0);
        self.overhead = if self.last.is_some() {
            overhead
        } else {
            self.single = sighting.seconds;
            FIRST_OVERHEAD * overhead
        };
        self.last = Some(sighting);
        match self.rounds.iter_mut().find(|round| round.size == size) {
            Some(round) => round.seconds.push(sighting.seconds),
            None => self.rounds.push(Round {
                size,
                roots: sighting.roots,
                seconds: vec![sighting.seconds],
            }),
        }
    }

    /// Whether another search of this size would tell nothing new.
    fn is_known(&self, size: usize) -> bool {
        self.widest().is_some_and(|round| {
            round.size > size || (round.size == size && round.seconds.len() >= ENOUGH)
        })
    }
}

/// The same part of `total` as `size` is of `of`, rounded up.
pub fn part(total: usize, size: usize, of: usize) -> usize {
    let whole = total as u128 * size as u128;
    (whole.div_ceil(of.max(1) as u128) as usize).min(total)
}

/// Told after every search: everybody, and the time.
pub type Observer<'o> = &'o mut dyn FnMut(&[Track], f64);

/// A race, or several one after the other.
pub struct Race<'r, M> {
    /// Who searches.
    pub measurer: &'r mut M,
    /// Everybody who ever took part, by number.
    pub tracks: Vec<Track>,
    /// Roots of the graph as it stands.
    pub roots: usize,
    /// Until when newcomers are let in; a race sets it.
    pub entry_ends: f64,
    /// Whether nobody is ever dropped; everybody gets the same part of the time.
    pub keep_all: bool,
    /// Who wants to know.
    pub observe: Observer<'r>,
}

impl<M: Measurer> Race<'_, M> {
    /// Lets `entrants` race until one is left, everybody left was measured well, or the clock says
    /// `until`. Returns who is left, fastest first. Only the very first search of all, and one
    /// whose time could not be foreseen, may end later.
    pub fn run(&mut self, entrants: &[usize], until: f64) -> Vec<usize> {
        let mut alive = entrants.to_vec();
        let mut size = 1;
        let now = self.measurer.now();
        self.entry_ends = now + ENTRY * (until - now);
        loop {
            let measured = self.round(&alive, size, until);
            if measured.is_empty() {
                alive.retain(|&c| self.tracks[c].last.is_some());
                break;
            }
            self.retire(&alive, &measured);
            alive = measured;
            if !self.keep_all {
                self.halve(&mut alive, size);
            }
            let settled = alive.iter().all(|&c| self.tracks[c].is_known(size));
            if (alive.len() <= 1 && !self.keep_all) || (size == self.roots && settled) {
                break;
            }
            match self.next_size(&mut alive, size, until) {
                Some(next) => size = next,
                None => break,
            }
        }
        if self.keep_all {
            alive = entrants.to_vec();
            alive.retain(|&c| self.tracks[c].last.is_some() && self.tracks[c].failure.is_none());
        }
        self.sort(&mut alive);
        alive
    }

    /// Best first. Where a time is not known well, somewhere between what is likely and the worst.
    pub fn sort(&self, some: &mut [usize]) {
        let seconds = |c: usize| {
            let estimate = self.tracks[c].predict(self.roots, self.roots);
            estimate.map_or(f64::INFINITY, |e| (e.likely * e.most).sqrt())
        };
        some.sort_by(|&a, &b| seconds(a).total_cmp(&seconds(b)));
    }

    fn cost(&self, some: &[usize], size: usize) -> f64 {
        let costs = some
            .iter()
            .filter(|&&c| !self.tracks[c].is_known(size))
            .map(|&c| self.tracks[c].cost(size, self.roots).unwrap_or(0.0));
        costs.sum()
    }

    /// Measures everybody, in turns, as long as there is time. Returns who was.
    fn round(&mut self, alive: &[usize], size: usize, until: f64) -> Vec<usize> {
        let known = alive.iter().all(|&c| self.tracks[c].last.is_some());
        let left = until - self.measurer.now();
        let cheap = known && TURNS as f64 * self.cost(alive, size) <= PART * left;
        let turns = if cheap || (self.keep_all && known) {
            TURNS
        } else {
            1
        };
        let mut measured = Vec::new();
        for turn in 0..turns {
            let now_alive = if turn == 0 {
                alive.to_vec()
            } else {
                measured.clone()
            };
            for (place, &c) in now_alive.iter().enumerate() {
                let waiting = now_alive.len() - place + now_alive.len() * (turns - 1 - turn);
                // Whoever raced before need not begin anew.
                let done = self.tracks[c].is_known(size)
                    || (self.affordable(c, size, until, waiting) && self.search(c, size));
                if done && turn == 0 {
                    measured.push(c);
                }
            }
        }
        measured.retain(|&c| self.tracks[c].failure.is_none());
        measured
    }

    fn affordable(&self, c: usize, size: usize, until: f64, waiting: usize) -> bool {
        let left = until - self.measurer.now();
        let allowed = if self.keep_all {
            left / waiting.max(1) as f64
        } else {
            left
        };
        match self.tracks[c].cost(size, self.roots) {
            Some(cost) => cost <= allowed,
            // Somebody has to be the first.
            None => {
                self.measurer.now() < self.entry_ends
                    || self.tracks.iter().all(|track| track.last.is_none())
            }
        }
    }

    fn search(&mut self, c: usize, size: usize) -> bool {
        let start = self.measurer.now();
        let sample = Sample::Share(size);
        let track = &mut self.tracks[c];
        if track.failure.is_some() {
            return false;
        }
        match self.measurer.search(&track.setting, sample) {
            Ok(sighting) => track.note(sighting, size, self.measurer.now() - start),
            Err(error) => track.failure = Some(error),
        }
        let now = self.measurer.now();
        (self.observe)(&self.tracks, now);
        self.tracks[c].failure.is_none()
    }

    /// Those of `alive` who were not measured are out.
    fn retire(&mut self, alive: &[usize], measured: &[usize]) {
        for &c in alive {
            let track = &mut self.tracks[c];
            if measured.contains(&c) || track.failure.is_some() {
                continue;
            }
            if track.last.is_none() {
                track.failure = Some(NO_TIME.into());
            } else if !self.keep_all {
                track.dropped_after = Some(track.rounds.len());
            }
        }
    }

    /// Drops everybody who is slower for all roots than somebody else, even if one is as fast and
    /// the other as slow as they can be, and by more than noise; but not the best third.
    fn halve(&mut self, alive: &mut Vec<usize>, size: usize) {
        self.sort(alive);
        let all = |c: usize| self.tracks[c].predict(self.roots, self.roots);
        let noise = |c: usize| {
            let track = &self.tracks[c];
            track.widest().map_or(MOST_NOISE, Round::noise)
        };
        let limit = alive
            .iter()
            .filter_map(|&c| Some(all(c)?.most * (1.0 + noise(c))))
            .fold(f64::INFINITY, f64::min);
        // Before a sample tells anything of the order, its third is no better than another.
        let kept = if size == self.roots {
            alive.len().div_ceil(3)
        } else {
            1
        };
        let hopeless = |c: usize| all(c).is_none_or(|estimate| estimate.least > limit);
        let (out, left): (Vec<_>, Vec<_>) = alive
            .iter()
            .enumerate()
            .partition(|&(rank, &c)| rank >= kept && hopeless(c));
        let out: Vec<usize> = out.into_iter().map(|(_, &c)| c).collect();
        *alive = left.into_iter().map(|(_, &c)| c).collect();
        for c in out {
            self.drop_out(c);
        }
    }

    fn drop_out(&mut self, c: usize) {
        let track = &mut self.tracks[c];
        track.dropped_after = Some(track.rounds.len());
    }

    /// The next sample: as large as the time allows; all roots once more if it was all. Where time
    /// is short, those who look worst are dropped for it.
    fn next_size(&mut self, alive: &mut Vec<usize>, size: usize, until: f64) -> Option<usize> {
        let left = until - self.measurer.now();
        let grown = self.rounded(GROWTH * size);
        if self.keep_all {
            // Who can afford it is seen to one by one.
            return (size < self.roots && left > 0.0).then_some(grown);
        }
        while alive.len() > 2 && self.cost(alive, grown) > PART * left {
            self.sort(alive);
            if let Some(c) = alive.pop() {
                self.drop_out(c);
            }
        }
        let mut best = None;
        let mut next = grown;
        while self.cost(alive, next) <= PART * left {
            best = Some(next);
            if next == self.roots {
                break;
            }
            next = self.rounded(2 * next);
        }
        best.or_else(|| {
            let smallest = [grown, self.rounded(2 * size)];
            let fits = |&size: &usize| self.cost(alive, size) <= LAST_PART * left;
            smallest.into_iter().find(fits)
        })
    }

    /// A sample of nearly all roots is made one of all, so that others are left for the check.
    fn rounded(&self, size: usize) -> usize {
        if 2 * size > self.roots {
            self.roots
        } else {
            size
        }
    }
}

//! Chooses the settings that race: all strategies, and all combinations of values of their numeric
//! options. The winner is adopted only if it is faster than the default in a check: on all roots
//! or, if there is no time for that, on roots held back from the race.

use std::iter;

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::race::{Candidate, Measurer, Observer, Race};
use super::values::Values;
use crate::app::bench::timing::Spread;
use crate::app::bench::{Setting, Subject};

/// The settings to try, and the time for it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The default setting of a run: strategy `auto`, or `cpu` without a device.
    pub default: Setting,
    /// The setting that strategy `auto` will choose, if known; it races only as the default.
    pub chosen: Option<Setting>,
    /// Strategies to try.
    pub subjects: Vec<Subject>,
    /// Values of their numeric options to try.
    pub values: Values,
    /// Seconds for all searches.
    pub budget: f64,
}

/// The result of tuning.
#[derive(Debug, Clone)]
pub struct Tuning {
    /// All candidates; the first is the default.
    pub candidates: Vec<Candidate>,
    /// Index of the fastest candidate.
    pub best: usize,
    /// Comparison of the fastest with the default.
    pub check: Check,
}

/// Comparison of the fastest candidate with the default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CheckPart")]
pub struct Check {
    /// Roots of each search (of the default, if the two settings have different roots); 0 without
    /// searches.
    pub roots: usize,
    /// Seconds of the searches of the fastest, in turns with the default.
    pub best_seconds: Vec<f64>,
    /// Seconds of the searches of the default.
    pub default_seconds: Vec<f64>,
    /// Median of the fastest as a multiple of the default's: 1 if the two are the same, null if one
    /// of them could not search.
    pub ratio: Option<f64>,
    /// Which of the two is adopted.
    pub adopted: Adopted,
    /// Why one of the two could not search, or why the check decides nothing.
    pub failure: Option<String>,
}

/// The setting to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Adopted {
    /// The fastest.
    Best,
    /// The default.
    #[default]
    Default,
}

/// Index of the candidate [`Plan::default`].
pub const DEFAULT: usize = 0;

/// The time at which the race ends, as a fraction of the budget. The remaining time is for the
/// check.
const RACE_SHARE: f64 = 0.78;

/// The largest number of searches of each of the two settings in the check.
const MAX_SEARCHES: usize = 5;
/// The number of searches of each setting from which a gain of [`MIN_GAIN`] suffices.
const MIN_SEARCHES: usize = 3;
/// A check from fewer roots decides nothing, unless these are all roots.
const MIN_ROOTS: usize = 64;
/// The fraction by which the winner must be faster, after [`MIN_SEARCHES`] searches or more.
const MIN_GAIN: f64 = 0.01;
/// [`MIN_GAIN`] after fewer searches.
const MIN_GAIN_OF_FEW: f64 = 0.2;

impl Tuning {
    /// Returns the index of the candidate to use.
    pub fn adopted(&self) -> usize {
        match self.check.adopted {
            Adopted::Best => self.best,
            Adopted::Default => DEFAULT,
        }
    }
}

impl Plan {
    /// Returns the default setting for another subject.
    fn plain(&self, subject: Subject) -> Setting {
        Setting {
            subject,
            ..self.default
        }
    }

    /// Returns the first candidates: the default, then all strategies with default options.
    fn entrants(&self) -> Vec<Setting> {
        let is_new = |setting: &Setting| *setting != self.default && Some(*setting) != self.chosen;
        let all = self
            .subjects
            .iter()
            .map(|&subject| self.plain(subject))
            .filter(is_new);
        iter::once(self.default).chain(all).collect()
    }

    /// Returns all other settings of the strategy of a candidate.
    fn combinations(&self, candidate: Setting) -> impl Iterator<Item = Setting> {
        let chosen = self.chosen.filter(|_| candidate == self.default);
        let setting = chosen.unwrap_or(candidate);
        let is_tried = self.subjects.contains(&setting.subject);
        let all = is_tried.then(|| self.values.combinations(setting));
        all.into_iter()
            .flatten()
            .filter(move |other| *other != setting)
    }
}

/// Finds the fastest setting.
///
/// # Errors
/// No candidate can search; the error is the reason of the first.
pub fn tune<M: Measurer>(plan: &Plan, measurer: &mut M, observe: Observer) -> Result<Tuning> {
    let mut race = Race {
        measurer,
        candidates: Vec::new(),
        observe,
    };
    let until = RACE_SHARE * plan.budget;
    race.add(plan.entrants(), until);
    // The options of fast strategies are tried first, because time may run out.
    for c in race.ranked() {
        let setting = race.candidates[c].setting;
        race.add(plan.combinations(setting), until);
    }
    let Some(best) = race.run(until) else {
        let failure = race
            .candidates
            .into_iter()
            .find_map(|candidate| candidate.failure);
        bail!(failure.unwrap_or("the budget is too small; use a larger --budget".into()));
    };
    let (measurer, candidates) = (race.measurer, race.candidates);
    let check = check(
        measurer,
        &candidates[best],
        &candidates[DEFAULT],
        plan.budget,
    );
    Ok(Tuning {
        candidates,
        best,
        check,
    })
}

/// Compares the fastest with the default. Both search in turns, from the same fraction of the
/// roots: at least once, and at most [`MAX_SEARCHES`] times while the clock stays below `until`.
fn check<M: Measurer>(
    measurer: &mut M,
    best: &Candidate,
    default: &Candidate,
    until: f64,
) -> Check {
    let mut check = Check::default();
    if best.setting == default.setting {
        check.ratio = Some(1.0);
        return check;
    }
    let default_last = default.last.filter(|_| default.failure.is_none());
    let (Some(best_sample), Some(default_sample)) = (best.last, default_last) else {
        // A setting that can search is better than a default that cannot.
        check.adopted = Adopted::Best;
        check.failure.clone_from(&default.failure);
        return check;
    };
    // The check uses as many roots as time allows, because full batches are representative.
    let samples = [best_sample, default_sample];
    let sizes = |halvings: u32| samples.map(|sample| (sample.total >> halvings).max(1));
    let cost = |[a, b]: [usize; 2]| best.cost(a) + default.cost(b);
    let left = until - measurer.now();
    let fits = |sizes: &[usize; 2]| *sizes == [1, 1] || MIN_SEARCHES as f64 * cost(*sizes) <= left;
    let sizes = (0..usize::BITS).map(sizes).find(fits).unwrap_or([1, 1]);
    while check.failure.is_none()
        && check.best_seconds.len() < MAX_SEARCHES
        && (check.best_seconds.is_empty() || measurer.now() + cost(sizes) <= until)
    {
        let mut search =
            |candidate: &Candidate, size| measurer.search(&candidate.setting, size, true);
        match search(best, sizes[0]).and_then(|a| Ok((a, search(default, sizes[1])?))) {
            Ok((a, b)) => {
                check.roots = b.roots;
                check.best_seconds.push(a.seconds);
                check.default_seconds.push(b.seconds);
            }
            Err(error) => check.failure = Some(error.to_string()),
        }
    }
    // Fewer roots than a batch do not show how fast an engine is.
    let needed = MIN_ROOTS.max(best_sample.batch).max(default_sample.batch);
    if check.failure.is_none() && sizes[1] < needed.min(default_sample.total) {
        check.failure = Some("there was no time for enough roots; use a larger --budget".into());
    }
    check.decide();
    check
}

impl Check {
    /// Returns medians and ranges of the fastest and the default, if both could search.
    pub fn spreads(&self) -> Option<(Spread, Spread)> {
        Spread::from_times(&self.best_seconds).zip(Spread::from_times(&self.default_seconds))
    }

    /// Adopts the fastest if its median is shorter than the shortest time of the default, by more
    /// than the required gain.
    fn decide(&mut self) {
        let Some((best, default)) = self.spreads() else {
            return;
        };
        let required_gain = match self.default_seconds.len() < MIN_SEARCHES {
            true => MIN_GAIN_OF_FEW,
            false => MIN_GAIN,
        };
        self.ratio = Some(best.median / default.median);
        if self.failure.is_none() && best.median < default.min * (1.0 - required_gain) {
            self.adopted = Adopted::Best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(best: &[f64], default: &[f64]) -> bool {
        let mut check = Check {
            roots: 1,
            best_seconds: best.to_vec(),
            default_seconds: default.to_vec(),
            ..Check::default()
        };
        check.decide();
        check.adopted == Adopted::Best
    }

    #[test]
    fn only_what_is_faster_beyond_noise_is_adopted() {
        assert!(decided(&[1.0, 1.01, 0.99], &[1.2, 1.21, 1.19]));
        assert!(decided(&[1.0, 1.5, 0.99], &[1.2, 1.8, 1.19]), "outliers");
        assert!(!decided(&[1.2, 1.2, 1.2], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[1.0, 1.0, 1.0], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[0.995, 0.995, 0.995], &[1.0, 1.0, 1.0]));
        assert!(!decided(&[0.9, 1.3, 0.7], &[1.0, 1.4, 0.8]), "noise");
        assert!(!decided(&[0.95], &[1.0]), "once is not enough");
        assert!(decided(&[0.5], &[1.0]));
    }
}

//! Successive halving: settings search ever larger samples of the roots in turns, and after each
//! round the slower half is dropped. (Jamieson and Talwalkar, "Non-stochastic Best Arm
//! Identification and Hyperparameter Optimization", AISTATS 2016.) The winner is then compared with
//! the default.

use std::iter;

use anyhow::{Result, bail};

use super::values::Values;
use crate::app::bench::compare::Options;
use crate::app::bench::results::Measured;
use crate::app::bench::timing::BLOCK;
use crate::app::bench::{Setting, Subject};
use brandes::device::Numbers;
use brandes::report::words::{self, counted};

/// Measures settings.
pub trait Measurer {
    /// Returns the seconds since the start.
    fn now(&self) -> f64;

    /// Measures settings in turns, and returns a measurement for each.
    fn measure(&mut self, settings: &[Setting], options: &Options) -> Vec<Measured>;
}

/// The settings to try.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The setting of a run without options.
    pub default: Setting,
    /// The setting that strategy `auto` chooses, if that is the default.
    pub chosen: Option<Setting>,
    /// The strategies or engines to try, those that are usually fastest first.
    pub subjects: Vec<Subject>,
    /// The values to try for their numbers.
    pub values: Values,
    /// Seconds that measuring may take.
    pub budget: f64,
}

/// A setting and its last measurement.
#[derive(Debug)]
pub struct Racer {
    /// The setting.
    pub setting: Setting,
    /// Its last measurement.
    pub measured: Measured,
    /// Whether it was dropped for being slow.
    pub dropped: bool,
}

/// The result.
#[derive(Debug)]
pub struct Tuning {
    /// All settings; the default is the first.
    pub racers: Vec<Racer>,
    /// The place of the fastest setting.
    pub best: usize,
    /// The place of the setting to use: the fastest one, or the default.
    pub adopted: usize,
    /// The comparison of both, in words.
    pub verdict: String,
}

/// The place of the default.
pub const DEFAULT: usize = 0;

const NO_TIME: &str = "the budget ran out before it was measured; use a larger --budget";

/// The parts of the budget after which no setting is added, and no round begins.
const ADDING: f64 = 0.6;
const HALVING: f64 = 0.78;
/// The limit of the first measurement of a setting, as a part of the budget.
const FIRST: f64 = 1e-3;
/// A setting that takes this many times as long as the fastest one is dropped before the rounds.
const FAR_SLOWER: f64 = 8.0;
/// The most settings that are measured in turns.
const IN_TURNS: usize = 8;
/// The number of searches of a setting in the comparison with the default.
const AT_END: usize = 5;
/// The fewest roots of a comparison, unless the graph has fewer.
const FEWEST_ROOTS: usize = 64;
/// The winner is adopted if its median is below the shortest time of the default by more than this.
const LEAST_GAIN: f64 = 0.01;

/// Finds the fastest setting.
///
/// # Errors
/// No setting could be measured; the message is one line.
pub fn tune(plan: &Plan, measurer: &mut impl Measurer) -> Result<Tuning> {
    let mut race = Race {
        plan,
        measurer,
        racers: Vec::new(),
    };
    let plain = |&subject: &Subject| Setting {
        subject,
        ..plan.default
    };
    race.add(iter::once(plan.default).chain(plan.subjects.iter().map(plain)));
    for place in race.ranked() {
        let own = race.racers[place].setting;
        let chosen = plan.chosen.filter(|_| own == plan.default);
        let setting = chosen.unwrap_or(own);
        if plan.subjects.contains(&setting.subject) {
            race.add(plan.values.combinations(setting));
        }
    }
    race.halve();
    let Some(&best) = race.ranked().first() else {
        let mut failures = race.racers.into_iter().map(|one| one.measured.failure);
        bail!(failures.find_map(|failure| failure).unwrap_or_default());
    };
    let (adopted, verdict) = race.compare(best);
    Ok(Tuning {
        racers: race.racers,
        best,
        adopted,
        verdict,
    })
}

struct Race<'r, M> {
    plan: &'r Plan,
    measurer: &'r mut M,
    racers: Vec<Racer>,
}

impl<M: Measurer> Race<'_, M> {
    /// Adds settings, each once and measured, while there is time.
    fn add(&mut self, settings: impl IntoIterator<Item = Setting>) {
        let budget = self.plan.budget;
        for setting in settings {
            if self.racers.iter().any(|one| one.setting == setting) {
                continue;
            }
            self.racers.push(Racer {
                setting,
                measured: Measured::default(),
                dropped: false,
            });
            let place = self.racers.len() - 1;
            if place == DEFAULT || self.measurer.now() < ADDING * budget {
                self.measure(&[place], 0, FIRST * budget, 1);
            } else if setting.numbers == Numbers::default() {
                let measured = &mut self.racers[place].measured;
                measured.setting.strategy = setting.subject.name().into();
                measured.failure = Some(NO_TIME.into());
            } else {
                self.racers.pop();
            }
        }
    }

    /// Measures the settings at these places in turns, from at least `first` roots.
    fn measure(&mut self, places: &[usize], repeat: usize, limit: f64, first: usize) {
        let settings = places.iter().map(|&place| self.racers[place].setting);
        let options = Options {
            repeat,
            limit,
            first,
        };
        let measured = self.measurer.measure(&Vec::from_iter(settings), &options);
        for (&place, measured) in places.iter().zip(measured) {
            self.racers[place].measured = measured;
        }
    }

    /// Returns the places of the settings that can search: by time, and those that were dropped
    /// last.
    fn ranked(&self) -> Vec<usize> {
        let time = |place: &usize| {
            let one = &self.racers[*place];
            (one.dropped, one.measured.median().unwrap_or(f64::INFINITY))
        };
        let can_search = |place: &usize| self.racers[*place].measured.failure.is_none();
        let mut places: Vec<usize> = (0..self.racers.len()).filter(can_search).collect();
        places.sort_by(|a, b| time(a).partial_cmp(&time(b)).unwrap_or(a.cmp(b)));
        places
    }

    /// Drops settings that are far slower than the fastest one. Then measures the others in rounds,
    /// and drops the slower half after each.
    fn halve(&mut self) {
        let mut left = self.ranked();
        let seconds = |one: &Racer| one.measured.median().unwrap_or(f64::INFINITY);
        let fastest = left
            .first()
            .map_or(0.0, |&place| seconds(&self.racers[place]));
        let few = left.partition_point(|&c| seconds(&self.racers[c]) <= FAR_SLOWER * fastest);
        self.drop(left.split_off(few));
        while left.len() > 1 {
            let rounds = f64::from(left.len().next_power_of_two().ilog2());
            let time = (HALVING * self.plan.budget - self.measurer.now()) / rounds;
            let end = self.measurer.now() + time;
            // A setting warms up about as long as it is measured.
            let limit = time / (2 * left.len()) as f64;
            // The fastest settings come first, if there is no time for all.
            for some in left.chunks(IN_TURNS) {
                if self.measurer.now() < end {
                    let searched = some.iter().map(|&c| self.racers[c].measured.roots_searched);
                    let first = searched.min().unwrap_or(1).clamp(1, BLOCK);
                    self.measure(some, 1, limit, first);
                }
            }
            left = self.ranked();
            left.retain(|&place| !self.racers[place].dropped);
            self.drop(left.split_off(left.len().div_ceil(2)));
        }
    }

    fn drop(&mut self, places: Vec<usize>) {
        for place in places {
            self.racers[place].dropped = true;
        }
    }

    /// Compares the best setting with the default. Returns the place of the setting to use, and a
    /// sentence about it.
    fn compare(&mut self, best: usize) -> (usize, String) {
        if best == DEFAULT {
            return (DEFAULT, "nothing is faster than the default".into());
        }
        let name = self.racers[best].setting.words();
        if let Some(failure) = &self.racers[DEFAULT].measured.failure {
            let verdict = format!("{name} is adopted: the default cannot search ({failure})");
            return (best, verdict);
        }
        let seconds = (self.plan.budget - self.measurer.now()).max(0.0);
        // Each of the two warms up about as long as two of its searches take.
        let limit = seconds / (2 * (AT_END + 2)) as f64;
        self.measure(&[DEFAULT, best], AT_END, limit, BLOCK);
        let [default, winner] = [DEFAULT, best].map(|place| &self.racers[place].measured);
        let failed = |why: &str| format!("the default is adopted: the check failed ({why})");
        let failure = default.failure.as_ref().or(winner.failure.as_ref());
        if let Some(failure) = failure {
            return (DEFAULT, failed(failure));
        }
        if default.roots_searched < FEWEST_ROOTS.min(default.roots) {
            let why = "there was no time for enough roots; use a larger --budget";
            return (DEFAULT, failed(why));
        }
        let (Some(a), Some(b)) = (winner.spread, default.spread) else {
            return (DEFAULT, failed(NO_TIME));
        };
        let ratio = a.median / b.median;
        let [a_seconds, b_seconds] = [a, b].map(|spread| words::seconds(spread.median));
        let searches = counted(AT_END, "search");
        let text = format!(
            "check: {name} took {a_seconds} s, the default {b_seconds} s, medians of {searches} \
             each; ratio {ratio:.3}"
        );
        match a.median < b.min * (1.0 - LEAST_GAIN) {
            true => (best, text),
            false => {
                let text = text + ": not faster beyond noise, so the default is adopted";
                (DEFAULT, text)
            }
        }
    }
}

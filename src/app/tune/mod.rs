//! The search for the best setting of a device, or of CPU workers, for a graph, by successive
//! halving: settings search ever larger samples of the roots in turns, and after each round the
//! slower half is dropped. (Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and
//! Hyperparameter Optimization", AISTATS 2016.) The winner is then compared with the default.

pub mod profile;
#[cfg(test)]
mod tests;

use anyhow::{Result, anyhow, bail};

use crate::app::bench::Setting;
use crate::app::bench::compare::Options;
use crate::app::bench::results::Measured;
use crate::app::bench::timing::BLOCK;
use crate::app::report::bench_schema::TunePart;
use brandes::device::Numbers;
use brandes::report::words::{counted, seconds};
pub use profile::{Hardware, TunedProfile};

/// Measures settings in turns. Returns a measurement for each, and the seconds since the start.
pub type Measure<'m> = &'m mut dyn FnMut(&[Setting], &Options) -> (Vec<Measured>, f64);

/// A setting and its last measurement.
#[derive(Debug)]
pub struct Candidate {
    /// The setting.
    pub setting: Setting,
    /// Its last measurement.
    pub measured: Measured,
}

impl Candidate {
    /// Returns the median seconds; infinity if the setting cannot search.
    fn seconds(&self) -> f64 {
        self.measured.median().unwrap_or(f64::INFINITY)
    }
}

const NOT_FASTER: &str = ": not faster beyond noise, so the default is adopted";
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
/// The winner is adopted if its median is below the shortest time of the default by more than this.
const LEAST_GAIN: f64 = 0.01;

/// Finds the fastest setting within `budget` seconds. `settings` begins with the default of a run,
/// and `numeric_variants` returns settings to try that differ from a given one in their numbers.
/// Returns all settings: the fastest one, those that were dropped for being slow, the last one
/// first, and those that cannot search.
///
/// # Errors
/// No setting could be measured, or two compute different sums; the message is one line.
pub fn tune(
    settings: Vec<Setting>,
    numeric_variants: impl Fn(Setting) -> Vec<Setting>,
    budget: f64,
    measure: Measure,
) -> Result<(Vec<Candidate>, TunePart)> {
    let default = settings[0];
    let mut tuning = Tuning {
        budget,
        measure,
        now: 0.0,
        candidates: Vec::new(),
    };
    tuning.add(settings)?;
    for place in 0..tuning.sort(tuning.candidates.len()) {
        tuning.add(numeric_variants(tuning.candidates[place].setting))?;
    }
    tuning.halve()?;
    if let Some(failure) = &tuning.candidates[0].measured.failure {
        bail!("nothing could be measured: {failure}");
    }
    let mut all = tuning.candidates.iter();
    let default = all.position(|one| one.setting == default).unwrap_or(0);
    let (is_faster, verdict) = tuning.is_faster_than(default)?;
    let (seconds, mut candidates) = (tuning.now, tuning.candidates);
    candidates[0].measured.best = true;
    let can_search = |&place: &usize| candidates[place].measured.failure.is_none();
    let tune = TunePart {
        budget_seconds: budget,
        seconds,
        best: 0,
        default,
        adopted: if is_faster { 0 } else { default },
        dropped: (1..candidates.len()).filter(can_search).collect(),
        verdict,
    };
    Ok((candidates, tune))
}

struct Tuning<'m> {
    budget: f64,
    measure: Measure<'m>,
    /// Seconds since the start, after the last measurement.
    now: f64,
    candidates: Vec<Candidate>,
}

impl Tuning<'_> {
    /// Adds settings, each once and measured, while there is time.
    fn add(&mut self, settings: Vec<Setting>) -> Result<()> {
        for setting in settings {
            let in_time = self.candidates.is_empty() || self.now < ADDING * self.budget;
            let is_new = self.candidates.iter().all(|one| one.setting != setting);
            // Without time, other numbers of a strategy are left out.
            if is_new && (in_time || setting.numbers == Numbers::default()) {
                let mut measured = Measured::default();
                measured.setting.strategy = setting.subject.name().into();
                measured.failure = Some(NO_TIME.into());
                self.candidates.push(Candidate { setting, measured });
                if in_time {
                    let last = self.candidates.len() - 1;
                    self.measure(&[last], 0, FIRST * self.budget, 1)?;
                }
            }
        }
        Ok(())
    }

    /// Measures the settings at these places in turns, from at least `first` roots.
    fn measure(&mut self, places: &[usize], repeat: usize, limit: f64, first: usize) -> Result<()> {
        let settings = places.iter().map(|&place| self.candidates[place].setting);
        let options = Options {
            repeat,
            limit,
            first,
        };
        let (measured, now) = (self.measure)(&Vec::from_iter(settings), &options);
        self.now = now;
        let mismatch = measured.iter().find_map(Measured::mismatch);
        for (&place, measured) in places.iter().zip(measured) {
            self.candidates[place].measured = measured;
        }
        mismatch.map_or(Ok(()), |text| Err(anyhow!(text)))
    }

    /// Sorts the first `count` settings by time, and returns how many of them can search; the
    /// others come last.
    fn sort(&mut self, count: usize) -> usize {
        let first = &mut self.candidates[..count];
        first.sort_by(|a, b| a.seconds().total_cmp(&b.seconds()));
        first.partition_point(|one| one.seconds().is_finite())
    }

    /// Drops settings that are far slower than the fastest one. Then measures the others in rounds,
    /// and drops the slower half after each. Dropped settings come after the others.
    fn halve(&mut self) -> Result<()> {
        self.sort(self.candidates.len());
        let most = (FAR_SLOWER * self.candidates[0].seconds()).min(f64::MAX);
        let mut left = self.candidates.partition_point(|one| one.seconds() <= most);
        while left > 1 {
            let rounds = f64::from(left.next_power_of_two().ilog2());
            let time = (HALVING * self.budget - self.now) / rounds;
            let end = self.now + time;
            // A setting warms up about as long as it is measured.
            let limit = time / (2 * left) as f64;
            // The fastest settings come first, if there is no time for all.
            for some in Vec::from_iter(0..left).chunks(IN_TURNS) {
                if self.now < end {
                    let roots = |&place: &usize| self.candidates[place].measured.roots_searched;
                    let fewest = some.iter().map(roots).min().unwrap_or(1);
                    self.measure(some, 1, limit, fewest.clamp(1, BLOCK))?;
                }
            }
            left = self.sort(left).div_ceil(2);
        }
        self.candidates
            .sort_by_key(|one| one.seconds().is_infinite());
        Ok(())
    }

    /// Compares the fastest setting with the default. Returns whether it is to be used, and a
    /// sentence about it.
    fn is_faster_than(&mut self, default: usize) -> Result<(bool, String)> {
        if default == 0 {
            return Ok((false, "nothing is faster than the default".into()));
        }
        let name = self.candidates[0].measured.setting.words();
        if let Some(failure) = &self.candidates[default].measured.failure {
            let text = format!("{name} is adopted: the default cannot search ({failure})");
            return Ok((true, text));
        }
        // Each of the two warms up about as long as two of its searches take.
        let limit = (self.budget - self.now).max(0.0) / (2 * (AT_END + 2)) as f64;
        self.measure(&[default, 0], AT_END, limit, BLOCK)?;
        let [default, winner] = [default, 0].map(|place| &self.candidates[place].measured);
        let enough_roots = default.roots_searched >= BLOCK.min(default.roots);
        let spreads = winner.spread.zip(default.spread);
        let Some((a, b)) = spreads.filter(|_| enough_roots) else {
            let no_time = "there was no time for enough roots; use a larger --budget";
            let failure = default.failure.as_deref().or(winner.failure.as_deref());
            let why = failure.unwrap_or(no_time);
            let text = format!("the default is adopted: the check failed ({why})");
            return Ok((false, text));
        };
        let is_faster = a.median < b.min * (1.0 - LEAST_GAIN);
        let end = if is_faster { "" } else { NOT_FASTER };
        let text = format!(
            "check: {name} took {} s, the default {} s, medians of {} each; ratio {:.3}{end}",
            seconds(a.median),
            seconds(b.median),
            counted(AT_END, "search"),
            a.median / b.median
        );
        Ok((is_faster, text))
    }
}

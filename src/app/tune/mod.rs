//! The search for the best setting of a device, or of CPU workers, for a graph, by successive
//! halving: settings search ever larger samples of the roots in turns, and after each round the
//! slower half is dropped. (Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and
//! Hyperparameter Optimization", AISTATS 2016.) The winner is then compared with the default.

pub mod profile;
#[cfg(test)]
mod tests;

use anyhow::{Result, bail};

use crate::app::bench::compare::Options;
use crate::app::bench::results::Measured;
use crate::app::bench::timing::BLOCK;
use crate::app::bench::{Setting, Subject};
use brandes::cpu::EngineName;
use brandes::cpu::lanes::LANES;
use brandes::device::{DeviceInfo, DeviceKind, Numbers};
use brandes::report::words::{counted, seconds};
use brandes::strategy::{NumericOption, Strategy, WARP_SIZES};
pub use profile::{Hardware, Profile};

/// Measures settings in turns. Returns a measurement for each, and the seconds since the start.
pub type Measure<'m> = &'m mut dyn FnMut(&[Setting], &Options) -> (Vec<Measured>, f64);

/// A setting and its last measurement.
#[derive(Debug)]
pub struct Racer {
    /// The setting.
    pub setting: Setting,
    /// Its last measurement.
    pub measured: Measured,
}

impl Racer {
    /// Returns the median seconds; infinity if the setting cannot search.
    fn seconds(&self) -> f64 {
        self.measured.median().unwrap_or(f64::INFINITY)
    }
}

/// The result.
#[derive(Debug)]
pub struct Tuning {
    /// All settings: the fastest one, those that were dropped for being slow, the last one first,
    /// and those that cannot search.
    pub racers: Vec<Racer>,
    /// The place of the default.
    pub default: usize,
    /// The place of the setting to use: 0, or that of the default.
    pub adopted: usize,
    /// The comparison of both, in words.
    pub verdict: String,
}

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

/// Finds the fastest setting within `budget` seconds. `settings` begins with the default of a run,
/// and `others_like` returns settings to try that differ from a given one in their numbers.
///
/// # Errors
/// No setting could be measured; the message is one line.
pub fn tune(
    settings: Vec<Setting>,
    others_like: impl Fn(Setting) -> Vec<Setting>,
    budget: f64,
    measure: Measure,
) -> Result<Tuning> {
    let default = settings[0];
    let mut race = Race {
        budget,
        measure,
        now: 0.0,
        racers: Vec::new(),
    };
    race.add(settings);
    race.sort(race.racers.len());
    let can_search = race.racers.iter().filter(|one| one.seconds().is_finite());
    let by_time: Vec<Setting> = can_search.map(|one| one.setting).collect();
    for setting in by_time {
        race.add(others_like(setting));
    }
    race.halve();
    if let Some(failure) = &race.racers[0].measured.failure {
        bail!("{failure}");
    }
    let is_default = |one: &Racer| one.setting == default;
    let default = race.racers.iter().position(is_default).unwrap_or(0);
    let (is_faster, verdict) = race.beats(default);
    Ok(Tuning {
        racers: race.racers,
        default,
        adopted: if is_faster { 0 } else { default },
        verdict,
    })
}

struct Race<'r> {
    budget: f64,
    measure: Measure<'r>,
    /// Seconds since the start, after the last measurement.
    now: f64,
    racers: Vec<Racer>,
}

impl Race<'_> {
    /// Adds settings, each once and measured, while there is time.
    fn add(&mut self, settings: Vec<Setting>) {
        for setting in settings {
            if self.racers.iter().any(|one| one.setting == setting) {
                continue;
            }
            let mut measured = Measured::default();
            measured.setting.strategy = setting.subject.name().into();
            measured.failure = Some(NO_TIME.into());
            self.racers.push(Racer { setting, measured });
            let last = self.racers.len() - 1;
            if last == 0 || self.now < ADDING * self.budget {
                self.measure(&[last], 0, FIRST * self.budget, 1);
            } else if setting.numbers != Numbers::default() {
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
        let (measured, now) = (self.measure)(&Vec::from_iter(settings), &options);
        self.now = now;
        for (&place, measured) in places.iter().zip(measured) {
            self.racers[place].measured = measured;
        }
    }

    /// Sorts the first `count` settings by time; those that cannot search come last.
    fn sort(&mut self, count: usize) {
        self.racers[..count].sort_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    }

    /// Drops settings that are far slower than the fastest one. Then measures the others in rounds,
    /// and drops the slower half after each. Dropped settings stay behind the others.
    fn halve(&mut self) {
        self.sort(self.racers.len());
        let most = FAR_SLOWER * self.racers[0].seconds();
        let is_left = |one: &Racer| one.seconds().is_finite() && one.seconds() <= most;
        let mut left = self.racers.partition_point(is_left);
        while left > 1 {
            let rounds = f64::from(left.next_power_of_two().ilog2());
            let time = (HALVING * self.budget - self.now) / rounds;
            let end = self.now + time;
            // A setting warms up about as long as it is measured.
            let limit = time / (2 * left) as f64;
            // The fastest settings come first, if there is no time for all.
            for some in Vec::from_iter(0..left).chunks(IN_TURNS) {
                if self.now < end {
                    let searched = some.iter().map(|&c| self.racers[c].measured.roots_searched);
                    let first = searched.min().unwrap_or(1).clamp(1, BLOCK);
                    self.measure(some, 1, limit, first);
                }
            }
            self.sort(left);
            let can_search = |one: &Racer| one.seconds().is_finite();
            left = self.racers[..left].partition_point(can_search).div_ceil(2);
        }
        self.racers.sort_by_key(|one| one.seconds().is_infinite());
    }

    /// Compares the fastest setting with the default. Returns whether it is to be used, and a
    /// sentence about it.
    fn beats(&mut self, default: usize) -> (bool, String) {
        if default == 0 {
            return (false, "nothing is faster than the default".into());
        }
        let name = self.racers[0].measured.setting.words();
        if let Some(failure) = &self.racers[default].measured.failure {
            let text = format!("{name} is adopted: the default cannot search ({failure})");
            return (true, text);
        }
        // Each of the two warms up about as long as two of its searches take.
        let limit = (self.budget - self.now).max(0.0) / (2 * (AT_END + 2)) as f64;
        self.measure(&[default, 0], AT_END, limit, BLOCK);
        let [default, winner] = [default, 0].map(|place| &self.racers[place].measured);
        let failure = default.failure.as_deref().or(winner.failure.as_deref());
        let few_roots = default.roots_searched < FEWEST_ROOTS.min(default.roots);
        let (winner, default) = match (winner.spread, default.spread) {
            (Some(winner), Some(default)) if !few_roots => (winner, default),
            _ => {
                let no_time = "there was no time for enough roots; use a larger --budget";
                let why = failure.unwrap_or(no_time);
                let text = format!("the default is adopted: the check failed ({why})");
                return (false, text);
            }
        };
        let mut text = format!(
            "check: {name} took {} s, the default {} s, medians of {} each; ratio {:.3}",
            seconds(winner.median),
            seconds(default.median),
            counted(AT_END, "search"),
            winner.median / default.median
        );
        let is_faster = winner.median < default.min * (1.0 - LEAST_GAIN);
        if !is_faster {
            text += ": not faster beyond noise, so the default is adopted";
        }
        (is_faster, text)
    }
}

/// Returns the usual values of a numeric option, to be tried on a `device` or on cores: none if the
/// subject does not have the option. `roots` is the number of roots of the graph.
pub fn usual_values(
    subject: Subject,
    option: NumericOption,
    device: Option<&DeviceInfo>,
    roots: usize,
) -> Vec<u32> {
    let strategy = match subject {
        Subject::Engine(EngineName::Lanes) => return LANES.map(|lanes| lanes as u32).to_vec(),
        Subject::Device(strategy) if strategy != Strategy::Auto => strategy,
        _ => return Vec::new(),
    };
    let has_lanes = strategy.has(NumericOption::Lanes);
    let is_cpu = device.is_none_or(|info| info.kind == DeviceKind::Cpu);
    let (usual, most): (&[u32], usize) = match option {
        NumericOption::Degree if has_lanes => (&[64, 128, 256, 512, 1024], usize::MAX),
        NumericOption::Degree => (&[4, 8, 16, 32, 64, 128], usize::MAX),
        // Lanes beyond the number of roots stay empty, so much larger values are not tried.
        NumericOption::Lanes if is_cpu => (&[64, 128, 256, 512, 1024], 2 * roots),
        NumericOption::Lanes => (&[512, 1024, 2048, 4096, 8192], 2 * roots),
        // The program's own choice fills the device.
        NumericOption::Searches => (&[], 0),
        NumericOption::WarpSize => (&WARP_SIZES, usize::MAX),
        // Large kernels of strategies with lanes choose their own size, and each value needs
        // another program.
        NumericOption::WorkGroup if has_lanes => (&[], 0),
        NumericOption::WorkGroup => {
            let most = device.map_or(0, |info| info.max_work_group);
            (&[64, 128, 256, 384, 512, 1024], most)
        }
    };
    let is_useful = |value: &u32| *value as usize <= most;
    usual.iter().copied().filter(is_useful).collect()
}

//! Predictions of the times of runs, for `brandes info`: searches from samples of the roots, scaled
//! to all of them.
//!
//! Engines that search from many roots at a time (lanes, work-groups, CPU workers) are hardly
//! slower on many roots than on few. If no sample was large enough to keep an engine busy, the
//! prediction is an upper bound, and marked as such.

use std::rc::Rc;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::{Options, compare};
use super::search::Bench;
use super::setting::{Setting, Subject};
use super::timing::Rate;
use brandes::cpu::{self, CpuOptions};
use brandes::device::{DeviceOptions, FoundDevice, Session};
use brandes::prepare::Prepared;
use brandes::report::words::{counted, duration};
use brandes::runner::CpuWorkers;
use brandes::strategy::{EnginePlan, Strategy};

/// The participants of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Searchers {
    /// CPU workers and devices as `brandes run` uses them with the same `--device`.
    #[default]
    Run,
    /// CPU workers, without devices (`--device none`).
    Cpu,
    /// A device alone (`--cpu-workers 0`).
    Device,
}

/// The predicted time of one way to run.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Prediction {
    /// The participants.
    pub who: Searchers,
    /// Strategy as on the command line: `cpu` without a device; null if the devices of a run use
    /// different strategies.
    pub strategy: Option<&'static str>,
    /// Number of the device, for a device alone.
    pub device: Option<usize>,
    /// CPU workers.
    pub cpu_workers: usize,
    /// How to run it: options of `brandes run`, or words.
    pub how: String,
    /// Seconds of the whole search; null if it could not be measured.
    pub seconds: Option<f64>,
    /// Whether the time is an upper bound: the samples were too small to keep the engine busy.
    pub at_most: bool,
    /// Seconds that do not depend on the number of roots.
    pub fixed_seconds: Option<f64>,
    /// Seconds per root.
    pub root_seconds: Option<f64>,
    /// Roots of the graph as prepared for it.
    pub roots: usize,
    /// Roots of the largest sample.
    pub roots_measured: usize,
    /// Seconds of the largest sample.
    pub seconds_measured: f64,
    /// Bytes of the buffers on the device.
    pub device_bytes: Option<u64>,
    /// Why there is no prediction.
    pub failure: Option<String>,
}

/// Measures all cores on the graph `alone`, and each device and the cores beside the devices on the
/// graph `shared`, with about `budget` of searching in total. The prediction for the run with all
/// of them comes first. Without devices, this is the prediction for all cores.
pub fn predictions(
    [alone, shared]: [&Arc<Prepared>; 2],
    devices: &[FoundDevice],
    budget: f64,
) -> Vec<Prediction> {
    let cores = num_cpus::get();
    let share = budget / (devices.len() + 1 + usize::from(!devices.is_empty())) as f64;
    let mut cpu = on_cores(alone, cores, share);
    cpu.how.insert_str(0, "--device none: ");
    if devices.is_empty() {
        cpu.who = Searchers::Run;
        return vec![cpu];
    }
    let rows = devices.iter().map(|found| on_device(shared, found, share));
    let mut rows: Vec<Prediction> = rows.collect();
    let mut run = match cores.saturating_sub(devices.len()) {
        0 => Prediction::default(),
        workers => on_cores(shared, workers, share),
    };
    run.who = Searchers::Run;
    let mut how = Vec::new();
    for (row, found) in rows.iter().zip(devices) {
        if let (Some(_), Some(strategy)) = (row.seconds, row.strategy) {
            let is_same = how.is_empty() || run.strategy == row.strategy;
            run.strategy = row.strategy.filter(|_| is_same);
            how.push(format!("{strategy} on {}", found.info.name));
            run.add(row);
        }
    }
    how.extend((run.cpu_workers > 0).then_some(run.how));
    run.how = format!("brandes run: {}", how.join(", and "));
    rows.splice(0..0, [run, cpu]);
    rows
}

/// Measures CPU workers with each engine that a run tries, and returns the fastest.
fn on_cores(prepared: &Arc<Prepared>, workers: usize, time: f64) -> Prediction {
    let roots = prepared.roots.len();
    let plans = cpu::candidates(prepared, &CpuOptions::default(), workers, roots);
    let share = time / plans.len() as f64;
    let rows = plans.into_iter().map(|plan| {
        let mut setting = Setting::plain(Subject::Cores(plan.engine));
        setting.workers = CpuWorkers::Count(workers);
        setting.numbers.lanes = Some(plan.lanes as u32);
        let mut row = Prediction {
            who: Searchers::Cpu,
            strategy: Some("cpu"),
            cpu_workers: workers,
            how: format!("{} ({})", counted(workers, "CPU worker"), plan.words()),
            ..Prediction::default()
        };
        row.measure(Bench::new(setting, prepared, None), share);
        row
    });
    best(&Vec::from_iter(rows)).cloned().unwrap_or_default()
}

/// Measures a device alone, with the strategy that a run chooses.
fn on_device(prepared: &Arc<Prepared>, found: &FoundDevice, time: f64) -> Prediction {
    let options = DeviceOptions {
        weighted: prepared.lengths.is_some(),
        cache: true,
        ..DeviceOptions::default()
    };
    let likely = |options: &_, info: &_| Strategy::Auto.likely(prepared).kernels(options, info);
    let session = Session::open(found, options, likely, &mut Vec::new());
    let bench = Bench {
        setting: Setting::plain(Subject::Device(Strategy::Auto)),
        prepared: Arc::clone(prepared),
        session: Some(session.map(Rc::new)),
    };
    let mut row = Prediction {
        who: Searchers::Device,
        device: Some(found.info.number),
        ..Prediction::default()
    };
    let plan = row.measure(bench, time);
    let strategy = plan.as_ref().map_or("auto", |plan| plan.strategy.name());
    let number = found.info.number;
    row.how = format!("--strategy {strategy} --device {number} --cpu-workers 0");
    row.strategy = Some(strategy);
    row.device_bytes = plan.map(|plan| plan.bytes);
    row
}

impl Prediction {
    /// Searches from samples that grow while `time` lasts, and scales their times to all roots.
    /// Returns the plan of the device engine.
    fn measure(&mut self, bench: Bench, time: f64) -> Option<EnginePlan> {
        let options = Options {
            repeat: 0,
            limit: time,
            first: 1,
        };
        let measured = compare(&[bench], None, &options, &mut |_| {}).pop()?;
        (self.roots, self.failure) = (measured.roots, measured.failure);
        if self.failure.is_none() {
            self.set_rate(measured.rate);
            self.at_most = measured.is_rough;
            self.roots_measured = measured.roots_searched;
            self.seconds_measured = measured.seconds_searched;
        }
        measured.plan
    }

    fn set_rate(&mut self, rate: Rate) {
        (self.root_seconds, self.fixed_seconds) = (Some(rate.root), Some(rate.fixed));
        self.seconds = Some(rate.seconds(self.roots));
    }

    /// Adds a participant that claims roots from the same counter. Does nothing if this prediction
    /// failed, or if `other` has no measured rate.
    fn add(&mut self, other: &Prediction) {
        let rate =
            |row: &Prediction| Some((1.0 / row.root_seconds?.max(1e-12), row.fixed_seconds?));
        let ((speed, fixed), (other_speed, other_fixed)) = match (rate(self), rate(other)) {
            (own, Some(other)) if self.failure.is_none() => (own.unwrap_or_default(), other),
            _ => return,
        };
        self.roots = other.roots;
        let total = speed + other_speed;
        // A participant that starts later leaves more roots to the others.
        let fixed = (speed * fixed + other_speed * other_fixed) / total;
        let root = 1.0 / total;
        self.set_rate(Rate { fixed, root });
        self.at_most |= other.at_most;
        self.roots_measured += other.roots_measured;
        self.seconds_measured = self.seconds_measured.max(other.seconds_measured);
    }

    /// Returns the time in words, if there is one.
    pub fn words(&self) -> Option<String> {
        let at_most = if self.at_most { "at most " } else { "" };
        Some(format!("{at_most}{}", duration(self.seconds?)))
    }
}

/// Returns the prediction of the shortest time, or the first one if none has a time.
pub fn best(predictions: &[Prediction]) -> Option<&Prediction> {
    let seconds = |one: &Prediction| one.seconds.unwrap_or(f64::INFINITY);
    let all = predictions.iter();
    all.min_by(|a, b| seconds(a).total_cmp(&seconds(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use brandes::graph::generate;
    use brandes::prepare::{PrepareOptions, prepare};

    fn near(a: Option<f64>, b: f64) -> bool {
        (a.unwrap() - b).abs() < 1e-9 * b.abs().max(1.0)
    }

    #[test]
    fn speeds_add_up() {
        let together = |parts: &[(f64, f64)]| {
            let mut run = Prediction::default();
            for &(fixed, root_seconds) in parts {
                run.add(&Prediction {
                    roots: 120,
                    fixed_seconds: Some(fixed),
                    root_seconds: Some(root_seconds),
                    ..Prediction::default()
                });
            }
            run.seconds
        };
        assert!(near(together(&[(0.0, 3.0), (0.0, 6.0)]), 240.0));
        // One starts 10 s late, when the other has finished 10 roots.
        assert!(near(together(&[(10.0, 1.0), (0.0, 1.0)]), 65.0));
        assert_eq!(together(&[]), None);
    }

    #[test]
    fn workers_search_a_root_at_least_and_all_of_a_small_graph() {
        let graph = generate::erdos_renyi(200, 800, 1).unwrap();
        let prepared = Arc::new(prepare(&graph, &PrepareOptions::default()).unwrap());
        let row = on_cores(&prepared, 2, 0.0);
        assert_eq!((row.failure, row.roots_measured), (None, 1));
        let row = on_cores(&prepared, 2, 60.0);
        assert_eq!((row.failure, row.roots_measured), (None, row.roots));
        assert!(near(row.seconds, row.seconds_measured) && row.seconds_measured > 0.0);
    }
}

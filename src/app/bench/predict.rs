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
use brandes::report::words::counted;
use brandes::runner::CpuWorkers;
use brandes::strategy::{EnginePlan, Strategy};

/// The participants of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Searchers {
    /// CPU workers and devices as `brandes run` uses them with the same `--device`.
    #[default]
    Run,
    /// CPU workers alone.
    Cpu,
    /// A device alone (`--cpu-workers 0`).
    Device,
}

/// The predicted time of one way to run.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Prediction {
    /// The participants.
    pub who: Searchers,
    /// Number of the device, for a device alone.
    pub device: Option<usize>,
    /// The participants and their engines, in words.
    pub how: String,
    /// Seconds of the whole search; null if it could not be measured.
    pub seconds: Option<f64>,
    /// Whether the time is an upper bound: the samples were too small to keep the engine busy.
    pub at_most: bool,
    /// Bytes of the buffers on the device.
    pub device_bytes: Option<u64>,
    /// Why there is no prediction.
    pub failure: Option<String>,
    #[serde(skip)]
    rate: Rate,
}

/// Measures all cores, and each device and the cores beside the devices, with about `budget` of
/// searching in total. The prediction for the run with all of them comes first. Without devices,
/// this is the prediction for all cores.
pub fn predictions(
    prepared: &Arc<Prepared>,
    devices: &[FoundDevice],
    budget: f64,
) -> Vec<Prediction> {
    let cores = num_cpus::get();
    let share = budget / (devices.len() + 1 + usize::from(!devices.is_empty())) as f64;
    let mut cpu = on_cores(prepared, cores, share);
    if devices.is_empty() {
        cpu.who = Searchers::Run;
        return vec![cpu];
    }
    let rows = devices
        .iter()
        .map(|found| on_device(prepared, found, share));
    let mut rows: Vec<Prediction> = rows.collect();
    let beside = cores.saturating_sub(devices.len());
    let beside = (beside > 0).then(|| on_cores(prepared, beside, share));
    let run = together(rows.iter().chain(&beside), prepared.roots.len());
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
        let (mut row, _) = measured(Bench::new(setting, prepared, None), share);
        row.who = Searchers::Cpu;
        row.how = format!("{} ({})", counted(workers, "CPU worker"), plan.words());
        row
    });
    let seconds = |one: &Prediction| one.seconds.unwrap_or(f64::INFINITY);
    let fastest = rows.min_by(|a, b| seconds(a).total_cmp(&seconds(b)));
    fastest.unwrap_or_default()
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
    let (row, plan) = measured(bench, time);
    let strategy = plan.as_ref().map_or("auto", |plan| plan.strategy.name());
    Prediction {
        who: Searchers::Device,
        device: Some(found.info.number),
        how: format!("{strategy} on {}", found.info.name),
        device_bytes: plan.map(|plan| plan.bytes),
        ..row
    }
}

/// Searches from samples that grow while `time` lasts, and scales their times to all roots. Returns
/// the prediction, and the plan of the device engine.
fn measured(bench: Bench, time: f64) -> (Prediction, Option<EnginePlan>) {
    let options = Options {
        repeat: 0,
        limit: time,
        first: 1,
    };
    let measured = compare(&[bench], &options, &mut |_| {}).pop();
    let measured = measured.unwrap_or_default();
    let seconds = measured.rate.seconds(measured.roots);
    let prediction = Prediction {
        seconds: measured.failure.is_none().then_some(seconds),
        at_most: measured.is_rough,
        failure: measured.failure,
        rate: measured.rate,
        ..Prediction::default()
    };
    (prediction, measured.plan)
}

/// Returns the prediction for participants that claim roots from the same counter.
fn together<'p>(all: impl Iterator<Item = &'p Prediction>, roots: usize) -> Prediction {
    let (usable, failed): (Vec<_>, Vec<_>) = all.partition(|one| one.seconds.is_some());
    let speed = |one: &Prediction| 1.0 / one.rate.root.max(1e-12);
    let total: f64 = usable.iter().map(|one| speed(one)).sum();
    // A participant that starts later leaves more roots to the others.
    let lost: f64 = usable.iter().map(|one| speed(one) * one.rate.fixed).sum();
    let how: Vec<&str> = usable.iter().map(|one| &one.how[..]).collect();
    Prediction {
        how: how.join(", and "),
        seconds: (total > 0.0).then_some((lost + roots as f64) / total),
        at_most: usable.iter().any(|one| one.at_most),
        failure: (failed.first().filter(|_| usable.is_empty())).and_then(|one| one.failure.clone()),
        ..Prediction::default()
    }
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
        let seconds = |parts: &[(f64, f64)]| {
            let parts = parts.iter().map(|&(fixed, root)| Prediction {
                seconds: Some(1.0),
                rate: Rate { fixed, root },
                ..Prediction::default()
            });
            together(parts.collect::<Vec<_>>().iter(), 120).seconds
        };
        assert!(near(seconds(&[(0.0, 3.0), (0.0, 6.0)]), 240.0));
        // One starts 10 s late, when the other has finished 10 roots.
        assert!(near(seconds(&[(10.0, 1.0), (0.0, 1.0)]), 65.0));
        assert_eq!(seconds(&[]), None);
        let failed = Prediction {
            failure: Some("the device failed".into()),
            ..Prediction::default()
        };
        let none = together([&failed].into_iter(), 120);
        assert_eq!((none.seconds, none.failure), (None, failed.failure));
    }

    #[test]
    fn workers_search_a_root_at_least_and_all_of_a_small_graph() {
        let graph = generate::erdos_renyi(200, 800, 1).unwrap();
        let prepared = Arc::new(prepare(&graph, &PrepareOptions::default()).unwrap());
        for (time, at_most) in [(0.0, true), (60.0, false)] {
            let row = on_cores(&prepared, 2, time);
            assert_eq!((row.failure, row.at_most), (None, at_most));
            assert!(row.seconds.unwrap() > 0.0);
        }
    }
}

//! The predictions of `brandes info`: chooses ways to run, and measures each on a few roots.

use std::sync::Arc;
use std::time::Duration;

use crate::app::bench::predict::{self, Rate};
use crate::app::report::predictions::{Prediction, Searchers};
use brandes::cpu::{self, CpuOptions, CpuPlan, WorkerBudget};
use brandes::device::{DeviceError, DeviceOptions, FoundDevice, Session, find};
use brandes::engine::EngineError;
use brandes::prepare::Prepared;
use brandes::report::words::counted;
use brandes::{DeviceSelection, Strategy};

/// Returns the devices that a run would drive. It is an error if there are none, unless the
/// selection is `auto` or `none`.
pub(super) fn devices(selection: &DeviceSelection) -> Result<Vec<FoundDevice>, DeviceError> {
    if *selection == DeviceSelection::None {
        return Ok(Vec::new());
    }
    match find::survey().and_then(|found| found.select(selection)) {
        Err(error) if error.is_absence() && *selection == DeviceSelection::Auto => Ok(Vec::new()),
        other => other,
    }
}

/// Measures CPU workers and these devices, with about `budget` of searching in total. Runs of CPU
/// workers alone search `for_cpu`, and runs with devices `prepared`.
pub(super) fn predictions(
    for_cpu: &Arc<Prepared>,
    prepared: &Arc<Prepared>,
    selection: &DeviceSelection,
    devices: &[FoundDevice],
    budget: Duration,
) -> Vec<Prediction> {
    let cores = num_cpus::get();
    let beside = cores.saturating_sub(devices.len());
    let alone = *selection == DeviceSelection::None;
    let measurements = usize::from(!alone && beside > 0) + 1 + devices.len();
    let share = budget / measurements as u32;
    let cpu_alone = fastest(for_cpu, cores, share);
    let cpu_beside = fastest(prepared, beside, share);

    let same = cpu_alone == cpu_beside && Arc::ptr_eq(for_cpu, prepared);
    let mut rows = Vec::new();
    if alone || beside != cores || !same {
        rows.push(cpu_row(for_cpu, &cpu_alone, cores, share));
    }
    if alone {
        rows.iter_mut().for_each(|row| row.who = Searchers::Run);
        return rows;
    }
    let (mut rates, mut participants, mut strategies) = (Vec::new(), Vec::new(), Vec::new());
    for found in devices {
        let (row, rate) = on_device(prepared, found, share);
        if let (Some(rate), Some(strategy)) = (rate, row.strategy) {
            rates.push(rate);
            participants.push(format!("{strategy} on {}", found.info.name));
            strategies.push(strategy);
        }
        rows.push(row);
    }
    participants.extend((beside > 0).then(|| workers(beside, &cpu_beside)));
    let how = format!("brandes run: {}", participants.join(", and "));
    let mut run = Prediction::new(Searchers::Run, how, beside, prepared.roots.len());
    strategies.dedup();
    run.strategy = match strategies[..] {
        [] => Some("cpu"),
        [one] => Some(one),
        _ => None,
    };
    if beside > 0 {
        match predict::cpu(prepared, &cpu_beside, beside, share) {
            Ok(rate) => rates.extend(rate),
            Err(error) => run = run.failed(error),
        }
    }
    if let Some(rate) = Rate::together(&rates).filter(|_| run.failure.is_none()) {
        run = run.measured(&rate);
    }
    rows.insert(0, run);
    rows
}

/// Returns the plan with the fastest engine of CPU workers by a trial, as in a run.
fn fastest(prepared: &Prepared, workers: usize, share: Duration) -> CpuPlan {
    let budget = WorkerBudget::for_all_roots(prepared, workers);
    let plans = cpu::candidates(prepared, &CpuOptions::default(), budget);
    let (likeliest, count) = (plans[0], plans.len());
    if count == 1 {
        return likeliest;
    }
    let measured = plans.into_iter().filter_map(|plan| {
        let rate = predict::cpu(prepared, &plan, 1, share / (2 * count as u32));
        Some((rate.ok()??.per_root, plan))
    });
    let fastest = measured.min_by(|(a, _), (b, _)| a.total_cmp(b));
    fastest.map_or(likeliest, |(_, plan)| plan)
}

fn workers(count: usize, plan: &CpuPlan) -> String {
    format!("{} ({})", counted(count, "CPU worker"), plan.words())
}

fn cpu_row(prepared: &Prepared, plan: &CpuPlan, count: usize, share: Duration) -> Prediction {
    let how = format!("--device none: {}", workers(count, plan));
    let mut row = Prediction::new(Searchers::Cpu, how, count, prepared.roots.len());
    row.strategy = Some("cpu");
    match predict::cpu(prepared, plan, count, share) {
        Ok(Some(rate)) => row.measured(&rate),
        Ok(None) => row,
        Err(error) => row.failed(error),
    }
}

/// Measures a device alone, with the strategy that a run chooses. Returns its rate too, if it can
/// search.
fn on_device(
    prepared: &Prepared,
    found: &FoundDevice,
    share: Duration,
) -> (Prediction, Option<Rate>) {
    let number = found.info.number;
    let how = format!("--device {number} --cpu-workers 0");
    let mut row = Prediction::new(Searchers::Device, how, 0, prepared.roots.len());
    (row.strategy, row.device) = (Some("auto"), Some(number));
    let options = DeviceOptions {
        weighted: prepared.lengths.is_some(),
        cache: true,
        ..DeviceOptions::default()
    };
    let likely = || Strategy::Auto.likely(prepared);
    let session = Session::open(found, options, likely, &mut Vec::new());
    let measured = session.map_err(EngineError::from);
    let measured =
        measured.and_then(|session| predict::device(&session, Strategy::Auto, prepared, share));
    match measured {
        Ok(Some((rate, plan))) => {
            let name = plan.strategy.name();
            row.how = format!("--strategy {name} {}", row.how);
            (row.strategy, row.device_bytes) = (Some(name), Some(plan.bytes));
            (row.measured(&rate), Some(rate))
        }
        Ok(None) => (row, None),
        Err(error) => (row.failed(error), None),
    }
}

//! The predictions of `brandes info`: which ways to run are worth a measurement, and their
//! measurements.

use std::iter;
use std::sync::Arc;
use std::time::Duration;

use crate::app::bench::predict::{self, Rate};
use crate::app::report::predictions::{Prediction, Who};
use brandes::cpu::{self, CpuOptions, CpuPlan, Staff};
use brandes::device::{DeviceError, DeviceOptions, DeviceSelection, FoundDevice, Session, find};
use brandes::prepare::Prepared;
use brandes::report::words::counted;
use brandes::strategy::Strategy;

/// A graph in the two forms in which it may be searched.
pub(super) struct Forms {
    /// With a root for every source.
    pub(super) plain: Arc<Prepared>,
    /// With roots that serve sources inside chains, if any run would do that.
    pub(super) contracted: Option<Arc<Prepared>>,
    /// Whether a run does that, if CPU workers search alone or devices do too.
    pub(super) for_cpu: bool,
    pub(super) for_devices: bool,
}

impl Forms {
    /// What a run searches, with or without devices that may take part.
    pub(super) fn of(&self, devices: bool) -> &Arc<Prepared> {
        let contracts = if devices {
            self.for_devices
        } else {
            self.for_cpu
        };
        let contracted = self.contracted.as_ref().filter(|_| contracts);
        contracted.unwrap_or(&self.plain)
    }
}

/// The devices that a run would drive. That there are none is no mistake, unless some are named.
pub(super) fn devices(selection: &DeviceSelection) -> Result<Vec<FoundDevice>, DeviceError> {
    if *selection == DeviceSelection::None {
        return Ok(Vec::new());
    }
    match find::survey().and_then(|found| found.select(selection)) {
        Err(error) if error.is_absence() && *selection == DeviceSelection::Auto => Ok(Vec::new()),
        other => other,
    }
}

/// Measures all that is worth it on these devices, within about `budget` of searching.
pub(super) fn predictions(
    forms: &Forms,
    selection: &DeviceSelection,
    devices: &[FoundDevice],
    budget: Duration,
) -> Vec<Prediction> {
    let cores = num_cpus::get();
    let beside = cores.saturating_sub(devices.len());
    let alone = *selection == DeviceSelection::None;
    let others = others(forms);
    let measurements = usize::from(!alone && beside > 0) + 1 + devices.len() * (1 + others.len());
    let share = budget / measurements as u32;
    let cpu_alone = fastest(forms.of(false), cores, share);
    let cpu_beside = fastest(forms.of(true), beside, share);

    let same = cpu_alone == cpu_beside && Arc::ptr_eq(forms.of(false), forms.of(true));
    let mut rows = Vec::new();
    if alone || beside != cores || !same {
        rows.push(cpu_row(forms.of(false), &cpu_alone, cores, share));
    }
    if alone {
        rows.iter_mut().for_each(|row| row.who = Who::Run);
        return rows;
    }
    let mut parts = Vec::new();
    let mut names = Vec::new();
    for found in devices {
        let measured = on_device(forms, found, &others, share, &mut rows);
        if let Some((rate, strategy)) = measured {
            parts.push(rate);
            names.push((strategy, found.info.name.as_str()));
        }
    }
    let prepared = forms.of(true);
    let mut failure = None;
    if beside > 0 {
        match predict::cpu(prepared, &cpu_beside, beside, share) {
            Ok(rate) => parts.extend(rate),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    let beside = (beside, &cpu_beside);
    rows.insert(0, run_row(prepared, &parts, &names, beside, failure));
    rows
}

/// What so many CPU workers go on with after their trial.
fn fastest(prepared: &Prepared, workers: usize, share: Duration) -> CpuPlan {
    let staff = Staff::of(prepared, workers);
    let plans = cpu::candidates(prepared, &CpuOptions::default(), staff);
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
    let mut row = Prediction::new(Who::Cpu, how, count, prepared.roots.len());
    row.strategy = Some("cpu");
    match predict::cpu(prepared, plan, count, share) {
        Ok(Some(rate)) => row.measured(&rate),
        Ok(None) => row,
        Err(error) => row.failed(error),
    }
}

/// All that a run would use, together.
fn run_row(
    prepared: &Prepared,
    parts: &[Rate],
    names: &[(Strategy, &str)],
    (count, plan): (usize, &CpuPlan),
    failure: Option<String>,
) -> Prediction {
    let on = |(strategy, device): &(Strategy, _)| format!("{} on {device}", strategy.name());
    let mut who: Vec<String> = names.iter().map(on).collect();
    who.extend((count > 0).then(|| workers(count, plan)));
    let how = format!("brandes run: {}", who.join(", and "));
    let mut row = Prediction::new(Who::Run, how, count, prepared.roots.len());
    row.strategy = match names {
        [] => Some("cpu"),
        [(first, _), rest @ ..] if rest.iter().all(|(other, _)| other == first) => {
            Some(first.name())
        }
        _ => None,
    };
    row.failure = failure;
    match Rate::together(parts) {
        Some(rate) if row.failure.is_none() => row.measured(&rate),
        _ => row,
    }
}

/// What else than the choice of `auto` may be good on a device.
fn others(forms: &Forms) -> Vec<(Strategy, bool)> {
    let plain = &forms.plain;
    if plain.lengths.is_some() {
        return vec![(Strategy::WorkEfficient, false), (Strategy::Warp, false)];
    }
    let mut others = vec![(Strategy::Warp, false)];
    if plain.reverse.is_none() {
        others.push((Strategy::Local, false));
    }
    // A level takes these several launches, however little there is on it.
    if Strategy::Auto.likely(plain) == Strategy::Lanes || plain.graph.vertices() < 1000 {
        others.extend([(Strategy::Lanes, false), (Strategy::Virtual, false)]);
    }
    if forms.contracted.is_some() {
        others.push((Strategy::Hierarchy, true));
    }
    let auto = Strategy::Auto.likely(forms.of(true));
    others.retain(|&(strategy, _)| strategy != auto);
    others
}

/// Adds a row for each strategy; returns the rate of the one that `auto` chooses.
fn on_device(
    forms: &Forms,
    found: &FoundDevice,
    others: &[(Strategy, bool)],
    share: Duration,
    rows: &mut Vec<Prediction>,
) -> Option<(Rate, Strategy)> {
    let number = found.info.number;
    let row = |strategy: Strategy, prepared: &Prepared| {
        let options = match strategy.name() {
            "auto" => String::new(),
            name => format!("--strategy {name} "),
        };
        let how = format!("{options}--device {number} --cpu-workers 0");
        let mut row = Prediction::new(Who::Device, how, 0, prepared.roots.len());
        row.strategy = Some(strategy.name());
        row.device = Some(number);
        row
    };
    let searched = forms.of(true);
    let likely = Strategy::Auto.likely(searched);
    let options = DeviceOptions {
        weighted: searched.lengths.is_some(),
        cache: true,
        ..DeviceOptions::default()
    };
    let session = match Session::open(found, options, || likely, &mut Vec::new()) {
        Ok(session) => session,
        Err(error) => {
            rows.push(row(Strategy::Auto, searched).failed(error));
            return None;
        }
    };
    let mut auto = None;
    let others = others.iter().map(|&(strategy, contracted)| {
        let contracted = forms.contracted.as_ref().filter(|_| contracted);
        (strategy, contracted.unwrap_or(&forms.plain))
    });
    for (strategy, prepared) in iter::once((Strategy::Auto, searched)).chain(others) {
        match predict::device(&session, strategy, prepared, share) {
            Ok(Some((rate, plan))) => {
                let name = plan.strategy;
                if auto.as_ref().is_some_and(|(_, chosen)| *chosen == name) {
                    continue;
                }
                if strategy == Strategy::Auto {
                    auto = Some((rate, name));
                }
                let mut row = row(name, prepared).measured(&rate);
                row.device_bytes = Some(plan.bytes);
                rows.push(row);
            }
            Ok(None) => {}
            Err(error) => {
                let lost = error.device_error().is_some_and(|e| !e.is_refusal());
                rows.push(row(strategy, prepared).failed(error));
                if lost {
                    return auto;
                }
            }
        }
    }
    auto
}

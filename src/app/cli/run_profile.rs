//! Profiles of `brandes tune` in a run: a profile completes the options.

use anyhow::{Result, anyhow, ensure};

use super::run_options::choose;
use super::values::from_name;
use crate::app::bench::Subject;
use crate::app::tune::{Hardware, TunedProfile, profile};
use brandes::cpu::lanes::LANES;
use brandes::graph::Graph;
use brandes::plan::SearchOptions;
use brandes::report::words::named;
use brandes::runner::{DriverRecord, Outcome};
use brandes::{CpuEngine, Precision};

/// Returns the options with a profile's values for those that are not given; `given` is the value
/// of `--strategy`.
///
/// # Errors
/// The profile is for another strategy, or its strategy or engine is unknown.
pub(super) fn complete(
    search_options: &SearchOptions,
    given: Option<Subject>,
    profile: &TunedProfile,
) -> Result<SearchOptions> {
    let mut search_options = search_options.clone();
    let strategy: Subject = profile.strategy.parse().map_err(anyhow::Error::msg)?;
    let is_same = given.is_none_or(|given| given == strategy);
    ensure!(is_same, "it was tuned for strategy {}", profile.strategy);
    choose(strategy, &mut search_options)?;
    let (device, numbers) = (&mut search_options.device, profile.numbers);
    device.numbers = device.numbers.or(numbers);
    let cpu = &mut search_options.cpu.options;
    let is_auto = cpu.engine == CpuEngine::Auto;
    if let Some(engine) = profile.cpu_engine.as_deref().filter(|_| is_auto) {
        cpu.engine = from_name(engine).map_err(|_| anyhow!("there is no CPU engine {engine}"))?;
        cpu.lanes = cpu.lanes.or(profile.cpu_lanes.map(|lanes| lanes as usize));
        let lanes = cpu.lanes.unwrap_or(LANES[0]);
        let fits = LANES.contains(&lanes);
        ensure!(fits, "engine {engine} cannot have {lanes} lanes");
    }
    Ok(search_options)
}

/// Returns a warning for each condition of the tuning (graph, device, build, precision) that
/// differs in the run.
pub(super) fn differences(
    profile: &TunedProfile,
    graph: &Graph,
    precision: Precision,
    outcome: &Outcome,
) -> Vec<String> {
    let drivers = &outcome.drivers;
    let is_tuned = |driver: &DriverRecord| Hardware::new(Some(&driver.info)) == profile.hardware;
    let is_other_device = !drivers.is_empty() && !drivers.iter().any(is_tuned);
    let Hardware { device, driver } = &profile.hardware;
    let (version, tuned) = (&profile.program_version, profile.precision);
    let conditions = [
        (profile.fingerprint != profile::fingerprint(graph)).then(|| "another graph".to_string()),
        is_other_device.then(|| format!("{device} (driver {driver})")),
        (version != profile::BUILD).then(|| format!("version {version}")),
        (tuned != outcome.precision(precision)).then(|| format!("--precision {}", named(tuned))),
    ];
    let warning = |condition| format!("the profile was tuned for {condition}, unlike this run");
    conditions.into_iter().flatten().map(warning).collect()
}

//! Profiles of `brandes tune` in a run: finds the profile, and completes the options by it.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};

use super::run_args::RunArgs;
use super::run_options::choose;
use super::values::from_name;
use crate::app::bench::Subject;
use crate::app::tune::{Hardware, TunedProfile, profile};
use brandes::device::Numbers;
use brandes::graph::Graph;
use brandes::plan::SearchOptions;
use brandes::report::words::named;
use brandes::runner::Outcome;
use brandes::{CpuEngine, DeviceSelection, Precision, Search};

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
    }
    Ok(search_options)
}

/// Applies the cached profile of this graph and of the one device that is driven, or of CPU workers
/// without a device, unless an option forbids that or already decides what the profile sets.
/// Returns the path of the profile.
pub(super) fn apply_cached(args: &RunArgs, graph: &Graph, search: &mut Search) -> Option<PathBuf> {
    let search_options = search.options();
    let device = &search_options.device;
    let is_decided = args.strategy.is_some() || device.numbers != Numbers::default();
    let is_forbidden = args.profile.is_some() || args.no_profile;
    // Profiles are tuned for the betweenness of vertices of graphs without lengths.
    let is_tuned_for = search_options.query.is_plain()
        && !search_options.prepare.edges
        && graph.lengths().is_none();
    // A search with an empty cache does not compute the key of the graph.
    if is_decided || is_forbidden || !is_tuned_for || !device.cache || !profile::any_cached(None) {
        return None;
    }
    let key = profile::graph_key(graph);
    // Without a profile of this graph, the search does not wait for devices.
    if !profile::any_cached(Some(&key)) {
        return None;
    }
    let found = match search_options.devices {
        DeviceSelection::None => Vec::new(),
        _ => search.wait_until_found(),
    };
    let cpu = &search_options.cpu.options;
    let cpu_is_auto = cpu.engine == CpuEngine::Auto && cpu.lanes.is_none();
    let (hardware, precision) = match (&found[..], &search_options.devices) {
        ([info], _) => (
            Hardware::new(Some(info)),
            device.for_device(info).ok()?.precision,
        ),
        // If a named device is missing, the search reports it.
        ([], DeviceSelection::None | DeviceSelection::Auto) if cpu_is_auto => {
            (Hardware::new(None), device.precision)
        }
        _ => return None,
    };
    let (path, profile) = TunedProfile::cached(&key, &hardware, precision)?;
    let search_options = complete(search_options, None, &profile).ok()?;
    search.adopt(graph, search_options).is_ok().then_some(path)
}

/// Returns a warning for each condition of the tuning (graph, device, build, precision) that
/// differs in the run.
pub(super) fn differences(
    profile: &TunedProfile,
    graph: &Graph,
    precision: Precision,
    outcome: &Outcome,
) -> Vec<String> {
    let mut conditions = Vec::new();
    if profile.fingerprint != profile::graph_key(graph) {
        conditions.push("another graph".to_string());
    }
    let drivers = &outcome.drivers;
    let devices = drivers
        .iter()
        .map(|driver| Hardware::new(Some(&driver.info)));
    if !drivers.is_empty() && !devices.into_iter().any(|device| device == profile.hardware) {
        let Hardware { device, driver } = &profile.hardware;
        conditions.push(format!("{device} (driver {driver})"));
    }
    if profile.program_version != profile::BUILD {
        conditions.push(format!("version {}", profile.program_version));
    }
    if profile.precision != outcome.precision(precision) {
        conditions.push(format!("--precision {}", named(profile.precision)));
    }
    let warning = |condition| format!("the profile was tuned for {condition}, unlike this run");
    conditions.into_iter().map(warning).collect()
}

//! Profiles of `brandes tune` in a run: which one, and what of it stands beside the options given.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;

use super::run_args::{AutoOr, RunArgs, StrategyArg};
use super::run_options::wishes;
use crate::app::tune::{Hardware, Profile, profile};
use brandes::Search;
use brandes::cpu::CpuEngine;
use brandes::device::{DeviceInfo, DeviceSelection};
use brandes::engine::Precision;
use brandes::graph::Graph;
use brandes::plan::Wishes;
use brandes::prepare::When;
use brandes::report::cpu_model;

/// What is asked for, and by a profile where the options leave it open. The error says in words why
/// that makes no sense.
pub(super) fn with(args: &RunArgs, profile: &Profile) -> Result<Wishes> {
    let mut args = args.clone();
    let strategy: StrategyArg = profile.strategy.parse().map_err(anyhow::Error::msg)?;
    let same = args.strategy.is_none_or(|asked| asked == strategy);
    ensure!(same, "it is of strategy {}", profile.strategy);
    args.strategy = Some(strategy);
    args.degree = args.degree.or(profile.degree);
    args.lanes = AutoOr(args.lanes.0.or(profile.lanes));
    args.work_group = args.work_group.or(profile.work_group);
    args.warp_size = AutoOr(args.warp_size.0.or(profile.warp_size));
    let open = leaves_cpu_engine_open(&args);
    if let Some(engine) = profile.cpu_engine.as_deref().filter(|_| open) {
        args.cpu_engine = CpuEngine::from_str(engine, false)
            .map_err(|_| anyhow!("there is no CPU engine {engine}"))?;
        let lanes = profile.cpu_lanes.map(|lanes| lanes as usize);
        args.cpu_lanes = AutoOr(args.cpu_lanes.0.or(lanes));
    }
    Ok(wishes(&args)?)
}

/// Takes a profile of this graph and of the one device that is driven from the cache, if there is
/// one and nothing was asked for that it would decide. The search goes on as it says. Returns where
/// it is.
pub(super) fn take_kept(args: &RunArgs, graph: &Graph, search: &mut Search) -> Option<PathBuf> {
    let decided = args.strategy.is_some()
        || args.degree.is_some()
        || args.lanes.0.is_some()
        || args.work_group.is_some()
        || args.warp_size.0.is_some()
        || args.profile.is_some();
    // Profiles are of searches without weights, for scores of vertices.
    let other = args.input.weights.weighted.is_some() || args.edges.is_some();
    if decided || other || args.no_profile || args.no_cache || !profile::any_kept(None) {
        return None;
    }
    let key = profile::graph_key(graph);
    if !profile::any_kept(Some(&key)) {
        return None;
    }
    let devices = search.wishes().devices.clone();
    let found = match devices {
        DeviceSelection::None => Vec::new(),
        _ => search.wait_until_found(),
    };
    let cpu_open = leaves_cpu_engine_open(args) && args.cpu_lanes.0.is_none();
    let hardware = match (&found[..], devices) {
        ([info], _) => Hardware::device(info),
        // That a device is not there which was named is said later.
        ([], DeviceSelection::None | DeviceSelection::Auto) if cpu_open => {
            Hardware::cores(cpu_model())
        }
        _ => return None,
    };
    let (path, profile) = Profile::kept(&key, &hardware, args.precision)?;
    let adopted = search.adopt(graph, with(args, &profile).ok()?);
    adopted.is_ok().then_some(path)
}

fn leaves_cpu_engine_open(args: &RunArgs) -> bool {
    args.cpu_engine == CpuEngine::Auto && args.reduce.chains == When::Auto
}

/// In words, what a profile was tuned for and this run is not.
pub(super) fn differences(
    profile: &Profile,
    graph: &Graph,
    precision: Precision,
    driven: &[&DeviceInfo],
) -> Vec<String> {
    let mut all = Vec::new();
    if profile.fingerprint != profile::graph_key(graph) {
        all.push("another graph".to_string());
    }
    let is_of = |info: &&DeviceInfo| profile.hardware == Hardware::device(info);
    if !driven.is_empty() && !driven.iter().any(is_of) {
        let Hardware { device, driver } = &profile.hardware;
        all.push(format!("{device} (driver {driver})"));
    }
    if profile.precision != precision {
        all.push("another --precision".to_string());
    }
    all
}

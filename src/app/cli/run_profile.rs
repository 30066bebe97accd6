//! Profiles of `brandes tune` in a run: which one, and what of it stands beside the options given.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::ValueEnum;

use super::UsageError;
use super::run_args::{AutoOr, RunArgs, StrategyArg};
use super::run_options::wishes;
use crate::app::tune::{Hardware, Profile, profile};
use brandes::Search;
use brandes::cpu::CpuEngine;
use brandes::device::{DeviceInfo, DeviceSelection};
use brandes::graph::Graph;
use brandes::plan::Wishes;
use brandes::prepare::When;
use brandes::report::cpu_model;

/// The options of a run and what they mean.
pub(super) struct Settings {
    pub(super) args: RunArgs,
    pub(super) wishes: Wishes,
    /// The profile that some of them are from.
    pub(super) profile: Option<PathBuf>,
}

impl Settings {
    /// Of options that make sense together.
    pub(super) fn new(args: RunArgs) -> Result<Settings, UsageError> {
        Ok(Settings {
            wishes: wishes(&args)?,
            profile: None,
            args,
        })
    }

    /// The same with what a profile says and the options leave open. The error says in words why
    /// that makes no sense.
    pub(super) fn with(args: &RunArgs, path: PathBuf, profile: &Profile) -> Result<Self> {
        let mut args = args.clone();
        let strategy = StrategyArg::from_str(&profile.strategy, false)
            .map_err(|_| anyhow!("there is no strategy {}", profile.strategy))?;
        let same = args.strategy.is_none_or(|asked| asked == strategy);
        ensure!(same, "it is of strategy {}", profile.strategy);
        args.strategy = Some(strategy);
        args.degree = args.degree.or(profile.degree);
        let number = |of: Option<u32>| of.map(|number| AutoOr(Some(number)));
        args.lanes = args.lanes.or(number(profile.lanes));
        args.work_group = args.work_group.or(profile.work_group);
        args.warp_size = args.warp_size.or(number(profile.warp_size));
        let open = leaves_cpu_engine_open(&args);
        if let Some(engine) = profile.cpu_engine.as_deref().filter(|_| open) {
            args.cpu_engine = CpuEngine::from_str(engine, false)
                .map_err(|_| anyhow!("there is no CPU engine {engine}"))?;
            let lanes = profile.cpu_lanes.map(|lanes| lanes as usize);
            args.cpu_lanes = AutoOr(args.cpu_lanes.0.or(lanes));
        }
        let mut settings = Settings::new(args)?;
        settings.profile = Some(path);
        Ok(settings)
    }

    /// Takes a profile of this graph and of the one device that is driven from the cache, if there
    /// is one and nothing was asked for that it would decide. Devices are told.
    pub(super) fn take_kept(&mut self, graph: &Graph, search: &mut Search) {
        let args = &self.args;
        let decided = args.strategy.is_some()
            || args.degree.is_some()
            || args.lanes.is_some()
            || args.work_group.is_some()
            || args.warp_size.is_some()
            || args.profile.is_some();
        // Profiles are of searches without weights, for scores of vertices.
        let other = args.input.weights.weighted.is_some() || args.edges.is_some();
        if decided || other || args.no_profile || args.no_cache || !profile::any_kept(None) {
            return;
        }
        let key = profile::graph_key(graph);
        if !profile::any_kept(Some(&key)) {
            return;
        }
        let alone = self.wishes.devices == DeviceSelection::None;
        let found = (!alone).then(|| search.wait_until_found());
        let cpu_open = leaves_cpu_engine_open(args) && args.cpu_lanes.0.is_none();
        let of = match &found.unwrap_or_default()[..] {
            [info] => Hardware::device(info),
            // That a device is not there which was named is said later.
            [] if cpu_open && (alone || self.wishes.devices == DeviceSelection::Auto) => {
                Hardware::cores(cpu_model())
            }
            _ => return,
        };
        let kept = Profile::kept(&key, &of, args.precision);
        let with = kept.map(|(path, profile)| Settings::with(args, path, &profile));
        if let Some(Ok(settings)) = with
            && search.adopt(graph, settings.wishes.clone()).is_ok()
        {
            *self = settings;
        }
    }
}

fn leaves_cpu_engine_open(args: &RunArgs) -> bool {
    args.cpu_engine == CpuEngine::Auto && args.reduce.chains == When::Auto
}

/// In words, what a profile was tuned for and this run is not.
pub(super) fn differences(
    profile: &Profile,
    graph: &Graph,
    args: &RunArgs,
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
    if profile.precision != args.precision {
        all.push("another --precision".to_string());
    }
    all
}

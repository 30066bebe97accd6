//! Options of `brandes bench` and `brandes tune`, the subjects that they measure, and their device.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::{UsageError, json, warn};
use crate::app::bench::Subject;
use crate::app::distinct::distinct;
use crate::app::report::{Shown, Status};
use brandes::Query;
use brandes::cpu::EngineName;
use brandes::device::{DeviceError, DeviceOptions, DeviceSelection, Session, find};
use brandes::engine::Precision;
use brandes::output::Output;
use brandes::plan::SearchOptions;
use brandes::prepare::{Order, Reductions, When};
use brandes::strategy::{Feature, Strategy};

/// Options of commands that measure.
#[derive(Debug, Args)]
pub struct MeasuringArgs {
    /// Write all times as JSON; - writes standard output
    #[arg(long = "json", alias = "report", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// How to show progress: auto, always, never, or log (a line a minute)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub progress: Shown,
    /// Strategies of 'brandes run', cpu or an engine of it, separated by commas
    ///
    /// cpu stands for CPU workers with the engine that a run chooses; cpu-plain, cpu-lanes,
    /// cpu-clustered and cpu-hierarchy fix the engine. The default is every strategy for devices;
    /// without a device, every engine.
    #[arg(long = "strategy", alias = "strategies", value_name = "NAMES")]
    #[arg(value_delimiter = ',')]
    pub strategies: Vec<Subject>,
    /// The device: auto, none (CPU workers only), a number or a name
    ///
    /// auto is the best GPU or accelerator, and CPU workers where there is none. Numbers and parts
    /// of names are those that 'brandes devices' shows.
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub device: DeviceSelection,
    /// Ignore the cache: build all kernels, and store nothing
    #[arg(long)]
    pub no_cache: bool,
}

impl MeasuringArgs {
    /// Refuses options that contradict each other or the kind of graph.
    pub(super) fn check(
        &self,
        device: DeviceOptions,
        reduce: Reductions,
        order: Order,
        directed: bool,
    ) -> Result<(), UsageError> {
        let weighted = device.weighted;
        let mut search_options = SearchOptions {
            devices: self.device.clone(),
            device,
            ..SearchOptions::default()
        };
        (search_options.prepare.reduce, search_options.prepare.order) = (reduce, order);
        Ok(search_options.check(directed, weighted)?)
    }

    /// Returns the subjects to measure, each once: those given, or else all strategies for devices
    /// (with `cpu_only`, all engines of CPU workers) that can search the graph, in the order of
    /// `rank`. Refuses given subjects that cannot search it.
    pub(super) fn subjects<R: Ord>(
        &self,
        cpu_only: bool,
        weighted: bool,
        reduce: Reductions,
        rank: impl Fn(&Subject) -> R,
    ) -> Result<Vec<Subject>, UsageError> {
        if cpu_only && self.strategies.iter().any(|subject| !subject.is_cpu()) {
            let text = "these strategies need a device; remove --device none";
            return Err(UsageError(text.into()));
        }
        let [contracted, twins] = [reduce.chains, reduce.twins].map(|when| when == When::Always);
        let others = [
            (Feature::Lengths, weighted),
            (Feature::Chains, contracted),
            (Feature::Twins, twins),
        ];
        let needed = Feature::needed(&Query::default(), others);
        let lacks = |subject: &Subject| match subject {
            Subject::Device(strategy) => strategy.lacks(&needed),
            Subject::Engine(EngineName::Lanes) if weighted => {
                Some("is for graphs without weights".into())
            }
            Subject::Engine(EngineName::Hierarchy) if twins => {
                Some("cannot search merged twins".into())
            }
            Subject::Engine(engine) if contracted && *engine != EngineName::Hierarchy => {
                Some("does not serve sources inside chains".into())
            }
            _ => None,
        };
        let mut subjects = self.strategies.clone();
        if subjects.is_empty() {
            let wanted = |s: &Subject| s.is_cpu() == cpu_only && lacks(s).is_none();
            subjects.extend(Subject::all().filter(wanted));
            subjects.sort_by_key(rank);
        }
        let lacking = subjects.iter().find_map(|s| Some((s.name(), lacks(s)?)));
        match lacking {
            Some((name, reason)) => Err(UsageError(format!("strategy {name} {reason}"))),
            None => Ok(distinct(subjects)),
        }
    }

    /// Opens the selected device and builds kernels. Returns `None` with `--device none`, and also,
    /// with a warning, if there is no device and none is `needed`.
    pub(super) fn open(
        &self,
        options: DeviceOptions,
        needed: bool,
        status: &Status,
    ) -> Result<Option<Session>> {
        if self.device == DeviceSelection::None {
            return Ok(None);
        }
        let options = DeviceOptions {
            cache: !self.no_cache,
            ..options
        };
        status.tell(|| "opening the device, building kernels".into());
        let can_do_without = !needed && self.device == DeviceSelection::Auto;
        let absence = |error: &DeviceError| can_do_without && error.is_absence();
        status.aside(|| match open(&self.device, options) {
            Err(error) if error.downcast_ref().is_some_and(absence) => {
                warn(format!("{error}; the engines of CPU workers are measured"));
                Ok(None)
            }
            other => other.map(Some),
        })
    }
}

fn open(selection: &DeviceSelection, options: DeviceOptions) -> Result<Session> {
    let found = find::survey()?.select(selection)?;
    let [found] = &found[..] else {
        let names: Vec<&str> = found.iter().map(|d| d.info.name.as_str()).collect();
        let (count, names) = (names.len(), names.join(", "));
        let text = format!(
            "one device is measured at a time, but --device {selection} means {count}: {names}; \
             name one"
        );
        return Err(UsageError(text).into());
    };
    // Each setting whose precision the device does not support fails later, by itself.
    let options = match found.info.fp64 {
        true => options,
        false => DeviceOptions {
            precision: Precision::F32,
            ..options
        },
    };
    let build = || Strategy::Virtual;
    Ok(Session::open(found, options, build, &mut Vec::new())?)
}

/// Writes a report or a profile to its file, if there is one.
pub(super) fn write_json(out: Option<Output>, value: &impl Serialize) -> Result<()> {
    if let Some(mut out) = out {
        out.write(|out| json(out, value))?;
        out.finish()?;
    }
    Ok(())
}

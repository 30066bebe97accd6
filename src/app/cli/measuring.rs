//! Options of `brandes bench` and `brandes tune`, the subjects that they measure, and their device.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::run_args::{AutoOr, positive, searches, warp_size};
use super::values::from_name;
use super::{UsageError, json, refuse, warn};
use crate::app::bench::Subject;
use crate::app::distinct::distinct;
use crate::app::report::{ProgressMode, Status};
use brandes::device::{DeviceError, DeviceOptions, Session, find};
use brandes::output::Output;
use brandes::plan::SearchOptions;
use brandes::strategy::NumericOption;
use brandes::{DeviceSelection, Precision, Reductions, Strategy};

/// Options of commands that measure.
#[derive(Debug, Args)]
pub struct MeasuringArgs {
    /// Write all times as JSON; - writes standard output
    #[arg(long = "json", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// How to show progress: auto, always, never, or log (a line a minute)
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub progress: ProgressMode,
    /// Strategies of 'brandes run', cpu or an engine of it, separated by commas
    ///
    /// cpu stands for CPU workers with the engine that a run chooses; cpu-plain, cpu-lanes,
    /// cpu-clustered and cpu-hierarchy fix the engine. The default is every strategy for devices;
    /// without a device, every engine.
    #[arg(long = "strategy", value_name = "NAMES")]
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
    /// Most arcs of a virtual vertex (D)
    #[arg(long, value_name = "D,...")]
    #[arg(value_delimiter = ',', value_parser = positive())]
    pub degree: Vec<u32>,
    /// Roots searched together by strategies virtual and edge-device; or auto
    #[arg(long = "device-searches", value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = searches)]
    pub searches: Vec<AutoOr<u32>>,
    /// Work-items that share a vertex in strategy warp: 4, 8, 16, 32; or auto
    #[arg(long, value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = warp_size)]
    pub warp_size: Vec<AutoOr<u32>>,
    /// Work-items of a work-group
    #[arg(long, value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = positive())]
    pub work_group: Vec<u32>,
}

impl MeasuringArgs {
    /// Returns the values given for each numeric option of strategies, in the order of
    /// [`NumericOption::ALL`]; `None` stands for auto. `lanes` are the values of `--device-lanes`.
    pub(super) fn numbers(&self, lanes: &[AutoOr<u32>]) -> [(NumericOption, Vec<AutoOr<u32>>); 5] {
        let some = |values: &[u32]| values.iter().copied().map(Some).collect();
        [
            (NumericOption::Degree, some(&self.degree)),
            (NumericOption::Lanes, lanes.to_vec()),
            (NumericOption::Searches, self.searches.clone()),
            (NumericOption::WarpSize, self.warp_size.clone()),
            (NumericOption::WorkGroup, some(&self.work_group)),
        ]
    }

    /// Returns the subjects to measure, each once: those given, or else all strategies for devices
    /// (with `cpu_only`, all engines of CPU workers) that can search the graph, in the order of
    /// `rank`. It is an error if one of the given subjects cannot search it.
    pub(super) fn subjects<R: Ord>(
        &self,
        cpu_only: bool,
        weighted: bool,
        reduce: Reductions,
        rank: impl Fn(&Subject) -> R,
    ) -> Result<Vec<Subject>, UsageError> {
        if cpu_only && self.strategies.iter().any(|subject| !subject.is_cpu()) {
            return refuse("these strategies need a device; remove --device none");
        }
        let check = |subject: &Subject| {
            let mut run = SearchOptions::default();
            run.prepare.reduce = reduce;
            match subject {
                Subject::Device(strategy) => run.strategy = *strategy,
                Subject::Engine(engine) => {
                    run.cpu.options.engine = from_name(engine.name()).unwrap_or_default();
                }
                _ => {}
            }
            run.check(false, weighted).map_err(|error| {
                let (name, error) = (subject.name(), UsageError::from(error));
                UsageError(format!("strategy {name} cannot be measured: {error}"))
            })
        };
        let mut subjects = distinct(self.strategies.iter().copied());
        if subjects.is_empty() {
            let suits = |s: &Subject| s.is_cpu() == cpu_only && check(s).is_ok();
            subjects.extend(Subject::all().filter(suits));
            subjects.sort_by_key(rank);
        }
        subjects.iter().try_for_each(check)?;
        Ok(subjects)
    }

    /// Opens the selected device and builds kernels. Returns `None` with `--device none`, and also,
    /// after a warning, if `--device auto` finds no device, unless `needs_device`.
    pub(super) fn open(
        &self,
        mut options: DeviceOptions,
        needs_device: bool,
        status: &Status,
    ) -> Result<Option<Session>> {
        if self.device == DeviceSelection::None {
            return Ok(None);
        }
        options.cache = !self.no_cache;
        status.tell(|| "opening the device, building kernels".into());
        let can_do_without = !needs_device && self.device == DeviceSelection::Auto;
        let is_harmless = |error: &DeviceError| can_do_without && error.is_absence();
        status.aside(|| match open(&self.device, options) {
            Err(error) if error.downcast_ref().is_some_and(is_harmless) => {
                warn(format!(
                    "only the engines of CPU workers are measured, because {error}"
                ));
                Ok(None)
            }
            other => other.map(Some),
        })
    }
}

/// Opens the selected device, which must be the only one, and builds kernels.
fn open(selection: &DeviceSelection, mut options: DeviceOptions) -> Result<Session> {
    let found = find::survey()?.select(selection)?;
    let [found] = &found[..] else {
        let names: Vec<&str> = found.iter().map(|d| d.info.name.as_str()).collect();
        let (count, names) = (names.len(), names.join(", "));
        return refuse(format!(
            "one device is measured at a time, but --device {selection} means {count}: {names}; \
             name one"
        ));
    };
    // Otherwise a device without f64 could not be opened. Settings that need f64 fail when they are
    // measured.
    if !found.info.fp64 {
        options.precision = Precision::F32;
    }
    let programs = || Strategy::Virtual;
    Ok(Session::open(found, options, programs, &mut Vec::new())?)
}

/// Writes a report or a profile to its file, if there is one.
pub(super) fn write_json(out: Option<Output>, value: &impl Serialize) -> Result<()> {
    if let Some(mut out) = out {
        out.write(|out| json(out, value))?;
        out.finish()?;
    }
    Ok(())
}

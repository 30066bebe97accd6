//! Options of `brandes bench` and `brandes tune`, the settings that they measure, and their device.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::TypedValueParser;

use super::input::InputArgs;
use super::run_args::{AutoOr, any_lanes, cpu_workers, positive, searches, warp_size};
use super::values::{not_negative, one_of};
use super::{UsageError, refuse, warn};
use crate::app::bench::{Setting, Subject};
use crate::app::distinct::distinct;
use crate::app::progress::{ProgressMode, Status};
use brandes::device::{DeviceOptions, Session, find};
use brandes::plan::SearchOptions;
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, DeviceSelection, Order, Precision, Reductions, RootSelection, Strategy};

const EXAMPLES: &str = "\
Examples:
  brandes bench graph.txt.gz
      Every strategy on the best GPU, the device alone, five times each
  brandes bench a.txt b.graph --strategy virtual --degree 4,8,16,32 --json times.json
      Four values of D on two graphs, and all times as JSON
  brandes bench graph.txt --ablation --json ablation.json
      The effect of each idea of strategy virtual
  brandes bench road.gr --limit 10 --strategy cpu,virtual,lanes
      Estimate what takes more than 10 seconds; compare all scores with those of the first strategy

The time is that of the search: from the first root to the last sum on the host. Reading, preparing
and making the engine are not in it. Numbers, precisions and workers may be lists with commas: every
combination that a strategy takes is measured. docs/bench.md says more.";

/// Options of `brandes bench`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Graph files, plain or .gz or .zst; - reads standard input
    #[arg(required = true, value_name = "GRAPH")]
    pub graphs: Vec<PathBuf>,

    #[command(flatten)]
    pub common: MeasuringArgs,
    /// Measure strategy virtual with each of its ideas switched off; strategies named by --strategy
    /// are measured too
    #[arg(long)]
    pub ablation: bool,
    /// Timed searches of each strategy; the table shows medians
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive())]
    pub repeat: u32,
    /// If a search would take longer, estimate it from a sample of the roots and mark it with ~
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = not_negative)]
    pub limit: f64,
    /// Sources, as in 'brandes run'
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub roots: RootSelection,
    /// Reductions of undirected graphs before the search, as in 'brandes run'; if given several
    /// times, all are measured
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub reduce: Vec<Reductions>,

    /// Type of numbers on the device; mixed applies to CPU workers too
    #[arg(long, value_delimiter = ',', default_value = "f64")]
    #[arg(value_parser = one_of::<Precision>())]
    pub precision: Vec<Precision>,
    /// CPU threads that search beside the device, or auto; with 0, strategy cpu uses all cores
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0")]
    #[arg(value_parser = cpu_workers)]
    pub cpu_workers: Vec<CpuWorkers>,
    /// As in 'brandes run'
    #[arg(long, hide = true)]
    pub exact_access: bool,
}

/// Options of commands that measure.
#[derive(Debug, Args)]
pub struct MeasuringArgs {
    #[command(flatten)]
    pub input: InputArgs,
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
    #[arg(long = "strategy", value_name = "NAMES", value_delimiter = ',')]
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
    #[arg(value_delimiter = ',', value_parser = positive().map(Some))]
    pub degree: Vec<AutoOr<u32>>,
    /// Roots searched together by strategy lanes, multiples of 32, or by CPU engine lanes, those
    /// that --cpu-lanes allows; or auto
    #[arg(long = "device-lanes", value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = any_lanes)]
    pub lanes: Vec<AutoOr<u32>>,
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
    #[arg(value_delimiter = ',', value_parser = positive().map(Some))]
    pub work_group: Vec<AutoOr<u32>>,
}

impl MeasuringArgs {
    /// Returns the values given for each numeric option of strategies, in the order of
    /// [`NumericOption::ALL`]; `None` stands for auto.
    pub(super) fn numbers(&self) -> [&[AutoOr<u32>]; 5] {
        let (warp, group) = (&self.warp_size, &self.work_group);
        [&self.degree, &self.lanes, &self.searches, warp, group]
    }

    /// Refuses a precision, reductions and an order that contradict each other, or the kind of
    /// graph.
    pub(super) fn check(
        &self,
        precision: Precision,
        reduce: Reductions,
        order: Order,
    ) -> Result<(), UsageError> {
        let mut run = SearchOptions::default();
        (run.devices, run.device.precision) = (self.device.clone(), precision);
        (run.prepare.reduce, run.prepare.order) = (reduce, order);
        self.input.check(&run)
    }

    /// Returns the subjects to measure, each once: those given, or else all strategies for devices
    /// (with `cpu_only`, all engines of CPU workers) that can search the graph; `cpu` and `auto`,
    /// which choose one of the others, come last. It is an error if one of the given subjects
    /// cannot search it.
    pub(super) fn subjects(
        &self,
        cpu_only: bool,
        reduce: Reductions,
    ) -> Result<Vec<Subject>, UsageError> {
        if cpu_only && self.strategies.iter().any(|subject| !subject.is_cpu()) {
            return refuse("these strategies need a device; remove --device none");
        }
        let check = |subject: &Subject| {
            let mut run = SearchOptions::default();
            run.prepare.reduce = reduce;
            match subject {
                Subject::Device(strategy) => run.strategy = *strategy,
                Subject::Cores(engine) => run.cpu.options.engine = *engine,
                Subject::Ablation(_) => {}
            }
            let checked = run.check(false, self.input.weighted.is_some());
            checked.map_err(|error| {
                let (name, error) = (subject.name(), UsageError::from(error));
                UsageError(format!("strategy {name} cannot be measured: {error}"))
            })
        };
        let mut subjects = distinct(self.strategies.iter().copied());
        if subjects.is_empty() {
            let suits = |s: &Subject| s.is_cpu() == cpu_only && check(s).is_ok();
            subjects.extend(Subject::all().filter(suits));
            subjects.sort_by_key(|subject| [Subject::CPU, Subject::AUTO].contains(subject));
        }
        subjects.iter().try_for_each(check)?;
        Ok(subjects)
    }

    /// Refuses values of numeric options that none of the subjects takes.
    pub(super) fn check_numbers(&self, subjects: &[Subject]) -> Result<(), UsageError> {
        for (option, values) in NumericOption::ALL.into_iter().zip(self.numbers()) {
            let takes_some =
                |subject: &Subject| values.iter().any(|&value| subject.takes(option, value));
            if !values.is_empty() && !subjects.iter().any(takes_some) {
                return refuse(format!(
                    "none of these strategies takes these values of --{}; leave it out, or measure \
                     one of these with --strategy: {}",
                    option.name(),
                    option.strategies()
                ));
            }
        }
        Ok(())
    }

    /// Opens the selected device, which must be the only one, and builds kernels. Returns `None`
    /// with `--device none`, and also, after a warning, if `--device auto` finds no device, unless
    /// `needs_device`.
    pub(super) fn open(
        &self,
        precision: Precision,
        exact_access: bool,
        needs_device: bool,
        status: &Status,
    ) -> Result<Option<Session>> {
        if self.device == DeviceSelection::None {
            return Ok(None);
        }
        let options = DeviceOptions {
            precision,
            weighted: self.input.weighted.is_some(),
            cache: !self.no_cache,
            exact_access,
            ..DeviceOptions::default()
        };
        status.show(|| "opening the device, building kernels".into());
        let can_do_without = !needs_device && self.device == DeviceSelection::Auto;
        status.aside(|| {
            let found = match find::survey().and_then(|survey| survey.select(&self.device)) {
                Err(error) if can_do_without && error.is_absence() => {
                    warn(format!(
                        "only the engines of CPU workers are measured, because {error}"
                    ));
                    return Ok(None);
                }
                found => found?,
            };
            let [found] = &found[..] else {
                let names: Vec<&str> = found.iter().map(|d| d.info.name.as_str()).collect();
                let (selection, count, names) = (&self.device, names.len(), names.join(", "));
                return refuse(format!(
                    "one device is measured at a time, but --device {selection} means {count}: \
                     {names}; name one"
                ));
            };
            let programs = |options: &_, info: &_| Strategy::Virtual.kernels(options, info);
            let spans = &mut Vec::new();
            Ok(Some(Session::open(found, options, programs, spans)?))
        })
    }
}

impl BenchArgs {
    /// Returns the setting of strategy `virtual` that `--ablation` varies, if that is given. If
    /// `--strategy` names strategies too, it has the first of the values given for each option.
    ///
    /// # Errors
    /// [`UsageError`] if options contradict each other.
    pub(super) fn ablation_setting(&self) -> Result<Option<Setting>, UsageError> {
        if !self.ablation {
            return Ok(None);
        }
        let all = self.with_all_values(Subject::Ablation(None))?;
        let mut setting = all[0];
        (setting.workers, setting.reduce) = (CpuWorkers::Count(0), Reductions::default());
        if self.common.strategies.is_empty() && all != [setting] {
            return refuse(
                "--ablation measures strategy virtual on the device alone, with one value of each \
                 option and its own reductions; give one value, without --cpu-workers and \
                 --reduce, or name other strategies by --strategy",
            );
        }
        Ok(Some(setting))
    }

    /// Returns each of the strategies and engines to measure with all combinations of the values
    /// given for the options that it uses: those given, or else none with `--ablation`, all CPU
    /// engines with `cpu_only`, and all device strategies that can search the graph otherwise.
    ///
    /// # Errors
    /// [`UsageError`] if options contradict each other, or if none of the subjects uses an option
    /// that is given.
    pub(super) fn settings(&self, cpu_only: bool) -> Result<Vec<Setting>, UsageError> {
        let common = &self.common;
        for &precision in &self.precision {
            for &reduce in &self.reduce {
                common.check(precision, reduce, Order::default())?;
            }
        }
        if self.ablation && cpu_only {
            return refuse("--ablation needs a device; remove --device none");
        }
        if self.ablation && common.input.weighted.is_some() {
            return refuse(
                "--ablation measures strategy virtual, which takes no weights; remove --weighted \
                 or --ablation",
            );
        }
        let mut subjects = Vec::new();
        if !self.ablation || !common.strategies.is_empty() {
            subjects = common.subjects(cpu_only, Reductions::default())?;
        }
        let ablation = self.ablation.then_some(Subject::Ablation(None));
        common.check_numbers(&[&subjects[..], ablation.as_slice()].concat())?;
        let settings = subjects.into_iter().map(|one| self.with_all_values(one));
        Ok(settings.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Returns a subject with every combination of the values given for its options; at least one.
    fn with_all_values(&self, subject: Subject) -> Result<Vec<Setting>, UsageError> {
        let mut all = vec![Setting::plain(subject)];
        Setting::expand(&mut all, &self.precision, |one| &mut one.precision);
        let lists = self.common.numbers().map(|list| match list.len() {
            2.. if subject == Subject::AUTO => &[],
            _ => list,
        });
        Setting::expand_numbers(&mut all, &lists);
        Setting::expand(&mut all, &self.cpu_workers, |one| &mut one.workers);
        Setting::expand(&mut all, &self.reduce, |one| &mut one.reduce);
        if all.is_empty() {
            return refuse(
                "no value of --warp-size divides one of --work-group; change one of the two",
            );
        }
        Ok(all)
    }
}

//! Options of `brandes bench` and `brandes tune`, the settings that they measure, and their device.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::input::InputArgs;
use super::run_args::{AutoOr, cpu_workers, lanes, positive, searches, warp_size};
use super::values::{from_name, not_negative, one_of};
use super::{UsageError, json, refuse, warn};
use crate::app::bench::{Setting, Subject};
use crate::app::distinct::distinct;
use crate::app::report::{ProgressMode, Status, TableStyle};
use brandes::device::{DeviceError, DeviceOptions, Session, find};
use brandes::output::Output;
use brandes::plan::SearchOptions;
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, DeviceSelection, Precision, Reductions, RootSelection, Strategy};

const EXAMPLES: &str = "\
Examples:
  brandes bench graph.txt.gz
      Every strategy on the best GPU, the device alone, five times each
  brandes bench a.txt b.graph --strategy virtual,lanes,cpu --style markdown
      Three of them on two graphs, as Markdown
  brandes bench a.txt b.graph --strategy virtual --degree 4,8,16,32 --csv times.csv
      Four values of D on two graphs, and all times as a table for pandas or a spreadsheet
  brandes bench graph.txt --ablation --json ablation.json
      The effect of each idea of strategy virtual
  brandes bench road.gr --limit 10 --check
      Estimate what takes more than 10 seconds; compare all scores with the CPU's

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
    pub input: InputArgs,

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
    /// Compare all scores with those of the CPU, in place of those of the first strategy
    #[arg(long)]
    pub check: bool,

    /// Style of the tables
    #[arg(long, value_enum, default_value_t = TableStyle::Table)]
    pub style: TableStyle,
    /// Write a row for each graph, strategy and combination of values as CSV; - writes standard
    /// output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Sources, as in 'brandes run'
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub roots: RootSelection,
    /// Reductions of undirected graphs before the search, as in 'brandes run'; if given several
    /// times, all are measured
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub reduce: Vec<Reductions>,

    /// Roots searched together by strategy lanes, multiples of 32; or auto
    #[arg(long = "device-lanes", value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = lanes)]
    pub lanes: Vec<AutoOr<u32>>,
    /// Type of numbers on the device; mixed applies to CPU workers too
    #[arg(long, value_delimiter = ',', default_value = "f64")]
    #[arg(value_parser = one_of::<Precision>(&[]))]
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
fn open(selection: &DeviceSelection, options: DeviceOptions) -> Result<Session> {
    let found = find::survey()?.select(selection)?;
    let [found] = &found[..] else {
        let names: Vec<&str> = found.iter().map(|d| d.info.name.as_str()).collect();
        let (count, names) = (names.len(), names.join(", "));
        return refuse(format!(
            "one device is measured at a time, but --device {selection} means {count}: {names}; \
             name one"
        ));
    };
    let programs = || Strategy::Virtual;
    Ok(Session::open(found, options, programs, &mut Vec::new())?)
}

/// Returns the values given for each numeric option of device strategies.
pub(super) fn values_given(args: &BenchArgs) -> [(NumericOption, Vec<AutoOr<u32>>); 5] {
    args.common.numbers(&args.lanes)
}

/// Returns whether the subject can be measured with several values of the option.
fn uses(subject: Subject, option: NumericOption) -> bool {
    match subject {
        Subject::Device(strategy) => strategy.has(option),
        Subject::Ablation(_) => Strategy::Virtual.has(option),
        _ => false,
    }
}

/// Returns the setting of strategy `virtual` that `--ablation` varies. It has the first of the
/// values given for each option.
pub(super) fn ablation_setting(args: &BenchArgs) -> Setting {
    let complete = Subject::Ablation(None);
    Setting {
        workers: CpuWorkers::Count(0),
        reduce: Reductions::default(),
        ..with_all_values(args, complete)[0]
    }
}

/// Returns the options of the device that all settings have in common.
pub(super) fn device_options(args: &BenchArgs) -> DeviceOptions {
    DeviceOptions {
        weighted: args.input.weighted.is_some(),
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    }
}

/// The strategy `auto`, which chooses one of the others. Like a run, it takes one value of each
/// option, not a list.
pub(super) const AUTO: Subject = Subject::Device(Strategy::Auto);

/// Returns a note about lists of values that strategy `auto` is measured without.
pub(super) fn auto_note(args: &BenchArgs) -> Option<String> {
    let lists = values_given(args).into_iter();
    let lists = lists.filter(|(option, values)| uses(AUTO, *option) && values.len() > 1);
    let lists = lists.map(|(option, _)| format!("--{}", option.name()));
    let lists = lists.collect::<Vec<_>>().join(" and ");
    (!lists.is_empty()).then(|| {
        format!(
            "note: strategy auto takes no list of values and is measured without {lists}; give one \
             value"
        )
    })
}

/// Returns each of the [`subjects`] with all combinations of the values given for the options that
/// it uses.
///
/// # Errors
/// [`UsageError`] if options contradict each other, or if none of the subjects uses an option that
/// is given.
pub(super) fn combinations(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Setting>, UsageError> {
    refuse_contradictions(args, cpu_only)?;
    let subjects = subjects(args, cpu_only)?;
    for (option, values) in values_given(args) {
        let ablation = args.ablation.then_some(Subject::Ablation(None));
        let mut all = subjects.iter().copied().chain(ablation);
        if !values.is_empty() && !all.any(|subject| uses(subject, option)) {
            let name = option.name();
            let strategies = option.strategies();
            return refuse(match cpu_only {
                true => format!("--{name} needs a device; remove --device none"),
                false => format!("--{name} is for {strategies}; add one of them to --strategy"),
            });
        }
    }
    let mut all = Vec::new();
    for subject in subjects {
        let mut settings = with_all_values(args, subject);
        settings.retain(Setting::has_whole_warps);
        if settings.is_empty() {
            return refuse(
                "no value of --warp-size divides one of --work-group; change one of the two",
            );
        }
        all.extend(settings);
    }
    Ok(all)
}

/// Returns a subject with every combination of the values given for its options.
fn with_all_values(args: &BenchArgs, subject: Subject) -> Vec<Setting> {
    let mut all = vec![Setting::plain(subject)];
    Setting::expand(&mut all, &args.precision, |one, value| {
        one.precision = value
    });
    for (option, values) in values_given(args) {
        if uses(subject, option) && !(subject == AUTO && values.len() > 1) {
            Setting::expand(&mut all, &values, |one, value| {
                *one.numbers.get_mut(option) = value;
            });
        }
    }
    Setting::expand(&mut all, &args.cpu_workers, |one, value| {
        one.workers = value
    });
    Setting::expand(&mut all, &args.reduce, |one, value| one.reduce = value);
    all
}

/// Refuses values that contradict each other or the kind of graph.
fn refuse_contradictions(args: &BenchArgs, cpu_only: bool) -> Result<(), UsageError> {
    let (directed, weighted) = (args.input.directed, args.input.weighted.is_some());
    for &precision in &args.precision {
        for &reduce in &args.reduce {
            // `combinations` checks all other options.
            let mut device = DeviceOptions {
                precision,
                ..device_options(args)
            };
            device.numbers.degree = args.common.degree.first().copied();
            device.numbers.lanes = args.lanes.first().copied().flatten();
            let mut run = SearchOptions {
                devices: args.common.device.clone(),
                device,
                ..SearchOptions::default()
            };
            run.prepare.reduce = reduce;
            run.check(directed, weighted)?;
        }
    }
    refuse(match args.ablation {
        true if cpu_only => "--ablation needs a device; remove --device none",
        true if weighted => {
            "--ablation measures strategy virtual, which takes no weights; remove --weighted or \
             --ablation"
        }
        _ => return Ok(()),
    })
}

/// Returns the strategies and engines to measure, each once: those given, or else none with
/// `--ablation`, all CPU engines with `cpu_only`, and all device strategies that can search the
/// graph otherwise.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    if args.common.strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    // `cpu` and `auto`, which choose one of the others, come last: `false` sorts before `true`.
    let weighted = args.input.weighted.is_some();
    let rank = |subject: &Subject| [Subject::Cpu, AUTO].contains(subject);
    args.common
        .subjects(cpu_only, weighted, Reductions::default(), rank)
}

/// Writes a report or a profile to its file, if there is one.
pub(super) fn write_json(out: Option<Output>, value: &impl Serialize) -> Result<()> {
    if let Some(mut out) = out {
        out.write(|out| json(out, value))?;
        out.finish()?;
    }
    Ok(())
}

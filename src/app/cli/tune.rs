//! `brandes tune`: finds the best setting of a device, or of CPU workers, for a graph.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};

use super::input::{InputArgs, read_with_progress, say_warnings};
use super::measuring::{MeasuringArgs, write_json};
use super::run_args::{AutoOr, any_lanes, cpu_workers};
use super::values::{above_zero, one_of};
use super::{UsageError, check_outputs, progress_mode, refuse, writes_standard_output};
use crate::app::bench::results::Measured;
use crate::app::bench::{Preparations, Setting, Subject};
use crate::app::report::bench_schema::GraphPart;
use crate::app::report::tune_schema::{TunePart, TuneReport};
use crate::app::report::{Status, TableStyle};
use crate::app::tune::{
    self, DEFAULT, Hardware, Measurer, Plan, Profile, SearchMeasurer, Tuning, Values,
};
use brandes::device::{DeviceInfo, DeviceKind, DeviceOptions};
use brandes::graph::Graph;
use brandes::output::Output;
use brandes::plan::SearchOptions;
use brandes::prepare::PrepareOptions;
use brandes::report::{About, cpu_model};
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, DeviceSelection, Order, Precision, Reductions, Strategy};

const EXAMPLES: &str = "\
Examples:
  brandes tune graph.txt.gz
      The best setting of the best GPU, in a minute, as a command line; later runs on this graph
      take it from the cache
  brandes tune graph.txt --strategy virtual,lanes --degree 8,16,32,64 --budget 20
      Two strategies, and D of these only, in twenty seconds
  brandes tune graph.txt --profile best.json --json tune.json
      The setting as a file for 'brandes run --profile', all times as JSON

The default setting of 'brandes run' is always measured too; the winner has to beat it in a last
comparison. docs/tune.md says more.";

/// Options of `brandes tune`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    graph: PathBuf,

    #[command(flatten)]
    input: InputArgs,

    /// Write the setting found, for 'brandes run --profile'; - writes standard output
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Print nothing but the command line found, errors and warnings
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    common: MeasuringArgs,
    /// Seconds that measuring may take
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = above_zero)]
    budget: f64,
    /// CPU threads that search beside the device, or auto
    ///
    /// With 0, strategy cpu uses all cores.
    #[arg(long, value_name = "N", default_value = "0", value_parser = cpu_workers)]
    cpu_workers: CpuWorkers,
    /// Reductions of undirected graphs before the search, as in 'brandes run'
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    reduce: Reductions,
    /// Type of numbers on devices; mixed applies to CPU engine lanes too
    #[arg(long, value_parser = one_of::<Precision>(&[]), default_value = "f64")]
    precision: Precision,

    /// Roots searched together by strategy lanes, multiples of 32, or by CPU engine lanes, those
    /// that --cpu-lanes allows; or auto
    #[arg(long = "device-lanes", value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = any_lanes)]
    lanes: Vec<AutoOr<u32>>,
    /// Numbering of the searched vertices
    #[arg(long, value_parser = one_of::<Order>(&[]), default_value = "bfs")]
    order: Order,
}

/// The strategies that are fastest on most graphs. They are measured first, because time may run
/// out.
const FIRST: [Strategy; 4] = [
    Strategy::Lanes,
    Strategy::Local,
    Strategy::Hierarchy,
    Strategy::Warp,
];

/// Finds the best setting for a graph, prints it, and stores it as a profile. `arguments` are those
/// of the command line, before conversion to `args`. Exit code 0: a setting was found, and all
/// scores agree.
pub fn tune(args: &TuneArgs, arguments: &ArgMatches) -> Result<i32> {
    let common = &args.common;
    let mut subjects = subjects(args, common.device == DeviceSelection::None)?;
    let outputs = [("--json", &common.report), ("--profile", &args.profile)];
    check_outputs(&[("the graph", &args.graph)], outputs)?;
    let report_out = common.report.as_deref().map(Output::open).transpose()?;
    let profile_out = args.profile.as_deref().map(Output::open).transpose()?;
    let read_options = args.input.options();
    let mode = progress_mode(args.quiet, common.progress);
    let (graph, source) = read_with_progress(&args.graph, &read_options, mode)?;
    say_warnings(&graph, &source);
    let status = Status::new(mode);
    let needs_device = common.strategies.iter().any(|subject| !subject.is_cpu());
    let session = common.open(device_options(args), needs_device, &status)?;
    let auto = Subject::Device(Strategy::Auto);
    let mut default = auto;
    if session.is_none() {
        default = Subject::Cpu;
        subjects = self::subjects(args, true)?;
    }
    status.tell(|| "preparing the graph".into());
    let measured = [&subjects[..], &[default]].concat();
    let (device, workers) = (session.as_ref(), args.cpu_workers);
    let prepared = Preparations::new(&graph, &prepare_options(args), &measured, device, workers)?;
    let plain = &prepared.plain;
    let roots = plain.roots.len();
    let path = &source.path;
    if roots == 0 {
        bail!("{path}: the scores of this graph need no search, so there is nothing to tune");
    }
    let info = session.as_ref().map(|session| session.info.clone());
    let default = Setting {
        precision: args.precision,
        workers: args.cpu_workers,
        reduce: args.reduce,
        ..Setting::plain(default)
    };
    let chosen_by_auto = |_| Setting {
        subject: Subject::Device(Strategy::Auto.likely(prepared.for_subject(auto))),
        ..default
    };
    let is_cpu = |info: &DeviceInfo| info.kind == DeviceKind::Cpu;
    let plan = Plan {
        default,
        chosen: info.as_ref().map(chosen_by_auto),
        subjects,
        values: Values {
            given: given(args),
            is_cpu: info.as_ref().is_none_or(is_cpu),
            max_work_group: info.as_ref().map_or(0, |info| info.max_work_group),
            roots,
        },
        budget: args.budget,
    };
    let mut observe = |step: String, seconds: f64| {
        status.tell(|| format!("{seconds:.0} of {:.0} s; {step}", args.budget));
    };
    let mut measurer = SearchMeasurer::new(session, &prepared, &mut observe);
    let tuning = tune::tune(&plan, &mut measurer);
    let (seconds, mismatch) = (measurer.now(), measurer.mismatch.take());
    drop(measurer);
    drop(status);
    let tuning = tuning.with_context(|| format!("{path}: nothing could be measured"))?;
    let adopted = &tuning.racers[tuning.adopted];
    let part = graph_part(&graph, path, &prepared, &tuning);
    if !writes_standard_output(outputs) {
        let mut out = io::stdout().lock();
        if !args.quiet {
            let device = info.as_ref().map_or("none", |info| &info.name);
            writeln!(out, "device {device}\n")?;
            writeln!(
                out,
                "{}",
                TableStyle::Table.graph(&in_order(&part, &tuning), path)
            )?;
            writeln!(out, "{}\n", tuning.verdict)?;
        }
        if mismatch.is_none() {
            writeln!(out, "{}", command_line(args, arguments, &adopted.setting))?;
        }
    }
    let dropped = tuning.racers.iter().enumerate();
    let dropped = dropped.filter_map(|(place, one)| one.dropped.then_some(place));
    let report = TuneReport {
        about: About::this("tune"),
        devices: info.iter().cloned().collect(),
        graphs: vec![part],
        tune: TunePart {
            budget_seconds: args.budget,
            seconds,
            best: tuning.best,
            default: DEFAULT,
            adopted: tuning.adopted,
            dropped: dropped.collect(),
            verdict: tuning.verdict.clone(),
        },
    };
    write_json(report_out, &report)?;
    if let Some(text) = mismatch {
        bail!("{path}: {text}");
    }
    let cores = || Hardware::cores(cpu_model());
    let hardware = info.as_ref().map_or_else(cores, Hardware::device);
    let (setting, seconds) = (&adopted.setting, adopted.measured.median());
    let profile = Profile::new(&graph, hardware, setting, seconds);
    write_json(profile_out, &profile)?;
    // Only runs on graphs without lengths take profiles from the cache.
    if !common.no_cache && graph.lengths().is_none() {
        profile.store();
    }
    Ok(0)
}

/// Describes the graph and the measurements as `bench` does.
fn graph_part(graph: &Graph, path: &str, prepared: &Preparations, tuning: &Tuning) -> GraphPart {
    let measured = tuning.racers.iter().enumerate();
    let measured = measured.map(|(place, one)| Measured {
        best: place == tuning.best,
        ..one.measured.clone()
    });
    GraphPart {
        strategies: measured.collect(),
        ..GraphPart::new(graph, path, &prepared.plain)
    }
}

/// Returns the measurements in the order of the table: by time, and those that were dropped last.
fn in_order(part: &GraphPart, tuning: &Tuning) -> GraphPart {
    let mut part = part.clone();
    let mut all: Vec<_> = part.strategies.into_iter().zip(&tuning.racers).collect();
    let time = |one: &Measured| one.median().unwrap_or(f64::INFINITY);
    all.sort_by(|(a, one), (b, other)| {
        let by_time = time(a).total_cmp(&time(b));
        one.dropped.cmp(&other.dropped).then(by_time)
    });
    part.strategies = all.into_iter().map(|(measured, _)| measured).collect();
    part
}

/// Returns the strategies to try; with `cpu_only`, engines of CPU workers. Refuses contradictory
/// options.
fn subjects(args: &TuneArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let (common, device) = (&args.common, device_options(args));
    let run = SearchOptions {
        devices: common.device.clone(),
        device,
        prepare: prepare_options(args),
        ..SearchOptions::default()
    };
    run.check(args.input.directed, device.weighted)?;
    let rank = |subject: &Subject| {
        let place = FIRST.iter().position(|&s| *subject == Subject::Device(s));
        place.unwrap_or(FIRST.len())
    };
    let subjects = common.subjects(cpu_only, device.weighted, args.reduce, rank)?;
    let values = Values {
        given: given(args),
        ..Values::default()
    };
    for number in NumericOption::ALL {
        let has = |&subject: &Subject| !values.to_try(subject, number).is_empty();
        if !values.given[number as usize].is_empty() && !subjects.iter().any(has) {
            return refuse(format!(
                "none of these strategies takes the values of --{}; leave it out, or name others",
                number.name()
            ));
        }
    }
    Ok(subjects)
}

fn prepare_options(args: &TuneArgs) -> PrepareOptions {
    PrepareOptions {
        reduce: args.reduce,
        order: args.order,
        ..PrepareOptions::default()
    }
}

fn device_options(args: &TuneArgs) -> DeviceOptions {
    DeviceOptions {
        precision: args.precision,
        weighted: args.input.weighted.is_some(),
        ..DeviceOptions::default()
    }
}

/// Returns the values given, in the order of [`NumericOption::ALL`]. Auto is always tried.
fn given(args: &TuneArgs) -> [Vec<u32>; 5] {
    let numbers = args.common.numbers(&args.lanes);
    numbers.map(|(_, values)| values.into_iter().flatten().collect())
}

/// Options that [`command_line`] repeats as they were typed.
const REPEATED: &str = "format delimiter header columns vertices labels weighted weight_is \
    default_weight reduce order precision device cpu_workers";

/// Returns the command line of a run with the setting found, quoted for a shell.
fn command_line(args: &TuneArgs, arguments: &ArgMatches, setting: &Setting) -> String {
    // Only a NUL byte cannot be quoted, and no argument contains one.
    let quote = |word: &str| shlex::try_quote(word).map_or(word.to_string(), Into::into);
    let graph = args.graph.to_string_lossy();
    // A name that begins with a dash would be parsed as options.
    let is_dashed = graph.starts_with('-') && graph != "-";
    let folder = if is_dashed { "./" } else { "" };
    let mut words = vec![format!("brandes run {folder}{}", quote(&graph))];
    words.extend(setting.arguments());
    words.extend(args.input.directed.then(|| "--directed".into()));
    let is_cpu = setting.subject.is_cpu();
    for name in REPEATED.split_whitespace() {
        let is_wanted = match name {
            "precision" => setting.search_precision() == args.precision,
            // Strategy cpu drives no device.
            "device" => !is_cpu,
            // CPU workers alone were measured on all cores, which is the default of a run.
            "cpu_workers" => !is_cpu || args.cpu_workers != CpuWorkers::Count(0),
            _ => true,
        };
        let is_given = arguments.value_source(name) == Some(ValueSource::CommandLine);
        let value = arguments.get_raw(name).and_then(|mut values| values.next());
        if let Some(value) = value.filter(|_| is_wanted && is_given) {
            let value = quote(&value.to_string_lossy());
            words.push(format!("--{} {value}", name.replace('_', "-")));
        } else if name == "cpu_workers" && !is_cpu {
            // By default, a run has CPU workers beside the device.
            words.push("--cpu-workers 0".into());
        }
    }
    words.join(" ")
}

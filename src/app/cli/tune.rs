//! `brandes tune`: finds the best setting of a device, or of CPU workers, for a graph.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::measuring::MeasuringArgs;
use super::run_args::cpu_workers;
use super::values::{above_zero, one_of};
use super::{UsageError, check_outputs, json, progress_mode, write_output, writes_standard_output};
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::{Preparations, Setting, Subject};
use crate::app::progress::Status;
use crate::app::report::bench_schema::{GraphPart, TuneReport};
use crate::app::report::bench_table;
use crate::app::tune::{self, Candidate, Hardware, TunedProfile};
use brandes::output::Output;
use brandes::prepare::PrepareOptions;
use brandes::report::About;
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, DeviceSelection, Order, Precision, Reductions, Strategy};

const EXAMPLES: &str = "\
Examples:
  brandes tune graph.txt.gz
      The best setting of the best GPU, in a minute, as options of 'brandes run'
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
    common: MeasuringArgs,

    /// Write the setting found, for 'brandes run --profile'; - writes standard output
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Print nothing but the options found, errors and warnings
    #[arg(long, short)]
    quiet: bool,

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
    #[arg(long, value_parser = one_of::<Precision>(), default_value = "f64")]
    precision: Precision,

    /// Numbering of the searched vertices
    #[arg(long, value_parser = one_of::<Order>(), default_value = "bfs")]
    order: Order,
}

/// Finds the best setting for a graph, prints it, and writes it as a profile. Exit code 0: a
/// setting was found, and all scores agree.
pub fn tune(args: &TuneArgs) -> Result<i32> {
    let common = &args.common;
    common.check(args.precision, args.reduce, args.order)?;
    let mut subjects = subjects(args, common.device == DeviceSelection::None)?;
    let (report, profile) = (common.report.as_deref(), args.profile.as_deref());
    let outputs = [("--json", report), ("--profile", profile)];
    check_outputs(&[("the graph", &args.graph)], &outputs)?;
    let report_out = report.map(Output::open).transpose()?;
    let profile_out = profile.map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, common.progress);
    let (graph, source) = common.input.read(&args.graph, mode)?;
    let status = Status::new(mode);
    let needs_device = common.strategies.iter().any(|subject| !subject.is_cpu());
    let opened = common.open(args.precision, false, needs_device, &status)?;
    let (session, device) = (opened.as_ref(), opened.as_ref().map(|opened| &opened.info));
    let mut default = Subject::AUTO;
    if device.is_none() {
        (default, subjects) = (Subject::CPU, self::subjects(args, true)?);
    }
    status.show(|| "preparing the graph".into());
    let mut options = PrepareOptions::default();
    (options.reduce, options.order) = (args.reduce, args.order);
    let all = [&[default], &subjects[..]].concat();
    let prepared = Preparations::new(&graph, &options, &all, session, args.cpu_workers)?;
    let (roots, path) = (prepared.plain.roots.len(), &source.path);
    if roots == 0 {
        bail!("{path}: the scores of this graph need no search, so there is nothing to tune");
    }
    let setting = |&subject: &Subject| Setting {
        precision: args.precision,
        workers: args.cpu_workers,
        reduce: args.reduce,
        ..Setting::plain(subject)
    };
    let settings = all.iter().map(setting).collect();
    let numeric_variants = |mut one: Setting| {
        if one.subject == Subject::AUTO {
            let graph = prepared.for_subject(one.subject);
            one.subject = Subject::Device(Strategy::Auto.likely(graph));
        }
        let lists = NumericOption::ALL.map(|option| match common.numbers()[option as usize] {
            [] => [vec![None], one.subject.usual_values(option, device, roots)].concat(),
            given => [&[None], given].concat(),
        });
        let mut others = vec![one];
        Setting::expand_numbers(&mut others, &lists);
        others.retain(|other| subjects.contains(&other.subject));
        others
    };
    let start = Instant::now();
    let mut measure = |settings: &[Setting], options: &Options| {
        let settings = settings.iter().map(|&one| prepared.bench(one, session));
        let measured = compare(&Vec::from_iter(settings), options, &mut |step| {
            let (seconds, budget) = (start.elapsed().as_secs(), args.budget);
            status.show(|| format!("{seconds} of {budget:.0} s; {step}"));
        });
        (measured, start.elapsed().as_secs_f64())
    };
    let tuned = tune::tune(settings, numeric_variants, args.budget, &mut measure);
    drop(status);
    let (candidates, tune) = tuned.with_context(|| path.clone())?;
    let Candidate { setting, measured } = &candidates[tune.adopted];
    let profile = TunedProfile::new(&graph, Hardware::new(device), setting, measured.median());
    let arguments = setting.arguments().join(" ");
    let part = GraphPart {
        strategies: candidates.into_iter().map(|one| one.measured).collect(),
        ..GraphPart::new(&graph, path, &prepared.plain)
    };
    let report = TuneReport {
        about: About::this("tune"),
        devices: device.into_iter().cloned().collect(),
        graphs: vec![part],
        tune,
    };
    if !writes_standard_output(&outputs) {
        print(&report, &arguments, args.quiet)?;
    }
    write_output(report_out, |out| json(out, &report))?;
    write_output(profile_out, |out| json(out, &profile))?;
    Ok(0)
}

/// Prints the setting found, as `arguments` of `brandes run`, after a table and the comparison with
/// the default unless `quiet`.
fn print(report: &TuneReport, arguments: &str, quiet: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if !quiet {
        let device = report.devices.first().map_or("none", |info| &info.name);
        let table: String = report.graphs.iter().map(bench_table::graph).collect();
        writeln!(out, "device {device}\n\n{table}\n{}\n", report.tune.verdict)?;
    }
    match arguments {
        "" => writeln!(out, "the default of brandes run is this setting"),
        _ => writeln!(out, "brandes run uses this setting with {arguments}"),
    }
}

/// Returns the strategies to try; with `cpu_only`, engines of CPU workers. Refuses values that none
/// of them takes.
fn subjects(args: &TuneArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let mut subjects = args.common.subjects(cpu_only, args.reduce)?;
    // The usual choice of `auto` is measured first, because time may run out.
    let usual = Strategy::Auto.candidates(args.common.input.weighted.is_some());
    subjects.sort_by_key(|one| !usual.iter().any(|&usual| *one == Subject::Device(usual)));
    // The default is measured in any case, and `auto` takes the numbers of the strategy it chooses.
    subjects.retain(|&subject| subject != Subject::AUTO);
    args.common.check_numbers(&subjects)?;
    Ok(subjects)
}

//! `brandes tune`: finds the best setting of a device, or of CPU workers, for a graph.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::input::{read_with_progress, say_warnings};
use super::measuring::{AUTO, MeasuringArgs, write_json};
use super::run_args::cpu_workers;
use super::values::{above_zero, one_of};
use super::{UsageError, check_outputs, progress_mode, writes_standard_output};
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::results::Measured;
use crate::app::bench::{Bench, Preparations, Setting, Subject};
use crate::app::report::bench_schema::{GraphPart, TunePart, TuneReport};
use crate::app::report::{Status, TableStyle};
use crate::app::tune::{self, Hardware, Profile, Racer};
use brandes::output::Output;
use brandes::prepare::PrepareOptions;
use brandes::report::About;
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, DeviceSelection, Order, Precision, Reductions, Strategy};

const EXAMPLES: &str = "\
Examples:
  brandes tune graph.txt.gz
      The best setting of the best GPU, in a minute; later runs on this graph
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
    common: MeasuringArgs,

    /// Write the setting found, for 'brandes run --profile'; - writes standard output
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Print nothing but the command line found, errors and warnings
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
    #[arg(long, value_parser = one_of::<Precision>(&[]), default_value = "f64")]
    precision: Precision,

    /// Numbering of the searched vertices
    #[arg(long, value_parser = one_of::<Order>(&[]), default_value = "bfs")]
    order: Order,
}

/// Finds the best setting for a graph, prints it, and stores it as a profile. Exit code 0: a
/// setting was found, and all scores agree.
pub fn tune(args: &TuneArgs) -> Result<i32> {
    let common = &args.common;
    let options = PrepareOptions {
        reduce: args.reduce,
        order: args.order,
        ..PrepareOptions::default()
    };
    common.check(args.precision, options)?;
    let mut subjects = subjects(args, common.device == DeviceSelection::None)?;
    let outputs = [("--json", &common.report), ("--profile", &args.profile)];
    check_outputs(&[("the graph", &args.graph)], outputs)?;
    let report_out = common.report.as_deref().map(Output::open).transpose()?;
    let profile_out = args.profile.as_deref().map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, common.progress);
    let (graph, source) = read_with_progress(&args.graph, &common.input.options(), mode)?;
    say_warnings(&graph, &source);
    let status = Status::new(mode);
    let needs_device = common.strategies.iter().any(|subject| !subject.is_cpu());
    let session = common.open(args.precision, false, needs_device, &status)?;
    let device = session.as_ref().map(|session| &session.info);
    let mut default = AUTO;
    if device.is_none() {
        (default, subjects) = (Subject::Cpu, self::subjects(args, true)?);
    }
    status.tell(|| "preparing the graph".into());
    let all = [&[default], &subjects[..]].concat();
    let workers = args.cpu_workers;
    let prepared = Preparations::new(&graph, &options, &all, session.as_ref(), workers)?;
    let (roots, path) = (prepared.plain.roots.len(), &source.path);
    if roots == 0 {
        bail!("{path}: the scores of this graph need no search, so there is nothing to tune");
    }
    let setting = |&subject: &Subject| Setting {
        precision: args.precision,
        workers,
        reduce: args.reduce,
        ..Setting::plain(subject)
    };
    let given = common.numbers();
    let others_like = |mut one: Setting| {
        if one.subject == AUTO {
            one.subject = Subject::Device(Strategy::Auto.likely(prepared.for_subject(AUTO)));
        }
        let lists = NumericOption::ALL.map(|option| {
            let mut values = given[option as usize].clone();
            if values.is_empty() {
                let usual = tune::usual_values(one.subject, option, device, roots);
                values.extend(usual.into_iter().map(Some));
            }
            values.insert(0, None);
            values
        });
        let mut others = vec![one];
        Setting::expand_numbers(&mut others, &lists);
        others.retain(|other| subjects.contains(&other.subject));
        others
    };
    let (start, mut mismatch) = (Instant::now(), None);
    let mut measure = |settings: &[Setting], options: &Options| {
        let candidate = |setting: &Setting| {
            let prepared = Arc::clone(prepared.for_subject(setting.subject));
            (Bench::new(*setting, session.as_ref()), prepared)
        };
        let candidates: Vec<_> = settings.iter().map(candidate).collect();
        let measured = compare(&candidates, None, options, &mut |step| {
            let (seconds, budget) = (start.elapsed().as_secs(), args.budget);
            status.tell(|| format!("{seconds} of {budget:.0} s; {step}"));
        });
        let failed = |one: &Measured| one.check.as_ref()?.failure(&one.setting.words());
        mismatch = mismatch.take().or(measured.iter().find_map(failed));
        (measured, start.elapsed().as_secs_f64())
    };
    let settings = all.iter().map(setting).collect();
    let tuning = tune::tune(settings, others_like, args.budget, &mut measure);
    let seconds = start.elapsed().as_secs_f64();
    drop(status);
    let tuning = tuning.with_context(|| format!("{path}: nothing could be measured"))?;
    let Racer { setting, measured } = &tuning.racers[tuning.adopted];
    let (setting, found_seconds) = (*setting, measured.median());
    let mut part = GraphPart::new(&graph, path, &prepared.plain);
    let measured = tuning.racers.into_iter().enumerate();
    let measured = measured.map(|(place, one)| Measured {
        best: place == 0,
        ..one.measured
    });
    part.strategies = measured.collect();
    if !writes_standard_output(outputs) {
        let mut out = io::stdout().lock();
        if !args.quiet {
            let device = device.map_or("none", |info| &info.name);
            let table = TableStyle::Table.graph(&part, path);
            writeln!(out, "device {device}\n\n{table}\n{}\n", tuning.verdict)?;
        }
        if mismatch.is_none() {
            let text = match &setting.arguments()[..] {
                [] => "the default of brandes run is this setting".into(),
                options => format!("brandes run uses this setting with {}", options.join(" ")),
            };
            writeln!(out, "{text}")?;
        }
    }
    let slow = part.strategies.iter().enumerate().skip(1);
    let slow = slow.filter_map(|(place, one)| one.failure.is_none().then_some(place));
    let report = TuneReport {
        about: About::this("tune"),
        devices: device.into_iter().cloned().collect(),
        tune: TunePart {
            budget_seconds: args.budget,
            seconds,
            best: 0,
            default: tuning.default,
            adopted: tuning.adopted,
            dropped: slow.collect(),
            verdict: tuning.verdict,
        },
        graphs: vec![part],
    };
    write_json(report_out, &report)?;
    if let Some(text) = mismatch {
        bail!("{path}: {text}");
    }
    let profile = Profile::new(&graph, Hardware::new(device), &setting, found_seconds);
    write_json(profile_out, &profile)?;
    // Only runs on graphs without lengths take profiles from the cache.
    if !common.no_cache && graph.lengths().is_none() {
        profile.store();
    }
    Ok(0)
}

/// Returns the strategies to try; with `cpu_only`, engines of CPU workers. Refuses values that none
/// of them takes.
fn subjects(args: &TuneArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let mut subjects = args.common.subjects(cpu_only, args.reduce)?;
    // What `auto` usually chooses is measured first, because time may run out.
    let usual = Strategy::Auto.candidates(args.common.input.weighted.is_some());
    subjects.sort_by_key(|one| !usual.iter().any(|&usual| *one == Subject::Device(usual)));
    // The default is measured in any case, and `auto` takes the numbers of the strategy it chooses.
    subjects.retain(|&subject| subject != AUTO);
    args.common.check_numbers(&subjects)?;
    Ok(subjects)
}

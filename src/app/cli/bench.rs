//! `brandes bench`: strategies side by side.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow, bail};

use super::bench_args::BenchArgs;
use super::bench_failures::{failure, slower};
use super::bench_graphs::{Chosen, Target, choose};
use super::input::{read_shown, say};
use super::run_args::ProgressArg;
use super::{UsageError, check_outputs, json, one_device};
use crate::app::bench::baseline::{self, Measurements};
use crate::app::bench::compare::{Options, Step, compare};
use crate::app::bench::results::auto_choice;
use crate::app::bench::{Bench, Preparations, Subject, ablation};
use crate::app::report::Status;
use crate::app::report::bench_schema::{BenchOptions, BenchReport, GraphPart};
use crate::app::report::schema::About;
use brandes::cpu::EngineName;
use brandes::device::{DeviceOptions, DeviceSelection, Session};
use brandes::graph::{Format, ReadOptions};
use brandes::output::Output;
use brandes::prepare::PrepareOptions;
use brandes::runner::CpuWorkers;
use brandes::strategy::Strategy;

const CHAINS: Subject = Subject::Engine(EngineName::Chains);

/// Measures. Exit code 0: every graph was measured, all scores agree, and with `--fail-slower`
/// nothing is slower than in the baseline.
pub fn bench(args: &BenchArgs) -> Result<i32> {
    let mut subjects = subjects(args, args.device == DeviceSelection::None)?;
    let chosen = choose(args)?;
    let earlier = args
        .baseline
        .as_deref()
        .map(Measurements::read)
        .transpose()?;
    let targets = chosen.targets.iter();
    let inputs: Vec<_> = targets
        .map(|target| ("the graph", target.path.as_path()))
        .chain(args.catalog.as_deref().map(|path| ("the catalog", path)))
        .chain(args.baseline.as_deref().map(|path| ("the baseline", path)))
        .collect();
    check_outputs(&inputs, [("--report", &args.report)])?;
    let mut report_out = args.report.as_deref().map(Output::open).transpose()?;
    let status = Status::new(args.progress == ProgressArg::Auto);
    let session = if args.ablation || subjects.iter().any(|subject| !subject.is_cpu()) {
        status.tell(|| "opening the device, building kernels".into());
        status.aside(|| open(args))?
    } else {
        None
    };
    if session.is_none() {
        subjects = self::subjects(args, true)?;
    }
    let bench = Bench {
        session,
        cpu_workers: args.cpu_workers,
        cpu_lanes: None,
    };

    let taken = args.report.as_deref() == Some(Path::new("-"));
    let say = |text: &str| -> io::Result<()> {
        status.aside(|| {
            let mut out = io::stdout().lock();
            if !taken {
                writeln!(out, "{}\n", text.trim_end())?;
            }
            out.flush()
        })
    };
    if let Some(session) = &bench.session {
        say(&format!("device {}", session.info.name))?;
    }
    if let Some(note) = &chosen.note {
        say(note)?;
    }
    let mut parts = Vec::new();
    let mut failures = Vec::new();
    for target in &chosen.targets {
        let part = measure(args, &bench, &subjects, target, &status)?;
        say(args.format.graph(&part).as_str())?;
        failures.extend(failure(&part, args.precision));
        parts.push(part);
    }
    let style = args.format;
    let overviews = [style.overview(&parts), style.ablation_overview(&parts)];
    for text in overviews.into_iter().flatten() {
        say(&text)?;
    }
    let mut report = report(args, &bench, parts, chosen);
    if let (Some(path), Some(earlier)) = (&args.baseline, &earlier) {
        let now = Measurements::of(serde_json::to_value(&report)?).map_err(|e| anyhow!(e))?;
        let comparison = baseline::compare(&path.display().to_string(), earlier, &now);
        for warning in &comparison.warnings {
            status.aside(|| super::say(format_args!("warning: {warning}")));
        }
        say(&style.baseline(&comparison))?;
        failures.extend(args.fail_slower.then(|| slower(&comparison)).flatten());
        report.baseline = Some(comparison);
    }
    if let Some(out) = &mut report_out {
        out.write(|out| json(out, &report))?;
    }
    if let Some(out) = report_out {
        out.finish()?;
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(0)
}

/// What to measure: what was asked for, or all there is; with `cpu_only`, without a device.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    if cpu_only && args.ablation {
        return usage("--ablation needs a device; leave --device none out");
    }
    let weighted = args.weights.weighted.is_some();
    if weighted && args.ablation {
        return usage(
            "--ablation is about strategy virtual, which takes no weights; leave --weighted or it out",
        );
    }
    let takes = |subject: Subject| match subject {
        Subject::Device(strategy) => !weighted || strategy.takes().lengths,
        Subject::Engine(EngineName::Chains) => !weighted,
        Subject::Cpu | Subject::Engine(_) | Subject::Ablation(_) => true,
    };
    if let Some(subject) = args.strategies.iter().find(|&&subject| !takes(subject)) {
        return Err(UsageError(format!(
            "strategy {} is for graphs without weights; use work-efficient, warp, vertex or cpu, or \
             leave --weighted out",
            subject.name()
        )));
    }
    if args.strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    if args.strategies.is_empty() && cpu_only {
        // What a run would choose comes last: it is one of the others.
        let able = |s: &Subject| takes(*s) && !(args.directed && *s == CHAINS);
        let engines = Subject::ENGINES.into_iter().filter(able);
        return Ok(engines.chain([Subject::Cpu]).collect());
    }
    if args.strategies.is_empty() {
        // `auto` last: it is one of the others.
        let auto = Subject::Device(Strategy::Auto);
        let named = Subject::all().filter(|&s| !s.is_cpu() && s != auto && takes(s));
        return Ok(named.chain([auto]).collect());
    }
    if cpu_only && args.strategies.iter().any(|s| !s.is_cpu()) {
        return usage("these --strategies need a device; leave --device none out");
    }
    let mut subjects = Vec::new();
    for &subject in &args.strategies {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
    }
    Ok(subjects)
}

/// Opens the one device to measure. Where there is none, its strategies are left out unless asked
/// for.
fn open(args: &BenchArgs) -> Result<Option<Session>> {
    let options = DeviceOptions {
        precision: args.precision,
        work_group: args.work_group.map(|items| items as usize),
        degree: args.degree,
        lanes: args.lanes.0,
        warp_size: None,
        weighted: args.weights.weighted.is_some(),
        cache: !args.no_cache,
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    };
    if args.ablation || !args.strategies.is_empty() {
        return one_device::open(&args.device, options, Strategy::Virtual).map(Some);
    }
    one_device::open_if_any(&args.device, options, Strategy::Virtual)
}

fn measure(
    args: &BenchArgs,
    bench: &Bench,
    subjects: &[Subject],
    target: &Target,
    status: &Status,
) -> Result<GraphPart> {
    let path = target.path.display();
    status.tell(|| format!("{path}: reading"));
    let read_options = ReadOptions {
        format: Format::Auto,
        directed: target.directed,
        weights: args.weights.options(),
        ..ReadOptions::default()
    };
    let (graph, source) = status.aside(|| -> Result<_> {
        let (graph, source) = read_shown(
            &target.path,
            &read_options,
            args.progress == ProgressArg::Auto,
        )?;
        say(&graph, &source);
        Ok((graph, source))
    })?;
    status.tell(|| format!("{path}: preparing"));
    let mut tell = |step: Step| {
        status.tell(|| match step.repeat {
            0 => format!("{path}: {}, warming up", step.strategy),
            repeat => format!("{path}: {}, run {repeat} of {}", step.strategy, step.of),
        });
    };
    let prepare_options = PrepareOptions {
        roots: args.roots,
        ..PrepareOptions::default()
    };
    let options = Options {
        repeat: args.repeat as usize,
        limit: args.limit,
        check: args.check,
        precision: args.precision,
    };
    let usage = |error: brandes::prepare::TooManyRoots| anyhow!(UsageError(error.to_string()));
    let prepared = Preparations::new(&graph, &prepare_options, subjects).map_err(usage)?;
    let plain = prepared.plain();
    let searched = !plain.roots.is_empty();
    let strategies = if searched {
        compare(bench, &prepared, subjects, &options, &mut tell)
    } else {
        Vec::new()
    };
    let ablation = if searched && args.ablation {
        let measured = ablation::measure(bench, &graph, prepare_options, &options, &mut tell);
        Some(measured.map_err(usage)?)
    } else {
        None
    };
    Ok(GraphPart {
        path: source.path,
        directed: graph.directed(),
        weighted: graph.lengths().is_some(),
        vertices: graph.vertices(),
        edges: graph.edges(),
        prepared_vertices: plain.graph.vertices(),
        prepared_arcs: plain.graph.arcs(),
        roots: plain.roots.len(),
        auto: auto_choice(&strategies),
        strategies,
        ablation,
    })
}

fn report(args: &BenchArgs, bench: &Bench, graphs: Vec<GraphPart>, chosen: Chosen) -> BenchReport {
    BenchReport {
        about: About::this("bench"),
        devices: bench.session.iter().map(|s| s.info.clone()).collect(),
        options: BenchOptions {
            repeat: args.repeat as usize,
            limit_seconds: args.limit,
            precision: args.precision,
            work_group: args.work_group.map(|items| items as usize),
            degree: args.degree,
            lanes: args.lanes.0,
            cpu_workers: match args.cpu_workers {
                CpuWorkers::Auto => None,
                CpuWorkers::Count(count) => Some(count),
            },
            roots: args.roots.to_string(),
        },
        graphs,
        skipped: chosen.skipped,
        baseline: None,
    }
}

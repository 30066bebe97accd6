//! `brandes bench`: strategies side by side.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};

use super::bench_args::BenchArgs;
use super::bench_failures::{failure, slower};
use super::bench_graphs::{Chosen, Target, choose};
use super::input::{read_shown, say};
use super::measuring::write_json;
use super::{UsageError, check_outputs, standard_output, warn};
use crate::app::bench::baseline;
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::results::auto_choice;
use crate::app::bench::{Bench, Preparations, Subject, ablation};
use crate::app::distinct::distinct;
use crate::app::report::Status;
use crate::app::report::bench_schema::{BenchOptions, BenchReport, GraphPart};
use brandes::device::{DeviceOptions, DeviceSelection, Session};
use brandes::engine::Precision;
use brandes::graph::ReadOptions;
use brandes::output::{Named, Output};
use brandes::prepare::{PrepareOptions, TooManyRoots};
use brandes::report::About;
use brandes::runner::CpuWorkers;
use brandes::strategy::{Strategy, Takes};

/// Measures. Exit code 0: every graph was measured, all scores agree, and with `--fail-slower`
/// nothing is slower than in the baseline.
pub fn bench(args: &BenchArgs) -> Result<i32> {
    let common = &args.common;
    let mut subjects = subjects(args, common.device == DeviceSelection::None)?;
    let chosen = choose(args)?;
    let earlier = args.baseline.as_deref().map(baseline::read).transpose()?;
    let targets = chosen.targets.iter();
    let mut inputs: Vec<Named> = targets.map(|t| ("the graph", &*t.path)).collect();
    inputs.extend(args.catalog.as_deref().map(|path| ("the catalog", path)));
    inputs.extend(args.baseline.as_deref().map(|path| ("the baseline", path)));
    let outputs = [("--report", &common.report)];
    check_outputs(&inputs, outputs)?;
    let report_out = common.report.as_deref().map(Output::open).transpose()?;
    let status = Status::new(common.progress);
    let mut benches = Vec::new();
    let mut alone = false;
    let driven = args.ablation || subjects.iter().any(|subject| !subject.is_cpu());
    let needed = args.ablation || !common.strategies.is_empty();
    for &precision in distinct(&args.precision) {
        let session = match driven && !alone {
            true => common.open(device_options(args, precision), needed, &status)?,
            false => None,
        };
        alone |= session.is_none();
        benches.push(Bench {
            session,
            cpu_precision: precision,
            cpu_workers: common.cpu_workers,
            cpu_lanes: None,
        });
    }
    if alone {
        subjects = self::subjects(args, true)?;
    }

    let shown = !standard_output(outputs);
    let say = |text: &str| match shown {
        true => status.aside(|| writeln!(io::stdout(), "{}\n", text.trim_end())),
        false => Ok(()),
    };
    let session = benches.first().and_then(|bench| bench.session.as_ref());
    if let Some(session) = session {
        say(&format!("device {}", session.info.name))?;
    }
    if let Some(note) = &chosen.note {
        say(note)?;
    }
    let mut parts = Vec::new();
    let mut failures = Vec::new();
    for target in &chosen.targets {
        let part = measure(args, &benches, &subjects, target, &status)?;
        say(&args.format.graph(&part))?;
        failures.extend(failure(&part));
        parts.push(part);
    }
    let style = args.format;
    if let Some(text) = style.overview(&parts) {
        say(&text)?;
    }
    let mut report = report(args, session, parts, chosen);
    if let (Some(path), Some(earlier)) = (&args.baseline, &earlier) {
        let comparison = baseline::compare(&path.display().to_string(), earlier, &report);
        status.aside(|| comparison.warnings.iter().for_each(warn));
        say(&style.baseline(&comparison))?;
        failures.extend(args.fail_slower.then(|| slower(&comparison)).flatten());
        report.baseline = Some(comparison);
    }
    write_json(report_out, &report)?;
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(0)
}

/// What to measure: what was asked for, or all there is; with `cpu_only`, without a device.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let refuse = |text: &str| Err(UsageError(text.into()));
    let weighted = args.weights.weighted.is_some();
    for &precision in &args.precision {
        let options = device_options(args, precision);
        args.common.check(options, (args.directed, weighted))?;
    }
    if cpu_only && args.ablation {
        return refuse("--ablation needs a device; leave --device none out");
    }
    if weighted && args.ablation {
        return refuse(
            "--ablation is about strategy virtual, which takes no weights; leave --weighted or it \
             out",
        );
    }
    let strategies = &args.common.strategies;
    if strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    let needed = Takes {
        lengths: weighted,
        ..Takes::default()
    };
    let lacks = |subject: &Subject| match subject {
        Subject::Device(strategy) => strategy.takes().lacks(needed),
        _ => None,
    };
    for subject in strategies {
        if let Some(reason) = lacks(subject) {
            return Err(UsageError(format!("strategy {} {reason}", subject.name())));
        }
    }
    let takes = |subject: &Subject| lacks(subject).is_none();
    // What a run would choose comes last: it is one of the others.
    let choice = [Subject::Cpu, Subject::Device(Strategy::Auto)];
    args.common
        .subjects(cpu_only, takes, |subject| choice.contains(subject))
}

fn device_options(args: &BenchArgs, precision: Precision) -> DeviceOptions {
    DeviceOptions {
        precision,
        work_group: args.work_group.map(|items| items as usize),
        degree: args.degree,
        lanes: args.lanes.0,
        weighted: args.weights.weighted.is_some(),
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    }
}

fn measure(
    args: &BenchArgs,
    benches: &[Bench],
    subjects: &[Subject],
    target: &Target,
    status: &Status,
) -> Result<GraphPart> {
    let path = target.path.display();
    status.tell(|| format!("{path}: reading"));
    let read_options = ReadOptions {
        directed: target.directed,
        weights: args.weights.options(),
        ..ReadOptions::default()
    };
    let shown = args.common.progress;
    let (graph, source) = status.aside(|| read_shown(&target.path, &read_options, shown))?;
    status.aside(|| say(&graph, &source));
    status.tell(|| format!("{path}: preparing"));
    let mut tell = |step: String| status.tell(|| format!("{path}: {step}"));
    let prepare_options = PrepareOptions {
        roots: args.roots,
        reduce: args.common.reduce,
        ..PrepareOptions::default()
    };
    let options = Options {
        repeat: args.repeat as usize,
        limit: args.limit,
    };
    let session = benches.first().and_then(|bench| bench.session.as_ref());
    let workers = args.common.cpu_workers;
    let usage = |error: TooManyRoots| anyhow!(UsageError(error.to_string()));
    let prepared =
        Preparations::new(&graph, &prepare_options, subjects, session, workers).map_err(usage)?;
    let plain = prepared.plain();
    let mut strategies = Vec::new();
    let mut ablation = None;
    if !plain.roots.is_empty() {
        let subjects = subjects.iter().map(|&s| (s, prepared.of(s).clone()));
        let subjects: Vec<_> = subjects.collect();
        let check = args.check.then(|| prepared.of(Subject::Cpu));
        strategies = compare(benches, &subjects, check, &options, &mut tell);
        if let Some(bench) = benches.first().filter(|_| args.ablation) {
            let measured = ablation::measure(bench, &graph, prepare_options, &options, &mut tell);
            ablation = Some(measured.map_err(usage)?);
        }
    }
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

fn report(
    args: &BenchArgs,
    session: Option<&Session>,
    graphs: Vec<GraphPart>,
    chosen: Chosen,
) -> BenchReport {
    let devices = session.iter().map(|session| session.info.clone());
    BenchReport {
        about: About::this("bench"),
        devices: devices.collect(),
        options: BenchOptions {
            repeat: args.repeat as usize,
            limit_seconds: args.limit,
            precision: args.precision.first().copied().unwrap_or_default(),
            precisions: args.precision.clone(),
            work_group: args.work_group.map(|items| items as usize),
            degree: args.degree,
            lanes: args.lanes.0,
            cpu_workers: match args.common.cpu_workers {
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

//! `brandes bench`: strategies side by side.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};

use super::bench_args::BenchArgs;
use super::bench_failures::{failure, slower};
use super::bench_graphs::{Target, choose};
use super::bench_values::{self, combinations, device_options, values_given};
use super::input::{read_shown, say};
use super::measuring::write_json;
use super::{UsageError, check_outputs, warn, writes_standard_output};
use crate::app::bench::baseline;
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::results::{Ablation, auto_choice};
use crate::app::bench::{Bench, Preparations, Setting, Subject, ablation};
use crate::app::distinct::distinct;
use crate::app::report::bench_schema::{BenchOptions, BenchReport, GraphPart, short_name};
use crate::app::report::{Status, bench_csv};
use brandes::device::{DeviceSelection, Session};
use brandes::graph::ReadOptions;
use brandes::output::{Named, Output};
use brandes::prepare::{PrepareOptions, Reductions, TooManyRoots};
use brandes::report::About;
use brandes::strategy::Strategy;

/// Measures graphs and prints tables. Exit code 0: every graph was measured, all scores agree, and
/// with `--fail-slower` nothing is slower than in the baseline.
pub fn bench(args: &BenchArgs) -> Result<i32> {
    let common = &args.common;
    let mut wanted = combinations(args, common.device == DeviceSelection::None)?;
    let chosen = choose(args)?;
    let earlier = args.baseline.as_deref().map(baseline::read).transpose()?;
    let targets = chosen.targets.iter();
    let mut inputs: Vec<Named> = targets.map(|t| ("the graph", &*t.path)).collect();
    inputs.extend(args.catalog.as_deref().map(|path| ("the catalog", path)));
    inputs.extend(args.baseline.as_deref().map(|path| ("the baseline", path)));
    let outputs = [("--json", &common.report), ("--csv", &args.csv)];
    check_outputs(&inputs, outputs)?;
    let report_out = common.report.as_deref().map(Output::open).transpose()?;
    let csv_out = args.csv.as_deref().map(Output::open).transpose()?;
    let status = Status::new(common.progress);
    let uses_device = args.ablation || wanted.iter().any(|one| !one.subject.is_cpu());
    let has_numbers = values_given(args)
        .iter()
        .any(|(_, values)| !values.is_empty());
    let needed = args.ablation || !common.strategies.is_empty() || has_numbers;
    let session = match uses_device {
        true => common.open(device_options(args), needed, &status)?,
        false => None,
    };
    if session.is_none() {
        wanted = combinations(args, true)?;
    }
    let bench = |setting: Setting| Bench::new(setting, session.as_ref());
    let settings = Settings {
        candidates: wanted.into_iter().map(bench).collect(),
        ablation: args.ablation.then(|| bench(bench_values::ablation(args))),
        session: session.as_ref(),
    };

    let auto = Subject::Device(Strategy::Auto);
    let measured = |candidates: &[Bench]| candidates.iter().any(|one| one.setting.subject == auto);
    if let Some(note) = bench_values::auto_note(args).filter(|_| measured(&settings.candidates)) {
        status.aside(|| super::say(note));
    }
    let shown = !writes_standard_output(outputs);
    let say = |text: &str| match shown {
        true => status.aside(|| writeln!(io::stdout(), "{}\n", text.trim_end())),
        false => Ok(()),
    };
    if let Some(session) = &session {
        say(&format!("device {}", session.info.name))?;
    }
    if let Some(note) = &chosen.note {
        say(note)?;
    }
    let style = args.style;
    let paths = chosen.targets.iter().map(|t| t.path.display().to_string());
    let paths: Vec<String> = paths.collect();
    let mut parts = Vec::new();
    let mut failures = Vec::new();
    for target in &chosen.targets {
        let part = measure(args, &settings, target, &status)?;
        say(&style.graph(&part, short_name(&part.path, &paths)))?;
        failures.extend(failure(&part));
        parts.push(part);
    }
    if let Some(text) = style.overview(&parts) {
        say(&text)?;
    }
    let mut report = BenchReport {
        about: About::this("bench"),
        devices: session.iter().map(|s| s.info.clone()).collect(),
        options: BenchOptions {
            repeat: args.repeat as usize,
            limit_seconds: args.limit,
            roots: args.roots.to_string(),
        },
        graphs: parts,
        skipped: chosen.skipped,
        baseline: None,
    };
    if let (Some(path), Some(earlier)) = (&args.baseline, &earlier) {
        let comparison = baseline::compare(&path.display().to_string(), earlier, &report);
        status.aside(|| comparison.warnings.iter().for_each(warn));
        say(&style.baseline(&comparison))?;
        failures.extend(args.fail_slower.then(|| slower(&comparison)).flatten());
        report.baseline = Some(comparison);
    }
    write_json(report_out, &report)?;
    if let Some(mut out) = csv_out {
        out.write(|out| bench_csv(out, &report.graphs))?;
        out.finish()?;
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(0)
}

/// The settings to measure, and their device.
struct Settings<'s> {
    session: Option<&'s Session>,
    candidates: Vec<Bench>,
    /// For `--ablation`.
    ablation: Option<Bench>,
}

fn measure(
    args: &BenchArgs,
    settings: &Settings,
    target: &Target,
    status: &Status,
) -> Result<GraphPart> {
    let path = target.path.display();
    status.tell(|| format!("{path}: reading"));
    let read_options = ReadOptions {
        directed: target.directed,
        ..args.input.options()
    };
    let shown = args.common.progress;
    let (graph, source) = status.aside(|| read_shown(&target.path, &read_options, shown))?;
    status.aside(|| say(&graph, &source));
    status.tell(|| format!("{path}: preparing"));
    let mut tell = |step: String| status.tell(|| format!("{path}: {step}"));
    let options = Options {
        repeat: args.repeat as usize,
        limit: args.limit,
    };
    let usage = |error: TooManyRoots| anyhow!(UsageError(error.to_string()));
    let prepare_options = |reduce| PrepareOptions {
        roots: args.roots,
        reduce,
        ..PrepareOptions::default()
    };
    let subjects = settings.candidates.iter().map(|one| one.setting.subject);
    let subjects: Vec<Subject> = subjects.collect();
    let workers = args.cpu_workers.first().copied().unwrap_or_default();
    let prepared = |&reduce: &Reductions| {
        let options = prepare_options(reduce);
        Preparations::new(&graph, &options, &subjects, settings.session, workers).map_err(usage)
    };
    let prepared = distinct(&args.reduce).into_iter().map(prepared);
    let prepared: Vec<Preparations> = prepared.collect::<Result<_>>()?;
    let searched = settings.candidates.iter().filter_map(|bench| {
        let setting = bench.setting;
        let all = prepared.iter().find(|all| all.reduce == setting.reduce)?;
        let prepared = all.for_subject(setting.subject);
        (!prepared.roots.is_empty()).then(|| (bench.clone(), prepared.clone()))
    });
    let searched: Vec<_> = searched.collect();
    let usual = &prepared[0];
    let check = args.check.then(|| usual.for_subject(Subject::Cpu));
    let strategies = compare(&searched, check, &options, &mut tell);
    let plain = &usual.plain;
    let ablation = settings
        .ablation
        .as_ref()
        .filter(|_| !plain.roots.is_empty());
    let ablation = ablation.map(|all_on| -> Result<Option<Ablation>> {
        let base = prepare_options(Reductions::default());
        let rows = ablation::rows(all_on, &graph, base, &options, &mut tell);
        Ok(Ablation::new(rows.map_err(usage)?))
    });
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
        ablation: ablation.transpose()?.flatten(),
    })
}

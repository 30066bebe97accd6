//! `brandes bench`: strategies side by side.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

use super::bench_args::BenchArgs;
use super::output::Output;
use super::{UsageError, one_device};
use crate::bench::compare::{Options, compare, tolerance};
use crate::bench::results::{Check, auto_choice};
use crate::bench::{Bench, Preparations, Subject, ablation};
use crate::engine::Precision;
use crate::graph::{Format, ReadOptions, read};
use crate::opencl::{DeviceOptions, DeviceSelection, Session, Strategy};
use crate::prepare::PrepareOptions;
use crate::report::bench_schema::{BENCH_SCHEMA_VERSION, BenchOptions, BenchReport, GraphPart};
use crate::report::schema::{Host, Program};
use crate::runner::CpuWorkers;

/// Measures. Exit code 0: every graph was measured, and all scores agree.
pub fn bench(args: &BenchArgs) -> Result<i32> {
    let subjects = subjects(args)?;
    for path in args.graphs.iter().filter(|path| *path != Path::new("-")) {
        // Found now rather than after an hour of other graphs.
        File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    let mut report_out = args.report.as_deref().map(Output::open).transpose()?;
    let needs_device = args.ablation || subjects.iter().any(|&s| s != Subject::Cpu);
    let bench = Bench {
        session: needs_device.then(|| open(args)).transpose()?,
        cpu_workers: args.cpu_workers,
    };

    let taken = args.report.as_deref() == Some(Path::new("-"));
    let say = |text: &str| -> io::Result<()> {
        let mut out = io::stdout().lock();
        if !taken {
            writeln!(out, "{}\n", text.trim_end())?;
        }
        out.flush()
    };
    if let Some(session) = &bench.session {
        say(&format!("device {}", session.info.name))?;
    }
    let mut parts = Vec::new();
    let mut failures = Vec::new();
    for path in &args.graphs {
        let part = measure(args, &bench, &subjects, path)?;
        say(args.format.graph(&part).as_str())?;
        failures.extend(failure(&part, args.precision));
        parts.push(part);
    }
    let style = args.format;
    let overviews = [style.overview(&parts), style.ablation_overview(&parts)];
    for text in overviews.into_iter().flatten() {
        say(&text)?;
    }
    let report = report(args, &bench, parts);
    if let Some(out) = &mut report_out {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    }
    if let Some(out) = report_out {
        out.finish()?;
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(0)
}

/// What to measure: what was asked for, or all there is.
fn subjects(args: &BenchArgs) -> Result<Vec<Subject>, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    let cpu_only = args.device == DeviceSelection::None;
    let stdin = args.graphs.iter().filter(|path| *path == Path::new("-"));
    if stdin.count() > 1 {
        return usage("standard input can be read only once; give the graph once");
    }
    if cpu_only && args.ablation {
        return usage("--ablation needs a device; leave --device none out");
    }
    if args.strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    if args.strategies.is_empty() && cpu_only {
        return Ok(vec![Subject::Cpu]);
    }
    if args.strategies.is_empty() {
        // `auto` last: it is one of the others.
        let auto = Subject::Device(Strategy::Auto);
        let named = Subject::all().filter(|&s| s != Subject::Cpu && s != auto);
        return Ok(named.chain([auto]).collect());
    }
    if cpu_only && args.strategies.iter().any(|&s| s != Subject::Cpu) {
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

/// Opens the one device to measure.
fn open(args: &BenchArgs) -> Result<Session> {
    let options = DeviceOptions {
        precision: args.precision,
        work_group: args.work_group.map(|items| items as usize),
        degree: args.degree,
        lanes: args.lanes.0,
        warp_size: None,
        cache: !args.no_cache,
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    };
    one_device::open(&args.device, options, Strategy::Virtual)
}

fn measure(
    args: &BenchArgs,
    bench: &Bench,
    subjects: &[Subject],
    path: &Path,
) -> Result<GraphPart> {
    let read_options = ReadOptions {
        format: Format::Auto,
        directed: args.directed,
    };
    let (graph, source) = read(path, &read_options)?;
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
    let usage = |error: crate::prepare::TooManyRoots| anyhow!(UsageError(error.to_string()));
    let prepared = Preparations::new(&graph, &prepare_options, subjects).map_err(usage)?;
    let plain = prepared.plain();
    let searched = !plain.roots.is_empty();
    let strategies = if searched {
        compare(bench, &prepared, subjects, &options)
    } else {
        Vec::new()
    };
    let ablation = if searched && args.ablation {
        Some(ablation::measure(bench, &graph, prepare_options, &options).map_err(usage)?)
    } else {
        None
    };
    Ok(GraphPart {
        path: source.path,
        directed: graph.directed(),
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

/// What is wrong with the results of a graph, in one line: scores that differ, or no result.
fn failure(part: &GraphPart, precision: Precision) -> Option<String> {
    let ablations = part.ablation.iter().flat_map(|ablation| &ablation.rows);
    let checks = part
        .strategies
        .iter()
        .map(|m| (m.strategy, &m.check))
        .chain(ablations.map(|row| (row.switch.name(), &row.check)));
    let differs = |(name, check): (&str, &Option<Check>)| {
        let check = check.as_ref().filter(|check| !check.passed)?;
        Some(format!(
            "{}: the scores of '{name}' differ from those of '{}' by {:.1e} relative over {} roots; \
             one of the two is wrong ({:e} is allowed)",
            part.path,
            check.reference,
            check.largest_difference,
            check.roots,
            tolerance(precision),
        ))
    };
    let mut worst = checks.filter_map(differs);
    if let Some(text) = worst.next() {
        return Some(text);
    }
    let no_strategy =
        !part.strategies.is_empty() && part.strategies.iter().all(|m| m.spread.is_none());
    let no_ablation = part.ablation.as_ref().is_some_and(|a| a.spread.is_none());
    (no_strategy || no_ablation).then(|| {
        let reason = part
            .strategies
            .iter()
            .find_map(|m| m.failure.as_deref())
            .or(part.ablation.as_ref().and_then(|a| a.failure.as_deref()));
        format!(
            "{}: nothing could be measured: {}",
            part.path,
            reason.unwrap_or("no search ended")
        )
    })
}

fn report(args: &BenchArgs, bench: &Bench, graphs: Vec<GraphPart>) -> BenchReport {
    BenchReport {
        schema_version: BENCH_SCHEMA_VERSION,
        program: Program::this(),
        command: env::args_os()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect(),
        host: Host::this(),
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
        },
        graphs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::results::Measured;

    #[test]
    fn scores_that_differ_are_one_line_with_both_names() {
        let measured = |check| Measured {
            strategy: "virtual",
            seconds: vec![1.0],
            spread: crate::bench::timing::Spread::of(&[1.0]),
            estimated: false,
            roots_searched: 3,
            roots: 3,
            device_roots: 3,
            cpu_workers: 0,
            plan: None,
            check,
            failure: None,
        };
        let part = |check| GraphPart {
            path: "some/graph.txt".into(),
            directed: false,
            vertices: 3,
            edges: 3,
            prepared_vertices: 3,
            prepared_arcs: 6,
            roots: 3,
            strategies: vec![measured(check)],
            auto: None,
            ablation: None,
        };
        let check = |passed| Check {
            reference: "cpu",
            roots: 3,
            largest_difference: 0.25,
            passed,
        };
        assert_eq!(failure(&part(None), Precision::F64), None);
        assert_eq!(failure(&part(Some(check(true))), Precision::F64), None);
        assert_eq!(
            failure(&part(Some(check(false))), Precision::F64).unwrap(),
            "some/graph.txt: the scores of 'virtual' differ from those of 'cpu' by 2.5e-1 relative \
             over 3 roots; one of the two is wrong (1e-9 is allowed)"
        );
    }
}

//! `brandes bench`: strategies side by side.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::measuring::BenchArgs;
use super::{check_outputs, json, write_output, writes_standard_output};
use crate::app::bench::ablation::ablation;
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::results::{Measured, mark_best};
use crate::app::bench::timing::BLOCK;
use crate::app::bench::{Preparations, Setting, Subject};
use crate::app::distinct::distinct;
use crate::app::progress::Status;
use crate::app::report::bench_schema::{BenchReport, GraphPart};
use crate::app::report::bench_table;
use brandes::device::Session;
use brandes::output::{Named, Output};
use brandes::prepare::PrepareOptions;
use brandes::report::About;
use brandes::{DeviceSelection, Reductions};

/// Measures graphs and prints tables. Exit code 0: every graph was measured, and all scores agree.
pub fn bench(args: &BenchArgs) -> Result<i32> {
    let common = &args.common;
    let mut settings = args.settings(common.device == DeviceSelection::None)?;
    let ablation = args.ablation_setting()?;
    // Reports a missing file before the first measurement.
    for path in args.graphs.iter().filter(|path| *path != Path::new("-")) {
        File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    let graphs = args.graphs.iter();
    let inputs: Vec<Named> = graphs.map(|path| ("the graph", &**path)).collect();
    let report = common.report.as_deref();
    let outputs = [("--json", report)];
    check_outputs(&inputs, &outputs)?;
    let report_out = report.map(Output::open).transpose()?;
    let status = Status::new(common.progress);
    let uses_device = args.ablation || settings.iter().any(|one| !one.subject.is_cpu());
    let has_numbers = common.numbers().iter().any(|values| !values.is_empty());
    // These options are for devices, so a machine without one is an error.
    let needs_device = args.ablation || !common.strategies.is_empty() || has_numbers;
    let session = match uses_device {
        true => common.open(args.precision[0], args.exact_access, needs_device, &status)?,
        false => None,
    };
    if session.is_none() {
        settings = args.settings(true)?;
    }
    let searched = (&settings[..], ablation);
    let prints = !writes_standard_output(&outputs);
    let print = |text: &str| match prints {
        true => status.aside(|| writeln!(io::stdout(), "{}\n", text.trim_end())),
        false => Ok(()),
    };
    if let Some(session) = &session {
        print(&format!("device {}", session.info.name))?;
    }
    let mut parts = Vec::new();
    for path in &args.graphs {
        let part = measure(args, path, searched, session.as_ref(), &status)?;
        print(&bench_table::graph(&part))?;
        parts.push(part);
    }
    let failures: Vec<String> = parts.iter().filter_map(failure).collect();
    let report = BenchReport {
        about: About::this("bench"),
        devices: session.iter().map(|s| s.info.clone()).collect(),
        graphs: parts,
    };
    write_output(report_out, |out| json(out, &report))?;
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(0)
}

/// Measures all settings on the graph at `path`, and, with `--ablation`, strategy `virtual` with
/// each idea switched off.
fn measure(
    args: &BenchArgs,
    path: &Path,
    (settings, ablated): (&[Setting], Option<Setting>),
    session: Option<&Session>,
    status: &Status,
) -> Result<GraphPart> {
    let read = || args.common.input.read(path, args.common.progress);
    let path = path.display();
    status.show(|| format!("{path}: reading"));
    let (graph, source) = status.aside(read)?;
    status.show(|| format!("{path}: preparing"));
    let mut show = |step: String| status.show(|| format!("{path}: {step}"));
    let options = Options {
        repeat: args.repeat as usize,
        limit: args.limit,
        first: BLOCK,
    };
    let prepare_options = |reduce| PrepareOptions {
        roots: args.roots,
        reduce,
        ..PrepareOptions::default()
    };
    let subjects: Vec<Subject> = settings.iter().map(|one| one.subject).collect();
    let workers = args.cpu_workers.first().copied().unwrap_or_default();
    let prepared = |&reduce: &Reductions| {
        let options = prepare_options(reduce);
        Preparations::new(&graph, &options, &subjects, session, workers)
    };
    let prepared = distinct(&args.reduce).into_iter().map(prepared);
    let prepared: Vec<Preparations> = prepared.collect::<Result<_, _>>()?;
    let searched = settings.iter().filter_map(|&setting| {
        let reduced = prepared.iter().find(|one| one.reduce == setting.reduce)?;
        let bench = reduced.bench(setting, session);
        (!bench.prepared.roots.is_empty()).then_some(bench)
    });
    let searched: Vec<_> = searched.collect();
    let plain = &prepared[0].plain;
    let mut strategies = compare(&searched, &options, &mut show);
    mark_best(&mut strategies);
    let ablated = ablated.filter(|_| !plain.roots.is_empty());
    let ablation = ablated.map(|setting| {
        let base = prepare_options(Reductions::default());
        ablation((setting, session), &graph, base, &options, &mut show)
    });
    Ok(GraphPart {
        strategies,
        ablation: ablation.transpose()?,
        ..GraphPart::new(&graph, &source.path, plain)
    })
}

/// Returns what is wrong with the results of a graph, in one line: scores that differ, or that no
/// search succeeded.
fn failure(part: &GraphPart) -> Option<String> {
    let path = &part.path;
    if let Some(failure) = part.measured().find_map(Measured::mismatch) {
        return Some(format!("{path}: {failure}"));
    }
    if part.measured().any(|measured| measured.spread.is_some()) {
        return None;
    }
    let measured = part.measured().next()?;
    let reason = measured.failure.as_deref().unwrap_or("no search ended");
    Some(format!("{path}: nothing could be measured: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::results::Check;

    #[test]
    fn scores_that_differ_are_one_line_with_both_names() {
        let mut one = Measured::default();
        one.setting.strategy = "virtual".into();
        one.spread = crate::app::bench::timing::Spread::from_times(&[1.0]);
        let part = |check| GraphPart {
            path: "some/graph.txt".into(),
            directed: false,
            weighted: false,
            vertices: 3,
            edges: 3,
            prepared_vertices: 3,
            prepared_arcs: 6,
            roots: 3,
            strategies: vec![Measured {
                check,
                ..one.clone()
            }],
            ablation: None,
        };
        let check = |allowed| Some(Check::new("cpu".into(), 3, 0.25, allowed));
        assert_eq!(
            [None, check(0.25)].map(|check| failure(&part(check))),
            [None, None]
        );
        assert_eq!(
            failure(&part(check(1e-9))).unwrap(),
            "some/graph.txt: over 3 roots, the scores of 'virtual' differ from those of 'cpu' by \
             up to 2.5e-1 of their size, but 1e-9 is allowed; one of the two is wrong"
        );
    }
}

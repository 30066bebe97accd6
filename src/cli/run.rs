//! `brandes run`: one graph from file to scores.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Error, Result, anyhow};

use super::UsageError;
use super::long_run;
use super::output::Output;
use super::run_args::{ProgressArg, RunArgs};
use super::run_options::on_standard_output;
use super::run_profile::{Settings, differences};
use super::run_report::{Context, kernel_spans};
use super::scores::{ScoresFile, write_edges};
use crate::cpu::CpuEngine;
use crate::cpu::lanes::weighted;
use crate::engine::{EngineError, Precision};
use crate::graph::{Graph, ReadOptions, read};
use crate::opencl::DeviceSelection;
use crate::prepare::{PrepareOptions, Prepared, Scale, prepare};
use crate::report::schema::Report;
use crate::report::{Forecast, Progress, Timeline, Trace, summary};
use crate::runner::{self, DeviceRequest, Devices, Outcome, RunError};
use crate::tune::Profile;

/// Runs; `start` is the start of the process.
pub fn run(start: Instant, args: &RunArgs) -> Result<i32> {
    let mut warnings = Vec::new();
    let profile = args.profile.as_deref().map(Profile::load).transpose();
    let profile = profile.map_err(Error::msg)?;
    let mut settings = settings(args, profile.as_ref(), &mut warnings)?;
    let scores_path = args.scores.as_deref();
    let mut scores_out = scores_path
        .map(|path| ScoresFile::open(path, args.format_out))
        .transpose()?;
    let mut edges_out = args.edges.as_deref().map(Output::open).transpose()?;
    let mut report_out = args.report.as_deref().map(Output::open).transpose()?;
    let trace_out = args.trace.as_deref().map(Output::open).transpose()?;
    // From here on devices get ready while the graph is read.
    let mut devices = Devices::start(settings.request.clone());
    let mut timeline = Timeline::new(start);

    let options = ReadOptions {
        format: args.format,
        directed: args.directed,
        weights: args.weights.options(),
    };
    let (graph, source) = timeline.time("read", || read(&args.graph, &options))?;
    if let Some(out) = &scores_out {
        out.check(graph.labels())?;
    }
    if graph.simplified().weights_dropped {
        warn(
            &mut warnings,
            "the input has weights; without --weighted they are not used",
        );
    }
    timeline.time("profile", || settings.take_kept(&graph, &mut devices));
    let Settings {
        request,
        cpu,
        chains,
        ..
    } = &settings;
    let prepared = timeline.time("prepare", || {
        prepare(
            &graph,
            &PrepareOptions {
                fold: !args.no_fold,
                order: args.order,
                endpoints: args.endpoints,
                roots: args.roots,
                chains: *chains,
                devices: request.selection != DeviceSelection::None,
                tie_tolerance: args.tie_tolerance,
                edges: args.edges.is_some(),
            },
        )
    });
    let prepared = Arc::new(prepared.map_err(|error| UsageError(error.to_string()))?);
    check_lanes(args, &prepared)?;
    let graph_ready = Instant::now();

    let wanted = !args.quiet && args.progress == ProgressArg::Auto;
    let mut progress = Progress::new(prepared.roots.len(), wanted);
    let mut forecast = Forecast::new(prepared.roots.len());
    let searching = Instant::now();
    let outcome = runner::run(&prepared, &devices, *cpu, &mut |so_far| {
        progress.tell(so_far.done);
        let seconds = searching.elapsed().as_secs_f64();
        if let Some(outlook) = forecast.tell(seconds, so_far.done, so_far.silent) {
            let text = long_run::warning(&outlook, args, request, &prepared, so_far.devices);
            progress.aside(|| warn(&mut warnings, text));
        }
    });
    drop(progress);
    let outcome = outcome.map_err(|error| explain(error, &graph, &prepared))?;
    device_warnings(&mut warnings, request, &outcome);
    if let Some(profile) = profile.filter(|_| settings.profile.is_some()) {
        let driven: Vec<_> = outcome.drivers.iter().map(|driver| &driver.info).collect();
        for what in differences(&profile, &graph, args, &driven) {
            warn(&mut warnings, format!("the profile was tuned for {what}"));
        }
    }

    let scale = if args.normalized {
        Scale::Normalized
    } else {
        Scale::Pairs
    };
    let scores = timeline.time("unfold", || prepared.scores(&outcome.sums, scale));
    if let Some(bad) = scores.iter().position(|score| !score.is_finite()) {
        return Err(anyhow!(
            "the score of vertex {} is not a finite number; please report this defect",
            graph.labels().display(bad as u32)
        ));
    }
    if let Some(out) = &mut scores_out {
        timeline.time("write scores", || out.write(graph.labels(), &scores))?;
    }
    let edge_scores = outcome
        .arc_sums
        .as_ref()
        .and_then(|arcs| prepared.edge_scores(&graph, arcs, scale));
    if let Some((out, scores)) = edges_out.as_mut().zip(edge_scores) {
        timeline.time("write edges", || write_edges(out, &graph, &scores))?;
    }
    if let Some(out) = edges_out {
        timeline.time("finish edges", || out.finish())?;
    }
    if let Some(out) = scores_out {
        timeline.time("finish scores", || out.finish())?;
    }

    let report = Context {
        args,
        settings: &settings,
        graph: &graph,
        source: &source,
        prepared: &prepared,
        outcome: &outcome,
        scores: &scores,
        graph_ready,
    }
    .report(timeline, warnings);
    if let Some(out) = &mut report_out {
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)?;
    }
    if let Some(out) = report_out {
        out.finish()?;
    }
    if let Some(mut out) = trace_out {
        serde_json::to_writer(
            &mut out,
            &Trace::new(&report, &kernel_spans(&outcome, start)),
        )?;
        writeln!(out)?;
        out.finish()?;
    }
    if !args.quiet {
        print(args, &report, &graph, &scores)?;
    }
    Ok(0)
}

/// What the options mean, with what a profile says where they leave it open.
fn settings(
    args: &RunArgs,
    profile: Option<&Profile>,
    warnings: &mut Vec<String>,
) -> Result<Settings, UsageError> {
    let (Some(profile), Some(path)) = (profile, &args.profile) else {
        return Settings::new(args.clone());
    };
    match Settings::with(args, path.clone(), profile) {
        Ok(settings) => Ok(settings),
        Err(reason) => {
            // Options that make no sense without it either are the user's mistake.
            let settings = Settings::new(args.clone())?;
            warn(warnings, format!("the profile is not used: {reason}"));
            Ok(settings)
        }
    }
}

/// Refuses to search lengths in lanes that there are none for.
fn check_lanes(args: &RunArgs, prepared: &Prepared) -> Result<(), UsageError> {
    let searched = prepared.lengths.as_ref().is_some_and(|l| !l.is_empty());
    let asked = args.cpu_engine == CpuEngine::Lanes;
    if asked && searched && weighted::longest(prepared).is_none() {
        return Err(UsageError(format!(
            "--cpu-engine lanes needs integer lengths up to {} once they are scaled; leave it out",
            weighted::LONGEST
        )));
    }
    Ok(())
}

fn warn(warnings: &mut Vec<String>, text: impl Into<String>) {
    let text = text.into();
    eprintln!("brandes: warning: {text}");
    warnings.push(text);
}

fn device_warnings(warnings: &mut Vec<String>, request: &DeviceRequest, outcome: &Outcome) {
    if let Some(error) = &outcome.no_device {
        // Without being asked for, a device that is not there is nothing to worry about.
        if request.asked || !error.is_absence() {
            warn(warnings, format!("{error}; the CPU did all the work"));
        }
    }
    for driver in &outcome.drivers {
        if let Some(error) = &driver.error {
            let text = format!(
                "device {} failed: {error}; CPU workers finished its {} unfinished roots",
                driver.info.name, driver.returned
            );
            warn(warnings, text);
        }
        let name = &driver.info.name;
        match &driver.profile {
            Some(Err(error)) => {
                warn(
                    warnings,
                    format!("there are no kernel times of {name}: {error}"),
                );
            }
            None if request.options.profile && driver.error.is_none() => {
                let text = format!(
                    "there are no kernel times of {name}: all was done before it was ready; \
                     --cpu-workers 0 waits for it"
                );
                warn(warnings, text);
            }
            _ => {}
        }
    }
}

/// Names the vertex in the words of the input.
fn explain(error: RunError, graph: &Graph, prepared: &Prepared) -> anyhow::Error {
    match error {
        RunError::Engine(EngineError::PathCount { root, precision }) => {
            let from = root.map_or(String::new(), |root| {
                let vertex = graph.labels().display(prepared.input_vertex(root));
                format!(" from vertex {vertex}")
            });
            let help = match precision {
                Precision::F32 => "use --precision f64",
                Precision::F64 => "this graph cannot be computed yet",
            };
            anyhow!(
                "the shortest paths{from} are more than {} can count; {help}",
                precision.paths()
            )
        }
        RunError::Engine(EngineError::LengthLost { root }) => anyhow!(
            "some weight is so small beside the distances from vertex {} that adding it changes nothing \
             in 64-bit floats; use weights that differ less in size",
            graph.labels().display(prepared.input_vertex(root))
        ),
        other => other.into(),
    }
}

fn print(args: &RunArgs, report: &Report, graph: &Graph, scores: &[f64]) -> io::Result<()> {
    let mut text = summary::summary(report);
    if args.top > 0 {
        let order = summary::top(scores, args.top);
        text.push('\n');
        text.push_str(&summary::top_table(&order, graph, scores));
        text.push('\n');
    }
    if on_standard_output(args).is_empty() {
        io::stdout().lock().write_all(text.as_bytes())
    } else if io::stderr().is_terminal() {
        io::stderr().lock().write_all(text.as_bytes())
    } else {
        Ok(())
    }
}

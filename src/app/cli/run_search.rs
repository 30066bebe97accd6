//! Preparing and searching, once more without contraction where a contracted graph has too many
//! paths.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::UsageError;
use super::long_run;
use super::run_args::RunArgs;
use super::run_profile::Settings;
use super::run_warnings::warn;
use crate::app::report::{Forecast, Progress, Timeline};
use brandes::cpu::CpuEngine;
use brandes::cpu::clustered;
use brandes::cpu::lanes::weighted;
use brandes::device::DeviceSelection;
use brandes::engine::{EngineError, Precision};
use brandes::graph::Graph;
use brandes::prepare::{ChainsOption, PrepareOptions, Prepared, prepare};
use brandes::runner::{self, DeviceRequest, Devices, Outcome, RunError};

/// What there is when all is searched.
pub(super) struct Searched {
    pub(super) prepared: Arc<Prepared>,
    pub(super) outcome: Outcome,
    /// When the graph was ready to be searched for the first time.
    pub(super) graph_ready: Instant,
}

/// Prepares and searches the graph.
pub(super) fn search(
    (args, settings): (&RunArgs, &Settings),
    graph: &Graph,
    devices: &Devices,
    timeline: &mut Timeline,
    warnings: &mut Vec<String>,
) -> Result<Searched> {
    let Settings {
        request, chains, ..
    } = settings;
    let given = (args, settings);
    let prepared = prepared(args, request, *chains, graph, timeline)?;
    check_lengths(args, &prepared)?;
    let graph_ready = Instant::now();
    let error = match run(given, &prepared, devices, warnings) {
        Ok(outcome) => {
            return Ok(Searched {
                prepared,
                outcome,
                graph_ready,
            });
        }
        Err(error) => error,
    };
    // Sweeps from junctions count in f64 only. No device counts farther.
    let too_many = matches!(error, RunError::Engine(EngineError::PathCount { .. }));
    if !too_many || prepared.chains.is_none() {
        return Err(explain(error, graph, &prepared));
    }
    let text = format!(
        "there are more shortest paths than {} can count: what contracting chains gave is thrown away, and CPU \
         workers search the graph as it is",
        Precision::F64.paths()
    );
    warn(warnings, text);
    timeline.extend("main", &prepared.spans);
    timeline.add("main", "search contracted", graph_ready, Instant::now());
    let prepared = self::prepared(args, request, ChainsOption::Never, graph, timeline)?;
    let nobody = Devices::start(DeviceRequest {
        selection: DeviceSelection::None,
        ..request.clone()
    });
    let outcome = run(given, &prepared, &nobody, warnings);
    let mut outcome = outcome.map_err(|error| explain(error, graph, &prepared))?;
    devices.dismissed(&mut outcome);
    Ok(Searched {
        prepared,
        outcome,
        graph_ready,
    })
}

fn prepared(
    args: &RunArgs,
    request: &DeviceRequest,
    chains: ChainsOption,
    graph: &Graph,
    timeline: &mut Timeline,
) -> Result<Arc<Prepared>, UsageError> {
    let options = PrepareOptions {
        fold: !args.no_fold,
        order: args.order,
        endpoints: args.endpoints,
        roots: args.roots,
        chains,
        devices: request.selection != DeviceSelection::None,
        tie_tolerance: args.tie_tolerance,
        edges: args.edges.is_some(),
    };
    let prepared = timeline.time("prepare", || prepare(graph, &options));
    match prepared {
        Ok(prepared) => Ok(Arc::new(prepared)),
        Err(error) => Err(UsageError(error.to_string())),
    }
}

/// Refuses lengths that the CPU engine asked for cannot search.
fn check_lengths(args: &RunArgs, prepared: &Prepared) -> Result<(), UsageError> {
    let searched = prepared.lengths.as_ref().is_some_and(|l| !l.is_empty());
    let usage = |text: String| Err(UsageError(text));
    match args.cpu_engine {
        CpuEngine::Lanes if searched && weighted::longest(prepared).is_none() => usage(format!(
            "--cpu-engine lanes needs integer lengths up to {} once they are scaled; leave it out",
            weighted::LONGEST
        )),
        CpuEngine::Clustered if searched && !clustered::fits(prepared) => usage(
            "--cpu-engine clustered needs integer lengths, with distances below 2^31 and no length more than some \
             65,000 times another; leave it out"
                .into(),
        ),
        _ => Ok(()),
    }
}

/// Searches, with progress told and a warning where it will take long.
fn run(
    (args, settings): (&RunArgs, &Settings),
    prepared: &Arc<Prepared>,
    devices: &Devices,
    warnings: &mut Vec<String>,
) -> Result<Outcome, RunError> {
    let mut progress = Progress::new(prepared.roots.len(), args.shows_progress());
    let mut forecast = Forecast::new(prepared.roots.len());
    let searching = Instant::now();
    let request = &settings.request;
    runner::run(prepared, devices, settings.cpu, &mut |so_far| {
        let seconds = searching.elapsed().as_secs_f64();
        let long = forecast.tell(seconds, so_far.done, so_far.silent);
        progress.tell(so_far.done, forecast.outlook());
        if let Some(outlook) = long {
            let text = long_run::warning(&outlook, args, request, prepared, so_far.devices);
            progress.aside(|| warn(warnings, text));
        }
    })
}

/// Names the vertex in the words of the input.
fn explain(error: RunError, graph: &Graph, prepared: &Prepared) -> anyhow::Error {
    match error {
        RunError::Engine(EngineError::LengthLost { root }) => anyhow!(
            "some weight is so small beside the distances from vertex {} that adding it changes nothing \
             in 64-bit floats; use weights that differ less in size",
            graph.labels().display(prepared.input_vertex(root))
        ),
        other => other.into(),
    }
}

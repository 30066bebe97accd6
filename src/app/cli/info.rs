//! `brandes info`: describes a graph and predicts how long its searches take.

use std::io::{self, Write};
use std::sync::Arc;

use anyhow::Result;

use super::args::InfoArgs;
use super::json;
use crate::app::bench::predict::predictions;
use crate::app::progress::ProgressMode;
use crate::app::report::info::{Depth, Info, Memory, SearchedGraph};
use brandes::cpu::{CpuOptions, root_by_root_bytes};
use brandes::device::{DeviceError, FoundDevice, find};
use brandes::graph::{Csr, Graph, Lengths, Source, stats};
use brandes::plan::{self, SearchOptions};
use brandes::prepare::{Prepared, prepare};
use brandes::report::{Input, Program, SCHEMA_VERSION, WeightsPart};
use brandes::{DeviceSelection, Reductions, When};

/// Reads and prepares a graph, and prints its properties and the predictions.
pub fn info(args: &InfoArgs) -> Result<i32> {
    let mut run = SearchOptions::default();
    run.prepare.reduce = args.reduce;
    args.input.check(&run)?;
    let (graph, source) = args.input.read(&args.graph, ProgressMode::Auto)?;
    let mut prepared = prepare(&graph, &run.prepare)?;
    let Reductions { chains, twins, .. } = args.reduce;
    if chains == When::Auto {
        let on_devices = args.device != DeviceSelection::None;
        let options = CpuOptions::default();
        plan::reduce(&mut prepared, twins, options, num_cpus::get(), on_devices);
    }
    let prepared = Arc::new(prepared);
    let mut info = describe(&graph, &source, &prepared);
    if args.budget > 0.0 && !prepared.roots.is_empty() {
        info.predictions = predictions(&prepared, &devices(&args.device)?, args.budget);
    }
    let mut out = io::stdout().lock();
    match args.json {
        true => json(&mut out, &info)?,
        false => out.write_all(info.table().as_bytes())?,
    }
    Ok(0)
}

/// Returns the devices that a run would drive. It is an error if there is none, unless the
/// selection is `auto` or `none`.
fn devices(selection: &DeviceSelection) -> Result<Vec<FoundDevice>, DeviceError> {
    if *selection == DeviceSelection::None {
        return Ok(Vec::new());
    }
    match find::survey().and_then(|found| found.select(selection)) {
        Err(error) if error.is_absence() && *selection == DeviceSelection::Auto => Ok(Vec::new()),
        other => other,
    }
}

/// Returns all that `brandes info` prints except the predictions.
fn describe(graph: &Graph, source: &Source, prepared: &Prepared) -> Info {
    let stats = stats(graph);
    let depths = prepared.depths();
    let searched = &prepared.graph;
    Info {
        schema_version: SCHEMA_VERSION,
        program: Program::this(),
        input: Input::new(graph, source),
        weights: WeightsPart::new(graph, None),
        components: stats.components,
        degrees: stats.degrees,
        prepared: SearchedGraph {
            vertices: searched.vertices(),
            arcs: searched.arcs(),
            folded: prepared.folded,
            searches: prepared.roots.len(),
            blocks: prepared.blocks(),
            steps: prepared.steps.clone(),
        },
        depth: depths.last().map(|&deepest| Depth {
            searches: depths.len(),
            median: depths[depths.len() / 2],
            deepest,
        }),
        memory: Memory {
            input_bytes: graph.csr().bytes() + graph.lengths().map_or(0, Lengths::bytes),
            graph_bytes: searched.bytes()
                + prepared.reverse.as_ref().map_or(0, Csr::bytes)
                + prepared.lengths.as_ref().map_or(0, Lengths::bytes)
                + prepared.reverse_lengths.as_ref().map_or(0, Lengths::bytes),
            cpu_worker_bytes: root_by_root_bytes(prepared),
        },
        predictions: Vec::new(),
    }
}

//! `brandes info`: a graph at a glance, before it is searched.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::args::InfoArgs;
use super::info_predict::{Forms, devices, predictions};
use super::input::{read_shown, say};
use super::{UsageError, check_reductions, json};
use crate::app::report::info::{ChainsPart, ComponentsPart, Degrees, Depth, Info, Left, Memory};
use crate::app::report::predictions::advice;
use brandes::cpu::{CpuOptions, root_by_root_bytes};
use brandes::device::DeviceSelection;
use brandes::graph::{Csr, Graph, Lengths, Source, stats};
use brandes::plan;
use brandes::prepare::{PrepareOptions, Prepared, Reductions, When, prepare};
use brandes::report::{Input, Program, SCHEMA_VERSION, WeightsPart};

/// Reads and prepares a graph, and prints what there is to know about it.
pub fn info(args: &InfoArgs) -> Result<i32> {
    let weighted = args.input.weights.weighted.is_some();
    check_reductions(args.reduce, args.input.directed, weighted)?;
    let (graph, source) = read_shown(&args.graph, &args.input.options(), true)?;
    say(&graph, &source);
    let options = PrepareOptions {
        reduce: args.reduce,
        ..PrepareOptions::default()
    };
    let prepare = |options: &PrepareOptions| {
        let prepared = prepare(&graph, options).map_err(|error| UsageError(error.to_string()))?;
        Ok::<_, UsageError>(Arc::new(prepared))
    };
    let whole = prepare(&options)?;
    let contracts = |devices: bool| {
        let mut prepared = Prepared::clone(&whole);
        let (options, twins) = (CpuOptions::default(), args.reduce.twins);
        plan::reduce(&mut prepared, twins, options, num_cpus::get(), devices);
        prepared.chains.is_some()
    };
    // Building a hierarchy takes its time on graphs for which it would not be used.
    let found = whole.likely_hierarchy().and_then(|_| whole.find_chains());
    let chains = found.map(|found| ChainsPart {
        searches: found.roots(),
        junctions: found.junctions(),
        chains: found.len(),
        longest_chain: found.longest() as u32,
        auto_contracts_for_cpu: contracts(false),
        auto_contracts_for_devices: contracts(true),
    });
    let for_cpu = chains.as_ref().is_some_and(|c| c.auto_contracts_for_cpu);
    let for_devices = chains
        .as_ref()
        .is_some_and(|c| c.auto_contracts_for_devices);
    let mut plain = Prepared::clone(&whole);
    let find = || plain.twins(false);
    if let Some(twins) = (args.reduce.twins == When::Auto).then(find).flatten() {
        plain.merge(twins);
    }
    let plain = Arc::new(plain);
    let mut info = describe(&graph, &source, &plain, chains);
    if args.budget > 0.0 && !plain.roots.is_empty() {
        // No longer than a year, for a duration to hold it.
        let budget = Duration::from_secs_f64(args.budget.min(3e7));
        let devices = devices(&args.device)?;
        let always = PrepareOptions {
            reduce: Reductions {
                twins: When::Never,
                chains: When::Always,
                ..options.reduce
            },
            ..options
        };
        let contracted = (for_cpu || for_devices).then(|| prepare(&always));
        let forms = Forms {
            plain,
            contracted: contracted.transpose()?,
            for_cpu,
            for_devices,
        };
        info.predictions = predictions(&forms, &args.device, &devices, budget);
        let run = forms.of(args.device != DeviceSelection::None);
        info.advice = advice(&info.predictions, run.chains.is_some());
    }
    let mut out = io::stdout().lock();
    if args.json {
        json(&mut out, &info)?;
    } else {
        out.write_all(info.table().as_bytes())?;
    }
    Ok(0)
}

fn describe(
    graph: &Graph,
    source: &Source,
    prepared: &Prepared,
    chains: Option<ChainsPart>,
) -> Info {
    let stats = stats(graph);
    let depths = prepared.depths();
    let searched = &prepared.graph;
    Info {
        schema_version: SCHEMA_VERSION,
        program: Program::this(),
        input: Input::new(graph, Some(source)),
        weights: WeightsPart::new(graph, None),
        components: ComponentsPart {
            count: stats.components,
            largest: stats.largest_component,
            isolated: stats.isolated,
        },
        degrees: Degrees {
            min: stats.degree_min,
            median: stats.degree_median,
            mean: stats.degree_mean,
            percentile_99: stats.degree_p99,
            max: stats.degree_max,
        },
        prepared: Left {
            vertices: searched.vertices(),
            arcs: searched.arcs(),
            folded: prepared.folded,
            searches: prepared.roots.len(),
            blocks: prepared.blocks,
            steps: prepared.steps.clone(),
        },
        depth: depths.last().map(|&deepest| Depth {
            searches: depths.len(),
            median: depths[depths.len() / 2],
            deepest,
        }),
        chains,
        memory: Memory {
            input_bytes: graph.csr().bytes() + graph.lengths().map_or(0, Lengths::bytes),
            graph_bytes: searched.bytes()
                + prepared.reverse.as_ref().map_or(0, Csr::bytes)
                + prepared.lengths.as_ref().map_or(0, Lengths::bytes)
                + prepared.reverse_lengths.as_ref().map_or(0, Lengths::bytes),
            cpu_worker_bytes: root_by_root_bytes(prepared),
        },
        predictions: Vec::new(),
        advice: Vec::new(),
    }
}

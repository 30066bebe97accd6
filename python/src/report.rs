//! The report of a search. Its parts are called as in the report of `brandes run`, which
//! `docs/report.md` describes; times are seconds since the call.

use std::time::Instant;

use brandes::cpu::EngineName;
use brandes::cpu::lanes::Simd;
use brandes::device::DeviceInfo;
use brandes::graph::{Format, Graph, Lengths, Source, WeightIs};
use brandes::plan::Wishes;
use brandes::prepare::{Chains, RootSelection, Step};
use brandes::runner::DriverState;
use brandes::span::Span;
use brandes::strategy::EnginePlan;
use brandes::{CpuWorkers, Order, Precision, Scores, Strategy};
use serde::Serialize;

/// The whole report.
#[derive(Serialize)]
pub struct Report {
    kind: &'static str,
    program: Program,
    host: Host,
    input: Input,
    weights: Option<WeightsPart>,
    pub prepared: PreparedPart,
    plan: Plan,
    devices: Vec<DevicePart>,
    workers: Vec<WorkerPart>,
    timeline: Vec<TimelineSpan>,
    totals: Totals,
    pub checks: Checks,
}

#[derive(Serialize)]
struct Program {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Host {
    cores: usize,
}

#[derive(Serialize)]
struct Input {
    /// These four are null unless the graph was read from a file.
    path: Option<String>,
    bytes: Option<u64>,
    format: Option<Format>,
    notes: Vec<String>,
    directed: bool,
    vertices: usize,
    edges: usize,
    entries: u64,
    loops_dropped: u64,
    edges_merged: u64,
    weights_ignored: bool,
}

#[derive(Serialize)]
struct WeightsPart {
    meaning: WeightIs,
    kind: &'static str,
    bits: usize,
    unit: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
}

#[derive(Serialize)]
pub struct PreparedPart {
    vertices: usize,
    arcs: usize,
    folded: usize,
    components: usize,
    order: Order,
    sources: usize,
    pub roots: usize,
    partial: bool,
    part: Option<String>,
    blocks: Option<usize>,
    junctions: Option<usize>,
    chains: Option<usize>,
    longest_chain: Option<u32>,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Plan {
    strategy: Option<Strategy>,
    precision: Precision,
    cpu_workers: Option<usize>,
    why: Option<String>,
    reproducible: bool,
}

#[derive(Serialize)]
struct DevicePart {
    #[serde(flatten)]
    info: DeviceInfo,
    state: DriverState,
    error: Option<String>,
    returned: usize,
    plan: Option<EnginePlan>,
    program_from_cache: bool,
    driver_cpu_seconds: f64,
}

#[derive(Serialize)]
struct WorkerPart {
    kind: &'static str,
    number: usize,
    engine: Option<EngineName>,
    lanes: Option<usize>,
    simd: Option<Simd>,
    bytes: Option<usize>,
    roots: usize,
    batches: usize,
    busy_seconds: f64,
}

#[derive(Serialize)]
struct TimelineSpan {
    track: String,
    name: &'static str,
    start: f64,
    end: f64,
}

#[derive(Serialize)]
struct Totals {
    seconds: f64,
    search_seconds: f64,
}

#[derive(Serialize)]
pub struct Checks {
    wide_roots: usize,
    error_bound: Option<f64>,
    pub warnings: Vec<String>,
}

impl Report {
    /// Of scores that a call which began then has found.
    pub fn new(
        graph: &Graph,
        source: Option<&Source>,
        wishes: &Wishes,
        scores: &Scores,
        began: Instant,
    ) -> Report {
        let record = scores.record();
        let (prepared, outcome) = (&record.prepared, &record.outcome);
        let chains = prepared.chains.as_ref();
        let driven = !outcome.drivers.is_empty();
        let (start, end) = outcome.search;
        Report {
            kind: "run",
            program: Program {
                name: "brandes",
                version: env!("CARGO_PKG_VERSION"),
            },
            host: Host {
                cores: std::thread::available_parallelism().map_or(1, usize::from),
            },
            input: Input::new(graph, source),
            weights: WeightsPart::new(graph),
            prepared: PreparedPart {
                vertices: prepared.graph.vertices(),
                arcs: prepared.graph.arcs(),
                folded: prepared.folded,
                components: prepared.components,
                order: wishes.prepare.order,
                sources: prepared.sources,
                roots: prepared.roots.len(),
                partial: wishes.prepare.roots != RootSelection::All || prepared.part.is_some(),
                part: prepared.part.map(|of| of.part.to_string()),
                blocks: prepared.blocks,
                junctions: chains.map(Chains::len),
                chains: chains.map(Chains::chains),
                longest_chain: chains.map(Chains::longest),
                steps: prepared.steps.clone(),
            },
            plan: Plan {
                strategy: driven.then_some(wishes.strategy),
                precision: wishes.device.precision,
                cpu_workers: match wishes.cpu.workers {
                    CpuWorkers::Auto => None,
                    CpuWorkers::Count(count) => Some(count),
                },
                why: outcome.no_device.as_ref().map(ToString::to_string),
                reproducible: wishes.reproducible,
            },
            devices: devices(scores),
            workers: workers(scores),
            timeline: timeline(scores, began),
            totals: Totals {
                seconds: began.elapsed().as_secs_f64(),
                search_seconds: end.duration_since(start).as_secs_f64(),
            },
            checks: Checks {
                wide_roots: outcome.wide_roots(),
                error_bound: scores.record().error_bound,
                warnings: warnings(scores, wishes),
            },
        }
    }
}

impl Input {
    fn new(graph: &Graph, source: Option<&Source>) -> Input {
        let simplified = graph.simplified();
        Input {
            path: source.map(|source| source.path.clone()),
            bytes: source.map(|source| source.bytes),
            format: source.map(|source| source.format),
            notes: source.map_or_else(Vec::new, |source| source.notes.clone()),
            directed: graph.directed(),
            vertices: graph.vertices(),
            edges: graph.edges(),
            entries: simplified.entries,
            loops_dropped: simplified.loops,
            edges_merged: simplified.merged,
            weights_ignored: simplified.weights_dropped,
        }
    }
}

impl WeightsPart {
    fn new(graph: &Graph) -> Option<WeightsPart> {
        let info = graph.weights()?;
        let (kind, bits) = match graph.lengths()? {
            Lengths::U32(_) => ("integers", 32),
            Lengths::U64(_) => ("integers", 64),
            Lengths::F64(_) => ("floats", 64),
        };
        Some(WeightsPart {
            meaning: info.meaning,
            kind,
            bits,
            unit: info.unit,
            min: info.min,
            max: info.max,
        })
    }
}

fn devices(scores: &Scores) -> Vec<DevicePart> {
    let drivers = scores.record().outcome.drivers.iter();
    let part = drivers.map(|driver| DevicePart {
        info: driver.info.clone(),
        state: driver.state,
        error: driver.error.as_ref().map(ToString::to_string),
        returned: driver.returned,
        plan: driver.plan.clone(),
        program_from_cache: driver.from_cache,
        driver_cpu_seconds: driver.cpu,
    });
    part.collect()
}

/// Who searched.
fn workers(scores: &Scores) -> Vec<WorkerPart> {
    let outcome = &scores.record().outcome;
    let cpu = outcome.workers.iter().map(|worker| WorkerPart {
        kind: "cpu",
        number: worker.number,
        engine: Some(worker.plan.engine),
        lanes: Some(worker.plan.lanes),
        simd: worker.plan.simd,
        bytes: worker.plan.bytes,
        roots: worker.roots,
        batches: worker.batches,
        busy_seconds: worker.busy,
    });
    let drivers = outcome.drivers.iter().filter(|driver| driver.roots > 0);
    let devices = drivers.map(|driver| WorkerPart {
        kind: "device",
        number: driver.info.number,
        engine: None,
        lanes: None,
        simd: None,
        bytes: None,
        roots: driver.roots,
        batches: driver.batches,
        busy_seconds: driver.busy,
    });
    cpu.chain(devices).collect()
}

fn timeline(scores: &Scores, began: Instant) -> Vec<TimelineSpan> {
    let record = scores.record();
    let (prepared, outcome) = (&record.prepared, &record.outcome);
    let seconds = |instant: Instant| instant.saturating_duration_since(began).as_secs_f64();
    let mut spans = Vec::new();
    let mut add = |track: &str, name, (start, end)| {
        spans.push(TimelineSpan {
            track: track.into(),
            name,
            start: seconds(start),
            end: seconds(end),
        });
    };
    let ends = |span: &Span| (span.start, span.end);
    for span in record.spans.iter().chain(&prepared.spans) {
        add("main", span.name, ends(span));
    }
    add("main", "search", outcome.search);
    for span in &outcome.spans {
        add("devices", span.name, ends(span));
    }
    for worker in &outcome.workers {
        if let Some(active) = worker.active {
            add(&format!("cpu {}", worker.number), "search", active);
        }
    }
    for driver in &outcome.drivers {
        let track = format!("device {}", driver.info.number);
        for span in &driver.spans {
            add(&track, span.name, ends(span));
        }
        if let Some(active) = driver.active {
            add(&track, "search", active);
        }
    }
    spans.sort_by(|a, b| a.start.total_cmp(&b.start));
    spans
}

/// What was not done as asked, a line each.
fn warnings(scores: &Scores, wishes: &Wishes) -> Vec<String> {
    let outcome = &scores.record().outcome;
    let mut warnings = scores.record().warnings.clone();
    if let Some(error) = &outcome.no_device
        && (wishes.insists() || !error.is_absence())
    {
        warnings.push(format!("{error}; the CPU did all the work"));
    }
    let failed = outcome.drivers.iter().filter_map(|driver| {
        let (name, error) = (&driver.info.name, driver.error.as_ref()?);
        Some(format!(
            "device {name} failed: {error}; CPU workers finished its unfinished roots ({})",
            driver.returned
        ))
    });
    warnings.extend(failed);
    warnings
}

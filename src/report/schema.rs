//! The structs of the report file of `brandes run`, one for each part. Other reports share some.
//! `docs/schema/` has JSON Schemas of these types with descriptions of all fields, and
//! `docs/report.md` explains some fields at length.

use std::env;
use std::sync::LazyLock;
use std::time::SystemTime;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimate::EstimatePart;
use super::participants::{DevicePart, WorkerKind, WorkerPart};
use super::query::QueryPart;
use super::results::{Distributions, Results};
use super::weights::WeightsPart;
use crate::device::Numbers;
use crate::engine::Precision;
use crate::graph::{Format, Graph, Source};
use crate::memory;
use crate::os::{cpu_model, name_and_os};
use crate::prepare::{Order, Step};
use crate::search::ranks::RankRecord;
use crate::strategy::Strategy;

/// The version of the schema of all reports. Every incompatible change increases it.
pub const SCHEMA_VERSION: u32 = 2;

/// The beginning of all reports.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// The version of the schema. Every incompatible change increases it.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    pub schema_version: u32,
    /// The command: `run`, `bench` or `tune`.
    pub kind: String,
    /// The time of the report, such as `2026-01-31T12:00:00Z`.
    pub written: String,
    /// The program that wrote the report.
    pub program: Program,
    /// The command line.
    pub command: Vec<String>,
    /// The machine.
    pub host: Host,
}

impl About {
    /// Describes this process, for a report of the command `kind`.
    pub fn this(kind: &str) -> About {
        About {
            schema_version: SCHEMA_VERSION,
            kind: kind.into(),
            written: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            program: Program::this(),
            command: env::args_os()
                .map(|arg| arg.to_string_lossy().into_owned())
                .collect(),
            host: Host::this(),
        }
    }
}

/// A whole report of `brandes run`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes run")]
pub struct Report {
    /// The program, the command and the machine.
    #[serde(flatten)]
    pub about: About,
    /// The input graph.
    pub input: Input,
    /// The weights of the graph; null if they were not requested.
    pub weights: Option<WeightsPart>,
    /// The measures and pairs that were computed; null for the betweenness of all pairs.
    pub query: Option<QueryPart>,
    /// The estimate; null if scores were not estimated.
    pub estimate: Option<EstimatePart>,
    /// The prepared graph.
    pub prepared: PreparedPart,
    /// How the graph was to be searched.
    pub plan: Plan,
    /// The chosen devices, whether they searched or not.
    pub devices: Vec<DevicePart>,
    /// The CPU workers, and the devices that searched.
    pub workers: Vec<WorkerPart>,
    /// The work of each process, if several searched together. `devices` and `workers` are then
    /// those of the first process.
    pub ranks: Vec<RankRecord>,
    /// The named intervals of the run.
    pub timeline: Vec<TimelineSpan>,
    /// The totals of the run.
    pub totals: Totals,
    /// The seconds of each phase.
    pub seconds: Phases,
    /// A summary of the scores.
    pub results: Results,
    /// The distribution of scores.
    pub distributions: Distributions,
    /// Values for later checks.
    pub checks: Checks,
}

/// The seconds of the phases of a run, some of which overlap.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Reading the graph.
    pub read: f64,
    /// Preparing the graph.
    pub prepare: f64,
    /// Initialising devices, while the graph is read and prepared; null if no device was ready.
    pub device: Option<f64>,
    /// Searching.
    pub search: f64,
    /// Adding up the scores and writing them.
    pub write: f64,
}

impl Phases {
    /// Adds up the spans of each phase.
    pub(super) fn new(spans: &[TimelineSpan]) -> Phases {
        let of_devices = spans.iter().filter(|span| span.track.starts_with("device"));
        let warm_ups = of_devices.clone().filter(|span| span.name == "warm-up");
        let began = of_devices.map(|span| span.start).reduce(f64::min);
        let ready = warm_ups.map(|span| span.end).reduce(f64::max);
        let mut phases = Phases {
            device: ready.zip(began).map(|(ready, began)| ready - began),
            ..Phases::default()
        };
        for span in spans.iter().filter(|span| span.track == "main") {
            let phase = match span.name.as_str() {
                "read" => &mut phases.read,
                "prepare" => &mut phases.prepare,
                "search" => &mut phases.search,
                "unfold" => &mut phases.write,
                name if name.starts_with("write ") => &mut phases.write,
                name if name.starts_with("finish ") => &mut phases.write,
                _ => continue,
            };
            *phase += span.end - span.start;
        }
        phases
    }
}

impl Report {
    /// Returns the CPU workers.
    pub fn cpu_workers(&self) -> impl Iterator<Item = &WorkerPart> {
        let workers = self.workers.iter();
        workers.filter(|worker| worker.kind == WorkerKind::Cpu)
    }

    /// Returns the work of a device, if it searched.
    pub fn work_of(&self, device: &DevicePart) -> Option<&WorkerPart> {
        let number = device.info.number;
        let mut workers = self.workers.iter();
        workers.find(|worker| worker.kind == WorkerKind::Device && worker.number == number)
    }
}

/// The program.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Program {
    /// `brandes`.
    #[schemars(extend("const" = env!("CARGO_PKG_NAME")))]
    pub name: String,
    /// Its version.
    pub version: String,
    /// The commit from which it was built, if known.
    pub commit: Option<String>,
}

impl Program {
    /// Describes this program.
    pub fn this() -> Program {
        Program {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: option_env!("BRANDES_COMMIT").map(String::from),
        }
    }
}

/// The machine.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// The number of logical cores.
    pub cores: usize,
    /// The model of the CPU, if known.
    pub cpu: Option<String>,
    /// The name of the machine.
    pub name: Option<String>,
    /// The operating system, its release and the architecture.
    pub os: Option<String>,
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
}

impl Host {
    /// Describes this machine.
    pub fn this() -> Host {
        // Reading the files again would take a part of the time of searching a small graph.
        static HOST: LazyLock<Host> = LazyLock::new(|| {
            let (name, os) = name_and_os().unzip();
            Host {
                cores: num_cpus::get(),
                cpu: cpu_model(),
                name,
                os,
                memory_bytes: memory::physical().map(|bytes| bytes as u64),
            }
        });
        HOST.clone()
    }
}

/// The input graph.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The path as given, `<stdin>` for standard input.
    pub path: String,
    /// The number of bytes read, before decompression.
    pub bytes: u64,
    /// The format of the input.
    pub format: Format,
    /// Whether edges have a direction.
    pub directed: bool,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of distinct edges, without self loops.
    pub edges: usize,
    /// The number of edges that the input states.
    pub entries: u64,
    /// The number of self loops, which are dropped.
    pub loops_dropped: u64,
    /// The number of repeated edges (and reverse ones, if the graph is undirected), which are
    /// merged.
    pub edges_merged: u64,
    /// Whether the input has weights that were ignored.
    pub weights_ignored: bool,
    /// Notes on the interpretation of the input, a sentence each.
    pub notes: Vec<String>,
}

impl Input {
    /// Describes a graph and its file.
    pub fn new(graph: &Graph, source: &Source) -> Input {
        let simplified = graph.simplified();
        Input {
            path: source.path.clone(),
            bytes: source.bytes,
            format: source.format,
            directed: graph.directed(),
            vertices: graph.vertices(),
            edges: graph.edges(),
            entries: simplified.entries,
            loops_dropped: simplified.loops,
            edges_merged: simplified.merged,
            weights_ignored: simplified.weights_dropped,
            notes: source.notes.clone(),
        }
    }

    /// Returns whether edges have a direction, in a word.
    pub fn direction(&self) -> &'static str {
        ["undirected", "directed"][usize::from(self.directed)]
    }
}

/// The prepared graph.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PreparedPart {
    /// The number of vertices left to search.
    pub vertices: usize,
    /// The number of arcs left.
    pub arcs: usize,
    /// The number of vertices folded away.
    pub folded: usize,
    /// The number of connected components of the input.
    pub components: usize,
    /// The numbering of the searched vertices.
    pub order: Order,
    /// The number of sources among the input vertices.
    pub sources: usize,
    /// The number of searches for these sources; for an estimate, the number of searches made.
    pub roots: usize,
    /// Whether scores are partial, because not all vertices are sources, or this is a part of a
    /// search.
    pub partial: bool,
    /// The factor n / `sources` of the scores of a random sample of sources; null without one.
    pub rescale: Option<f64>,
    /// The part of the search, as `K/N`; null if this is the whole search.
    pub part: Option<String>,
    /// The number of blocks (biconnected components) that were searched separately; null if the
    /// graph was not split.
    pub blocks: Option<usize>,
    /// The size of the graph before all reductions, and after each.
    pub steps: Vec<Step>,
}

/// How the graph was to be searched.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The requested strategy of devices; null if no device is driven.
    pub strategy: Option<Strategy>,
    /// Which participants searched and how, in words.
    pub why: String,
    /// The number type on devices, and, if mixed, of engine `lanes` on cores. Other engines on
    /// cores count in f64.
    pub precision: Precision,
    /// The requested numbers of the strategy.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The profile of `brandes tune` that sets the strategy and its numbers; null without one.
    pub profile: Option<String>,
    /// The requested number of CPU workers; null for one per core, less one for each device that is
    /// not the CPU itself.
    pub cpu_workers: Option<usize>,
    /// Whether scores have the same bits in every run with these options.
    pub reproducible: bool,
}

/// A named interval of the run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TimelineSpan {
    /// The track: `main`, `devices`, `cpu N`, `device N`, or `rank N`.
    #[schemars(regex(pattern = "^(main|devices|(cpu|device|rank) [0-9]+)$"))]
    pub track: String,
    /// The name of the work.
    pub name: String,
    /// The start, in seconds since process start.
    pub start: f64,
    /// The end, in seconds since process start.
    pub end: f64,
}

/// The totals of a run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// The seconds from process start to the last byte of the scores.
    pub seconds: f64,
    /// The seconds of the search.
    pub search_seconds: f64,
    /// The searched roots times the edges that each can reach, both after reductions, per second of
    /// the search; null for partial scores, for other scores than the betweenness of all pairs, for
    /// estimates, and for runs that resumed from a checkpoint.
    pub teps: Option<f64>,
    /// The peak resident memory in bytes.
    pub peak_rss_bytes: Option<u64>,
}

/// Values for later checks.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Checks {
    /// The sum of all scores as written.
    pub score_sum: f64,
    /// The largest score.
    pub score_max: f64,
    /// The number of roots that have more shortest paths to some vertex than f64 can count, and
    /// were searched with wider numbers.
    pub wide_roots: usize,
    /// A bound of the relative errors of scores that come from numbers of 32 bits; null unless the
    /// precision is mixed, and null if a device served sources inside chains.
    pub error_bound: Option<f64>,
    /// All warnings.
    pub warnings: Vec<String>,
}

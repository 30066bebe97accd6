//! The report file of `brandes run`, and the parts that others have too: one plain struct per part.
//! `docs/report.md` describes every field, and `docs/schema/` has the JSON Schemas that are made of
//! these types.

use std::env;

use serde::{Deserialize, Serialize};

use super::host::{cpu_model, name_and_os, now};
use super::results::{Distributions, Results};
use super::weights::WeightsPart;
use crate::cpu::EngineName;
use crate::cpu::lanes::Simd;
use crate::device::{DeviceInfo, Profile};
use crate::engine::Precision;
use crate::graph::{Format, Graph, Source};
use crate::memory;
use crate::prepare::{Order, Step};
use crate::ranks::RankRecord;
use crate::runner::DriverState;
use crate::strategy::{EnginePlan, Strategy};

/// Version of the shape of all files; grows with every incompatible change.
pub const SCHEMA_VERSION: u32 = 1;

/// What all reports begin with.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct About {
    /// Version of the shape of the file; grows with every incompatible change.
    #[cfg_attr(feature = "schemars", schemars(extend("const" = SCHEMA_VERSION)))]
    pub schema_version: u32,
    /// The command whose report it is: `run`, `bench` or `tune`. Early reports do not say it.
    #[serde(default)]
    pub kind: String,
    /// When it was written, as in `2026-01-31T12:00:00Z`. Early reports do not say it.
    #[serde(default)]
    pub written: String,
    /// What wrote it.
    pub program: Program,
    /// The command line.
    pub command: Vec<String>,
    /// The machine.
    pub host: Host,
}

impl About {
    /// Of a report that this process writes.
    pub fn this(kind: &str) -> About {
        About {
            schema_version: SCHEMA_VERSION,
            kind: kind.into(),
            written: now(),
            program: Program::this(),
            command: env::args_os()
                .map(|arg| arg.to_string_lossy().into_owned())
                .collect(),
            host: Host::this(),
        }
    }
}

/// A whole report of `brandes run`.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(title = "The report of brandes run"))]
pub struct Report {
    /// What wrote it, how and where.
    #[serde(flatten)]
    pub about: About,
    /// The graph as read.
    pub input: Input,
    /// What became of its weights; null if they were not asked for.
    pub weights: Option<WeightsPart>,
    /// The graph as searched.
    pub prepared: PreparedPart,
    /// How it was decided to search.
    pub plan: Plan,
    /// One entry per device that was to be driven.
    pub devices: Vec<DevicePart>,
    /// One entry per CPU worker and per device that searched.
    pub workers: Vec<WorkerPart>,
    /// What each process did, if several searched together; devices and workers are then those of
    /// the first one.
    #[serde(default)]
    pub ranks: Vec<RankRecord>,
    /// Named pieces of the run.
    pub timeline: Vec<TimelineSpan>,
    /// Device initialisation against reading and preparing; null without devices.
    pub initialisation: Option<Initialisation>,
    /// The run as a whole.
    pub totals: Totals,
    /// Seconds of its phases. Early reports do not say it.
    #[serde(default)]
    pub seconds: Option<Phases>,
    /// What came out. Early reports do not say it.
    #[serde(default)]
    pub results: Results,
    /// How degrees and scores are spread. Early reports do not say it.
    #[serde(default)]
    pub distributions: Distributions,
    /// What can be checked afterwards.
    pub checks: Checks,
}

/// The phases of a run, and the spans of the track `main` that make them up.
const PHASES: [(&str, &[&str]); 4] = [
    ("read", &["read"]),
    ("prepare", &["prepare"]),
    ("search", &["search"]),
    ("write", &WRITE),
];
const WRITE: [&str; 7] = [
    "unfold",
    "write scores",
    "write edges",
    "write sums",
    "finish scores",
    "finish edges",
    "finish sums",
];

/// Seconds of the phases of a run, some of which lie beside each other.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Phases {
    /// Reading the graph.
    pub read: f64,
    /// Preparing it.
    pub prepare: f64,
    /// Getting devices ready, which goes on beside the two; null if none got ready.
    pub device: Option<f64>,
    /// Searching.
    pub search: f64,
    /// Adding up the scores and writing them.
    pub write: f64,
}

impl TimelineSpan {
    /// The phase of the run that it makes up, alone or with others.
    pub fn phase(&self) -> Option<&'static str> {
        let mut phases = PHASES.into_iter();
        let phase = phases.find(|(_, names)| names.contains(&self.name.as_str()));
        phase.map(|(phase, _)| phase)
    }
}

impl Report {
    /// Seconds of reading, preparing, searching and writing.
    pub fn phases(&self) -> [(&'static str, f64); 4] {
        PHASES.map(|(phase, _)| {
            let spans = self.timeline.iter().filter(|span| span.track == "main");
            let spans = spans.filter(|span| span.phase() == Some(phase));
            (phase, spans.map(|span| span.end - span.start).sum())
        })
    }

    /// The same, with what getting devices ready took.
    pub fn seconds(&self) -> Phases {
        let [read, prepare, search, write] = self.phases().map(|(_, seconds)| seconds);
        let spans = self.timeline.iter();
        let spans = spans.filter(|span| span.track.starts_with("device"));
        let began = spans.map(|span| span.start).reduce(f64::min);
        let ready = self.initialisation.as_ref().and_then(|init| init.ready);
        Phases {
            read,
            prepare,
            device: ready.zip(began).map(|(ready, began)| ready - began),
            search,
            write,
        }
    }

    /// CPU workers that searched.
    pub fn cpu_workers(&self) -> impl Iterator<Item = &WorkerPart> {
        let workers = self.workers.iter();
        workers.filter(|worker| worker.kind == WorkerKind::Cpu)
    }

    /// What a device did, if it searched.
    pub fn work_of(&self, device: &DevicePart) -> Option<&WorkerPart> {
        let number = device.info.number;
        let mut workers = self.workers.iter();
        workers.find(|worker| worker.kind == WorkerKind::Device && worker.number == number)
    }
}

/// The program.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Program {
    /// `brandes`.
    #[cfg_attr(feature = "schemars", schemars(extend("const" = env!("CARGO_PKG_NAME"))))]
    pub name: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
}

impl Program {
    /// This one.
    pub fn this() -> Program {
        Program {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: option_env!("BRANDES_COMMIT").map(String::from),
        }
    }
}

/// The machine.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Host {
    /// Logical cores.
    pub cores: usize,
    /// Model of the CPU, if known.
    pub cpu: Option<String>,
    /// Its name. Early reports do not say it, nor the rest.
    #[serde(default)]
    pub name: Option<String>,
    /// The operating system, its release and the architecture.
    #[serde(default)]
    pub os: Option<String>,
    /// Bytes of memory.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
}

impl Host {
    /// This one.
    pub fn this() -> Host {
        let (name, os) = name_and_os().unzip();
        Host {
            cores: num_cpus::get(),
            cpu: cpu_model(),
            name,
            os,
            memory_bytes: memory::physical().map(|bytes| bytes as u64),
        }
    }
}

/// The graph as read.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Input {
    // The first three are null where a program made the graph: files never say so.
    /// Path as given, `<stdin>` for standard input.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    pub path: Option<String>,
    /// Bytes read, compressed if the input is.
    #[cfg_attr(feature = "schemars", schemars(with = "u64"))]
    pub bytes: Option<u64>,
    /// Format it was read as.
    #[cfg_attr(feature = "schemars", schemars(with = "Format"))]
    pub format: Option<Format>,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// Vertices.
    pub vertices: usize,
    /// Distinct edges, without self loops.
    pub edges: usize,
    /// Edges as the input states them.
    pub entries: u64,
    /// Self loops dropped.
    pub loops_dropped: u64,
    /// Repeated (and, when symmetrised, reverse) edges merged.
    pub edges_merged: u64,
    /// Whether weights were there and ignored.
    pub weights_ignored: bool,
    /// How the input was understood beyond its rows, a sentence each. Early reports have none.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl Input {
    /// Of this graph, read from there if it is from a file.
    pub fn new(graph: &Graph, source: Option<&Source>) -> Input {
        let simplified = graph.simplified();
        Input {
            path: source.map(|source| source.path.clone()),
            bytes: source.map(|source| source.bytes),
            format: source.map(|source| source.format),
            directed: graph.directed(),
            vertices: graph.vertices(),
            edges: graph.edges(),
            entries: simplified.entries,
            loops_dropped: simplified.loops,
            edges_merged: simplified.merged,
            weights_ignored: simplified.weights_dropped,
            notes: source.map_or_else(Vec::new, |source| source.notes.clone()),
        }
    }

    /// The path, if there is one.
    pub fn path(&self) -> &str {
        self.path.as_deref().unwrap_or_default()
    }
}

/// The graph as searched.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct PreparedPart {
    /// Vertices left to search.
    pub vertices: usize,
    /// Arcs left.
    pub arcs: usize,
    /// Vertices folded away.
    pub folded: usize,
    /// Connected components of the input.
    pub components: usize,
    /// Numbering of the searched vertices.
    pub order: Order,
    /// Sources asked for, in input vertices.
    pub sources: usize,
    /// Searches needed for them.
    pub roots: usize,
    /// Whether scores are partial: not all vertices were sources, or this is a part of a search.
    pub partial: bool,
    /// Which part of the search this is, as `K/N`; null if it is the whole.
    #[serde(default)]
    pub part: Option<String>,
    /// Blocks that were searched one by one; null if the graph was not split.
    #[serde(default)]
    pub blocks: Option<usize>,
    /// Vertices inside no chain, if searches served the sources inside chains of degree-2 vertices.
    pub junctions: Option<usize>,
    /// Chains between them.
    pub chains: Option<usize>,
    /// Edges of the longest one.
    pub longest_chain: Option<u32>,
    /// What each reduction left to search, and what there was before.
    #[serde(default)]
    pub steps: Vec<Step>,
}

/// How it was decided to search.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Strategy asked for on devices; null if no device is to be driven.
    pub strategy: Option<Strategy>,
    /// Why.
    pub why: String,
    /// Numbers on devices, and if mixed of lanes on cores; other engines on cores count in f64.
    pub precision: Precision,
    /// D asked for; null for the strategy's own choice.
    pub degree: Option<u32>,
    /// Lanes asked for; null for the strategy's own choice.
    pub lanes: Option<u32>,
    /// Work-items of a virtual warp asked for; null for the strategy's own choice.
    pub warp_size: Option<u32>,
    /// Work-items of a work-group.
    pub work_group: Option<usize>,
    /// The profile of `brandes tune` that strategy and numbers are from; null without one.
    pub profile: Option<String>,
    /// CPU workers asked for; null for "as many as cores are free".
    pub cpu_workers: Option<usize>,
    /// Whether scores have the same bits in every run with these options.
    #[serde(default)]
    pub reproducible: bool,
}

/// One device.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct DevicePart {
    /// What the device says of itself.
    #[serde(flatten)]
    pub info: DeviceInfo,
    /// How far its driver came.
    pub state: DriverState,
    /// Why it failed, if it did.
    pub error: Option<String>,
    /// Roots given back after a failure.
    pub returned: usize,
    /// How it searched; null if it never had the graph.
    pub plan: Option<EnginePlan>,
    /// Whether its kernels came from the cache of built programs.
    pub program_from_cache: bool,
    /// CPU seconds of its driver thread while searching.
    pub driver_cpu_seconds: f64,
    /// Times of its kernels while it searched; null if they were not asked for, or could not be
    /// taken.
    pub profile: Option<ProfilePart>,
}

/// What a device did while it searched, by its own clock.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct ProfilePart {
    /// Kernels, longest first.
    pub kernels: Vec<KernelPart>,
    /// Reads, writes and fills, longest first.
    pub transfers: Vec<TransferPart>,
    /// Kernels and transfers that `--trace` shows.
    pub spans: usize,
    /// Those that came later, which are in the sums only.
    pub spans_left_out: u64,
    /// By how much a span may lie too early or too late.
    pub clock_precision_seconds: f64,
    /// What reading the times cost the driver's thread; that of the device is not known.
    pub reading_seconds: f64,
}

/// All launches of a kernel.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct KernelPart {
    /// Its name.
    pub name: String,
    /// How often.
    pub launches: u64,
    /// How long it ran in all.
    pub seconds: f64,
    /// Part of the seconds of all kernels.
    #[cfg_attr(feature = "schemars", schemars(extend("maximum" = 1)))]
    pub share: f64,
}

/// All transfers of a kind.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TransferPart {
    /// `read`, `write` or `fill`.
    #[cfg_attr(feature = "schemars", schemars(extend("enum" = ["read", "write", "fill"])))]
    pub name: String,
    /// How many.
    pub count: u64,
    /// How long they took in all.
    pub seconds: f64,
}

impl ProfilePart {
    /// Of these times.
    pub fn new(profile: &Profile) -> ProfilePart {
        let commands = profile.commands.iter();
        let (kernels, transfers): (Vec<_>, Vec<_>) = commands.partition(|c| c.is_kernel);
        let all: f64 = kernels.iter().map(|kernel| kernel.seconds).sum();
        let kernels = kernels.into_iter().map(|kernel| KernelPart {
            name: kernel.name.clone(),
            launches: kernel.count,
            seconds: kernel.seconds,
            share: if all > 0.0 { kernel.seconds / all } else { 0.0 },
        });
        let transfers = transfers.into_iter().map(|transfer| TransferPart {
            name: transfer.name.clone(),
            count: transfer.count,
            seconds: transfer.seconds,
        });
        ProfilePart {
            kernels: kernels.collect(),
            transfers: transfers.collect(),
            spans: profile.spans.len(),
            spans_left_out: profile.left_out,
            clock_precision_seconds: profile.precision,
            reading_seconds: profile.reading,
        }
    }
}

/// Who searched.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct WorkerPart {
    /// What it is.
    pub kind: WorkerKind,
    /// Number of the worker or device.
    pub number: usize,
    /// Engine of a CPU worker; null for devices, whose plan says more.
    pub engine: Option<EngineName>,
    /// Roots that a CPU worker searches together: 1 but for `lanes` and `clustered`.
    pub lanes: Option<usize>,
    /// Vector instructions of engines `lanes` and `clustered`.
    pub simd: Option<Simd>,
    /// About as many bytes as engines `lanes` and `clustered`, and those of weighted graphs, hold.
    pub bytes: Option<usize>,
    /// Roots searched whose results count.
    pub roots: usize,
    /// Claims made.
    pub batches: usize,
    /// Seconds spent searching.
    pub busy_seconds: f64,
    /// Seconds from its last result to the end of all searching.
    pub idle_tail_seconds: f64,
}

/// What searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WorkerKind {
    /// A CPU worker.
    #[default]
    Cpu,
    /// A device.
    Device,
}

/// A named piece of the run.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct TimelineSpan {
    /// `main`, `devices`, `cpu N`, or `device N`.
    #[cfg_attr(
        feature = "schemars",
        schemars(regex(pattern = "^(main|devices|(cpu|device) [0-9]+)$"))
    )]
    pub track: String,
    /// What was done.
    pub name: String,
    /// Seconds since process start.
    pub start: f64,
    /// Seconds since process start.
    pub end: f64,
}

/// How device initialisation lay beside reading and preparing.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Initialisation {
    /// When the last device that got ready was ready; null if none was.
    pub ready: Option<f64>,
    /// When the graph was ready.
    pub graph_ready: f64,
    /// Seconds by which initialisation outlasted reading and preparing; zero if it was hidden.
    pub sticks_out_seconds: f64,
}

/// The run as a whole.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Totals {
    /// From process start to the last byte of the scores.
    pub seconds: f64,
    /// From when the graph is ready to be searched to the last result.
    pub search_seconds: f64,
    /// Vertices times edges of the input, per second of the whole run; null for partial scores,
    /// and for runs that went on from a checkpoint.
    pub teps: Option<f64>,
    /// Largest resident memory, bytes.
    pub peak_rss_bytes: Option<u64>,
}

/// What can be checked afterwards.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Checks {
    /// Sum of all scores as written.
    pub score_sum: f64,
    /// Largest score.
    pub score_max: f64,
    /// Roots that have more shortest paths to some vertex than f64 can count, searched with wider
    /// numbers.
    pub wide_roots: usize,
    /// How far each score may be from the true one, relative to it, by numbers of 32 bits; null
    /// unless the precision is mixed, and where a device served sources inside chains.
    #[serde(default)]
    pub error_bound: Option<f64>,
    /// Everything the user was warned of.
    pub warnings: Vec<String>,
}

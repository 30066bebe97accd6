//! The JSON file of `brandes bench`. `docs/bench.md` describes every field.

use serde::Serialize;

use super::schema::{Host, Program};
use crate::app::bench::baseline::Comparison;
use crate::app::bench::results::{Ablation, AutoChoice, Measured};
use brandes::device::DeviceInfo;
use brandes::engine::Precision;

/// Version of the shape of the file; grows with every incompatible change.
pub const BENCH_SCHEMA_VERSION: u32 = 1;

/// A whole file.
#[derive(Debug, Serialize)]
pub struct BenchReport {
    /// [`BENCH_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `bench`: tells this file from those of other commands.
    pub kind: &'static str,
    /// What wrote it.
    pub program: Program,
    /// The command line.
    pub command: Vec<String>,
    /// The machine.
    pub host: Host,
    /// The device measured; none if only CPU workers were.
    pub devices: Vec<DeviceInfo>,
    /// How it was measured.
    pub options: BenchOptions,
    /// One entry per graph.
    pub graphs: Vec<GraphPart>,
    /// Graphs of the catalog that are not there.
    pub skipped: Vec<Skipped>,
    /// Against an earlier report, if asked for.
    pub baseline: Option<Comparison>,
}

/// A graph of the catalog that is not there.
#[derive(Debug, Serialize)]
pub struct Skipped {
    /// What the catalog calls it.
    pub name: String,
    /// Where it would be.
    pub path: String,
    /// The command that gets it.
    pub get: String,
}

/// How it was measured.
#[derive(Debug, Serialize)]
pub struct BenchOptions {
    /// Timed searches of each strategy.
    pub repeat: usize,
    /// Seconds above which a time is estimated.
    pub limit_seconds: f64,
    /// Number type on the device.
    pub precision: Precision,
    /// Work-items of a work-group asked for; null for each strategy's own choice.
    pub work_group: Option<usize>,
    /// D asked for; null for the strategy's own choice.
    pub degree: Option<u32>,
    /// Lanes asked for; null for the strategy's own choice.
    pub lanes: Option<u32>,
    /// CPU workers beside the device; null for "as many as cores are free".
    pub cpu_workers: Option<usize>,
    /// Sources asked for.
    pub roots: String,
}

/// One graph.
#[derive(Debug, Serialize)]
pub struct GraphPart {
    /// Path as given.
    pub path: String,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// Whether weights were taken as lengths.
    pub weighted: bool,
    /// Vertices of the input.
    pub vertices: usize,
    /// Distinct edges of the input, without self loops.
    pub edges: usize,
    /// Vertices left to search.
    pub prepared_vertices: usize,
    /// Arcs left.
    pub prepared_arcs: usize,
    /// Searches needed.
    pub roots: usize,
    /// One entry per strategy, in the order asked for; empty if there is nothing to search.
    pub strategies: Vec<Measured>,
    /// What `auto` chose, if it was measured beside others.
    pub auto: Option<AutoChoice>,
    /// The ideas of strategy `virtual`, if asked for.
    pub ablation: Option<Ablation>,
}

impl GraphPart {
    /// The last part of the path: what tables call it.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

//! The JSON file of `brandes bench`. `docs/bench.md` describes every field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::comparison::Comparison;
use crate::app::bench::results::{Ablation, AutoChoice, Measured};
use brandes::device::DeviceInfo;
use brandes::engine::Precision;
use brandes::report::About;
use brandes::report::words::last_part;

/// A whole report of `brandes bench`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes bench")]
pub struct BenchReport {
    /// What wrote it, how and where.
    #[serde(flatten)]
    pub about: About,
    /// The device measured; none if only CPU workers were.
    pub devices: Vec<DeviceInfo>,
    /// How it was measured.
    pub options: BenchOptions,
    /// One entry per graph.
    pub graphs: Vec<GraphPart>,
    /// Graphs of the catalog that are not there. Early reports do not say it.
    #[serde(default)]
    pub skipped: Vec<Skipped>,
    /// Against an earlier report, if asked for. Pages do not show it, so it is not read back.
    #[serde(skip_deserializing)]
    pub baseline: Option<Comparison>,
}

/// A graph of the catalog that is not there.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Skipped {
    /// What the catalog calls it.
    pub name: String,
    /// Where it would be.
    pub path: String,
    /// The command that gets it.
    pub get: String,
}

/// How it was measured.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct BenchOptions {
    /// Timed searches of each strategy.
    pub repeat: usize,
    /// Seconds above which a time is estimated.
    pub limit_seconds: f64,
    /// Numbers on the device.
    pub precision: Precision,
    /// All that were measured side by side, that one first. Early reports do not say it.
    #[serde(default)]
    pub precisions: Vec<Precision>,
    /// Work-items of a work-group asked for; null for each strategy's own choice.
    pub work_group: Option<usize>,
    /// D asked for; null for the strategy's own choice.
    pub degree: Option<u32>,
    /// Lanes asked for; null for the strategy's own choice.
    pub lanes: Option<u32>,
    /// CPU workers beside the device; null for "as many as cores are free".
    pub cpu_workers: Option<usize>,
    /// Sources asked for, as behind `--roots`. Early reports do not say it.
    #[serde(default = "all_roots")]
    #[schemars(regex(pattern = r"^(all|[0-9]+|[0-9]+\.\.[0-9]+)$"))]
    pub roots: String,
}

/// What `--roots` is by itself.
fn all_roots() -> String {
    "all".into()
}

/// One graph.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct GraphPart {
    /// Path as given.
    pub path: String,
    /// Whether arcs count in one direction only.
    pub directed: bool,
    /// Whether weights were taken as lengths. Early reports do not say it.
    #[serde(default)]
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
        last_part(&self.path)
    }
}

//! The JSON file of `brandes bench`. `docs/bench.md` describes every field.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::app::bench::baseline::Comparison;
use crate::app::bench::results::{AutoChoice, Measured};
use brandes::device::DeviceInfo;
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

/// How it was measured. Values of strategies are in the entries of `strategies`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct BenchOptions {
    /// Timed searches of each strategy.
    pub repeat: usize,
    /// Seconds above which a time is estimated.
    pub limit_seconds: f64,
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
    /// One entry per strategy and combination of its values, in the order asked for; empty if there
    /// is nothing to search.
    pub strategies: Vec<Measured>,
    /// What `auto` chose, if it was measured beside others.
    pub auto: Option<AutoChoice>,
    /// Strategy `virtual` with all of its ideas and then with each of them switched off, if asked
    /// for. What early reports have here is not read.
    #[serde(default, deserialize_with = "rows")]
    pub ablation: Option<Vec<Measured>>,
}

fn rows<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Vec<Measured>>, D::Error> {
    let value = Value::deserialize(value)?;
    Ok(serde_json::from_value(value).ok())
}

impl GraphPart {
    /// The last part of the path: what tables call it.
    pub fn name(&self) -> &str {
        last_part(&self.path)
    }
}

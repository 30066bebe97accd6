//! The JSON file of `brandes bench`. `docs/bench.md` describes every field.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::app::bench::results::{Ablation, Asked, AutoChoice, Measured};
use brandes::device::DeviceInfo;
use brandes::report::words::named;
use brandes::report::{About, Program};

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
    /// The ideas of strategy `virtual`, if asked for. What early reports have here is not read.
    #[serde(default, deserialize_with = "if_known")]
    pub ablation: Option<Ablation>,
}

fn if_known<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Ablation>, D::Error> {
    let value = Value::deserialize(value)?;
    Ok(serde_json::from_value(value).ok())
}

impl GraphPart {
    /// All that was measured on it, rows of an ablation last.
    pub fn measured(&self) -> impl Iterator<Item = &Measured> {
        let all_on = self.ablation.iter().map(|ablation| &ablation.all_on);
        let rows = self.ablation.iter().flat_map(|ablation| &ablation.rows);
        self.strategies
            .iter()
            .chain(all_on)
            .chain(rows.map(|row| &row.off))
    }
}

/// Returns what tables call the graph at `path`: the last part of the path, with as many folders
/// before it as tell it from the other paths of `all`.
pub fn short_name<'p>(path: &'p str, all: &[impl AsRef<str>]) -> &'p str {
    let is_unique = |tail: &&str| {
        let mut others = all.iter().map(AsRef::as_ref).filter(|other| *other != path);
        !others.any(|other| Path::new(other).ends_with(tail))
    };
    let starts = path.rmatch_indices('/').map(|(slash, _)| slash + 1);
    let mut tails = starts.map(|start| &path[start..]);
    tails.find(is_unique).unwrap_or(path)
}

/// What became of a strategy on a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Faster beyond noise.
    Faster,
    /// Slower beyond noise.
    Slower,
    /// Neither can be said.
    WithinNoise,
    /// Not in the baseline, or could not search then.
    New,
    /// Not measured now.
    Gone,
    /// Could search then and cannot now.
    Failed,
    /// Something else was measured.
    NotComparable,
}

impl Verdict {
    /// For tables.
    pub fn words(self) -> String {
        named(self).replace('-', " ")
    }

    /// Whether `--fail-slower` is about this.
    pub fn is_worse(self) -> bool {
        matches!(self, Verdict::Slower | Verdict::Failed)
    }
}

/// A join of two reports, as it goes into the later one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Comparison {
    /// The baseline, as given.
    pub path: String,
    /// What measured it.
    pub program: Program,
    /// What else has changed since then, so that times may have for that reason.
    pub warnings: Vec<String>,
    /// One entry per graph and strategy with its values that was measured now or, on the same
    /// graphs, then.
    pub rows: Vec<Row>,
    /// Graphs of the baseline that were not measured now.
    pub graphs_gone: Vec<String>,
}

/// A strategy with its values on a graph.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// The graph: the last part of its path, with folders before it where two graphs share it.
    pub graph: String,
    /// What was asked for.
    #[serde(flatten)]
    pub asked: Asked,
    /// What became of it.
    pub verdict: Verdict,
    /// Median of the earlier times.
    pub baseline_seconds: Option<f64>,
    /// Median of the times now.
    pub seconds: Option<f64>,
    /// From one to the other: 0.2 for a fifth more time.
    #[schemars(extend("minimum" = -1))]
    pub change: Option<f64>,
    /// What else is to be said.
    pub note: Option<String>,
}

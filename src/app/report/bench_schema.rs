//! The JSON files of `brandes bench` and `brandes tune`. `docs/schema/bench-report.schema.json` and
//! `docs/schema/tune-report.schema.json` describe every field.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::bench::results::{Ablation, Measured};
use brandes::device::DeviceInfo;
use brandes::graph::Graph;
use brandes::prepare::Prepared;
use brandes::report::About;

/// A whole report of `brandes bench`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes bench")]
pub struct BenchReport {
    /// The program that wrote it, its command, and the machine.
    #[serde(flatten)]
    pub about: About,
    /// The device measured; an empty list if only CPU workers were measured.
    pub devices: Vec<DeviceInfo>,
    /// One entry per graph.
    pub graphs: Vec<GraphPart>,
}

/// One graph.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct GraphPart {
    /// Path as given.
    pub path: String,
    /// Whether edges are read as arcs.
    pub directed: bool,
    /// Whether weights are lengths.
    pub weighted: bool,
    /// Vertices of the input.
    pub vertices: usize,
    /// Distinct edges of the input, without self loops.
    pub edges: usize,
    /// Vertices left to search.
    pub prepared_vertices: usize,
    /// Arcs left to search.
    pub prepared_arcs: usize,
    /// Searches needed.
    pub roots: usize,
    /// One entry per strategy and combination of its values, in the order given; empty if there is
    /// nothing to search.
    pub strategies: Vec<Measured>,
    /// The ideas of strategy `virtual`, with `--ablation`.
    pub ablation: Option<Ablation>,
}

impl GraphPart {
    /// Describes a graph, without measurements.
    pub fn new(graph: &Graph, path: &str, prepared: &Prepared) -> GraphPart {
        GraphPart {
            path: path.into(),
            directed: graph.directed(),
            weighted: graph.lengths().is_some(),
            vertices: graph.vertices(),
            edges: graph.edges(),
            prepared_vertices: prepared.graph.vertices(),
            prepared_arcs: prepared.graph.arcs(),
            roots: prepared.roots.len(),
            strategies: Vec::new(),
            ablation: None,
        }
    }

    /// Returns all measurements, rows of an ablation last.
    pub fn measured(&self) -> impl Iterator<Item = &Measured> {
        let all_on = self.ablation.iter().map(|ablation| &ablation.all_on);
        let rows = self.ablation.iter().flat_map(|ablation| &ablation.rows);
        let ablated = all_on.chain(rows.map(|row| &row.off));
        self.strategies.iter().chain(ablated)
    }
}

/// A whole report of `brandes tune`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The report of brandes tune")]
pub struct TuneReport {
    /// The program that wrote it, its command, and the machine.
    #[serde(flatten)]
    pub about: About,
    /// The device; an empty list if CPU workers were tuned.
    pub devices: Vec<DeviceInfo>,
    /// The graph, with the last measurement of each setting.
    pub graphs: Vec<GraphPart>,
    /// The result.
    pub tune: TunePart,
}

/// The result. Settings are given by their places in `strategies`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TunePart {
    /// Seconds that measuring may take.
    pub budget_seconds: f64,
    /// Seconds that measuring took.
    pub seconds: f64,
    /// The fastest setting.
    pub best: usize,
    /// The default setting of a run.
    pub default: usize,
    /// The setting to use: the fastest, or the default if that is as fast.
    pub adopted: usize,
    /// The settings that were dropped for being slow.
    pub dropped: Vec<usize>,
    /// The comparison of the fastest setting with the default, in words.
    pub verdict: String,
}

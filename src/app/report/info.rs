//! The output of `brandes info`, as a table and as JSON. `docs/schema/info.schema.json` describes
//! every field.

use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{aligned, terminal_width};
use crate::app::bench::predict::{Prediction, best};
use brandes::graph::{ComponentStats, DegreeStats};
use brandes::prepare::Step;
use brandes::report::words::{self, counted, grouped, named, number, size};
use brandes::report::{Input, Program, SCHEMA_VERSION, WeightsPart};

/// A description of a graph.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "The output of brandes info")]
pub struct Info {
    /// The version of the schema. Every incompatible change increases it.
    #[schemars(extend("const" = SCHEMA_VERSION))]
    pub schema_version: u32,
    /// The program that wrote the output.
    pub program: Program,
    /// The graph as read.
    pub input: Input,
    /// The weights of the graph as lengths; null without `--weighted`.
    pub weights: Option<WeightsPart>,
    /// The connected components of the graph.
    pub components: ComponentStats,
    /// The degrees of the graph.
    pub degrees: DegreeStats,
    /// The graph to search.
    pub prepared: SearchedGraph,
    /// The depths of a few searches; null if there is nothing to search.
    pub depth: Option<Depth>,
    /// The effect of serving sources inside chains; null if that does not suit the graph, or if
    /// `--reduce` decides on it.
    pub chains: Option<ChainsPart>,
    /// Memory of the arrays.
    pub memory: Memory,
    /// Predicted times of runs; empty if there is nothing to search, or with `--budget 0`.
    pub predictions: Vec<Prediction>,
    /// Advice for a long run.
    pub advice: Vec<String>,
}

/// The graph to search, as if each source inside a chain were searched; `chains` has the effect of
/// serving them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchedGraph {
    /// Vertices.
    pub vertices: usize,
    /// Arcs; an undirected edge is two.
    pub arcs: usize,
    /// Vertices folded away: those of the trees that hang off the rest of the graph.
    pub folded: usize,
    /// The number of searches that all scores need.
    pub searches: usize,
    /// Biconnected components that are searched separately; null if the graph is not split.
    pub blocks: Option<usize>,
    /// Work before the reductions, and after each of them.
    pub steps: Vec<Step>,
}

/// Depths of a few searches, spread over the graph to search.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Depth {
    /// Searches made.
    pub searches: usize,
    /// Median of the depths.
    pub median: u32,
    /// Largest depth.
    pub deepest: u32,
}

/// The effect of serving the sources inside chains of degree-2 vertices by the searches from the
/// ends of the chains.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChainsPart {
    /// The number of searches that remain.
    pub searches: usize,
    /// Vertices that are not inside a chain.
    pub junctions: usize,
    /// Chains whose inner sources are served.
    pub chains: usize,
    /// Edges of the longest chain.
    pub longest_chain: u32,
    /// Whether `--reduce auto` serves sources inside chains with `--device none`.
    pub auto_contracts_for_cpu: bool,
    /// Whether `--reduce auto` serves sources inside chains with devices.
    pub auto_contracts_for_devices: bool,
}

/// Memory in bytes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Memory {
    /// Arrays of the graph as read, without names of vertices.
    pub input_bytes: usize,
    /// Arrays of the graph to search.
    pub graph_bytes: usize,
    /// Arrays of each CPU worker, if each source inside a chain is searched.
    pub cpu_worker_bytes: usize,
}

impl Info {
    /// Returns a line about the file, and a table of names, values and remarks.
    pub fn table(&self) -> String {
        let (input, degrees, searched) = (&self.input, &self.degrees, &self.prepared);
        let row = |name: &str, value: String, note: &str| vec![name.into(), value, note.into()];
        let number_of = |name: &str, count, note: &str| row(name, grouped(count as u64), note);
        // A number, with its unit as the remark.
        let counted = |name: &str, count: usize, one: &str| {
            let words = counted(count, one);
            let (number, unit) = words.split_once(' ').unwrap_or((&words, ""));
            row(name, number.into(), unit)
        };
        let mut rows: Vec<Vec<String>> = vec![
            number_of("vertices", input.vertices, ""),
            number_of("edges", input.edges, ""),
        ];
        if let Some(weights) = &self.weights {
            let numbers = format!("as {} of {} bits", weights.kind, weights.bits);
            let length = |name, length| row(name, number(length), &numbers);
            rows.extend(weights.min.map(|min| length("shortest edge", min)));
            rows.extend(weights.max.map(|max| length("longest edge", max)));
        }
        let (kind, degree, weakly) = match input.directed {
            true => ("directed", "out-degree", "weakly connected"),
            false => ("undirected", "degree", ""),
        };
        let name = |statistic: &str| format!("{statistic} {degree}");
        let percentile = "99 of 100 vertices have no larger one";
        rows.extend([
            row("self loops", grouped(input.loops_dropped), "dropped"),
            row("repeated edges", grouped(input.edges_merged), "merged"),
            number_of("components", self.components.count, weakly),
            counted("largest component", self.components.largest, "vertex"),
            counted("isolated", self.components.isolated, "vertex"),
            number_of(&name("smallest"), degrees.min, ""),
            row(&name("median"), degrees.median.to_string(), ""),
            row(&name("mean"), format!("{:.2}", degrees.mean), ""),
            number_of(&name("99th percentile"), degrees.percentile_99, percentile),
            number_of(&name("largest"), degrees.max, ""),
            counted("folded away", searched.folded, "vertex"),
            number_of("vertices to search", searched.vertices, ""),
            number_of("arcs to search", searched.arcs, ""),
            number_of("searches", searched.searches, ""),
        ]);
        let blocks = searched.blocks.iter();
        rows.extend(blocks.map(|&blocks| number_of("blocks to search", blocks, "")));
        if let [before, steps @ ..] = &searched.steps[..] {
            rows.extend(steps.iter().map(|step| {
                let percent = format!("{:.1}%", 100.0 * step.work / before.work.max(1.0));
                let name = format!("work after {}", step.after);
                row(&name, percent, "of roots times arcs")
            }));
        }
        if let Some(depth) = &self.depth {
            let searches = words::counted(depth.searches, "search");
            let depth_of = |name, levels: u32| {
                let unit = if levels == 1 { "level" } else { "levels" };
                number_of(name, levels as usize, &format!("{unit}, of {searches}"))
            };
            rows.push(depth_of("median depth", depth.median));
            rows.push(depth_of("largest depth", depth.deepest));
        }
        if let Some(chains) = &self.chains {
            let served = "if sources inside chains are served";
            let yes = |is: bool| if is { "yes" } else { "no" }.to_string();
            let cpu = yes(chains.auto_contracts_for_cpu);
            let devices = yes(chains.auto_contracts_for_devices);
            rows.extend([
                number_of("searches left", chains.searches, served),
                number_of("junctions", chains.junctions, "inside no chain"),
                number_of("chains", chains.chains, "whose sources are served"),
                counted("longest chain", chains.longest_chain as usize, "edge"),
                row("served by auto", cpu, "with --device none"),
                row("served by auto", devices, "with devices"),
            ]);
        }
        let bytes = |bytes: usize, note| row("memory", size(bytes as u64), note);
        rows.extend([
            bytes(self.memory.input_bytes, "graph as read"),
            bytes(self.memory.graph_bytes, "graph to search"),
            bytes(self.memory.cpu_worker_bytes, "each CPU worker"),
        ]);
        let has_several = self.predictions.len() > 1;
        let best = best(&self.predictions).filter(|best| has_several && best.seconds.is_some());
        rows.extend(self.predictions.iter().map(|prediction| {
            let mut note = prediction.how.clone();
            let bytes = prediction.device_bytes.iter();
            note.extend(bytes.map(|&bytes| format!(", {} on the device", size(bytes))));
            if best.is_some_and(|best| best.how == prediction.how) {
                note += "; the fastest";
            }
            let failure = prediction.failure.iter();
            note.extend(failure.map(|failure| format!(": {failure}")));
            row("predicted", prediction.words().unwrap_or("-".into()), &note)
        }));
        let table = aligned(&rows, &[0, 2], &[2], terminal_width());
        let advice = self.advice.iter().map(|line| format!("advice: {line}\n"));
        let advice: String = advice.collect();
        let (path, format) = (input.path(), named(input.format));
        format!("{path}: {format}, {kind}\n{table}{advice}")
    }
}

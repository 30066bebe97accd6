//! The output of `brandes info`, as a table and as JSON. `docs/schema/info.schema.json` describes
//! every field.

use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{aligned, terminal_width};
use crate::app::bench::predict::{Prediction, Searchers};
use brandes::graph::{ComponentStats, DegreeStats};
use brandes::prepare::Step;
use brandes::report::words::{counted, duration, grouped, named, number, size};
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
    /// Memory of the arrays.
    pub memory: Memory,
    /// Predicted times of runs; empty if there is nothing to search, or with `--budget 0`.
    pub predictions: Vec<Prediction>,
}

/// The graph to search, as `brandes run` prepares it with the same `--device` and `--reduce`.
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

/// Memory in bytes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Memory {
    /// Arrays of the graph as read, without names of vertices.
    pub input_bytes: usize,
    /// Arrays of the graph to search.
    pub graph_bytes: usize,
    /// Arrays of each CPU worker that searches root by root.
    pub cpu_worker_bytes: usize,
}

/// A name, a value and a remark.
type Row = Vec<String>;

fn row(name: &str, value: String, note: &str) -> Row {
    vec![name.into(), value, note.into()]
}

fn number_row(name: &str, number: usize, note: &str) -> Row {
    row(name, grouped(number as u64), note)
}

/// Returns a row of a number whose unit is the remark.
fn counted_row(name: &str, count: usize, one: &str) -> Row {
    let words = counted(count, one);
    let (number, unit) = words.split_once(' ').unwrap_or((&words, ""));
    row(name, number.into(), unit)
}

impl Info {
    /// Returns a line about the file and a table of names, values and remarks.
    pub fn table(&self) -> String {
        let (graph, search) = (self.graph_rows(), self.search_rows());
        let rows = [graph, search, self.prediction_rows()].concat();
        let table = aligned(&rows, &[0, 2], &[2], terminal_width());
        let (path, format) = (&self.input.path, named(self.input.format));
        let direction = self.input.direction();
        format!("{path}: {format}, {direction}\n{table}")
    }

    /// Describes the graph as read.
    fn graph_rows(&self) -> Vec<Row> {
        let (input, components, degrees) = (&self.input, &self.components, &self.degrees);
        let mut rows = vec![
            number_row("vertices", input.vertices, ""),
            number_row("edges", input.edges, ""),
        ];
        if let Some(weights) = &self.weights {
            let numbers = format!("as {} of {} bits", weights.kind, weights.bits);
            let length = |name, length| row(name, number(length), &numbers);
            rows.extend(weights.min.map(|min| length("shortest edge", min)));
            rows.extend(weights.max.map(|max| length("longest edge", max)));
        }
        let (degree, weakly) = match input.directed {
            true => ("out-degree", "weakly connected"),
            false => ("degree", ""),
        };
        let name = |statistic: &str| format!("{statistic} {degree}");
        let percentile = "99 of 100 vertices have no larger one";
        rows.extend([
            row("self loops", grouped(input.loops_dropped), "dropped"),
            row("repeated edges", grouped(input.edges_merged), "merged"),
            number_row("components", components.count, weakly),
            counted_row("largest component", components.largest, "vertex"),
            counted_row("isolated", components.isolated, "vertex"),
            number_row(&name("smallest"), degrees.min, ""),
            row(&name("median"), degrees.median.to_string(), ""),
            row(&name("mean"), format!("{:.2}", degrees.mean), ""),
            number_row(&name("99th percentile"), degrees.percentile_99, percentile),
            number_row(&name("largest"), degrees.max, ""),
        ]);
        rows
    }

    /// Describes the graph to search, and its memory.
    fn search_rows(&self) -> Vec<Row> {
        let searched = &self.prepared;
        let mut rows = vec![
            counted_row("folded away", searched.folded, "vertex"),
            number_row("vertices to search", searched.vertices, ""),
            number_row("arcs to search", searched.arcs, ""),
            number_row("searches", searched.searches, ""),
        ];
        let blocks = searched.blocks.iter();
        rows.extend(blocks.map(|&blocks| number_row("blocks to search", blocks, "")));
        if let [before, steps @ ..] = &searched.steps[..] {
            rows.extend(steps.iter().map(|step| {
                let percent = format!("{:.1}%", 100.0 * step.work / before.work.max(1.0));
                let name = format!("work after {}", step.after);
                row(&name, percent, "of roots times arcs")
            }));
        }
        if let Some(depth) = &self.depth {
            let searches = counted(depth.searches, "search");
            let depth_row = |name, levels: u32| {
                let unit = if levels == 1 { "level" } else { "levels" };
                number_row(name, levels as usize, &format!("{unit}, of {searches}"))
            };
            rows.push(depth_row("median depth", depth.median));
            rows.push(depth_row("largest depth", depth.deepest));
        }
        let bytes = |bytes: usize, note| row("memory", size(bytes as u64), note);
        rows.extend([
            bytes(self.memory.input_bytes, "graph as read"),
            bytes(self.memory.graph_bytes, "graph to search"),
            bytes(self.memory.cpu_worker_bytes, "each CPU worker"),
        ]);
        rows
    }

    /// Describes the predicted times.
    fn prediction_rows(&self) -> Vec<Row> {
        let rows = self.predictions.iter().map(|prediction| {
            let mut note = match (prediction.who, prediction.device) {
                (Searchers::Run, _) => "brandes run: ".into(),
                (_, None) => String::new(),
                (_, Some(number)) => format!("--device {number} --cpu-workers 0: "),
            };
            note += &prediction.how;
            let bytes = prediction.device_bytes.iter();
            note.extend(bytes.map(|&bytes| format!(", {} on the device", size(bytes))));
            let failure = prediction.failure.iter();
            note.extend(failure.map(|failure| format!(": {failure}")));
            let at_most = if prediction.at_most { "at most " } else { "" };
            let time = prediction.seconds.map(duration);
            let time = time.map_or("-".into(), |time| at_most.to_string() + &time);
            row("predicted", time, &note)
        });
        rows.collect()
    }
}

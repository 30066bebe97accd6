//! What `brandes info` tells of a graph, as a table and as JSON. `docs/info.md` describes every
//! field.

use serde::Serialize;

use super::columns::{aligned, fit, screen};
use super::predictions::{Prediction, Who, best};
use super::schema::{Input, Program};
use super::weights::WeightsPart;
use super::words::{counted, grouped, number};

/// Version of the shape of the JSON; grows with every incompatible change.
pub const INFO_SCHEMA_VERSION: u32 = 1;

/// All of it.
#[derive(Debug, Serialize)]
pub struct Info {
    /// [`INFO_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What wrote it.
    pub program: Program,
    /// The graph as read.
    pub input: Input,
    /// What becomes of its weights; null if they were not asked for.
    pub weights: Option<WeightsPart>,
    /// Its connected components.
    pub components: ComponentsPart,
    /// Its degrees.
    pub degrees: Degrees,
    /// What is left to search.
    pub prepared: Left,
    /// How deep a few searches are; null if there is nothing to search.
    pub depth: Option<Depth>,
    /// What contracting chains would leave; null for directed and weighted graphs.
    pub chains: Option<ChainsPart>,
    /// Memory.
    pub memory: Memory,
    /// How long runs would take; none if nothing is to be searched or measured.
    pub predictions: Vec<Prediction>,
    /// What to do if that is long.
    pub advice: Vec<String>,
}

/// Connected components, weakly connected ones if directed.
#[derive(Debug, Serialize)]
pub struct ComponentsPart {
    /// How many.
    pub count: usize,
    /// Vertices of the largest.
    pub largest: usize,
    /// Vertices without any arc.
    pub isolated: usize,
}

/// Degrees of all vertices of the input; of a directed graph, arcs out.
#[derive(Debug, Serialize)]
pub struct Degrees {
    /// Smallest.
    pub min: usize,
    /// Median.
    pub median: f64,
    /// Mean.
    pub mean: f64,
    /// The smallest degree that 99 of 100 vertices do not exceed.
    pub percentile_99: usize,
    /// Largest.
    pub max: usize,
}

/// The graph to search, chains not contracted.
#[derive(Debug, Serialize)]
pub struct Left {
    /// Vertices.
    pub vertices: usize,
    /// Arcs; an undirected edge is two.
    pub arcs: usize,
    /// Degree-1 vertices folded away.
    pub folded: usize,
    /// Searches that all scores take.
    pub searches: usize,
}

/// Levels below the root of a few searches, spread over the graph to search.
#[derive(Debug, Serialize)]
pub struct Depth {
    /// Searches made.
    pub searches: usize,
    /// Median of their depths.
    pub median: u32,
    /// The deepest.
    pub deepest: u32,
}

/// The graph to search with chains of degree-2 vertices contracted.
#[derive(Debug, Serialize)]
pub struct ChainsPart {
    /// Junctions, each of which takes a search.
    pub junctions: usize,
    /// Chains, single edges included.
    pub chains: usize,
    /// Edges of the longest.
    pub longest_chain: u32,
    /// Whether `--chains auto` contracts for `--device none`.
    pub auto_contracts_for_cpu: bool,
    /// Whether it does where devices may search.
    pub auto_contracts_for_devices: bool,
}

/// Bytes.
#[derive(Debug, Serialize)]
pub struct Memory {
    /// Arrays of the graph as read, names of vertices aside.
    pub input_bytes: usize,
    /// Arrays of the graph to search.
    pub graph_bytes: usize,
    /// Arrays of each CPU worker that searches it as it stands.
    pub cpu_worker_bytes: usize,
}

impl Info {
    /// A line about the file, and an aligned table.
    pub fn table(&self) -> String {
        let input = &self.input;
        let (kind, degree) = if input.directed {
            ("directed", "out-degree")
        } else {
            ("undirected", "degree")
        };
        let format = format!("{:?}", input.format).to_lowercase();
        let mut rows = Rows::new();
        rows.count("vertices", input.vertices, "");
        rows.count("edges", input.edges, "");
        if let Some(weights) = &self.weights {
            let numbers = format!("as {} of {} bits", weights.kind, weights.bits);
            for (name, length) in [
                ("shortest edge", weights.min),
                ("longest edge", weights.max),
            ] {
                if let Some(length) = length {
                    rows.text(name, number(length), &numbers);
                }
            }
        }
        rows.count("self loops", input.loops_dropped as usize, "dropped");
        rows.count("repeated edges", input.edges_merged as usize, "merged");
        let weakly = if input.directed {
            "weakly connected"
        } else {
            ""
        };
        rows.count("components", self.components.count, weakly);
        rows.counted("largest component", self.components.largest, "vertex");
        rows.counted("isolated", self.components.isolated, "vertex");

        let degrees = &self.degrees;
        rows.count(&format!("smallest {degree}"), degrees.min, "");
        rows.text(&format!("median {degree}"), degrees.median.to_string(), "");
        rows.text(
            &format!("mean {degree}"),
            format!("{:.2}", degrees.mean),
            "",
        );
        let percentile = "99 of 100 vertices have no larger one";
        rows.count(
            &format!("99th percentile {degree}"),
            degrees.percentile_99,
            percentile,
        );
        rows.count(&format!("largest {degree}"), degrees.max, "");

        let left = &self.prepared;
        rows.counted("folded away", left.folded, "vertex");
        rows.count("vertices to search", left.vertices, "");
        rows.count("arcs to search", left.arcs, "");
        rows.count("searches", left.searches, "");
        if let Some(depth) = &self.depth {
            let of = counted(depth.searches, "search");
            for (name, levels) in [
                ("median depth", depth.median),
                ("largest depth", depth.deepest),
            ] {
                let unit = if levels == 1 { "level" } else { "levels" };
                rows.count(name, levels as usize, &format!("{unit}, of {of}"));
            }
        }
        if let Some(chains) = &self.chains {
            let contracted = "if chains are contracted";
            rows.count("junctions", chains.junctions, contracted);
            rows.count("chains", chains.chains, contracted);
            rows.counted("longest chain", chains.longest_chain as usize, "edge");
            let (cpu, devices) = (
                chains.auto_contracts_for_cpu,
                chains.auto_contracts_for_devices,
            );
            rows.text("auto contracts", yes(cpu), "with --device none");
            rows.text("auto contracts", yes(devices), "with devices");
        }
        let memory = &self.memory;
        rows.text("memory", size(memory.input_bytes), "graph as read");
        rows.text("memory", size(memory.graph_bytes), "graph to search");
        let worker = "each CPU worker, chains not contracted";
        rows.text("memory", size(memory.cpu_worker_bytes), worker);
        let best = best(&self.predictions).map(|best| &best.how);
        for prediction in &self.predictions {
            let mut note = prediction.how.clone();
            if let Some(bytes) = prediction.device_bytes {
                note.push_str(&format!(", {} on the device", size(bytes as usize)));
            }
            match (prediction.words(), &prediction.failure) {
                (Some(words), _) => {
                    if self.predictions.len() > 1 && best == Some(&prediction.how) {
                        note.push_str("; the fastest");
                    }
                    rows.text("predicted", words, &note);
                }
                // Of devices, only what keeps all of one from searching: some strategies are not
                // for all graphs.
                (None, Some(failure))
                    if prediction.who != Who::Device || prediction.strategy == Some("auto") =>
                {
                    rows.text("predicted", "-", &format!("{note}: {failure}"));
                }
                (None, _) => {}
            }
        }
        let mut text = format!("{}: {format}, {kind}\n{}", input.path, rows.finish());
        for line in &self.advice {
            text.push_str(&format!("advice: {line}\n"));
        }
        text
    }
}

/// Rows of name, value and what to know about it.
struct Rows(Vec<Vec<String>>);

impl Rows {
    fn new() -> Rows {
        Rows(Vec::new())
    }

    /// A row of a number of `one`, named beside it.
    fn counted(&mut self, name: &str, count: usize, one: &str) {
        let words = counted(count, one);
        let (number, unit) = words.split_once(' ').unwrap_or((&words, ""));
        self.text(name, number, unit);
    }

    fn count(&mut self, name: &str, count: usize, note: &str) {
        self.text(name, grouped(count as u64), note);
    }

    fn text(&mut self, name: &str, value: impl Into<String>, note: &str) {
        self.0.push(vec![name.into(), value.into(), note.into()]);
    }

    fn finish(mut self) -> String {
        fit(&mut self.0, &[2], screen());
        aligned(&self.0, &[0, 2])
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Bytes for people.
fn size(bytes: usize) -> String {
    let units = ["KiB", "MiB", "GiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size(3 << 40), "3072.0 GiB");
    }
}

//! Builds weighted graphs for tests.

use brandes::graph::{Format, Graph, Lengths, ReadOptions, WeightOptions, read_stream};

use super::definition::Arcs;

/// Edges with integer lengths, which the text of a file may scale.
#[derive(Debug, Clone)]
pub struct Weighted {
    pub vertices: usize,
    pub edges: Vec<(usize, usize, u32)>,
    pub directed: bool,
}

/// A length that no edge of a random graph has. An additional edge of this length determines the
/// type of all lengths.
pub const EXTRA_LENGTH: u32 = 99;

/// Returns the name of the type of lengths.
pub fn length_type(graph: &Graph) -> &'static str {
    match graph.lengths().unwrap() {
        Lengths::U32(_) => "u32",
        Lengths::U64(_) => "u64",
        Lengths::F64(_) => "f64",
    }
}

impl Weighted {
    /// Returns the edges of a graph, the i-th with `length(i)`.
    pub fn with_lengths(graph: &Graph, length: impl Fn(u32) -> u32) -> Self {
        let mut edges = Vec::new();
        graph.for_each_edge(|tail, head| {
            edges.push((tail as usize, head as usize, length(edges.len() as u32)));
        });
        Weighted {
            vertices: graph.vertices(),
            edges,
            directed: graph.directed(),
        }
    }

    /// Adds an edge of this length between two new vertices. With length 1, the lengths have no
    /// common divisor.
    pub fn beside(mut self, length: u32) -> Self {
        let n = self.vertices;
        self.vertices += 2;
        self.edges.push((n, n + 1, length));
        self
    }

    /// Writes the graph as a DIMACS file with the lengths that `text` returns, and reads it.
    pub fn read(&self, weights: WeightOptions, text: impl Fn(u32) -> String) -> Graph {
        let mut file = format!("p sp {} {}\n", self.vertices, self.edges.len());
        for &(tail, head, length) in &self.edges {
            file += &format!("a {} {} {}\n", tail + 1, head + 1, text(length));
        }
        let options = ReadOptions {
            format: Format::Dimacs,
            directed: self.directed,
            weights: Some(weights),
            ..ReadOptions::default()
        };
        match read_stream(Box::new(file.as_bytes()), "test.gr", &options) {
            Ok((graph, _)) => graph,
            Err(error) => panic!("{error}\n{file}"),
        }
    }

    pub fn graph(&self) -> Graph {
        self.read(WeightOptions::default(), |length| length.to_string())
    }

    /// Returns the shortest length of each arc.
    pub fn arcs(&self) -> Arcs {
        let mut arcs = Arcs::new();
        for &(tail, head, length) in self.edges.iter().filter(|(tail, head, _)| tail != head) {
            let ways = [(tail, head), (head, tail)];
            for way in &ways[..if self.directed { 1 } else { 2 }] {
                let least = arcs.entry(*way).or_insert(u64::MAX);
                *least = u64::from(length).min(*least);
            }
        }
        arcs
    }
}

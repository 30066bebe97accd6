//! Weighted graphs for tests, and the betweenness of their vertices and edges directly from the
//! definition.

use std::collections::BTreeMap;

use brandes::graph::{Format, Graph, ReadOptions, WeightOptions, read_stream};
use proptest::prelude::{Just, prop};
use proptest::strategy::Strategy;

/// Edges with integer lengths, which the text of a file may scale.
#[derive(Debug, Clone)]
pub struct Weighted {
    pub vertices: usize,
    pub edges: Vec<(usize, usize, u32)>,
    pub directed: bool,
}

/// Generates random graphs with many ties: sparse, often disconnected, with loops and repetitions.
pub fn random_weighted(longest: u32) -> impl Strategy<Value = Weighted> {
    (1usize..22, prop::bool::ANY).prop_flat_map(move |(n, directed)| {
        let edge = (0..n, 0..n, 1..=longest);
        let edges = prop::collection::vec(edge, 0..3 * n);
        (Just(n), edges, Just(directed)).prop_map(|(vertices, edges, directed)| Weighted {
            vertices,
            edges,
            directed,
        })
    })
}

impl Weighted {
    /// Adds an edge of this length between two new vertices, so that the lengths have no common
    /// factor.
    pub fn beside(mut self, length: u32) -> Self {
        let n = self.vertices;
        self.vertices += 2;
        self.edges.push((n, n + 1, length));
        self
    }

    /// Reads the graph from a DIMACS file in which `text` writes the lengths.
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
    pub fn arcs(&self) -> BTreeMap<(usize, usize), u64> {
        let mut arcs = BTreeMap::new();
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

/// Sums over ordered pairs that begin at a source, for vertices and for arcs.
pub struct Definition {
    pub vertices: Vec<f64>,
    pub arcs: BTreeMap<(usize, usize), f64>,
}

/// Computes the definition: distances of all pairs by the Floyd-Warshall algorithm, path counts by
/// induction over distances, then every pair against every vertex and every arc.
pub fn definition(
    n: usize,
    lengths: &BTreeMap<(usize, usize), u64>,
    endpoints: bool,
    is_source: impl Fn(usize) -> bool,
) -> Definition {
    const FAR: u64 = u64::MAX / 4;
    let mut dist = vec![vec![FAR; n]; n];
    for (v, row) in dist.iter_mut().enumerate() {
        row[v] = 0;
    }
    for (&(u, v), &length) in lengths {
        dist[u][v] = dist[u][v].min(length);
    }
    for via in 0..n {
        for s in 0..n {
            for t in 0..n {
                dist[s][t] = dist[s][t].min(dist[s][via] + dist[via][t]);
            }
        }
    }
    let mut paths = vec![vec![0f64; n]; n];
    for s in 0..n {
        let mut order: Vec<usize> = (0..n).filter(|&v| dist[s][v] < FAR).collect();
        order.sort_by_key(|&v| dist[s][v]);
        paths[s][s] = 1.0;
        for &v in &order[1..] {
            for (&(u, head), &length) in lengths {
                if head == v && dist[s][u] < FAR && dist[s][u] + length == dist[s][v] {
                    paths[s][v] += paths[s][u];
                }
            }
        }
    }
    let mut vertices = vec![0.0; n];
    let mut arcs: BTreeMap<_, f64> = lengths.keys().map(|&arc| (arc, 0.0)).collect();
    for s in (0..n).filter(|&s| is_source(s)) {
        for t in (0..n).filter(|&t| t != s && dist[s][t] < FAR) {
            let all = paths[s][t];
            for v in 0..n {
                if v == s || v == t {
                    vertices[v] += f64::from(u8::from(endpoints));
                } else if dist[s][v] + dist[v][t] == dist[s][t] {
                    vertices[v] += paths[s][v] * paths[v][t] / all;
                }
            }
            for (&(u, v), score) in &mut arcs {
                if dist[s][u] + lengths[&(u, v)] + dist[v][t] == dist[s][t] {
                    *score += paths[s][u] * paths[v][t] / all;
                }
            }
        }
    }
    Definition { vertices, arcs }
}

impl Definition {
    /// Returns the scores of the edges in the order of [`Graph::for_each_edge`], per unordered
    /// pair.
    pub fn edges(&self, graph: &Graph) -> Vec<f64> {
        let mut scores = Vec::new();
        graph.for_each_edge(|tail, head| {
            let (t, h) = (tail as usize, head as usize);
            scores.push(if graph.directed() {
                self.arcs[&(t, h)]
            } else {
                (self.arcs[&(t, h)] + self.arcs[&(h, t)]) / 2.0
            });
        });
        scores
    }

    /// Returns the scores of the vertices, per unordered pair.
    pub fn scores(&self, graph: &Graph) -> Vec<f64> {
        let factor = if graph.directed() { 1.0 } else { 0.5 };
        self.vertices.iter().map(|score| score * factor).collect()
    }
}

//! Builds graphs with chains of degree-2 vertices.

use brandes::graph::{Graph, generate};

use super::graph;

/// Replaces edge i by a path of `lengths[i]` edges (1 beyond the end of `lengths`). Edges may be
/// loops or repetitions if their paths are long enough to be simple.
pub fn subdivided(n: usize, edges: &[(u32, u32)], lengths: &[u32]) -> Graph {
    let mut vertices = n as u32;
    let mut all = Vec::new();
    let lengths = lengths.iter().copied().chain(std::iter::repeat(1));
    for (&(u, v), length) in edges.iter().zip(lengths) {
        let mut last = u;
        for _ in 1..length {
            all.push((last, vertices));
            last = vertices;
            vertices += 1;
        }
        all.push((last, v));
    }
    graph(vertices as usize, &all, false)
}

/// Returns a grid of `side` rows and columns, without 30% of its edges and with the others
/// subdivided.
pub fn roads(side: u32) -> Graph {
    let grid = generate::grid(side, side, 0.3, 7).unwrap();
    let mut edges = Vec::new();
    grid.for_each_edge(|u, v| edges.push((u, v)));
    let lengths: Vec<u32> = (0..edges.len() as u32).map(|i| 1 + i * 5 % 7).collect();
    subdivided(grid.vertices(), &edges, &lengths)
}

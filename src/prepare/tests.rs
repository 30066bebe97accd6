//! Helpers of the tests of preparation.

use super::{ComponentRanges, Prepared, TIE_TOLERANCE, WeightedGraph};
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

impl Prepared {
    /// Wraps an undirected graph without changes. Every vertex with arcs is a root with weight one.
    pub(crate) fn bare(graph: Csr) -> Prepared {
        let n = graph.vertices();
        let searched = WeightedGraph {
            weight: vec![1.0; n],
            source: vec![1.0; n],
            ranges: ComponentRanges::one(n),
            graph,
            ..WeightedGraph::default()
        };
        let mut prepared = Prepared {
            searched,
            tie_tolerance: TIE_TOLERANCE,
            sources: n,
            rescale: 1.0,
            components: 1,
            input_vertex: (0..n as Vertex).collect(),
            closed: vec![0.0; n],
            ..Prepared::default()
        };
        prepared.set_roots();
        prepared
    }
}

/// Returns `n` vertices as roots.
pub(super) fn all_roots(n: usize) -> Vec<Root> {
    let root = |vertex| Root { vertex, sources: 1 };
    (0..n as Vertex).map(root).collect()
}

/// Returns a directed graph with the arcs to larger vertices only.
pub(super) fn upwards(graph: &Csr) -> Csr {
    Csr::of_rows(graph.vertices(), |v, target| {
        let heads = graph.neighbours(v as Vertex).iter().copied();
        heads.filter(|&u| u as usize > v).for_each(target);
    })
}

//! Helpers of the tests of preparation.

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

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

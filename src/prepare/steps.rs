//! The sizes of the graph after each reduction.

use serde::{Deserialize, Serialize};

use crate::graph::components::Components;
use crate::graph::{Csr, Vertex};

/// The size of a graph after a step of its preparation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    /// `input` for the graph as read, or the reduction: `fold`, `blocks`, `reverse`, `twins`,
    /// `chains`.
    pub after: String,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of arcs; an undirected edge is two arcs.
    pub arcs: usize,
    /// The number of searches to make.
    pub roots: usize,
    /// The estimated work of all searches: for each root, the number of arcs of its component or,
    /// in a directed graph with many roots, of those that it reaches.
    pub work: f64,
}

impl Step {
    /// Describes the input with these components. `is_source` says which vertices are sources.
    pub(super) fn input(
        graph: &Csr,
        components: &Components,
        is_source: impl Fn(usize) -> bool,
    ) -> Step {
        let degree = |v: usize| graph.degree(v as Vertex);
        let mut arcs = vec![0; components.count()];
        for (v, &component) in components.of.iter().enumerate() {
            arcs[component as usize] += degree(v);
        }
        let roots = (0..graph.vertices()).filter(|&v| degree(v) > 0 && is_source(v));
        let arcs_of = |v: usize| arcs[components.of[v] as usize] as f64;
        Step {
            after: "input".into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            work: roots.clone().fold(0.0, |work, v| work + arcs_of(v)),
            roots: roots.count(),
        }
    }
}

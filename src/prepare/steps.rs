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
        // Per component, its arcs and its roots.
        let mut counts = vec![[0; 2]; components.count()];
        for (v, &component) in components.of.iter().enumerate() {
            let [arcs, roots] = &mut counts[component as usize];
            let degree = graph.degree(v as Vertex);
            *arcs += degree;
            *roots += usize::from(degree > 0 && is_source(v));
        }
        let work = |sum, &[arcs, roots]: &[usize; 2]| sum + arcs as f64 * roots as f64;
        Step {
            after: "input".into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            roots: counts.iter().map(|[_, roots]| roots).sum(),
            work: counts.iter().fold(0.0, work),
        }
    }
}

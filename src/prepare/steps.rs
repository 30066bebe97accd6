//! The sizes of the graph after each reduction.

use serde::{Deserialize, Serialize};

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
    /// Describes a graph. `component` returns the component of a vertex, `is_source` whether the
    /// vertex stands for any source.
    pub(super) fn new(
        after: &str,
        graph: &Csr,
        component: impl Fn(usize) -> u32,
        is_source: impl Fn(usize) -> bool,
    ) -> Step {
        // Per component, its arcs and its roots.
        let mut components: Vec<[usize; 2]> = Vec::new();
        for v in 0..graph.vertices() {
            let (component, degree) = (component(v) as usize, graph.degree(v as Vertex));
            components.resize(components.len().max(component + 1), [0; 2]);
            components[component][0] += degree;
            components[component][1] += usize::from(degree > 0 && is_source(v));
        }
        let work = |sum, &[arcs, roots]: &[usize; 2]| sum + arcs as f64 * roots as f64;
        Step {
            after: after.into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            roots: components.iter().map(|[_, roots]| roots).sum(),
            work: components.iter().fold(0.0, work),
        }
    }
}

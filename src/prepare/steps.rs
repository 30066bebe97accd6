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
    /// in a directed graph that is reduced, of those that it reaches.
    pub work: f64,
}

impl Step {
    /// Describes a graph. `root_arcs` yields the number of arcs of the component of each root.
    pub(super) fn new(after: &str, graph: &Csr, root_arcs: impl Iterator<Item = usize>) -> Step {
        let (mut roots, mut work) = (0, 0.0);
        for arcs in root_arcs {
            roots += 1;
            work += arcs as f64;
        }
        Step {
            after: after.into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            roots,
            work,
        }
    }

    /// Describes a graph before its vertices are numbered by component. `component` returns the
    /// component of a vertex, `is_source` whether the vertex stands for any source.
    pub(super) fn unordered(
        after: &str,
        graph: &Csr,
        component: impl Fn(usize) -> u32,
        is_source: impl Fn(usize) -> bool,
    ) -> Step {
        let degrees = || (0..graph.vertices()).map(|v| (v, graph.degree(v as Vertex)));
        let mut arcs = Vec::new();
        for (v, degree) in degrees() {
            let component = component(v) as usize;
            arcs.resize(arcs.len().max(component + 1), 0);
            arcs[component] += degree;
        }
        let roots = degrees().filter(|&(v, degree)| degree > 0 && is_source(v));
        Step::new(
            after,
            graph,
            roots.map(|(v, _)| arcs[component(v) as usize]),
        )
    }
}

//! What each reduction leaves to search.

use serde::{Deserialize, Serialize};

use super::ComponentRanges;
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// The size of a graph after a step of its preparation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    /// `input` for the graph as read, or the reduction: `fold`, `blocks`, `twins`, `chains`.
    pub after: String,
    /// Vertices; junctions after `chains`.
    pub vertices: usize,
    /// Arcs, an undirected edge is two; ends of chains after `chains`.
    pub arcs: usize,
    /// Searches to make.
    pub roots: usize,
    /// About the work of all searches: for each root, the arcs of its component.
    pub work: f64,
}

impl Step {
    /// Of a graph whose vertices stand for so many `sources`, and are in so many components,
    /// `component` says in which.
    pub(super) fn new(
        after: &str,
        (graph, sources): (&Csr, impl Fn(usize) -> bool),
        (components, component): (usize, impl Fn(usize) -> u32),
    ) -> Step {
        let n = graph.vertices();
        let (mut arcs, mut roots) = (vec![0u64; components], vec![0u64; components]);
        for v in 0..n {
            let of = component(v) as usize;
            let degree = graph.degree(v as Vertex);
            arcs[of] += degree as u64;
            roots[of] += u64::from(sources(v) && degree > 0);
        }
        let work = arcs.iter().zip(&roots).map(|(&a, &r)| a as f64 * r as f64);
        Step {
            after: after.into(),
            vertices: n,
            arcs: graph.arcs(),
            roots: roots.iter().sum::<u64>() as usize,
            work: work.sum(),
        }
    }

    /// Of a graph of these components and roots, ascending.
    pub(super) fn of(graph: &Csr, ranges: &ComponentRanges, roots: &[Root], after: &str) -> Step {
        Step {
            after: after.into(),
            vertices: graph.vertices(),
            arcs: graph.arcs(),
            roots: roots.len(),
            work: ranges.arcs_of(graph, roots).map(|arcs| arcs as f64).sum(),
        }
    }
}

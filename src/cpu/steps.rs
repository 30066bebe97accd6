//! Arcs on shortest paths, which the forward phase lists for the backward phase.

use crate::graph::Vertex;
use crate::prepare::Prepared;

/// An arc on a shortest path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) from: Vertex,
    pub(super) to: Vertex,
}

/// Returns the most steps that a search can have: all arcs of a directed graph, or one of the two
/// arcs of each undirected edge.
pub(super) fn most_steps(prepared: &Prepared) -> usize {
    let arcs = prepared.graph.arcs();
    match prepared.reverse {
        Some(_) => arcs,
        None => arcs / 2,
    }
}

/// Returns the bytes of all steps, with the numbers of their arcs if dependencies of arcs are
/// wanted.
pub(super) fn bytes(prepared: &Prepared) -> usize {
    let numbers = usize::from(prepared.count_edges) * size_of::<u32>();
    most_steps(prepared) * (size_of::<Step>() + numbers)
}

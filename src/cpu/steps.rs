//! Arcs on shortest paths, listed on the way there for the way back.

use crate::graph::Vertex;
use crate::prepare::Prepared;

/// An arc on a shortest path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Step {
    pub(super) from: Vertex,
    pub(super) to: Vertex,
}

/// The most steps that a search can have: of each edge, one of its two arcs.
pub(super) fn most_steps(prepared: &Prepared) -> usize {
    let arcs = prepared.graph.arcs();
    match prepared.reverse {
        Some(_) => arcs,
        None => arcs / 2,
    }
}

/// Bytes of all steps, and of the numbers of their arcs where these are counted.
pub(super) fn bytes(prepared: &Prepared) -> usize {
    let numbers = usize::from(prepared.count_edges) * size_of::<u32>();
    most_steps(prepared) * (size_of::<Step>() + numbers)
}

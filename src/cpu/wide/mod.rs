//! Brandes' algorithm for roots with more shortest paths than f64 can count.
//!
//! It searches from a root at a time, with path counts and coefficients as [`Wide`] numbers: each
//! vertex has its own exponent, since one level can have a vertex with one path and another with
//! 2^3000. Scores are ordinary doubles. Few graphs need it, so there is one search for all:
//! unweighted graphs get lengths of 1.

mod number;
#[cfg(test)]
mod tests;

use super::root_by_root::RootByRoot;
use super::weighted::heap::Dijkstra;
use super::weighted::length::Length;
use crate::engine::Engine;
use crate::graph::Lengths;
use crate::prepare::Prepared;
use number::Wide;

/// Makes the engine for this graph, with its memory allocated.
pub(super) fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    match &prepared.lengths {
        None => dijkstra(prepared, &vec![1u32; prepared.graph.arcs()]),
        Some(Lengths::U32(lengths)) => dijkstra(prepared, lengths),
        Some(Lengths::U64(lengths)) => dijkstra(prepared, lengths),
        Some(Lengths::F64(lengths)) => dijkstra(prepared, lengths),
    }
}

fn dijkstra<'g, L: Length + 'g>(prepared: &'g Prepared, lengths: &[L]) -> Box<dyn Engine + 'g> {
    RootByRoot::boxed(prepared, Dijkstra::<L, Wide>::new(prepared, lengths))
}

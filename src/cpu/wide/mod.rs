//! Brandes' algorithm for roots with more shortest paths than f64 can count.
//!
//! A root at a time, with path counts and coefficients as [`Wide`] numbers: a double and an
//! exponent of its own for each vertex, as one level can have a vertex with one path beside one
//! with 2^3000. Scores are ordinary doubles. Few graphs need it, so it is one search for all: an
//! unweighted graph has lengths of 1.

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

/// The engine for this graph, as it is without contraction, with its memory allocated.
pub(super) fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    match &prepared.lengths {
        None => of(prepared, &vec![1u32; prepared.graph.arcs()]),
        Some(Lengths::U32(lengths)) => of(prepared, lengths),
        Some(Lengths::U64(lengths)) => of(prepared, lengths),
        Some(Lengths::F64(lengths)) => of(prepared, lengths),
    }
}

fn of<'g, L: Length + 'g>(prepared: &'g Prepared, lengths: &[L]) -> Box<dyn Engine + 'g> {
    RootByRoot::boxed(prepared, Dijkstra::<L, Wide>::new(prepared, lengths))
}

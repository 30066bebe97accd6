//! Brandes' algorithm for roots with more shortest paths than f64 can count.
//!
//! The engine searches from one root at a time. Path counts and coefficients are [`Wide`] numbers,
//! each with an exponent of its own, since one level can have a vertex with one path and another
//! with 2^3000. Scores are ordinary doubles. Few graphs need this engine, so a single search serves
//! all: unweighted graphs get lengths of 1.

mod number;
#[cfg(test)]
mod tests;

use super::weighted::dijkstra;
use crate::engine::Engine;
use crate::graph::Lengths;
use crate::prepare::Prepared;
pub(super) use number::Wide;

/// Makes the engine for this graph, with its memory allocated.
pub(super) fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    match &prepared.lengths {
        None => dijkstra::<_, Wide>(prepared, &vec![1u32; prepared.graph.arcs()]),
        Some(Lengths::U32(lengths)) => dijkstra::<_, Wide>(prepared, lengths),
        Some(Lengths::U64(lengths)) => dijkstra::<_, Wide>(prepared, lengths),
        Some(Lengths::F64(lengths)) => dijkstra::<_, Wide>(prepared, lengths),
    }
}

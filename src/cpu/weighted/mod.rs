//! Engines for weighted graphs by Dijkstra's algorithm, for a root at a time on one core.

pub(super) mod arcs;
pub(super) mod buckets;
pub(super) mod count;
mod dial;
pub(super) mod heap;
pub(super) mod length;

use super::root_by_root::RootByRoot;
use crate::engine::Engine;
use crate::graph::Lengths;
use crate::prepare::Prepared;
use buckets::Shape;
use count::Count;
use dial::Dial;
use heap::Dijkstra;
use length::Length;

/// Makes the engine for this weighted graph, with its memory allocated; `None` if the graph has no
/// lengths.
pub fn engine(prepared: &Prepared) -> Option<Box<dyn Engine + '_>> {
    Some(match prepared.lengths.as_ref()? {
        Lengths::U32(lengths) => with_integers(prepared, lengths),
        Lengths::U64(lengths) => with_integers(prepared, lengths),
        Lengths::F64(lengths) => dijkstra::<_, f64>(prepared, lengths),
    })
}

/// Makes an engine with buckets, or with a heap if the lengths need too many buckets.
fn with_integers<'g, L: Length + 'g>(
    prepared: &'g Prepared,
    lengths: &[L],
) -> Box<dyn Engine + 'g> {
    match Shape::new(lengths) {
        None => dijkstra::<L, f64>(prepared, lengths),
        Some(shape) if prepared.count_edges => {
            RootByRoot::boxed(prepared, Dial::<_, true>::new(prepared, lengths, shape))
        }
        Some(shape) => RootByRoot::boxed(prepared, Dial::<_, false>::new(prepared, lengths, shape)),
    }
}

/// Makes an engine with a heap, which counts paths in type `N`.
pub(super) fn dijkstra<'g, L: Length + 'g, N: Count + 'g>(
    prepared: &'g Prepared,
    lengths: &[L],
) -> Box<dyn Engine + 'g> {
    RootByRoot::boxed(prepared, Dijkstra::<L, N>::new(prepared, lengths))
}

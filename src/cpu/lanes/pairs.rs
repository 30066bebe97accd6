//! Pairs of a vertex and lanes.

use crate::graph::Vertex;

/// A vertex, and the lanes that have the vertex on a level, a bit for each.
pub(super) type Pair = (Vertex, u64);

/// Returns the lanes of a mask, ascending.
pub(super) fn each_lane(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

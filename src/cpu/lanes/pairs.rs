//! Pairs of a vertex and the lanes that are there.

use crate::graph::Vertex;

/// A vertex, and lanes whose search has it on a level: a bit for each.
pub(super) type Pair = (Vertex, u64);

/// The lanes of a mask, one after the other.
pub(super) fn each_lane(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

//! Hits: the neighbours of a vertex that share lanes with it.
//!
//! They are listed before any of their rows is read, so that neighbours without common lanes cause
//! no branch mispredictions, and rows can be prefetched.

use super::levels::VertexLanes;
use crate::graph::{Csr, Vertex};
use crate::prepare::Prepared;

/// A list with room for the neighbours of any vertex, along arcs in either direction.
pub(super) struct Hits(Vec<VertexLanes>);

impl Hits {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let inward = prepared.reverse.as_ref().map_or(0, Csr::max_degree);
        Hits(vec![(0, 0); prepared.graph.max_degree().max(inward)])
    }

    /// Returns the neighbours for which `look` returns any lanes, with these lanes.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        neighbours: &[Vertex],
        mut look: impl FnMut(Vertex) -> u64,
    ) -> &[VertexLanes] {
        let hits = self.0[..neighbours.len()].as_mut_ptr();
        let mut end = hits;
        for &u in neighbours {
            let lanes = look(u);
            // SAFETY: there is room for as many hits as neighbours, and each neighbour moves the
            // end by one at most.
            unsafe {
                end.write((u, lanes));
                end = end.add(usize::from(lanes != 0));
            }
        }
        // SAFETY: both pointers are in one allocation, and all hits between them have been written.
        unsafe { std::slice::from_raw_parts(hits, end.offset_from_unsigned(hits)) }
    }
}

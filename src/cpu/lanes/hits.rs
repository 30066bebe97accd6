//! The neighbours of a vertex that share lanes with it.
//!
//! They are listed before any of their rows is touched: so nothing is guessed wrong by the
//! processor at neighbours without common lanes, and rows can be asked for ahead of their use.

use super::pairs::Pair;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// A list with room for the neighbours of any vertex, at either end of its arcs.
pub(super) struct Hits(Vec<Pair>);

impl Hits {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let graphs = [Some(&prepared.graph), prepared.reverse.as_ref()];
        let degrees = graphs.into_iter().flatten().flat_map(|graph| {
            let vertices = 0..graph.vertices() as Vertex;
            vertices.map(|v| graph.degree(v))
        });
        Hits(vec![(0, 0); degrees.max().unwrap_or(0)])
    }

    /// Returns the neighbours whose lanes are not zero, each with those; `look` returns the lanes
    /// of a neighbour.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        neighbours: &[Vertex],
        mut look: impl FnMut(Vertex) -> u64,
    ) -> &[Pair] {
        let hits = self.0[..neighbours.len()].as_mut_ptr();
        let mut end = hits;
        for &u in neighbours {
            let lanes = look(u);
            // SAFETY: there is room for as many hits as neighbours, and each of those that came
            // before has moved the end by one at most.
            unsafe {
                end.write((u, lanes));
                end = end.add(usize::from(lanes != 0));
            }
        }
        // SAFETY: both are in one allocation, and what is between them has been written.
        unsafe { std::slice::from_raw_parts(hits, end.offset_from_unsigned(hits)) }
    }
}

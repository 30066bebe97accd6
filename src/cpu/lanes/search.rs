//! The state of a batch.

use super::hits::Hits;
use super::levels::{Levels, Pair};
use super::rows::Row;
use crate::graph::Vertex;

/// Lanes at a vertex while levels are made.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// Lanes that have been here, on this level or an earlier one.
    pub(super) seen: u64,
    /// Lanes that get here from this level.
    pub(super) found: u64,
}

/// Arrays over the prepared vertices, all zero between batches.
pub(super) struct Search<const G: usize> {
    /// Shortest paths from each lane's root; on the way back coefs = (weight + delta) / sigma in their place.
    pub(super) numbers: Vec<Row<G>>,
    /// On the way back sums of the coefs of successors, where those add them: for one level at a time, and else
    /// zero.
    pub(super) sums: Vec<Row<G>>,
    pub(super) marks: Vec<Mark>,
    /// Lanes of the vertices of one level, while that level is looked at.
    pub(super) at: Vec<u64>,
    pub(super) levels: Levels,
    /// What was found from the present level.
    pub(super) fresh: Vec<Vertex>,
    /// Every vertex that any lane reached.
    pub(super) touched: Vec<Vertex>,
    pub(super) hits: Hits,
}

impl<const G: usize> Search<G> {
    /// For `n` vertices of at most so many arcs, in or out.
    pub(super) fn new(n: usize, most_arcs: usize) -> Self {
        Search {
            numbers: vec![Row::ZERO; n],
            sums: vec![Row::ZERO; n],
            marks: vec![Mark::default(); n],
            at: vec![0; n],
            levels: Levels::default(),
            fresh: Vec::with_capacity(n),
            touched: Vec::with_capacity(n),
            hits: Hits::new(most_arcs),
        }
    }

    /// Makes everything zero again, at the cost of what was touched.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        for v in self.touched.drain(..) {
            let v = v as usize;
            self.numbers[v] = Row::ZERO;
            self.marks[v] = Mark::default();
        }
    }

    /// Bytes per vertex, if each is on so many levels.
    pub(super) const fn bytes_per_vertex(levels: usize) -> usize {
        2 * size_of::<Row<G>>()
            + size_of::<Mark>()
            + size_of::<u64>()
            + 2 * size_of::<Vertex>()
            + levels * size_of::<Pair>()
    }
}

//! The lanes at each vertex, and the levels of a batch.

use super::hits::Hits;
use super::levels::Levels;
use crate::graph::Vertex;
use crate::pages::filled;
use crate::prepare::Prepared;

/// The lanes at a vertex while levels are made.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// Lanes that have reached the vertex, on this level or an earlier one.
    pub(super) seen: u64,
    /// Lanes that reach the vertex from this level.
    pub(super) found: u64,
}

/// The state of a batch. Arrays over the prepared vertices are zero between batches.
pub(super) struct LaneState {
    pub(super) marks: Vec<Mark>,
    /// The lanes of each vertex of one level, between `enter` and `leave`.
    pub(super) at: Vec<u64>,
    pub(super) levels: Levels,
    /// Vertices that some lane reaches from the present level; before a pull also candidates that
    /// no lane reaches.
    pub(super) fresh: Vec<Vertex>,
    /// All vertices that some lane has reached.
    pub(super) touched: Vec<Vertex>,
    pub(super) hits: Hits,
}

impl LaneState {
    pub(super) fn new(prepared: &Prepared) -> Self {
        let n = prepared.graph.vertices();
        LaneState {
            marks: filled(n, Mark::default()),
            at: filled(n, 0),
            levels: Levels::default(),
            fresh: Vec::with_capacity(n),
            touched: Vec::with_capacity(n),
            hits: Hits::new(prepared),
        }
    }

    /// Stores the lanes of each vertex of a level in `at`; `select` returns some of the lanes.
    #[inline(always)]
    pub(super) fn enter(&mut self, level: usize, select: impl Fn(u64) -> u64) {
        for &(v, lanes) in self.levels.level(level) {
            self.at[v as usize] = select(lanes);
        }
    }

    /// Makes `at` zero again.
    #[inline(always)]
    pub(super) fn leave(&mut self, level: usize) {
        for &(v, _) in self.levels.level(level) {
            self.at[v as usize] = 0;
        }
    }

    /// Makes the marks of all touched vertices zero.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        for v in self.touched.drain(..) {
            self.marks[v as usize] = Mark::default();
        }
    }
}

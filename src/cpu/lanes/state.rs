//! The state of a batch.

use super::hits::Hits;
use super::levels::Levels;
use crate::graph::Vertex;
use crate::pages::filled;
use crate::prepare::Prepared;

/// Lanes at a vertex while levels are made.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// Lanes that have been here, on this level or an earlier one.
    pub(super) seen: u64,
    /// Lanes that get here from this level.
    pub(super) found: u64,
}

/// Where the lanes of a batch are: arrays over the prepared vertices, all zero between batches.
pub(super) struct LaneState {
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

    /// Notes which lanes are at each vertex of a level, or some of them.
    #[inline(always)]
    pub(super) fn enter(&mut self, level: usize, of: impl Fn(u64) -> u64) {
        for &(v, lanes) in self.levels.level(level) {
            self.at[v as usize] = of(lanes);
        }
    }

    /// Forgets that again.
    #[inline(always)]
    pub(super) fn leave(&mut self, level: usize) {
        for &(v, _) in self.levels.level(level) {
            self.at[v as usize] = 0;
        }
    }

    /// Makes everything zero again, at the cost of what was touched.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        for v in self.touched.drain(..) {
            self.marks[v as usize] = Mark::default();
        }
    }
}

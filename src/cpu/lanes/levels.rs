//! What each level of a batch reached: pairs of a vertex and the lanes that are there.

use super::pairs::{Pair, each_lane};
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Whether to add up a level at the ends of `pull` arcs into the rows that are summed, or at those
/// of `push` arcs out of the rows that are added. What is added is the same, but pulling writes
/// each row once; looking at an arc for nothing is cheap beside that.
pub(super) fn pull_pays(pull: usize, push: usize) -> bool {
    pull <= 4 * push
}

/// All levels of a batch, kept for the way back.
#[derive(Default)]
pub(super) struct Levels {
    pairs: Vec<Pair>,
    /// First pair of each level, and the end of the last one that is complete.
    starts: Vec<usize>,
}

impl Levels {
    /// Forgets everything and begins level 0.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Adds to the level that is being made.
    pub(super) fn push(&mut self, v: Vertex, lanes: u64) {
        self.pairs.push((v, lanes));
    }

    /// Ends the level that is being made.
    pub(super) fn end_level(&mut self) {
        self.starts.push(self.pairs.len());
    }

    /// How many levels have ended.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn level(&self, level: usize) -> &[Pair] {
        &self.pairs[self.starts[level]..self.starts[level + 1]]
    }

    /// All pairs but those of the roots.
    pub(super) fn below_roots(&self) -> &[Pair] {
        &self.pairs[self.starts[1]..]
    }

    /// `--endpoints` of a directed graph: each root meets all it reaches, and they meet the root.
    pub(super) fn count_endpoints(&self, roots: &[Root], scores: &mut [f64]) {
        for &(v, lanes) in self.below_roots() {
            for lane in each_lane(lanes) {
                let Root { vertex, sources } = roots[lane];
                scores[vertex as usize] += f64::from(sources);
                scores[v as usize] += f64::from(sources);
            }
        }
    }
}

/// Arcs of `graph` at these pairs.
pub(super) fn arcs(graph: &Csr, pairs: &[Pair]) -> usize {
    pairs.iter().map(|&(v, _)| graph.degree(v)).sum()
}

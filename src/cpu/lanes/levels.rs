//! The levels of a batch: lists of vertices, each with its lanes.

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// A vertex, and the lanes that reach it on a level, a bit for each.
pub(super) type VertexLanes = (Vertex, u64);

/// Returns the lanes of a mask, ascending.
#[inline(always)]
pub(super) fn each_lane(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}

/// Whether pulling a level, which looks at `pull` arcs, is cheaper than pushing it, which looks at
/// `push` arcs. Both add the same rows, but pulling writes each sum only once, and an arc without a
/// hit costs little.
pub(super) fn pull_pays(pull: usize, push: usize) -> bool {
    pull <= 4 * push
}

/// All levels of a batch, kept for the backward phase.
#[derive(Default)]
pub(super) struct Levels {
    pairs: Vec<VertexLanes>,
    /// The first pair of each level, and the end of the last complete level.
    starts: Vec<usize>,
}

impl Levels {
    /// Removes all levels and begins level 0.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        self.starts.clear();
        self.starts.push(0);
    }

    /// Adds a pair to the level that is being made.
    pub(super) fn push(&mut self, v: Vertex, lanes: u64) {
        self.pairs.push((v, lanes));
    }

    /// Ends the level that is being made.
    pub(super) fn end_level(&mut self) {
        self.starts.push(self.pairs.len());
    }

    /// Returns the number of complete levels.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn level(&self, level: usize) -> &[VertexLanes] {
        &self.pairs[self.starts[level]..self.starts[level + 1]]
    }

    /// Counts path ends, for `--endpoints` of a directed graph: each pair of a root and a vertex
    /// reached counts at both vertices.
    pub(super) fn count_endpoints(&self, roots: &[Root], scores: &mut [f64]) {
        for &(v, lanes) in &self.pairs[self.starts[1]..] {
            for lane in each_lane(lanes) {
                let Root { vertex, sources } = roots[lane];
                scores[vertex as usize] += f64::from(sources);
                scores[v as usize] += f64::from(sources);
            }
        }
    }
}

/// Returns the number of arcs of `graph` at these vertices.
pub(super) fn arcs(graph: &Csr, pairs: &[VertexLanes]) -> usize {
    pairs.iter().map(|&(v, _)| graph.degree(v)).sum()
}

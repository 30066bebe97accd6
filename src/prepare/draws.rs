//! The order in which sources are drawn for an estimate.

use std::ops::Range;
use std::{iter, mem};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::{PrepareOptions, Prepared, Reductions, When, prepare_sources};
use crate::engine::Root;
use crate::graph::{Graph, Vertex};

/// The vertex in place of a drawn source that reaches nothing and needs no search.
const NO_ROOT: Vertex = Vertex::MAX;

/// A batch of draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The number of draws.
    pub draws: usize,
    /// Their roots in [`Prepared::roots`]. A root stands for those of its sources that are drawn in
    /// the batch.
    pub roots: Range<usize>,
}

/// The draws of an estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Draws {
    /// Batches that together draw each source once.
    pub batches: Vec<Batch>,
    /// All draws after the first batch as one batch, for estimates that need nearly all sources. It
    /// has fewer roots than the separate batches, since it searches once for all sources of a root.
    pub rest: Batch,
}

/// Prepares a graph for an estimate. Trees are folded, unless `options` says otherwise. Roots are
/// in the order of draws, shuffled by `seed`, in batches that end at the draws `ends`.
pub fn prepare_estimate(
    graph: &Graph,
    options: &PrepareOptions,
    (ends, seed): (&[usize], u64),
) -> (Prepared, Draws) {
    let options = PrepareOptions {
        reduce: Reductions::folding(options.reduce.fold != When::Never),
        more: &[],
        ..*options
    };
    let all = vec![true; graph.vertices()];
    let mut prepared = prepare_sources(graph, &options, &all, [None; 2]);
    let draws = prepared.draw(graph.vertices(), ends, seed);
    prepared.set_squares();
    (prepared, draws)
}

impl Prepared {
    /// Replaces the roots by random draws without replacement from `sources` sources, in batches
    /// that end at the draws `ends`.
    fn draw(&mut self, sources: usize, ends: &[usize], seed: u64) -> Draws {
        let draws = |root: &Root| iter::repeat_n(root.vertex, root.sources as usize);
        let mut order: Vec<Vertex> = self.roots.iter().flat_map(draws).collect();
        order.resize(sources, NO_ROOT);
        order.shuffle(&mut Pcg64::seed_from_u64(seed));
        let mut roots = Vec::new();
        let mut batch = |draws: Range<usize>| {
            let (first, mut drawn) = (roots.len(), order[draws.clone()].to_vec());
            drawn.retain(|&vertex| vertex != NO_ROOT);
            drawn.sort_unstable();
            roots.extend(drawn.chunk_by(|a, b| a == b).map(|same| Root {
                vertex: same[0],
                sources: same.len() as u32,
            }));
            Batch {
                draws: draws.len(),
                roots: first..roots.len(),
            }
        };
        let mut start = 0;
        let next = ends.iter().map(|&end| mem::replace(&mut start, end)..end);
        let batches = next.map(&mut batch).collect();
        let rest = batch(ends.first().copied().unwrap_or(0)..sources);
        (self.roots, self.root_group, self.grouped_roots) = (roots, 1, 0);
        Draws { batches, rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;

    #[test]
    fn each_source_is_drawn_once() {
        let drawn = |seed| {
            let mut star = Prepared::bare(generate::star(6).unwrap().csr().clone());
            star.roots[0].sources = 3;
            let draws = star.draw(10, &[4, 7, 10], seed);
            (star.roots, draws)
        };
        let (roots, draws) = drawn(5);
        let counted = |ranges: &[Batch]| {
            let mut counts = [0; 6];
            for root in ranges.iter().flat_map(|batch| &roots[batch.roots.clone()]) {
                counts[root.vertex as usize] += root.sources;
            }
            counts
        };
        // Two of the ten sources reach nothing.
        assert_eq!(counted(&draws.batches), [3, 1, 1, 1, 1, 1]);
        let sizes: Vec<_> = draws.batches.iter().map(|batch| batch.draws).collect();
        assert_eq!((sizes, draws.rest.draws), (vec![4, 3, 3], 6));
        assert_eq!(
            counted(&draws.batches[1..]),
            counted(std::slice::from_ref(&draws.rest))
        );
        assert!((roots, draws) == drawn(5) && drawn(5).0 != drawn(6).0);
    }
}

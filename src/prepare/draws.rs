//! The order in which sources are drawn for an estimate.

use std::ops::Range;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;

use super::{Order, PrepareOptions, Prepared, Reductions, When, prepare_sources};
use crate::engine::Root;
use crate::graph::{Graph, Vertex};

/// A draw of a source that reaches nothing, so that it needs no search.
const NO_ROOT: Vertex = Vertex::MAX;

/// A batch of draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The number of draws.
    pub draws: usize,
    /// Their roots in [`Prepared::roots`]. A root stands for as many sources as are drawn in the
    /// batch.
    pub roots: Range<usize>,
}

/// The draws of an estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Draws {
    /// Batches that together draw each source once. The first one also has all roots outside of
    /// `sampled`, so that the scores there are exact after it.
    pub batches: Vec<Batch>,
    /// All draws after the first batch as one batch, which searches from fewer roots if nearly all
    /// sources are needed.
    pub rest: Batch,
    /// The prepared vertices whose scores the draws estimate: the largest block, or all.
    pub sampled: Range<usize>,
    /// A bound of the sum, over the sampled vertices, of the mean dependency on a source divided by
    /// n - 2. It is the mean number of inner vertices of shortest paths between sampled vertices,
    /// over all n (n - 2) pairs.
    pub inner: f64,
}

/// Prepares a graph for an estimate that draws at least about `few` sources, in an order that
/// `seed` fixes, in batches that end at `ends`. Trees are folded, and all blocks but the largest are
/// searched exactly where that pays, unless `options` says otherwise.
pub fn prepare_estimate(
    graph: &Graph,
    options: &PrepareOptions,
    few: f64,
    (ends, seed): (&[usize], u64),
) -> (Prepared, Draws) {
    let all = vec![true; graph.vertices()];
    let prepared_with = |blocks| {
        let reduce = Reductions {
            blocks,
            ..Reductions::folding(options.reduce.fold != When::Never)
        };
        prepare_sources(graph, &PrepareOptions { reduce, ..*options }, &all)
    };
    let mut prepared = prepared_with(options.reduce.blocks);
    let mut sampled = None;
    if prepared.blocks.is_some() {
        sampled = prepared.sampled_block(few);
        if sampled.is_none() {
            prepared = prepared_with(When::Never);
        }
    }
    let sampled = sampled.unwrap_or(0..prepared.graph.vertices());
    let ordered = options.order == Order::Bfs;
    let draws = prepared.draw(graph.vertices(), ends, seed, sampled, ordered);
    prepared.set_squares();
    (prepared, draws)
}

impl Prepared {
    /// Returns the vertices of the block with the most work, if searching all others exactly is
    /// less work than `few` searches through them.
    fn sampled_block(&self, few: f64) -> Option<Range<usize>> {
        let (ranges, mut roots) = (&self.ranges, vec![0.0; self.ranges.count()]);
        for root in &self.roots {
            roots[ranges.component(root.vertex)] += 1.0;
        }
        let arcs = |block| ranges.arcs(&self.graph, block) as f64;
        let work = |block: usize| roots[block] * arcs(block);
        let largest = (0..ranges.count()).max_by(|&a, &b| work(a).total_cmp(&work(b)))?;
        let others = || (0..ranges.count()).filter(|&block| block != largest);
        let exact: f64 = others().map(work).sum();
        let through: f64 = others().map(arcs).sum();
        (exact <= few * through).then(|| ranges.vertices(largest))
    }

    /// Brings the roots of the `sampled` vertices into a random order of draws without replacement
    /// from `n` sources, behind all other roots. `ordered` says whether vertices are numbered
    /// breadth-first.
    fn draw(
        &mut self,
        n: usize,
        ends: &[usize],
        seed: u64,
        sampled: Range<usize>,
        ordered: bool,
    ) -> Draws {
        let is_drawn = |root: &Root| sampled.contains(&(root.vertex as usize));
        let (drawn, mut roots): (Vec<Root>, Vec<Root>) =
            std::mem::take(&mut self.roots).into_iter().partition(is_drawn);
        let mut order: Vec<Vertex> = Vec::with_capacity(n);
        for root in drawn {
            order.extend((0..root.sources).map(|_| root.vertex));
        }
        order.resize(n, NO_ROOT);
        order.shuffle(&mut Pcg64::seed_from_u64(seed));
        let mut batch = |draws: Range<usize>| {
            let (first, drawn) = (roots.len(), &mut order[draws.clone()].to_vec());
            drawn.sort_unstable();
            let same = drawn
                .chunk_by(|a, b| a == b)
                .filter(|same| same[0] != NO_ROOT);
            roots.extend(same.map(|same| Root {
                vertex: same[0],
                sources: same.len() as u32,
            }));
            Batch {
                draws: draws.len(),
                roots: first..roots.len(),
            }
        };
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let batches = starts.zip(ends).map(|(start, &end)| batch(start..end));
        let mut batches: Vec<Batch> = batches.collect();
        let rest = batch(ends.first().copied().unwrap_or(0)..n);
        if let Some(first) = batches.first_mut() {
            first.roots.start = 0;
        }
        (self.roots, self.root_group, self.grouped_roots) = (roots, 1, 0);
        let inner = match ordered && !self.directed && self.lengths.is_none() {
            true => self.inner_pairs(&sampled) / (n as f64 * (n as f64 - 2.0).max(1.0)),
            false => n as f64,
        };
        Draws {
            batches,
            rest,
            sampled,
            inner,
        }
    }

    /// Returns a bound of the number of inner vertices of shortest paths, over all ordered pairs of
    /// input vertices that sampled ones stand for: d(s) + d(t) - 1 for the distances from the first
    /// vertex of the component, by the triangle inequality.
    fn inner_pairs(&self, sampled: &Range<usize>) -> f64 {
        let components = 0..self.ranges.count();
        let sampled = components.filter(|&one| sampled.contains(&self.ranges.vertices(one).start));
        let of_component = |component| {
            let weights = &self.weight[self.ranges.vertices(component)];
            let distances = self.ranges.distances(&self.graph, component);
            let all: f64 = weights.iter().sum();
            let far = weights.iter().zip(distances);
            let far: f64 = far.map(|(weight, distance)| weight * f64::from(distance)).sum();
            // The first vertex makes no pair with itself, for which the sum would count -1.
            all * (2.0 * far - all) + weights[0] * weights[0]
        };
        sampled.map(of_component).sum()
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
            let draws = star.draw(10, &[4, 7, 10], seed, 0..6, true);
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
        assert_eq!((roots, draws), drawn(5));
        assert_ne!(drawn(5).0, drawn(6).0);
    }
}

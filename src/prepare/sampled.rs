//! Properties of a prepared graph that are computed when they are first used.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::depth::SAMPLE;
use super::hierarchy::{Hierarchy, HierarchyError};
use super::{Prepared, bound, depth};
use crate::graph::Vertex;

/// A sampled search that reaches more than this part of all vertices stops early, and counts as a
/// search of the whole graph.
const MOST_REACHED: f64 = 0.25;

/// A device counts as this many CPU workers in [`Prepared::likely_hierarchy`].
pub const WORKERS_OF_DEVICE: usize = 16;

impl Prepared {
    /// Returns the depths of a few searches from roots spread over the graph, ascending; of more
    /// searches if they reach little of a directed graph, since these have very different depths.
    /// They are computed once.
    pub fn depths(&self) -> &[u32] {
        /// The most searches.
        const MOST: usize = 256;
        self.depths.get_or_init(|| {
            let cheap = self.graph.arcs() as f64 / self.arcs_per_root.max(1.0);
            let count = match self.reverse {
                None => SAMPLE,
                Some(_) => ((SAMPLE as f64 * cheap) as usize).clamp(SAMPLE, MOST),
            };
            let mut depths = self.sample(count, |root| depth::search(&self.graph, root).1);
            depths.sort_unstable();
            depths
        })
    }

    /// Measures searches from at most `count` roots, spread evenly over the work of all of them.
    fn sample<T: Send>(&self, count: usize, measure: impl Fn(Vertex) -> T + Sync) -> Vec<T> {
        let count = count.min(self.roots.len());
        let mut work = 0;
        let ends = self.ranges.root_arcs(&self.graph, &self.roots).map(|arcs| {
            work += arcs.max(1) as u64;
            work
        });
        let ends: Vec<u64> = ends.collect();
        let chosen = (0..count).into_par_iter().map(|i| {
            let place = (i as u128 * u128::from(work) / count as u128) as u64;
            measure(self.roots[ends.partition_point(|&end| end <= place)].vertex)
        });
        chosen.collect()
    }

    /// Returns whether searches have many small levels, as in meshes and road networks.
    pub fn is_deep(&self) -> bool {
        self.is_deeper_than(1.0)
    }

    /// Returns whether the median depth of searches is larger than `part` times the depth from
    /// which graphs are deep.
    pub(super) fn is_deeper_than(&self, part: f64) -> bool {
        let limit = depth::shallow_limit(self.graph.vertices());
        f64::from(depth::median(self.depths())) > part * limit
    }

    /// Returns the contraction hierarchy of the graph, which is built once.
    ///
    /// # Errors
    /// The graph has no hierarchy, or one with too many arcs.
    pub fn hierarchy(&self) -> Result<Arc<Hierarchy>, HierarchyError> {
        /// The most arcs per vertex that elimination may leave.
        const LIMIT: usize = 128;
        let most = self.most_arcs(LIMIT);
        let build = || Hierarchy::new(self, [most, usize::MAX]).map(Arc::new);
        self.hierarchy.get_or_init(build).clone()
    }

    /// Converts a limit of arcs per vertex to a number of arcs. Graphs with fewer than 1024
    /// vertices have the limit of one with 1024.
    fn most_arcs(&self, limit: usize) -> usize {
        limit * self.graph.vertices().max(1 << 10)
    }

    /// Returns the hierarchy if it has at most this many arcs per vertex after elimination, and at
    /// most this many pairs of arcs with the same lower end if it is not built yet. A hierarchy
    /// with more arcs that is built for this answer is discarded.
    fn hierarchy_within(&self, limit: usize, pairs: usize) -> Option<Arc<Hierarchy>> {
        let most = self.most_arcs(limit);
        let build = || Hierarchy::new(self, [most, pairs]).map(Arc::new);
        let built = self.hierarchy.get().cloned().unwrap_or_else(build).ok()?;
        let kept = self.hierarchy.get_or_init(|| Ok(built)).clone().ok()?;
        (kept.filled <= most).then_some(kept)
    }

    /// Returns the hierarchy if sweeps over it may be the fastest search: for a sparse graph with
    /// deep searches or with lengths, and enough work for `workers` CPU workers to pay for building
    /// it. A device counts as [`WORKERS_OF_DEVICE`] of them.
    pub fn likely_hierarchy(&self, workers: usize) -> Option<Arc<Hierarchy>> {
        /// The fewest searches of the whole graph for each worker: one thread builds the hierarchy
        /// in about the time of this many searches with lengths.
        const FEWEST_SEARCHES: f64 = 32.0;
        /// The fewest searches, without lengths, of the arcs outside chains, since chains are
        /// eliminated quickly.
        const FEWEST_WITHOUT_LENGTHS: f64 = 4096.0;
        /// The most arcs per vertex, with lengths and without. Searches without lengths are
        /// cheaper, and meshes with more arcs have overlays several times as large
        /// (docs/measured.md).
        const ARCS: [f64; 2] = [8.0, 3.5];
        /// The most arcs per vertex that elimination may leave, with lengths and without. Sweeps
        /// over more arcs take longer than other searches, and customization may take longer than
        /// all searches.
        const OVERLAY: [usize; 2] = [128, 48];
        /// Searches look at this many arcs or more for each pair of arcs of the customization, with
        /// lengths and without.
        const PAIR: [f64; 2] = [2.0, 8.0];
        let arcs = self.graph.arcs() as f64;
        let is_plain = self.chains.is_none() && self.multiplicity.is_none();
        let work = self.roots.len() as f64 * self.arcs_per_root;
        if !is_plain || work < FEWEST_SEARCHES * workers as f64 * arcs {
            return None;
        }
        let build = || {
            let without_lengths = usize::from(self.lengths.is_none());
            if without_lengths > 0 && work < FEWEST_WITHOUT_LENGTHS * self.arcs_outside_chains() {
                return None;
            }
            let (is_deep, degree) = (self.is_deep(), arcs / self.graph.vertices() as f64);
            let is_small = || Hierarchy::is_likely_small(&self.undirected());
            let is_likely = is_deep && degree <= ARCS[without_lengths]
                || (is_deep || without_lengths == 0) && degree <= ARCS[0] && is_small();
            let pairs = (work / PAIR[without_lengths]) as usize;
            is_likely.then(|| self.hierarchy_within(OVERLAY[without_lengths], pairs))?
        };
        self.likely_hierarchy.get_or_init(build).clone()
    }

    /// Returns the number of arcs from vertices with more than two arcs of either direction.
    fn arcs_outside_chains(&self) -> f64 {
        let ways = || std::iter::once(&self.graph).chain(&self.reverse);
        let degrees = (0..self.graph.vertices() as Vertex)
            .map(|v| ways().map(|way| way.degree(v)).sum::<usize>());
        let sum: usize = degrees.filter(|&degree| degree > 2).sum();
        sum as f64 / ways().count() as f64
    }

    /// Returns an upper bound on the length of a shortest path plus one more arc; `None` if lengths
    /// are doubles. It is computed once.
    pub fn distance_bound(&self) -> Option<u64> {
        *self.distance_bound.get_or_init(|| {
            bound::distance_bound(&self.graph, self.lengths.as_ref(), self.reverse.is_some())
        })
    }

    /// Estimates, by a sample of searches, the fraction of the arcs of a component that a search
    /// within `limit` of its root looks at.
    pub(super) fn arc_share_within(&self, limit: f64) -> f64 {
        if limit == f64::INFINITY || self.roots.is_empty() {
            return 1.0;
        }
        let shares = self.sample(SAMPLE, |root| {
            (self.arcs_within(root, limit) / self.arcs_per_root.max(1.0)).min(1.0)
        });
        shares.iter().sum::<f64>() / shares.len() as f64
    }

    /// Returns the number of arcs of the vertices within `limit` of a root; infinite if the search
    /// stops early.
    fn arcs_within(&self, root: Vertex, limit: f64) -> f64 {
        let length = |arc: usize| self.lengths.as_ref().map_or(1.0, |lengths| lengths.at(arc));
        // Nonnegative doubles sort like their bits.
        let further = |bits, arc| {
            let through = f64::from_bits(bits) + length(arc);
            (through <= limit).then_some(through.to_bits())
        };
        let most = (MOST_REACHED * self.graph.vertices() as f64) as usize;
        let mut settled = FixedBitSet::with_capacity(self.graph.vertices());
        let mut near = bound::nearest(&self.graph, (0, root), further, &mut settled);
        let arcs = near.by_ref().take(most).map(|(_, v)| self.graph.degree(v));
        let arcs = arcs.sum::<usize>() as f64;
        near.next().map_or(arcs, |_| f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, Graph, Lengths, generate};

    #[test]
    fn a_hierarchy_that_is_too_large_for_auto_is_built_on_request() {
        let grid = generate::grid(40, 40, 0.0, 1).unwrap();
        let prepared = Prepared::bare(grid.csr().clone());
        let within = |bytes, arcs| prepared.hierarchy_within(bytes, arcs).is_some();
        assert!(!within(2, usize::MAX) && !within(128, 2));
        assert!(prepared.hierarchy.get().is_none() && prepared.hierarchy().is_ok());
        assert!(!within(2, usize::MAX) && within(128, 2));
    }

    #[test]
    fn sampled_roots_are_spread_over_the_work() {
        let path = Csr::new(vec![0, 1, 3, 5, 6], vec![1, 0, 2, 1, 3, 2]);
        let path = Prepared::bare(path);
        assert_eq!(path.depths(), [2, 2, 3, 3]);
        assert_eq!(path.sample(2, |root| root), [0, 2]);
        assert!(Prepared::bare(Csr::empty(0)).depths().is_empty());
    }

    #[test]
    fn shallow_graphs_with_lengths_have_a_hierarchy_if_few_vertices_separate_them() {
        let is_likely = |graph: &Graph, weighted: bool| {
            let mut prepared = Prepared::bare(graph.csr().clone());
            let lengths = || Lengths::U32(vec![3; graph.csr().arcs()]);
            prepared.lengths = weighted.then(lengths);
            prepared.likely_hierarchy(WORKERS_OF_DEVICE).is_some()
        };
        let hubs = generate::complete_bipartite(3, 2000).unwrap();
        assert!(is_likely(&hubs, true) && !is_likely(&hubs, false));
        let random = generate::erdos_renyi(2000, 6000, 1).unwrap();
        assert!(!is_likely(&random, true));
        // Deep, and too dense for a hierarchy unless few arcs are added.
        let ring = Csr::of_rows(5000, |v, target| {
            let near = (1..4).flat_map(|step| [(v + 5000 - step) % 5000, (v + step) % 5000]);
            let mut near: Vec<_> = near.collect();
            near.sort_unstable();
            near.into_iter().for_each(|u| target(u as Vertex));
        });
        assert!(is_likely(&Graph::unlabelled(ring, None, false), false));
    }

    #[test]
    fn small_radii_reach_a_small_part() {
        let grid = Prepared::bare(generate::grid(50, 50, 0.0, 1).unwrap().csr().clone());
        assert_eq!(grid.arc_share_within(f64::INFINITY), 1.0);
        assert_eq!(grid.arc_share_within(60.0), 1.0);
        // At most 13 vertices of degree 4 are within two steps.
        let near = grid.arc_share_within(2.0);
        assert!((0.001..=13.0 * 4.0 / 9800.0).contains(&near), "{near}");
    }
}

//! Properties of a prepared graph that are computed when they are first used.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::depth::SAMPLE;
use super::hierarchy::{Hierarchy, Unfit};
use super::{Prepared, bound, depth};
use crate::graph::Vertex;

/// A sampled search that reaches more than this part of all vertices stops early, and counts as a
/// search of the whole graph.
const MOST_REACHED: f64 = 0.25;

impl Prepared {
    /// Returns the depths of a few searches from roots spread over the graph, ascending; of more
    /// searches if they reach little of a directed graph, since these have very different depths.
    /// They are computed once.
    pub fn depths(&self) -> &[u32] {
        /// The most searches.
        const MOST: usize = 256;
        self.depths.get_or_init(|| {
            let arcs = self.ranges.root_arcs(&self.graph, &self.roots);
            let (graph, reverse) = (&self.graph, self.reverse.as_ref());
            let cheap = graph.arcs() as f64 / self.arcs_per_root.max(1.0);
            let count = match reverse {
                None => SAMPLE,
                Some(_) => ((SAMPLE as f64 * cheap) as usize).clamp(SAMPLE, MOST),
            };
            depth::sample(graph, reverse, (&self.roots, arcs), count)
        })
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
    pub fn hierarchy(&self) -> Result<Arc<Hierarchy>, Unfit> {
        /// The most arcs per vertex that elimination may leave.
        const LIMIT: usize = 128;
        let build = || Hierarchy::new(self, self.most_arcs(LIMIT)).map(Arc::new);
        self.hierarchy.get_or_init(build).clone()
    }

    /// Converts a limit of arcs per vertex to a number of arcs. Graphs with fewer than 1024
    /// vertices have the limit of one with 1024.
    fn most_arcs(&self, limit: usize) -> usize {
        limit * self.graph.vertices().max(1 << 10)
    }

    /// Returns whether the hierarchy has at most this many arcs per vertex after elimination. A
    /// hierarchy with more that is built for this answer is discarded.
    fn has_hierarchy_within(&self, limit: usize) -> bool {
        let most = self.most_arcs(limit);
        let build = || Hierarchy::new(self, most).map(Arc::new);
        let built = self.hierarchy.get().cloned().unwrap_or_else(build);
        let keep = |built| self.hierarchy.get_or_init(|| Ok(built)).clone();
        let filled = built.and_then(keep).map(|built| built.filled);
        filled.is_ok_and(|filled| filled <= most)
    }

    /// Returns the hierarchy if sweeps over it are likely to be the fastest search: for a sparse
    /// graph with deep searches, and enough roots to pay for building it.
    pub fn likely_hierarchy(&self) -> Option<Arc<Hierarchy>> {
        /// The fewest roots: building the hierarchy takes about as long as this many searches.
        const FEWEST_ROOTS: usize = 512;
        /// The most arcs per vertex, with lengths and without. Searches without lengths are
        /// cheaper, and meshes with more arcs have overlays several times as large
        /// (docs/measured.md).
        const ARCS: [f64; 2] = [8.0, 3.5];
        /// The most arcs per vertex that elimination may leave, with lengths and without. Sweeps
        /// over more arcs take longer than other searches, and customization may take longer than
        /// all searches.
        const OVERLAY: [usize; 2] = [128, 48];
        let arcs = self.graph.arcs() as f64 / self.graph.vertices().max(1) as f64;
        let without_lengths = usize::from(self.lengths.is_none());
        let sparse = arcs <= ARCS[without_lengths];
        let plain = self.chains.is_none() && self.multiplicity.is_none();
        if !sparse || !plain || self.roots.len() < FEWEST_ROOTS || !self.is_deep() {
            return None;
        }
        let is_small = || self.has_hierarchy_within(OVERLAY[without_lengths]);
        let small = *self.small_overlay.get_or_init(is_small);
        small.then(|| self.hierarchy().ok()).flatten()
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
        let roots = self.roots.len();
        let places = (0..SAMPLE.min(roots)).into_par_iter();
        let shares = places.map(|i| {
            let root = self.roots[i * roots / SAMPLE.min(roots)].vertex;
            self.arcs_within(root, limit) / self.arcs_per_root.max(1.0)
        });
        let shares: Vec<f64> = shares.collect();
        shares.iter().map(|share| share.min(1.0)).sum::<f64>() / shares.len() as f64
    }

    /// Returns the number of arcs of the vertices within `limit` of a root; infinite if the search
    /// stops early.
    fn arcs_within(&self, root: Vertex, limit: f64) -> f64 {
        let length = |arc: usize| self.lengths.as_ref().map_or(1.0, |lengths| lengths.at(arc));
        let mut distances = HashMap::from([(root, 0.0)]);
        // Nonnegative doubles sort like their bits.
        let mut open = BinaryHeap::from([Reverse((0.0f64.to_bits(), root))]);
        let mut arcs = 0;
        while let Some(Reverse((bits, v))) = open.pop() {
            let distance = f64::from_bits(bits);
            if distance > distances[&v] {
                continue;
            }
            let first = self.graph.offsets()[v as usize] as usize;
            arcs += self.graph.degree(v);
            for (arc, &u) in (first..).zip(self.graph.neighbours(v)) {
                let through = distance + length(arc);
                let known = distances.get(&u).copied().unwrap_or(f64::INFINITY);
                if through <= limit && through < known {
                    distances.insert(u, through);
                    open.push(Reverse((through.to_bits(), u)));
                }
            }
            if distances.len() as f64 > MOST_REACHED * self.graph.vertices() as f64 {
                return f64::INFINITY;
            }
        }
        arcs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;

    #[test]
    fn a_hierarchy_that_is_too_large_for_auto_is_built_on_request() {
        let grid = generate::grid(40, 40, 0.0, 1).unwrap();
        let prepared = Prepared::bare(grid.csr().clone());
        assert!(!prepared.has_hierarchy_within(2));
        assert!(prepared.hierarchy.get().is_none());
        assert!(prepared.hierarchy().is_ok());
        assert!(!prepared.has_hierarchy_within(2) && prepared.has_hierarchy_within(128));
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

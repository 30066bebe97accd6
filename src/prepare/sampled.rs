//! Properties of a prepared graph that are computed when they are first used.

use std::sync::Arc;

use super::hierarchy::{Hierarchy, Unfit};
use super::{Prepared, bound, depth};

impl Prepared {
    /// Returns the depths of a few searches from roots spread over the graph, ascending. They are
    /// computed once.
    pub fn depths(&self) -> &[u32] {
        self.depths.get_or_init(|| {
            let arcs = self.ranges.root_arcs(&self.graph, &self.roots);
            let reverse = self.reverse.as_ref();
            depth::sample(&self.graph, reverse, (&self.roots, arcs), depth::SAMPLE)
        })
    }

    /// Whether searches have many small levels, as in meshes and road networks.
    pub fn is_deep(&self) -> bool {
        self.is_deeper_than(1.0)
    }

    /// Whether searches are at least half as deep as those of a deep graph, so that searching
    /// neighbouring roots together may be the fastest.
    pub(super) fn may_be_deep(&self) -> bool {
        self.is_deeper_than(0.5)
    }

    fn is_deeper_than(&self, part: f64) -> bool {
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
        let build = || self.hierarchy_within(LIMIT);
        self.hierarchy.get_or_init(build).clone()
    }

    /// Builds the hierarchy, if elimination leaves at most this many arcs per vertex.
    fn hierarchy_within(&self, limit: usize) -> Result<Arc<Hierarchy>, Unfit> {
        Hierarchy::new(self, self.most_arcs(limit)).map(Arc::new)
    }

    /// Returns the number of arcs that this many per vertex are; small graphs have more.
    fn most_arcs(&self, limit: usize) -> usize {
        limit * self.graph.vertices().max(1 << 10)
    }

    /// Returns whether the hierarchy has at most this many arcs per vertex after elimination. If it
    /// was built for the answer, it is kept only then.
    fn has_hierarchy_within(&self, limit: usize) -> bool {
        if let Some(built) = self.hierarchy.get() {
            let is_small = |built: &Arc<Hierarchy>| built.filled <= self.most_arcs(limit);
            return built.as_ref().is_ok_and(is_small);
        }
        let built = self.hierarchy_within(limit);
        built.is_ok_and(|built| self.hierarchy.get_or_init(|| Ok(built)).is_ok())
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
        let hops = usize::from(self.lengths.is_none());
        let sparse = arcs <= ARCS[hops];
        let plain = self.chains.is_none() && self.multiplicity.is_none();
        if !sparse || !plain || self.roots.len() < FEWEST_ROOTS || !self.is_deep() {
            return None;
        }
        let is_small = || self.has_hierarchy_within(OVERLAY[hops]);
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
}

#[cfg(test)]
mod tests {
    use crate::graph::generate;
    use crate::prepare::Prepared;

    #[test]
    fn a_hierarchy_that_is_too_large_for_auto_is_built_on_request() {
        let grid = generate::grid(40, 40, 0.0, 1).unwrap();
        let prepared = Prepared::bare(grid.csr().clone());
        assert!(!prepared.has_hierarchy_within(2));
        assert!(prepared.hierarchy.get().is_none());
        assert!(prepared.hierarchy().is_ok());
        assert!(!prepared.has_hierarchy_within(2) && prepared.has_hierarchy_within(128));
    }
}

//! What is found out about a prepared graph when it is first asked for.

use super::{Prepared, bound, depth};

impl Prepared {
    /// The depths of a few searches from roots all over the graph, ascending. They are made when
    /// they are first asked for.
    pub fn depths(&self) -> &[u32] {
        const SAMPLE: usize = 9;
        self.depths.get_or_init(|| {
            let arcs = self.ranges.arcs_of(&self.graph, &self.roots);
            let reverse = self.reverse.as_ref();
            depth::sample(&self.graph, reverse, (&self.roots, arcs), SAMPLE)
        })
    }

    /// Whether levels of searches are small and many, as in meshes and road networks.
    pub fn is_deep(&self) -> bool {
        self.is_deeper_than(1.0)
    }

    /// Whether searches are half as deep as those of a deep graph, so that neighbouring roots may
    /// be worth searching together.
    pub(super) fn may_be_deep(&self) -> bool {
        self.is_deeper_than(0.5)
    }

    fn is_deeper_than(&self, part: f64) -> bool {
        let limit = depth::shallow_limit(self.graph.vertices());
        f64::from(depth::median(self.depths())) > part * limit
    }

    /// No shortest path, and none and an arc more, is longer; `None` if lengths are doubles. Found
    /// when it is first asked for.
    pub fn distance_bound(&self) -> Option<u64> {
        *self.distance_bound.get_or_init(|| {
            bound::distance_bound(&self.graph, self.lengths.as_ref(), self.reverse.is_some())
        })
    }
}

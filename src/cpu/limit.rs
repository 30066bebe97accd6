//! A bound on the depth of searches whose path counts certainly fit f64, and a check of counts.

use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// Path counts up to 2 to the power of this stay below [`SIGMA_LIMIT_F64`] in spite of rounding.
const SAFE_BITS: f64 = 1000.0;

/// A bound on the depth of searches whose path counts need no check.
pub(super) struct Limit {
    /// All path counts of a search with at most this many levels below its root are in range.
    levels: usize,
}

impl Limit {
    /// Finds the limit of a graph. From one level to the next, the sum of path counts grows at most
    /// by the largest product of a vertex's degree and multiplicity.
    pub(super) fn new(prepared: &Prepared) -> Self {
        let (graph, weights) = (&prepared.graph, prepared.weights());
        let times = |v| graph.degree(v) as f64 * weights.multiplicity(v as usize);
        let most = (0..graph.vertices() as Vertex)
            .map(times)
            .fold(2.0, f64::max);
        Limit {
            levels: (SAFE_BITS / most.log2()) as usize,
        }
    }

    /// Whether all path counts of a search with this many levels below the root are in range.
    pub(super) fn allows(&self, levels: usize) -> bool {
        levels <= self.levels
    }
}

/// Whether all of these path counts are in range. They may be infinite, but not NaN.
pub(super) fn in_range(mut counts: impl Iterator<Item = f64>) -> bool {
    counts.all(|paths| paths <= SIGMA_LIMIT_F64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, generate};

    #[test]
    fn deep_searches_need_a_check() {
        let chain = generate::diamonds(10).unwrap();
        let mut chain = Prepared::bare(chain.csr().clone());
        let limit = Limit::new(&chain);
        assert!(limit.allows(500) && !limit.allows(501)); // degree 4
        chain.multiplicity = Some(vec![4.0; chain.graph.vertices()]);
        let limit = Limit::new(&chain);
        assert!(limit.allows(250) && !limit.allows(251));
        assert!(Limit::new(&Prepared::bare(Csr::empty(3))).allows(1000));
    }

    #[test]
    fn the_limit_itself_is_in_range() {
        assert!(in_range([1.0, SIGMA_LIMIT_F64].into_iter()));
        assert!(!in_range([1.0, SIGMA_LIMIT_F64.next_up()].into_iter()));
        assert!(!in_range([f64::INFINITY, 1.0].into_iter()));
    }
}

//! Where path counts cannot be too large for f64, without a look at them.

use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// Path counts below 2 to the power of this are far enough from [`SIGMA_LIMIT_F64`] for any
/// rounding.
const SAFE_BITS: f64 = 1000.0;

/// Tells when path counts have to be looked at, which is after deep searches only.
pub(super) struct Limit {
    /// No path count of a search is too large that has at most so many levels below its root.
    levels: usize,
}

impl Limit {
    /// For searches of this graph: from level to level, paths become as many times more at
    /// most as the most arcs of a vertex, each for all of its twins.
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

    /// Whether no path count can be too large after so many levels below the root.
    pub(super) fn is_far(&self, levels: usize) -> bool {
        levels <= self.levels
    }
}

/// Whether all of these path counts are in range. Infinity may be among them, but nothing that is
/// no number.
pub(super) fn in_range(mut counts: impl Iterator<Item = f64>) -> bool {
    counts.all(|paths| paths <= SIGMA_LIMIT_F64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, generate};

    #[test]
    fn deep_searches_have_to_be_looked_at() {
        let chain = generate::diamonds(10).unwrap();
        let mut chain = Prepared::bare(chain.csr().clone());
        let limit = Limit::new(&chain);
        assert!(limit.is_far(500) && !limit.is_far(501)); // degree 4
        chain.multiplicity = Some(vec![4.0; chain.graph.vertices()]);
        let limit = Limit::new(&chain);
        assert!(limit.is_far(250) && !limit.is_far(251));
        assert!(Limit::new(&Prepared::bare(Csr::empty(3))).is_far(1000));
    }

    #[test]
    fn the_limit_itself_is_in_range() {
        assert!(in_range([1.0, SIGMA_LIMIT_F64].into_iter()));
        assert!(!in_range([1.0, SIGMA_LIMIT_F64.next_up()].into_iter()));
        assert!(!in_range([f64::INFINITY, 1.0].into_iter()));
    }
}

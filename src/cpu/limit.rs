//! A bound on the depth of searches whose path counts certainly fit f64, and a check of counts.

use crate::engine::SIGMA_LIMIT_F64;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// Path counts up to 2^`SAFE_BITS` stay below [`SIGMA_LIMIT_F64`] in spite of rounding.
const SAFE_BITS: f64 = 1000.0;

/// Returns the most levels below the root of searches whose path counts need no check. From one
/// level to the next, the sum of path counts is multiplied by at most the largest product of a
/// vertex's degree and multiplicity.
pub(super) fn safe_levels(prepared: &Prepared) -> usize {
    let (graph, weights) = (&prepared.graph, prepared.weights());
    let growth = |v| graph.degree(v) as f64 * weights.multiplicity(v as usize);
    let growths = (0..graph.vertices() as Vertex).map(growth);
    (SAFE_BITS / growths.fold(2.0, f64::max).log2()) as usize
}

/// Whether all of these path counts are in range. They may be infinite, but not NaN.
pub(super) fn in_range(mut counts: impl Iterator<Item = f64>) -> bool {
    counts.all(|count| count <= SIGMA_LIMIT_F64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, generate};

    #[test]
    fn deep_searches_need_a_check() {
        let chain = generate::diamonds(10).unwrap();
        let mut chain = Prepared::bare(chain.csr().clone());
        assert_eq!(safe_levels(&chain), 500); // degree 4
        chain.multiplicity = Some(vec![4.0; chain.graph.vertices()]);
        assert_eq!(safe_levels(&chain), 250);
        assert_eq!(safe_levels(&Prepared::bare(Csr::empty(3))), 1000);
    }

    #[test]
    fn the_limit_itself_is_in_range() {
        assert!(in_range([1.0, SIGMA_LIMIT_F64].into_iter()));
        assert!(!in_range([1.0, SIGMA_LIMIT_F64.next_up()].into_iter()));
        assert!(!in_range([f64::INFINITY, 1.0].into_iter()));
    }
}

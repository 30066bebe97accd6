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
    let graph = &prepared.graph;
    let growth = |v| graph.degree(v) as f64 * prepared.multiplicity_of(v as usize);
    let growths = (0..graph.vertices() as Vertex).map(growth);
    (SAFE_BITS / growths.fold(2.0, f64::max).log2()) as usize
}

/// Whether all of these path counts are in range. They may be infinite, but not NaN.
pub(super) fn in_range(mut counts: impl Iterator<Item = f64>) -> bool {
    counts.all(|count| count <= SIGMA_LIMIT_F64)
}

//! The depths of searches.

use fixedbitset::FixedBitSet;

use crate::graph::{Csr, Vertex};

/// A graph whose median search is deeper than this many times log2 of its vertices is deep: levels
/// are small and many, as in meshes and road networks.
pub const DEEP: f64 = 1.5;

/// In graphs that are deeper than this part of [`DEEP`], searching neighbouring roots together may
/// be the fastest.
pub(super) const MAY_BE_DEEP: f64 = 0.5;

/// The number of searches of a sample.
pub(super) const SAMPLE: usize = 9;

/// Returns the largest median depth of searches of a graph with `n` vertices that is not deep.
pub fn shallow_limit(n: usize) -> f64 {
    DEEP * (n.max(2) as f64).log2()
}

/// Returns the median of ascending depths; zero if there are none.
pub fn median(depths: &[u32]) -> u32 {
    depths.get(depths.len() / 2).copied().unwrap_or(0)
}

/// Returns the vertices that a vertex reaches, itself included, and the number of levels below it.
pub(super) fn search(graph: &Csr, root: Vertex) -> (FixedBitSet, u32) {
    let mut seen = FixedBitSet::with_capacity(graph.vertices());
    seen.insert(root as usize);
    let (mut level, mut depth) = (vec![root], 0);
    loop {
        let heads = level.iter().flat_map(|&v| graph.neighbours(v)).copied();
        level = heads.filter(|&u| !seen.put(u as usize)).collect();
        if level.is_empty() {
            return (seen, depth);
        }
        depth += 1;
    }
}

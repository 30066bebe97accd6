//! What searches of a directed graph reach.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use super::depth::search;
use crate::graph::components::{Components, strong_components};
use crate::graph::{Csr, Vertex};

/// The strongly connected components of a directed graph. The largest one is its *core*: what
/// reaches it reaches all that the core reaches.
#[derive(Clone)]
pub struct Reach {
    /// The strongly connected components; arcs lead to smaller numbers.
    pub strong: Components,
    /// The number of the core.
    pub core: u32,
    /// The vertices that reach the core, and the vertices that it reaches. Both include the core.
    pub sides: [FixedBitSet; 2],
}

impl Reach {
    /// Finds the components of a graph; `into` has the arcs of `out` reversed.
    pub fn new([out, into]: [&Csr; 2]) -> Reach {
        let strong = strong_components(out);
        let core = (0..).zip(&strong.sizes).max_by_key(|&(_, size)| size);
        let core = core.map_or(0, |(core, _)| core);
        let start = strong.of.iter().position(|&one| one == core);
        let side = |rows| start.map_or_else(FixedBitSet::new, |v| search(rows, v as Vertex).0);
        Reach {
            sides: [side(into), side(out)],
            strong,
            core,
        }
    }

    /// Estimates the number of arcs that searches from all vertices with a weight look at. `out` is
    /// the graph, or, if `reversed`, the reversed graph. If the core reaches most arcs, a search
    /// that reaches the core is taken to look at what the core reaches. The others are estimated by
    /// a sample.
    pub fn work(&self, out: &Csr, reversed: bool, weight: &[f64]) -> f64 {
        /// One search in 64 is sampled, at least 16 and at most 64.
        const SAMPLE: usize = 64;
        let degree = |v: usize| out.degree(v as Vertex);
        let [near, far] = [0, 1].map(|side| &self.sides[side ^ usize::from(reversed)]);
        let core_arcs: usize = far.ones().map(degree).sum();
        let is_large = 2 * core_arcs >= out.arcs();
        let roots = (0..out.vertices()).filter(|&v| weight[v] > 0.0 && degree(v) > 0);
        let (through_core, others): (Vec<_>, Vec<_>) =
            roots.partition(|&v| is_large && near.contains(v));
        let sample = (others.len() / SAMPLE).clamp(16, SAMPLE).min(others.len());
        let places = (0..sample).into_par_iter();
        let arcs = places.map(|i| {
            let root = others[(2 * i + 1) * others.len() / (2 * sample)];
            let (seen, _) = search(out, root as Vertex);
            seen.ones().map(degree).sum::<usize>()
        });
        let mean = arcs.sum::<usize>() as f64 / sample.max(1) as f64;
        through_core.len() as f64 * core_arcs as f64 + others.len() as f64 * mean
    }
}

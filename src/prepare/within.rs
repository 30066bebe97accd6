//! The part of a graph that searches within a radius reach.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rayon::prelude::*;

use super::Prepared;
use super::depth::SAMPLE;
use crate::graph::Vertex;

/// A search of the sample that reaches more than one in this many of all vertices stops early, and
/// counts as a search of the whole graph.
const MUCH: usize = 4;

impl Prepared {
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
            if MUCH * distances.len() > self.graph.vertices() {
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
    fn small_radii_reach_a_small_part() {
        let grid = Prepared::bare(generate::grid(50, 50, 0.0, 1).unwrap().csr().clone());
        assert_eq!(grid.arc_share_within(f64::INFINITY), 1.0);
        assert_eq!(grid.arc_share_within(60.0), 1.0);
        // At most 13 vertices of degree 4 are within two steps.
        let near = grid.arc_share_within(2.0);
        assert!((0.001..=13.0 * 4.0 / 9800.0).contains(&near), "{near}");
    }
}

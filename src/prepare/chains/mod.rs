//! Chains of degree-2 vertices, contracted: undirected graphs are searched from junctions only.
//!
//! # Junctions and chains
//! Vertices of degree other than 2 are *junctions* (and the first vertex of every component that
//! is nothing but a cycle). What lies between them are *chains*: a chain of length l is a path of
//! l edges between two junctions, its *ends*, over l - 1 *interior* vertices of degree 2, at
//! positions 1 to l - 1 counted from end 0. A plain edge between junctions is a chain of length 1.
//! Junctions and chains are a multigraph: a chain may lead back to where it started (a *loop*), and
//! several may join the same two junctions. With d and sigma, distances and path counts from a
//! junction, an interior vertex has them in closed form: it is reached by the nearer end, or by
//! both if they tie (a loop has two different ends at the same junction).
//!
//! # Roots inside chains
//! The wanted sum at v is that of src(s) w(t) g(s, t, v) over ordered pairs of s and t other than
//! v: src(s) chosen sources that s stands for, w(t) vertices that t stands for, g the share of
//! shortest paths that pass v. Let x be at position p of a chain of length l between junctions a
//! and b, and t anywhere but in the interior of this chain. With h = l + d_b(t) - d_a(t), the
//! shortest paths from x to t leave by a if 2p < h, by b if 2p > h, and by both if 2p = h: then
//! sigma_a(t) / (sigma_a(t) + sigma_b(t)) of them leave by a. Dependencies are linear in target
//! weights, so *one* backward sweep from a does for a itself and for all that leaves by a, if the
//! target t has the weight w(t) S_a(t), where
//!
//! ```text
//! S_a(t) = src(a) + sum over chain-ends at a, but not those of t's own chain, of
//!          (src of the positions p with 2p < h, and the share above of the one with 2p = h)
//! ```
//!
//! The first is a prefix sum along the chain. Since g(s, t, v) = g(t, s, v), the target weight is
//! made symmetric: Omega_a(t) = (w(t) S_a(t) + src(t) S'_a(t)) / 2, where S' has w for src. Sweeps
//! from all junctions then meet each unordered pair from both sides, except where v is in the
//! chain of one of both: there it is enough to count it from the other's side, twice.
//!
//! # Pairs within one chain
//! Both ways from position p to position q > p are known: q - p along the chain, or p + R + l - q
//! *round* by its ends, R being their distance. What such pairs add inside the chain is a constant,
//! [`Chains::closed`]; what goes round is a mass that flows from one end to the other and is part
//! of the sweeps from both, [`Chains::end_round`]. (`inner_pairs` has the details.)
//!
//! Degree-2 vertices were first treated so by M. Bentert, A. Dittmann, L. Kellerhals, A.
//! Nichterlein and R. Niedermeier: "An Adaptive Version of Brandes' Algorithm for Betweenness
//! Centrality", ISAAC 2018. (There pairs of chains are treated one by one; here sweeps are made of
//! them.)

mod apply;
mod bypass;
mod find;
mod inner_pairs;
mod profitability;
mod structure;
mod undo;

pub use profitability::{SweepWork, Verdict};
pub use structure::Chains;
pub(crate) use structure::range;

use crate::engine::Root;
use crate::graph::Vertex;

impl Chains {
    /// Number of junctions.
    pub fn len(&self) -> usize {
        self.junctions.len()
    }

    /// Whether there are no junctions, as in a graph without vertices.
    pub fn is_empty(&self) -> bool {
        self.junctions.is_empty()
    }

    /// Number of chains.
    pub fn chains(&self) -> usize {
        self.chain_length.len()
    }

    /// Length of the longest chain.
    pub fn longest(&self) -> u32 {
        self.chain_length.iter().copied().max().unwrap_or(0)
    }

    /// Number of the junction that this prepared vertex is, if it is one.
    pub fn junction(&self, vertex: Vertex) -> Option<u32> {
        self.junctions.binary_search(&vertex).ok().map(|j| j as u32)
    }

    /// The searches to make, clusters of neighbours together: from all junctions of components that
    /// have a source, wherever it is.
    pub fn roots(&self) -> Vec<Root> {
        let has_source: Vec<bool> = (0..self.component_chain_offsets.len() - 1)
            .map(|k| {
                let junctions = range(&self.component_junction_offsets, k);
                let chains = range(&self.component_chain_offsets, k);
                let own = |&j: &u32| self.junction_sources[j as usize] > 0.0;
                let inside = |&c: &u32| {
                    let interior = range(&self.chain_first, c as usize);
                    self.prefix_sources[interior.end] > self.prefix_sources[interior.start]
                };
                self.component_junctions[junctions].iter().any(own)
                    || self.component_chains[chains].iter().any(inside)
            })
            .collect();
        let root = |j: u32| Root {
            vertex: self.junctions[j as usize],
            sources: self.junction_sources[j as usize] as u32,
        };
        let wanted = |&j: &u32| has_source[self.component[j as usize] as usize];
        self.clusters()
            .into_iter()
            .filter(wanted)
            .map(root)
            .collect()
    }

    /// All junctions in clusters of neighbours. Who claims a range of such an order can use most
    /// of what it finds out about a junction for others of the range.
    fn clusters(&self) -> Vec<u32> {
        let mut taken = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        for start in 0..self.len() {
            if std::mem::replace(&mut taken[start], true) {
                continue;
            }
            let mut head = order.len();
            let full = head + CLUSTER;
            order.push(start as u32);
            while head < order.len() && order.len() < full {
                for e in range(&self.end_offsets, order[head] as usize) {
                    let to = self.end_target[e];
                    if order.len() < full && !std::mem::replace(&mut taken[to as usize], true) {
                        order.push(to);
                    }
                }
                head += 1;
            }
        }
        order
    }
}

/// Junctions of a cluster; about as many as a CPU worker claims at a time.
const CLUSTER: usize = 64;

#[cfg(test)]
mod tests;

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

mod bypass;
mod inner_pairs;
mod profitability;
mod structure;
mod summary;
mod walk;

pub use profitability::{SweepWork, Verdict};
pub use structure::Chains;
use structure::grouped;
pub(crate) use structure::range;
pub use summary::ContractionSummary;

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

impl Chains {
    /// Contracts an undirected graph whose vertices stand for so many chosen sources and vertices.
    pub fn new(graph: &Csr, sources: &[u32], weight: &[f64]) -> Chains {
        let mut chains = walk::contract(graph);
        chains.take_weights(sources, weight);
        chains.find_components();
        chains.closed = vec![0.0; graph.vertices()];
        let bypasses = bypass::all(&chains);
        inner_pairs::count(&mut chains, &bypasses);
        chains
    }

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

    /// Adds the sums of searches to `scores`, one entry per prepared vertex.
    ///
    /// `junction_sums`: dependencies of each junction. `via_0` and `via_1`: for each interior
    /// vertex, the target weight that reached it by end 0 and end 1 of its chain (T_u and T_w).
    /// `through`: what flowed over each chain from end to end, either way.
    pub fn expand(
        &self,
        junction_sums: &[f64],
        via_0: &[f64],
        via_1: &[f64],
        through: &[f64],
        scores: &mut [f64],
    ) {
        for (&vertex, &sum) in self.junctions.iter().zip(junction_sums) {
            scores[vertex as usize] += sum;
        }
        for (c, &flow) in through.iter().enumerate() {
            let interior = range(&self.chain_first, c);
            // What has come in by an end meets all vertices between the end and where it goes.
            // Twice: once for each direction of the pair.
            let mut passing = 0.0;
            for i in interior.clone() {
                scores[self.interior[i] as usize] += flow + 2.0 * passing;
                passing += via_1[i];
            }
            passing = 0.0;
            for i in interior.rev() {
                scores[self.interior[i] as usize] += 2.0 * passing;
                passing += via_0[i];
            }
        }
    }

    /// Sources, weights and their prefix sums.
    fn take_weights(&mut self, sources: &[u32], weight: &[f64]) {
        let weights = |of: &[Vertex]| of.iter().map(|&v| weight[v as usize]).collect();
        let source_counts = |of: &[Vertex]| {
            of.iter()
                .map(|&v| f64::from(sources[v as usize]))
                .collect::<Vec<_>>()
        };
        self.junction_sources = source_counts(&self.junctions);
        self.junction_weight = weights(&self.junctions);
        self.interior_sources = source_counts(&self.interior);
        self.interior_weight = weights(&self.interior);
        self.prefix_sources = prefix_sums(&self.interior_sources);
        self.prefix_weight = prefix_sums(&self.interior_weight);
        self.uniform = self.junction_sources == self.junction_weight
            && self.interior_sources == self.interior_weight;
    }

    fn find_components(&mut self) {
        const NONE: u32 = u32::MAX;
        let n = self.len();
        self.component = vec![NONE; n];
        let mut count = 0;
        let mut open = Vec::new();
        for start in 0..n {
            if self.component[start] != NONE {
                continue;
            }
            self.component[start] = count;
            open.push(start);
            while let Some(j) = open.pop() {
                for e in range(&self.end_offsets, j) {
                    let to = self.end_target[e] as usize;
                    if self.component[to] == NONE {
                        self.component[to] = count;
                        open.push(to);
                    }
                }
            }
            count += 1;
        }
        let all = (0..n as u32).collect();
        (self.component_junction_offsets, self.component_junctions) =
            grouped(count, all, |j| self.component[j as usize]);
        let inner = (0..self.chains() as u32)
            .filter(|&c| self.chain_length[c as usize] > 1)
            .collect();
        (self.component_chain_offsets, self.component_chains) = grouped(count, inner, |c| {
            self.component[self.chain_from[c as usize] as usize]
        });
    }
}

/// Junctions of a cluster; about as many as a CPU worker claims at a time.
const CLUSTER: usize = 64;

/// Sums of all entries before each; they count vertices of the input, so 32 bits hold them.
fn prefix_sums(values: &[f64]) -> Vec<u32> {
    let mut sums = Vec::with_capacity(values.len() + 1);
    let mut sum = 0;
    sums.push(0);
    for &value in values {
        sum += value as u32;
        sums.push(sum);
    }
    sums
}

#[cfg(test)]
mod tests;

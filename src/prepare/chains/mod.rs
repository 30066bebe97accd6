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
mod summary;
mod walk;

pub use profitability::{SweepWork, Verdict};
pub use summary::ContractionSummary;

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// Whether chains are contracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[cfg_attr(feature = "app", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum ChainsOption {
    /// If that makes less work
    Auto,
    /// In every undirected graph
    Always,
    /// Not at all
    #[default]
    Never,
}

/// A graph as junctions and chains.
///
/// *Junction* and *chain* stand for their numbers. All arrays are flat and hold 32-bit integers
/// or f64, as devices want them; what is the length of an array is said in brackets.
#[derive(Debug, Default, Clone)]
pub struct Chains {
    /// Prepared vertex of each junction, ascending [junctions].
    pub junctions: Vec<Vertex>,
    /// Chosen sources that each junction stands for [junctions].
    pub junction_sources: Vec<f64>,
    /// Input vertices that each junction stands for [junctions].
    pub junction_weight: Vec<f64>,

    /// The chain-ends at junction j are `end_offsets[j]..end_offsets[j + 1]`, by ascending chain
    /// [junctions + 1]. A loop has two ends at its junction.
    pub end_offsets: Vec<u32>,
    /// The junction where the chain leads [chain-ends, twice as many as chains].
    pub end_target: Vec<u32>,
    /// Edges of the chain, at least 1 [chain-ends].
    pub end_length: Vec<u32>,
    /// The chain [chain-ends].
    pub end_chain: Vec<u32>,
    /// Which end of the chain this is, 0 or 1 [chain-ends]. From end 1 the interior is met last
    /// vertex first: position p from here is position length - p from end 0.
    pub end_side: Vec<u32>,
    /// Mass E of the pairs inside the chain whose paths go round by its ends [chain-ends; the
    /// same at both ends of a chain]. A search from the junction of the chain-end adds it to that
    /// junction's own sum and, unless the chain is a loop, lets it flow on from `end_target`, as
    /// it does with a mass of targets beyond `end_target`.
    pub end_round: Vec<f64>,

    /// Junction at end 0 of each chain [chains]; chains are in the order of these.
    pub chain_from: Vec<u32>,
    /// Junction at end 1 of each chain [chains].
    pub chain_to: Vec<u32>,
    /// Edges of each chain [chains].
    pub chain_length: Vec<u32>,
    /// The interior of chain c is `chain_first[c]..chain_first[c + 1]`, of `chain_length[c] - 1`
    /// vertices [chains + 1].
    pub chain_first: Vec<u32>,

    /// Prepared vertices of the interiors, each from end 0 to end 1 [interiors]: position p of
    /// chain c is at `chain_first[c] + p - 1`.
    pub interior: Vec<Vertex>,
    /// Chosen sources that each interior vertex stands for [interiors].
    pub interior_sources: Vec<f64>,
    /// Input vertices that each interior vertex stands for [interiors].
    pub interior_weight: Vec<f64>,
    /// Sums of `interior_sources` over all interiors before this one, of whatever chain
    /// [interiors + 1]: the positions 1..=k from end 0 of chain c have
    /// `prefix_sources[f + k] - prefix_sources[f]`, f being `chain_first[c]`; from end 1 they have
    /// `prefix_sources[g] - prefix_sources[g - k]`, g being `chain_first[c + 1]`.
    pub prefix_sources: Vec<u32>,
    /// The same of `interior_weight` [interiors + 1].
    pub prefix_weight: Vec<u32>,

    /// What pairs within one chain add to its interior; zero for junctions [prepared vertices].
    pub closed: Vec<f64>,
    /// Whether sources and weights are the same everywhere (every vertex is a source), so that
    /// S and S' are too.
    pub uniform: bool,

    /// Number of the component of each junction [junctions].
    pub component: Vec<u32>,
    /// Junctions of component k: `component_junctions[o[k]..o[k + 1]]` of these [components + 1].
    pub component_junction_offsets: Vec<u32>,
    /// Junctions by component, ascending in each [junctions].
    pub component_junctions: Vec<u32>,
    /// Chains of component k, likewise [components + 1].
    pub component_chain_offsets: Vec<u32>,
    /// Chains that have an interior, by component, ascending in each.
    pub component_chains: Vec<u32>,
}

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

/// Row `i` of an array of offsets.
pub(crate) fn range(offsets: &[u32], i: usize) -> std::ops::Range<usize> {
    offsets[i] as usize..offsets[i + 1] as usize
}

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

/// `items` by group, in rows that keep their order: offsets and items.
fn grouped(groups: u32, items: Vec<u32>, group: impl Fn(u32) -> u32) -> (Vec<u32>, Vec<u32>) {
    let mut offsets = vec![0; groups as usize + 1];
    for &item in &items {
        offsets[group(item) as usize + 1] += 1;
    }
    for g in 0..groups as usize {
        offsets[g + 1] += offsets[g];
    }
    let mut next = offsets.clone();
    let mut rows = vec![0; items.len()];
    for item in items {
        let slot = &mut next[group(item) as usize];
        rows[*slot as usize] = item;
        *slot += 1;
    }
    (offsets, rows)
}

#[cfg(test)]
mod tests;

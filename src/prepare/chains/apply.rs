//! Contracting: what stands at junctions and inside chains, and the pairs inside one chain; of a
//! prepared graph, searches from junctions in place of those from all vertices.

use std::time::Instant;

use super::super::{Prepared, SearchRoots, Step};
use super::structure::{Chains, grouped, range};
use super::{bypass, find, inner_pairs};
use crate::graph::{Csr, Vertex};
use crate::span::Span;

impl Prepared {
    /// Whether its chains can be contracted: sweeps from junctions know no directions, no lengths,
    /// no scores of edges and no merged twins.
    pub fn may_contract(&self) -> bool {
        !self.directed && self.lengths.is_none() && !self.count_edges && self.multiplicity.is_none()
    }

    /// Contracts its chains, if it may be contracted. Returns what [`Self::restore`] takes back.
    pub fn contract(&mut self) -> SearchRoots {
        let start = Instant::now();
        let chains = Chains::new(&self.graph, &self.sources_of_vertices(), &self.weight);
        let contracted = SearchRoots {
            roots: chains.roots(),
            group: 1,
            grouped: 0,
        };
        let ends = 2 * chains.chains();
        self.steps.push(Step {
            after: "chains".into(),
            vertices: chains.len(),
            arcs: ends,
            roots: contracted.roots.len(),
            work: contracted.roots.len() as f64 * ends as f64,
        });
        self.chains = Some(chains);
        self.spans.push(Span {
            name: "chains",
            start,
            end: Instant::now(),
        });
        self.take_roots(contracted)
    }

    /// Goes back to the graph as it stands.
    pub fn restore(&mut self, roots: SearchRoots) {
        self.chains = None;
        self.steps.retain(|step| step.after != "chains");
        self.take_roots(roots);
    }
}

impl Chains {
    /// Contracts an undirected graph whose vertices stand for so many chosen sources and vertices.
    pub fn new(graph: &Csr, sources: &[u32], weight: &[f64]) -> Chains {
        let mut chains = find::chains(graph);
        chains.take_weights(sources, weight);
        chains.find_components();
        chains.closed = vec![0.0; graph.vertices()];
        let bypasses = bypass::all(&chains);
        inner_pairs::count(&mut chains, &bypasses);
        chains
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

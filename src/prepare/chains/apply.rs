//! Contracting: what stands at junctions and inside chains, and the pairs inside one chain; of a
//! prepared graph, searches from junctions in place of those from all vertices.

use std::time::Instant;

use super::super::{Prepared, SearchRoots, Step};
use super::structure::{Chains, grouped, range};
use super::{bypass, inner_pairs};
use crate::graph::components::linked;
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
        self.spans.push(Span::since("chains", start));
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
        let mut chains = Chains::find(graph);
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
        let source_counts = |of: &[Vertex]| -> Vec<f64> {
            of.iter().map(|&v| sources[v as usize].into()).collect()
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
        let n = self.len();
        let row = |j: u32| &self.end_target[range(&self.end_offsets, j as usize)];
        let components = linked(n, row);
        let count = components.count() as u32;
        self.component = components.of;
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
    let mut sum = 0;
    let sums = values.iter().map(|&value| {
        sum += value as u32;
        sum
    });
    std::iter::once(0).chain(sums).collect()
}

//! Replacement of the roots of a graph by groups of roots that serve chains.

use std::sync::Arc;
use std::time::Instant;

use super::find::FoundChains;
use super::groups::{self, GROUP};
use super::{Chains, NO_CHAIN};
use crate::graph::Vertex;
use crate::graph::components::components;
use crate::prepare::hierarchy::{Hierarchy, arc_length};
use crate::prepare::{Prepared, WeightedGraph};
use crate::span::Span;

/// Chains are shorter than this, so that twice the sum of two lengths fits 32 bits.
const LENGTH_LIMIT: u32 = 1 << 29;

impl Prepared {
    /// Returns whether sources inside chains can be served by searches from the ends of the chains:
    /// in undirected graphs whose vertices are all sources.
    pub fn may_serve_chains(&self) -> bool {
        self.reverse.is_none()
            && self.multiplicity.is_none()
            && self.chains.is_none()
            && self.roots.len() == self.graph.vertices()
            && self.source == self.weight
    }

    /// Finds chains; `None` if serving the sources inside them saves no searches or is not
    /// possible.
    pub fn find_chains(&self) -> Option<Chains> {
        if !self.may_serve_chains() {
            return None;
        }
        let hierarchy = self.hierarchy().ok()?;
        let chains = Chains::new(self, &hierarchy)?;
        (chains.roots.len() < self.roots.len()).then_some(chains)
    }

    /// Replaces the roots by the groups of roots of these chains, which were found in the graph.
    pub fn serve_chains(&mut self, chains: Chains) {
        let start = Instant::now();
        // `depths` needs ascending roots, so it is called before they are regrouped.
        self.depths();
        self.roots = chains.roots.clone();
        (self.root_group, self.grouped_roots) = (GROUP, self.roots.len());
        self.count_edges = true;
        self.searched.work = self.work_of(&self.roots);
        self.push_step("chains");
        self.chains = Some(Arc::new(chains));
        self.spans.push(Span::since("chains", start));
    }
}

impl Chains {
    /// Finds the chains that groups of roots serve; `None` if a chain is too long.
    fn new(graph: &WeightedGraph, hierarchy: &Hierarchy) -> Option<Chains> {
        let found = cut_chains(graph, hierarchy)?;
        let components = components(&graph.graph, false);
        let mut component_sources = vec![0.0; components.count()];
        for (&component, sources) in components.of.iter().zip(&graph.source) {
            component_sources[component as usize] += sources;
        }
        let mut chains = Chains {
            chain_of: vec![NO_CHAIN; graph.graph.vertices()],
            ..Chains::default()
        };
        for mut group in groups::groups(&found, &graph.source) {
            for served in &mut group.served {
                let (ends, inner) = found.chain(served.chain as usize);
                served.chain = chains.count() as u32;
                for &v in inner {
                    chains.chain_of[v as usize] = served.chain;
                }
                let (positions, length) = positions(graph, ends, inner);
                let sources = inner.iter().map(|&v| graph.source[v as usize]);
                chains.splits.push(length, &positions, sources);
                chains.found.push(ends, inner);
                let component = components.of[ends[0] as usize];
                let all = component_sources[component as usize];
                chains.component_sources.push(all);
            }
            chains.roots.extend_from_slice(&group.roots);
            chains.served.insert(group.roots, group.served);
        }
        Some(chains)
    }
}

/// Finds all chains, and cuts each chain with two inner vertices for which the way around, through
/// the ends, is not longer than the way along the chain. Then pairs inside a chain have one
/// shortest path, along the chain. `None` if a chain is too long.
///
/// Let a chain have length l and ends at distance D. Positions p and q > p are q - p apart along
/// the chain, and p + D + l - q around it. So a cut at the first inner vertex whose distance from
/// the first one is at least (D + l) / 2 makes two chains without such a pair.
fn cut_chains(graph: &WeightedGraph, hierarchy: &Hierarchy) -> Option<FoundChains> {
    let (all, mut cut) = (FoundChains::find(&graph.graph), FoundChains::default());
    for chain in 0..all.ends.len() {
        let (ends, inner) = all.chain(chain);
        let (positions, length) = positions(graph, ends, inner);
        if length >= LENGTH_LIMIT {
            return None;
        }
        let from_first = |i: usize| 2 * (positions[i] - positions[0]);
        let limit = from_first(inner.len() - 1).checked_sub(length);
        match limit.and_then(|limit| hierarchy.distance_within(ends, limit)) {
            None => cut.push(ends, inner),
            Some(distance) => {
                let is_near = |&i: &usize| from_first(i) < length + distance;
                cut.push_cut(ends, inner, (0..inner.len()).take_while(is_near).count());
            }
        }
    }
    Some(cut)
}

/// Returns the distances of the inner vertices of a chain from its first end, and its length.
fn positions(graph: &WeightedGraph, ends: [Vertex; 2], inner: &[Vertex]) -> (Vec<u32>, u32) {
    let (mut previous, mut position) = (ends[0], 0u32);
    let mut go_to = |v: Vertex| {
        let arc = graph.graph.arc(previous, v);
        previous = v;
        position = position.saturating_add(arc_length(graph.lengths.as_ref(), arc));
        position
    };
    let positions = inner.iter().map(|&v| go_to(v)).collect();
    (positions, go_to(ends[1]))
}

//! The chains that groups of roots serve, and the roots in place of those of the graph.

use std::sync::Arc;
use std::time::Instant;

use super::find::FoundChains;
use super::groups::{self, GROUP};
use super::inner_pairs::{InnerPairs, ShortestPaths};
use super::{Chains, NO_CHAIN};
use crate::engine::OwnSums;
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
    /// Finds the chains that groups of roots serve; `None` if a chain is too long, or has more
    /// paths around it than f64 can count.
    fn new(graph: &WeightedGraph, hierarchy: &Hierarchy) -> Option<Chains> {
        let found = FoundChains::find(&graph.graph);
        let sources: Vec<u32> = graph.source.iter().map(|&sources| sources as u32).collect();
        let components = components(&graph.graph, false);
        let mut component_sources = vec![0.0; components.count()];
        for (&component, sources) in components.of.iter().zip(&graph.source) {
            component_sources[component as usize] += sources;
        }
        let mut chains = Chains {
            found: FoundChains::none(),
            chain_of: vec![NO_CHAIN; graph.graph.vertices()],
            junctions: graph.graph.vertices() - found.inner.len(),
            around: OwnSums {
                vertices: vec![0.0; graph.graph.vertices()],
                arcs: Some(vec![0.0; graph.graph.arcs()]),
            },
            ..Chains::default()
        };
        for mut group in groups::groups(&found, &sources) {
            for served in &mut group.served {
                let (ends, inner) = found.chain(served.chain as usize);
                let component = components.of[ends[0] as usize];
                chains
                    .component_sources
                    .push(component_sources[component as usize]);
                served.chain = chains.count() as u32;
                chains.push(graph, hierarchy, (ends, inner))?;
            }
            chains.roots.extend_from_slice(&group.roots);
            chains.served.insert(group.roots, group.served);
        }
        Some(chains)
    }

    /// Adds a chain, and counts the pairs inside it.
    fn push(
        &mut self,
        graph: &WeightedGraph,
        hierarchy: &Hierarchy,
        (ends, inner): ([Vertex; 2], &[Vertex]),
    ) -> Option<()> {
        let (mut previous, mut position) = (ends[0], 0u32);
        let mut go_to = |&v: &Vertex| {
            let arc = graph.graph.arc(previous, v);
            previous = v;
            position = position.saturating_add(arc_length(graph.lengths.as_ref(), arc));
            position
        };
        let positions: Vec<u32> = inner.iter().map(&mut go_to).collect();
        let length = go_to(&ends[1]);
        if length >= LENGTH_LIMIT {
            return None;
        }
        let chain = self.count();
        for &v in inner {
            self.chain_of[v as usize] = chain as u32;
        }
        let sources = inner.iter().map(|&v| graph.source[v as usize]);
        self.splits.push(length, &positions, sources);
        self.found.push(ends, inner);
        let pairs =
            |circle, share| InnerPairs::new(&positions, self.splits.before(chain), (circle, share));
        // The largest distance of the ends with which a pair can go around.
        let farthest = (2 * (positions[inner.len() - 1] - positions[0])).checked_sub(length);
        let distance = farthest.and_then(|limit| hierarchy.distance_within(ends, limit));
        self.inside.push(match distance {
            None => pairs(u32::MAX, 0.0),
            Some(distance) => {
                let paths = ShortestPaths::find(graph, ends, distance)?;
                let counted = pairs(length + distance, paths.count / (1.0 + paths.count));
                paths.send(counted.around, &mut self.around);
                counted
            }
        });
        Some(())
    }
}

//! The roots that serve chains, and the closed forms of the pairs that their searches do not count.

use std::sync::Arc;
use std::time::Instant;

use super::find::FoundChains;
use super::groups::{self, GROUP};
use super::inner_pairs::{farthest_ends, inner_pairs};
use super::{Chains, ClosedForms, NO_CHAIN};
use crate::engine::OwnSums;
use crate::graph::Vertex;
use crate::graph::components::components;
use crate::prepare::Prepared;
use crate::prepare::hierarchy::{Flows, Hierarchy, PairSearch, arc_length};
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
            && (self.roots.iter())
                .all(|root| f64::from(root.sources) == self.weight[root.vertex as usize])
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
        let arcs = self.ranges.root_arcs(&self.graph, &self.roots);
        self.searched.work = arcs.fold(0.0, |sum, arcs| sum + arcs as f64);
        self.push_step("chains");
        self.chains = Some(Arc::new(chains));
        self.spans.push(Span::since("chains", start));
    }
}

impl Chains {
    /// Finds the chains that groups of roots serve; `None` if a chain is too long.
    fn new(prepared: &Prepared, hierarchy: &Hierarchy) -> Option<Chains> {
        let graph = &prepared.graph;
        let sources: Vec<u32> = prepared.weight.iter().map(|&w| w as u32).collect();
        let found = FoundChains::find(graph);
        let mut chains = Chains {
            found: FoundChains::none(),
            chain_of: vec![NO_CHAIN; graph.vertices()],
            junctions: graph.vertices() - found.inner.len(),
            ..Chains::default()
        };
        for mut group in groups::groups(&found, &sources) {
            for served in &mut group.served {
                let chain = served.chain as usize;
                served.chain = chains.count() as u32;
                let (ends, inner) = (found.ends[chain], found.inner_of(chain));
                chains.push(prepared, ends, inner)?;
            }
            chains.roots.extend_from_slice(&group.roots);
            chains.served.insert(group.roots, group.served);
        }
        chains.closed = chains.closed_forms(prepared, hierarchy);
        Some(chains)
    }

    /// Adds a chain; `None` if it is too long.
    fn push(&mut self, prepared: &Prepared, ends: [Vertex; 2], inner: &[Vertex]) -> Option<()> {
        let (mut previous, mut position) = (ends[0], 0u32);
        let mut go_to = |&v: &Vertex| {
            let arc = prepared.graph.arc(previous, v);
            previous = v;
            position = position.saturating_add(arc_length(prepared.lengths.as_ref(), arc));
            position
        };
        let positions: Vec<u32> = inner.iter().map(&mut go_to).collect();
        let length = go_to(&ends[1]);
        if length >= LENGTH_LIMIT {
            return None;
        }
        for &v in inner {
            self.chain_of[v as usize] = self.count() as u32;
        }
        let sources: Vec<f64> = inner.iter().map(|&v| prepared.weight[v as usize]).collect();
        self.splits.push(length, &positions, &sources);
        self.found.push(ends, inner);
        Some(())
    }

    /// Counts the pairs that no search counts.
    fn closed_forms(&self, prepared: &Prepared, hierarchy: &Hierarchy) -> ClosedForms {
        let (graph, weight) = (&prepared.graph, &prepared.weight);
        let components = components(graph, false);
        let mut component_weights = vec![0.0; components.count()];
        for (&component, weight) in components.of.iter().zip(weight) {
            component_weights[component as usize] += weight;
        }
        let component_weight = |v: Vertex| component_weights[components.of[v as usize] as usize];
        let from_end = |&v: &Vertex| {
            let own = weight[v as usize];
            own * (component_weight(v) - own)
        };
        let mut closed = ClosedForms {
            from_ends: self.found.ends.iter().flatten().map(from_end).collect(),
            ..ClosedForms::default()
        };
        let mut search = PairSearch::new(hierarchy);
        let mut flows = Flows::zero(hierarchy);
        let mut between = vec![0.0; graph.vertices()];
        for chain in 0..self.count() {
            let vertices = self.found.inner_of(chain);
            let weights: Vec<f64> = vertices.iter().map(|&v| weight[v as usize]).collect();
            let total: f64 = weights.iter().sum();
            let others = component_weight(vertices[0]) - total;
            closed.from_outside.push(total * others);
            let (length, positions) = self.splits.positions(chain);
            let farthest = farthest_ends(length, &positions);
            let found =
                farthest.and_then(|farthest| search.between(self.found.ends[chain], farthest));
            let counted = inner_pairs((length, &positions), &weights, found);
            if let Some(found) = found {
                search.send(counted.around, found, &mut flows, &mut between);
            }
            closed.vertices.extend(counted.vertices);
            closed.edges.extend(counted.edges);
        }
        closed.around = OwnSums {
            vertices: vec![0.0; graph.vertices()],
            arcs: Some(vec![0.0; graph.arcs()]),
        };
        for (&v, sum) in hierarchy.vertex.iter().zip(&between) {
            closed.around.vertices[v as usize] += sum;
        }
        hierarchy.unpack(&mut flows, prepared, &mut closed.around.lend());
        closed
    }
}

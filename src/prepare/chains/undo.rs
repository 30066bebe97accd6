//! From sums of searches to those of the graph whose chains are served.
//!
//! Searches count pairs from all sources to all targets, but for pairs inside one chain, and they
//! count what is outside the source's chain only: from the end of the chain on. The rest follows
//! from symmetry, since all vertices are sources and targets alike. Let f(j) be what the searches
//! find to flow over edge j of a chain, either way: what goes through the whole chain, T, and what
//! goes to targets beyond j. Each target inside is met from one side or the other, so that
//! f(first) + f(last) = 2 T + all pairs that end inside. What comes from sources inside the chain
//! is what goes to targets inside it, f(j) - T. The score of an end follows from what flows over
//! its edges: each pair that passes takes two of them, each that begins or ends there one.

use super::Chains;
use crate::engine::OwnSums;
use crate::graph::{Csr, Vertex};

/// The difference of two equal numbers is at most this part of them.
const ROUNDING: f64 = 1e-14;

impl Chains {
    /// Completes the sums of all searches. (Of a part of them: what it adds to those of the other
    /// parts.)
    pub(in crate::prepare) fn undo(&self, graph: &Csr, sums: &mut OwnSums) {
        sums.add_copy(&self.closed.around);
        let OwnSums { vertices, arcs } = sums;
        let Some(arcs) = arcs.as_deref_mut() else {
            return;
        };
        let closed = |of: &[f64], at: usize| of.get(at).copied().unwrap_or(0.0);
        for chain in 0..self.len() {
            let inner = self.inner_of(chain);
            let edges = self.edges(graph, chain);
            let flow = |[out, back]: [usize; 2], arcs: &[f64]| arcs[out] + arcs[back];
            let met: f64 = inner.clone().map(|i| closed(&self.closed.met, i)).sum();
            let ends = flow(edges[0], arcs) + flow(edges[edges.len() - 1], arcs);
            let through = (ends - met) / 2.0;
            for i in inner.clone() {
                let sum = &mut vertices[self.inner[i] as usize];
                *sum += *sum - through + closed(&self.closed.vertices, i);
            }
            for (at, edge) in (inner.start + chain..).zip(edges) {
                arcs[edge[0]] += flow(edge, arcs) - through + closed(&self.closed.edges, at);
            }
        }
        for (at, &end) in self.ends.iter().flatten().enumerate() {
            let near = graph.neighbours(end).iter();
            let flows = near.map(|&v| arcs[graph.arc(end, v)] + arcs[graph.arc(v, end)]);
            let flows = flows.sum::<f64>() / 2.0;
            let passing = flows - closed(&self.closed.own, at);
            // What rounding leaves where nothing passes.
            let is_rounding = passing.abs() <= ROUNDING * flows;
            vertices[end as usize] = if is_rounding { 0.0 } else { passing };
        }
    }

    /// Drops the closed forms, which another part of the search adds.
    pub(in crate::prepare) fn without_closed_forms(&mut self) {
        self.closed = super::ClosedForms::default();
    }

    /// The arcs of a chain from end 0 to end 1, each with the one that leads back.
    fn edges(&self, graph: &Csr, chain: usize) -> Vec<[usize; 2]> {
        let [first, last] = self.ends[chain];
        let inner = &self.inner[self.inner_of(chain)];
        let tails = std::iter::once(first).chain(inner.iter().copied());
        let heads = inner.iter().copied().chain(std::iter::once(last));
        let both = |(tail, head): (Vertex, Vertex)| [graph.arc(tail, head), graph.arc(head, tail)];
        tails.zip(heads).map(both).collect()
    }
}

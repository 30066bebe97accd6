//! Conversion of sums of searches to sums of a graph whose chains are served.
//!
//! Searches count all pairs except those inside one chain, and of each path only the part outside
//! the chain of its source. The rest follows from symmetry, since all vertices are both sources and
//! targets. Let f(j) be the flow that searches find over edge j of a chain, in both directions: the
//! flow T through the whole chain, plus the flow over j to targets inside the chain. Each target
//! inside is reached from one side or the other, so f(first) + f(last) = 2 T + all pairs that end
//! inside. The flow over j from sources inside the chain is f(j) - T too, like that to targets
//! inside it. The score of an end follows from the flow over its edges: each pair that passes the
//! end uses two of them, each pair that begins or ends there uses one.

use super::Chains;
use crate::engine::OwnSums;
use crate::graph::{Csr, Vertex};

/// A difference of at most this part of the numbers counts as zero.
const ROUNDING: f64 = 1e-14;

impl Chains {
    /// Completes the sums of all searches, or of the searches of a part; completed sums of parts
    /// can be added. Closed forms are added unless they are counted `elsewhere`.
    pub(in crate::prepare) fn undo(&self, graph: &Csr, sums: &mut OwnSums, elsewhere: bool) {
        if !elsewhere {
            sums.add_copy(&self.closed.around);
        }
        let OwnSums { vertices, arcs } = sums;
        let Some(arcs) = arcs.as_deref_mut() else {
            return;
        };
        let closed = |pairs: &[f64], at: usize| if elsewhere { 0.0 } else { pairs[at] };
        for chain in 0..self.count() {
            let inner = self.inner_of(chain);
            let edges = self.edges(graph, chain);
            let flow = |[out, back]: [usize; 2], arcs: &[f64]| arcs[out] + arcs[back];
            let from_outside = inner.clone().map(|i| closed(&self.closed.from_outside, i));
            let from_outside: f64 = from_outside.sum();
            let ends = flow(edges[0], arcs) + flow(edges[edges.len() - 1], arcs);
            let through = (ends - from_outside) / 2.0;
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
            let passing = flows - closed(&self.closed.from_ends, at);
            // If no pair passes, rounding may leave a small difference.
            let is_rounding = passing.abs() <= ROUNDING * flows;
            vertices[end as usize] = if is_rounding { 0.0 } else { passing };
        }
    }

    /// Returns the arcs of a chain from end 0 to end 1, each with the reversed arc.
    fn edges(&self, graph: &Csr, chain: usize) -> Vec<[usize; 2]> {
        let [first, last] = self.ends[chain];
        let inner = &self.inner[self.inner_of(chain)];
        let tails = std::iter::once(first).chain(inner.iter().copied());
        let heads = inner.iter().copied().chain(std::iter::once(last));
        let both = |(tail, head): (Vertex, Vertex)| [graph.arc(tail, head), graph.arc(head, tail)];
        tails.zip(heads).map(both).collect()
    }
}

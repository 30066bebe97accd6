//! Chains of degree-2 vertices: sources inside a chain are served by the searches from its ends.
//!
//! A shortest path from a source inside a chain to a target outside leaves the chain by the end
//! that makes it shorter, or by both ends if they tie, and dependencies are linear in target
//! weights. So two searches, one from each end, count all sources inside the chain: in each search,
//! the weight of a target is the number of these sources that reach it by that end; a source that
//! leaves by both ends is divided. `find` finds the chains of a graph, `groups` groups the roots so
//! that both ends of a chain are searched together, `split` says which sources reach a target by
//! which end, `apply` cuts chains with pairs inside that have shortest paths outside and replaces
//! the roots, and `undo` turns sums of searches into sums of the graph. docs/internals.md has the
//! derivation ("Chains").

mod apply;
pub(super) mod find;
mod groups;
mod split;

use rustc_hash::FxHashMap;

use crate::engine::{OwnSums, Root};
use crate::graph::{Csr, Vertex};
use crate::prepare::WeightedGraph;
use find::FoundChains;

pub use groups::{GROUP, Served};
pub use split::{Split, Splits};

/// The entry in [`Chains::chain_of`] of a vertex that is inside no served chain.
pub const NO_CHAIN: u32 = u32::MAX;

/// A difference of sums counts as zero if it is at most this part of the sums.
const ROUNDING: f64 = 1e-14;

/// Returns `sum` - `other`, or 0 if the difference may be due to rounding.
fn difference(sum: f64, other: f64) -> f64 {
    let difference = sum - other;
    match difference.abs() <= ROUNDING * (sum.abs() + other.abs()) {
        true => 0.0,
        false => difference,
    }
}

/// The chains of a graph whose inner sources are served by searches from their ends.
#[derive(Debug, Clone, Default)]
pub struct Chains {
    /// The served chains, in the order of their groups.
    found: FoundChains,
    /// Per prepared vertex, the chain that it is inside, or [`NO_CHAIN`].
    pub chain_of: Vec<u32>,
    /// The tables of which sources of a chain reach a target by which end.
    pub splits: Splits,
    /// The roots of all groups, one after another.
    pub roots: Vec<Root>,
    /// The chains that each group of roots serves.
    served: FxHashMap<Vec<Root>, Vec<Served>>,
    /// Per chain, the sources of its component.
    component_sources: Vec<f64>,
}

impl Chains {
    /// Returns the number of chains.
    pub fn count(&self) -> usize {
        self.found.ends.len()
    }

    /// Returns the chains that these roots serve together; none unless they are a whole group.
    pub fn served_by(&self, roots: &[Root]) -> &[Served] {
        self.served.get(roots).map_or(&[], Vec::as_slice)
    }

    /// Completes the sums of all searches, or of the searches of a part; completed sums of parts
    /// can be added. Closed forms are added unless they are counted `elsewhere`.
    ///
    /// Searches count all pairs except those inside one chain, and of each path only the part
    /// outside the chain of its source. The rest follows from symmetry, since all vertices are both
    /// sources and targets. Let f(j) be the flow that searches find over edge j of a chain, in both
    /// directions: the flow T through the whole chain, plus the flow over j to targets inside the
    /// chain. Each target inside is reached from one side or the other, so f(first) + f(last) is 2T
    /// plus all pairs that end inside. The flow over j from sources inside the chain is f(j) - T
    /// too, like that to targets inside it. Pairs with both ends inside have one path, along the
    /// chain. The score of an end follows from the flow over its edges: each pair that passes the
    /// end uses two of them, each pair that begins or ends there uses one.
    pub(in crate::prepare) fn undo(
        &self,
        prepared: &WeightedGraph,
        sums: &mut OwnSums,
        elsewhere: bool,
    ) {
        let graph = &prepared.graph;
        let OwnSums { vertices, arcs } = sums;
        let Some(arcs) = arcs.as_deref_mut() else {
            return;
        };
        // The pairs between two numbers of vertices, of which one way counts.
        let pairs = |one: f64, other: f64| if elsewhere { 0.0 } else { one * other };
        for (chain, &all) in self.component_sources.iter().enumerate() {
            let before = self.splits.before(chain);
            let inside = before[before.len() - 1];
            let edges = self.edges(graph, chain);
            let flow = |[out, back]: [usize; 2], arcs: &[f64]| arcs[out] + arcs[back];
            let ends = flow(edges[0], arcs) + flow(edges[edges.len() - 1], arcs);
            let from_outside = pairs(inside, all - inside);
            // 2 f(j) - T, where T = (ends - from_outside) / 2, plus the pairs inside the chain
            // between the sources that are `before` and those that are not among the first `until`.
            let total = |sum: f64, [before, until]: [f64; 2]| {
                let along = 2.0 * pairs(before, inside - until);
                difference(2.0 * sum + from_outside / 2.0 + along, ends / 2.0)
            };
            for (&v, counts) in self.found.inner_of(chain).iter().zip(before.windows(2)) {
                vertices[v as usize] = total(vertices[v as usize], [counts[0], counts[1]]);
            }
            for (edge, &before) in edges.into_iter().zip(before) {
                let both = total(flow(edge, arcs), [before; 2]);
                (arcs[edge[0]], arcs[edge[1]]) = (both, 0.0);
            }
        }
        for (ends, &all) in self.found.ends.iter().zip(&self.component_sources) {
            for &end in ends {
                let near = graph.neighbours(end).iter();
                let flows = near.map(|&v| arcs[graph.arc(end, v)] + arcs[graph.arc(v, end)]);
                let own = prepared.source[end as usize];
                let flows = flows.sum::<f64>() / 2.0;
                vertices[end as usize] = difference(flows, pairs(own, all - own));
            }
        }
    }

    /// Returns the arcs of a chain from end 0 to end 1, each with the reversed arc.
    fn edges(&self, graph: &Csr, chain: usize) -> Vec<[usize; 2]> {
        let ([first, last], inner) = self.found.chain(chain);
        let vertices = [&[first], inner, &[last]].concat();
        let both = |ends: &[Vertex]| [(0, 1), (1, 0)].map(|(i, j)| graph.arc(ends[i], ends[j]));
        vertices.windows(2).map(both).collect()
    }
}

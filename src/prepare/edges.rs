//! Scores of edges: from sums of searched arcs, and in closed form for folded edges.
//!
//! The edge by which a branch of b vertices was folded is on every path between the branch and the
//! rest of its component, and on no other.

use super::fold::{Folded, KEPT};
use crate::graph::components::Components;
use crate::graph::{Csr, Graph, Vertex};

/// What edge scores need to know of the input.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    /// Per input vertex: the vertex it was folded into, or [`KEPT`].
    parent: Vec<Vertex>,
    /// Per input vertex: ordered pairs that the edge to that vertex separates; 0 if it was kept.
    pairs: Vec<f64>,
    /// Per input vertex: its prepared number; meaningless if it was folded away.
    prepared: Vec<Vertex>,
}

impl Edges {
    /// `chosen` tells which input vertices are sources, `input_vertex` which of them the
    /// prepared vertices are.
    pub(super) fn new(
        folded: &Folded,
        components: &Components,
        chosen: &[bool],
        input_vertex: &[Vertex],
    ) -> Edges {
        let n = chosen.len();
        let sources = components.sources(chosen);
        let pairs = (0..n).map(|v| {
            if folded.parent[v] == KEPT {
                return 0.0;
            }
            let component = components.of[v] as usize;
            let inside = u128::from(folded.sources[v]);
            let outside = u128::from(sources[component]) - inside;
            let size = u128::from(folded.size[v]);
            let others = u128::from(components.sizes[component]) - size;
            (inside * others + outside * size) as f64
        });
        let mut prepared = vec![0; n];
        for (new, &old) in input_vertex.iter().enumerate() {
            prepared[old as usize] = new as Vertex;
        }
        Edges {
            pairs: pairs.collect(),
            parent: folded.parent.clone(),
            prepared,
        }
    }

    /// Leaves what searches have to count.
    pub(super) fn without_closed_forms(&mut self) {
        self.pairs.fill(0.0);
    }

    /// Scores of edges from the sums of all searches (`arcs`, one per arc of the `searched` graph),
    /// times `factor`, in the order of [`Graph::for_each_edge`].
    pub(super) fn scores(
        &self,
        graph: &Graph,
        searched: &Csr,
        arcs: &[f64],
        factor: f64,
    ) -> Vec<f64> {
        let sum = |tail: Vertex, head: Vertex| {
            let end = |v: Vertex| self.prepared[v as usize];
            arcs[searched.arc(end(tail), end(head))]
        };
        let mut scores = Vec::with_capacity(graph.edges());
        graph.for_each_edge(|tail, head| {
            let (t, h) = (tail as usize, head as usize);
            let pairs = if self.parent[t] == head {
                self.pairs[t]
            } else if self.parent[h] == tail {
                self.pairs[h]
            } else if graph.directed() {
                sum(tail, head)
            } else {
                sum(tail, head) + sum(head, tail)
            };
            scores.push(pairs * factor);
        });
        scores
    }
}

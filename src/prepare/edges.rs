//! Scores of edges: from sums of searched arcs, and in closed form for folded edges.
//!
//! The edge by which a branch of b vertices was folded is on every path between the branch and the
//! rest of its component, and on no other.

use super::blocks::Copies;
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
    /// Per input vertex: its number before the graph was split into blocks; meaningless if it was
    /// folded away.
    number: Vec<Vertex>,
    /// Where its copies are, if the graph was split.
    copies: Option<Copies>,
}

impl Edges {
    /// `chosen` tells which input vertices are sources, `input_vertex` which of them the numbers
    /// that `copies` knows are, or else those of prepared vertices.
    pub(super) fn new(
        folded: &Folded,
        components: &Components,
        chosen: &[bool],
        input_vertex: &[Vertex],
        copies: Option<Copies>,
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
        let mut number = vec![0; n];
        for (new, &old) in input_vertex.iter().enumerate() {
            number[old as usize] = new as Vertex;
        }
        Edges {
            pairs: pairs.collect(),
            parent: folded.parent.clone(),
            number,
            copies,
        }
    }

    /// Leaves what searches have to count.
    pub(super) fn without_closed_forms(&mut self) {
        self.pairs.fill(0.0);
        if let Some(copies) = &mut self.copies {
            copies.without_closed_forms();
        }
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
        let sum = |[tail, head]: [Vertex; 2]| arcs[searched.arc(tail, head)];
        let both = |[tail, head]: [Vertex; 2]| sum([tail, head]) + sum([head, tail]);
        let mut scores = Vec::with_capacity(graph.edges());
        graph.for_each_edge(|tail, head| {
            let (t, h) = (tail as usize, head as usize);
            let ends = [self.number[t], self.number[h]];
            let pairs = if self.parent[t] == head {
                self.pairs[t]
            } else if self.parent[h] == tail {
                self.pairs[h]
            } else if graph.directed() {
                sum(ends)
            } else if let Some(copies) = &self.copies {
                copies.edge(ends).map_or_else(|pairs| pairs, both)
            } else {
                both(ends)
            };
            scores.push(pairs * factor);
        });
        scores
    }
}

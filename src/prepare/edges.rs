//! Scores of edges, from sums of arcs and in closed form for edges that are not searched.

use super::blocks::Copies;
use crate::graph::{Csr, Graph, Vertex};

/// The relation of input edges to prepared arcs.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    /// Per input vertex, the vertex that it was folded into, or [`super::fold::NO_PARENT`].
    pub(super) parent: Vec<Vertex>,
    /// Per input vertex, the ordered pairs that the edge to its parent separates.
    pub(super) separated: Vec<f64>,
    /// Per input vertex, its number before the graph was split into blocks, or `NO_PLACE` if the
    /// vertex was removed.
    pub(super) number: Vec<Vertex>,
    /// The copies of vertices, if the graph was split into blocks.
    pub(super) copies: Option<Copies>,
}

impl Edges {
    /// Returns the scores of edges from the sums of all searches (`arcs`, one per arc of the
    /// `searched` graph), times `factor`, in the order of [`Graph::for_each_edge`]. If closed forms
    /// are counted `elsewhere`, the scores of edges that are not searched are zero.
    pub(super) fn scores(
        &self,
        graph: &Graph,
        searched: &Csr,
        arcs: &[f64],
        elsewhere: bool,
        factor: f64,
    ) -> Vec<f64> {
        let sum = |[tail, head]: [Vertex; 2]| arcs[searched.arc(tail, head)];
        let both = |[tail, head]: [Vertex; 2]| sum([tail, head]) + sum([head, tail]);
        let mut scores = Vec::with_capacity(graph.edges());
        graph.for_each_edge(|tail, head| {
            let ends = [self.number[tail as usize], self.number[head as usize]];
            let closed = |pairs: f64| if elsewhere { 0.0 } else { pairs };
            let mut folded = [(tail, head), (head, tail)].into_iter();
            let folded = folded.find(|&(v, above)| self.parent[v as usize] == above);
            let pairs = if let Some((v, _)) = folded {
                closed(self.separated[v as usize])
            } else if graph.directed() {
                sum(ends)
            } else if let Some(copies) = &self.copies {
                copies.edge(ends).map_or_else(closed, both)
            } else {
                both(ends)
            };
            scores.push(pairs * factor);
        });
        scores
    }
}

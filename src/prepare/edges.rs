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
    /// Whether the searched graph has the reversed arcs.
    pub(super) is_reversed: bool,
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
        let closed = |pairs: f64| if elsewhere { 0.0 } else { pairs };
        let sum = |ends: [Vertex; 2]| {
            let copies = self.copies.as_ref();
            let [tail, head] = match copies.map_or(Ok(ends), |copies| copies.arc(ends)) {
                Ok(ends) => ends,
                Err(pairs) => return closed(pairs),
            };
            arcs[match self.is_reversed {
                true => searched.arc(head, tail),
                false => searched.arc(tail, head),
            }]
        };
        let mut scores = Vec::with_capacity(graph.edges());
        graph.for_each_edge(|tail, head| {
            let ends = [self.number[tail as usize], self.number[head as usize]];
            let mut folded = [(tail, head), (head, tail)].into_iter();
            let folded = folded.find(|&(v, above)| self.parent[v as usize] == above);
            let pairs = if let Some((v, _)) = folded {
                closed(self.separated[v as usize])
            } else if graph.directed() {
                sum(ends)
            } else {
                sum(ends) + sum([ends[1], ends[0]])
            };
            scores.push(pairs * factor);
        });
        scores
    }
}

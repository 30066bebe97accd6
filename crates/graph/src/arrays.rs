//! Builds graphs from arrays in memory, such as adjacency matrices and edge lists of other
//! libraries.

use rayon::prelude::*;

use super::builder::check_vertices;
use super::error::{BuildError, Problem};
use super::formats::npz::Number;
use super::{EdgeList, Graph, Labels, Vertex, WeightIs};

/// The reason why arrays are not a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArraysError {
    /// There are more or fewer weights than entries, or an entry names a vertex that does not
    /// exist.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The weight of the entry at this position is not a length or a similarity.
    #[error("entry {0} (from 0): {1}")]
    Weight(usize, Problem),
    /// The graph is too large.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// Refuses entries that name other vertices than the first `vertices`.
pub(super) fn check_ends(entries: &[[Vertex; 2]], vertices: usize) -> Result<(), Problem> {
    let outside = |&&v: &&Vertex| v as usize >= vertices;
    match entries.as_flattened().par_iter().find_any(outside) {
        None => Ok(()),
        Some(v) => Err(unfit!(
            "vertex {v} is not among the {vertices} of the graph (vertices are numbered from 0)"
        )),
    }
}

impl Graph {
    /// Builds a graph of `vertices` vertices from the row and the column of each entry of an
    /// adjacency matrix, and perhaps their weights. An entry in row v and column u is the arc from
    /// v to u, or an edge between them. Self-loops are dropped and parallel edges merged, as when a
    /// file is read.
    ///
    /// # Errors
    /// [`ArraysError`] if there is no weight for each entry, a weight is not a length or a
    /// similarity, a vertex does not exist, or the graph is too large.
    pub fn from_arrays(
        vertices: usize,
        entries: Vec<[Vertex; 2]>,
        weights: Option<(Vec<f64>, WeightIs)>,
        directed: bool,
    ) -> Result<Graph, ArraysError> {
        check_vertices(vertices as u64)?;
        check_ends(&entries, vertices)?;
        let (mut edges, mut list) = (EdgeList::default(), Vec::new());
        if let Some((values, meaning)) = weights {
            if values.len() != entries.len() {
                let (weights, entries) = (values.len(), entries.len());
                let problem =
                    unfit!("there are {weights} weights for {entries} entries (give each one)");
                return Err(problem.into());
            }
            let weight = |(entry, &value): (usize, &f64)| {
                let weight = Number::Double(value).weight(meaning);
                weight.map_err(|problem| ArraysError::Weight(entry, problem))
            };
            let weights = values.par_iter().enumerate().map(weight);
            list = weights.collect::<Result<_, _>>()?;
            edges.meaning = Some(meaning);
        }
        edges.fill_with_matrix(entries, list);
        Ok(edges.build(Labels::consecutive(0, vertices), directed)?)
    }

    /// Returns the graph with these labels of its vertices.
    ///
    /// # Panics
    /// If there are more or fewer labels than vertices.
    #[must_use]
    pub fn labelled(mut self, labels: Labels) -> Graph {
        assert_eq!(labels.len(), self.vertices(), "each vertex has a label");
        self.labels = labels;
        self
    }

    /// Returns the graph with its vertices in another order, which has to name each of them once.
    ///
    /// # Panics
    /// If `order` names a vertex that does not exist.
    pub fn reordered(&self, order: &[Vertex]) -> Graph {
        let csr = self.csr.induced(order);
        let weights = self.weights.as_ref().map(|(lengths, info)| {
            let lengths = lengths.induced(&self.csr, &csr, order);
            (lengths, *info)
        });
        Graph {
            csr,
            weights,
            labels: self.labels.reordered(order),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_length(entries: &[[Vertex; 2]], lengths: &[f64]) -> Result<Graph, ArraysError> {
        let weights = (lengths.to_vec(), WeightIs::Length);
        Graph::from_arrays(3, entries.to_vec(), Some(weights), true)
    }

    #[test]
    fn entries_in_any_order_are_the_same_graph() {
        let graph = by_length(&[[0, 1], [0, 2], [2, 0]], &[0.5, 2.0, 0.25]);
        let turned = by_length(&[[2, 0], [0, 1], [0, 2]], &[0.25, 0.5, 2.0]);
        assert_eq!(graph, turned);
        assert!(graph.is_ok());
    }

    #[test]
    fn arrays_that_are_no_graph_are_refused() {
        let refused = |vertices, entries: &[[Vertex; 2]], weights: Option<Vec<f64>>| {
            let weights = weights.map(|list| (list, WeightIs::Length));
            Graph::from_arrays(vertices, entries.to_vec(), weights, false).is_err()
        };
        assert!(refused(2, &[[0, 2]], None));
        assert!(refused(2, &[[0, 1]], Some(vec![f64::NAN])));
        assert!(refused(2, &[[0, 1]], Some(vec![-1.0])));
        assert!(refused(2, &[[0, 1]], Some(vec![])));
        assert!(refused(usize::MAX, &[], None));
    }

    #[test]
    fn a_refused_weight_is_known_by_its_position() {
        let error = by_length(&[[0, 1], [0, 2], [2, 0]], &[1.0, 2.0, -1.0]).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("entry 2 (from 0): weight '-1'"), "{text}");
        assert!(matches!(error, ArraysError::Weight(2, _)));
    }

    #[test]
    fn a_reordered_graph_is_the_same_with_other_numbers() {
        let weights = Some((vec![1.0, 2.0], WeightIs::Length));
        let graph = Graph::from_arrays(3, vec![[0, 1], [1, 2]], weights, false).unwrap();
        let turned = graph.reordered(&[2, 0, 1]);
        assert_eq!(turned.csr().neighbours(0), [2]);
        assert_eq!(turned.labels().display(0).to_string(), "2");
        assert_eq!(turned.reordered(&[1, 2, 0]).csr(), graph.csr());
        let labelled = graph.labelled(Labels::Numbers(vec![7, 5, 6]));
        assert_eq!(labelled.labels().display(1).to_string(), "5");
    }
}

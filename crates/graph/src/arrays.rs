//! Builds graphs from arrays in memory, such as adjacency matrices and edge lists of other
//! libraries.

use rayon::prelude::*;

use super::error::{BuildError, Problem};
use super::formats::npz::{Adjacency, Entries, Number};
use super::{Graph, Labels, Vertex, WeightIs};

/// The reason why arrays are not a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArraysError {
    /// The arrays do not fit each other, or name vertices that do not exist.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The weight of an entry is not a length or a similarity.
    #[error("in row {}, column {} (from 0): {problem}", .at.0, .at.1)]
    Weight {
        /// The position of the entry among all entries.
        entry: usize,
        /// The row and the column of the entry.
        at: (Vertex, Vertex),
        /// The problem of the weight.
        problem: Problem,
    },
    /// The graph is too large.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Graph {
    /// Builds a graph of `vertices` vertices from entries of an adjacency matrix, which may have
    /// weights. Self-loops are dropped and parallel edges merged, as when a file is read. Arrays
    /// that already have the layout of a graph become part of it without a copy.
    ///
    /// # Errors
    /// [`ArraysError`] if the arrays do not fit each other, a weight is not a length or a
    /// similarity, or the graph is too large.
    pub fn from_arrays(
        vertices: usize,
        entries: Entries,
        weights: Option<(Vec<f64>, WeightIs)>,
        directed: bool,
    ) -> Result<Graph, ArraysError> {
        super::builder::check_vertices(vertices as u64)?;
        entries.check(vertices)?;
        let count = entries.count();
        let weights = weights.map(|(list, meaning)| {
            if list.len() != count {
                return Err(ArraysError::from(unfit!(
                    "there are {} weights for {count} entries (give each entry one)",
                    list.len()
                )));
            }
            let weight = |(entry, &value): (usize, &f64)| {
                let weight = Number::Double(value).weight(meaning);
                weight.map_err(|problem| {
                    let at = entries.row_and_column(entry);
                    ArraysError::Weight { entry, at, problem }
                })
            };
            let list: Result<_, ArraysError> = list.par_iter().enumerate().map(weight).collect();
            Ok((list?, meaning))
        });
        let adjacency = Adjacency {
            weights: weights.transpose()?,
            weights_dropped: false,
            labels: Labels::consecutive(0, vertices),
            entries,
        };
        let order_and_symmetry = adjacency.order_and_symmetry();
        Ok(adjacency.graph(order_and_symmetry, directed)?)
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

    fn pairs(tails: &[u32], heads: &[u32]) -> Entries {
        Entries::Pairs {
            tails: tails.to_vec(),
            heads: heads.to_vec(),
        }
    }

    fn by_length(entries: Entries, lengths: &[f64]) -> Result<Graph, ArraysError> {
        Graph::from_arrays(3, entries, Some((lengths.to_vec(), WeightIs::Length)), true)
    }

    fn by_rows() -> Entries {
        Entries::Rows {
            offsets: vec![0, 2, 2, 3],
            targets: vec![1, 2, 0],
        }
    }

    #[test]
    fn rows_columns_and_pairs_are_the_same_graph() {
        let by_pairs = by_length(pairs(&[0, 0, 2], &[1, 2, 0]), &[0.5, 2.0, 0.25]);
        let columns = Entries::Columns {
            offsets: vec![0, 1, 2, 3],
            targets: vec![2, 0, 0],
        };
        assert_eq!(by_pairs, by_length(by_rows(), &[0.5, 2.0, 0.25]));
        assert_eq!(by_pairs, by_length(columns, &[0.25, 0.5, 2.0]));
    }

    #[test]
    fn arrays_that_are_no_graph_are_refused() {
        let refused = |vertices, entries, weights: Option<Vec<f64>>| {
            let weights = weights.map(|list| (list, WeightIs::Length));
            Graph::from_arrays(vertices, entries, weights, false).is_err()
        };
        assert!(refused(2, pairs(&[0], &[2]), None));
        assert!(refused(2, pairs(&[0, 1], &[1]), None));
        assert!(refused(2, pairs(&[0], &[1]), Some(vec![f64::NAN])));
        assert!(refused(2, pairs(&[0], &[1]), Some(vec![-1.0])));
        assert!(refused(2, pairs(&[0], &[1]), Some(vec![])));
        for offsets in [vec![], vec![0], vec![1, 1, 1], vec![0, 2, 1], vec![0, 1, 2]] {
            let targets = vec![0];
            assert!(refused(2, Entries::Rows { offsets, targets }, None));
        }
        assert!(refused(usize::MAX, pairs(&[], &[]), None));
    }

    #[test]
    fn a_refused_weight_is_known_by_its_position() {
        let columns = Entries::Columns {
            offsets: vec![0, 0, 1, 1],
            targets: vec![0],
        };
        for (entries, lengths, expected) in [
            (by_rows(), &[1.0, 2.0, -1.0][..], (2, 2, 0)),
            (columns, &[-1.0], (0, 0, 1)),
        ] {
            let error = by_length(entries, lengths).unwrap_err();
            let (entry, row, column) = expected;
            let start = format!("in row {row}, column {column} (from 0): weight");
            assert!(error.to_string().starts_with(&start), "{error}");
            assert!(matches!(error, ArraysError::Weight { entry: at, .. } if at == entry));
        }
    }

    #[test]
    fn a_reordered_graph_is_the_same_with_other_numbers() {
        let weights = Some((vec![1.0, 2.0], WeightIs::Length));
        let graph = Graph::from_arrays(3, pairs(&[0, 1], &[1, 2]), weights, false).unwrap();
        let turned = graph.reordered(&[2, 0, 1]);
        assert_eq!(turned.csr().neighbours(0), [2]);
        assert_eq!(turned.labels().display(0).to_string(), "2");
        assert_eq!(turned.reordered(&[1, 2, 0]).csr(), graph.csr());
        let labelled = graph.labelled(Labels::Numbers(vec![7, 5, 6]));
        assert_eq!(labelled.labels().display(1).to_string(), "5");
    }
}

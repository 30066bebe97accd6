//! Graphs from arrays in memory: the adjacency matrices and edge lists of other libraries.

use rayon::prelude::*;

use super::error::{BuildError, Problem};
use super::formats::npz::{Adjacency, Matrix, Number};
use super::{Csr, Graph, Labels, Vertex, WeightIs};

/// Positions of the entries of an adjacency matrix. An entry in row v and column u is the arc from
/// v to u, or an edge between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entries {
    /// Row by row: the columns of row v are `targets[offsets[v]..offsets[v + 1]]`, in any order.
    Rows {
        /// Where rows start, and where the last one ends.
        offsets: Vec<u32>,
        /// Columns of all entries.
        targets: Vec<Vertex>,
    },
    /// The same column by column: `targets` are rows.
    Columns {
        /// Where columns start, and where the last one ends.
        offsets: Vec<u32>,
        /// Rows of all entries.
        targets: Vec<Vertex>,
    },
    /// In any order, an entry at each position of both arrays.
    Pairs {
        /// Rows.
        tails: Vec<Vertex>,
        /// Columns.
        heads: Vec<Vertex>,
    },
}

/// Why arrays are no graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArraysError {
    /// The arrays do not fit each other, or a weight is none.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The graph is too large.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Entries {
    /// Checks every position: nothing after this can be out of range.
    fn matrix(self, vertices: usize) -> Result<(Matrix, bool), Problem> {
        let transposed = matches!(self, Entries::Columns { .. });
        let matrix = match self {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                let follow = offsets.len() == vertices + 1
                    && offsets[0] == 0
                    && offsets.last().map(|&end| end as usize) == Some(targets.len())
                    && offsets.par_windows(2).all(|ends| ends[0] <= ends[1]);
                if !follow {
                    return Err(unfit!(
                        "the rows of the matrix do not follow each other (offsets must begin with \
                         0, never decrease, and end with the number of entries)"
                    ));
                }
                check(&targets, vertices)?;
                Matrix::Compressed { offsets, targets }
            }
            Entries::Pairs { tails, heads } => {
                if tails.len() != heads.len() {
                    return Err(unfit!(
                        "there are {} sources, but {} targets (each edge has one of both)",
                        tails.len(),
                        heads.len()
                    ));
                }
                check(&tails, vertices)?;
                check(&heads, vertices)?;
                Matrix::Coordinates {
                    rows: tails,
                    columns: heads,
                }
            }
        };
        Ok((matrix, transposed))
    }
}

fn check(ends: &[Vertex], vertices: usize) -> Result<(), Problem> {
    match ends.par_iter().find_any(|&&v| v as usize >= vertices) {
        Some(v) => Err(unfit!(
            "vertex {v} is not among the {vertices} of the graph (vertices are numbered from 0)"
        )),
        None => Ok(()),
    }
}

impl Graph {
    /// The graph of so many vertices that has these entries, which may have weights. Self-loops are
    /// dropped and parallel edges merged, as of files; the arrays are the graph's own where they
    /// already are as it has them.
    ///
    /// # Errors
    /// [`ArraysError`] for whatever the arrays hold that is no graph.
    pub fn from_arrays(
        vertices: usize,
        entries: Entries,
        weights: Option<(Vec<f64>, WeightIs)>,
        directed: bool,
    ) -> Result<Graph, ArraysError> {
        super::builder::check_vertices(vertices)?;
        let (matrix, transposed) = entries.matrix(vertices)?;
        let arcs = matrix.entries();
        if arcs > u32::MAX as usize {
            return Err(BuildError::TooManyArcs { arcs }.into());
        }
        let weights = weights.map(|(list, meaning)| {
            if list.len() != arcs {
                return Err(unfit!(
                    "there are {} weights for {arcs} edges (give each edge one)",
                    list.len()
                ));
            }
            let weight = |(entry, &value): (usize, &f64)| {
                let weight = Number::Float(value).weight();
                weight.map_err(|problem| matrix.problem_at(entry, problem))
            };
            let list: Result<_, Problem> = list.par_iter().enumerate().map(weight).collect();
            Ok((list?, meaning))
        });
        let adjacency = Adjacency {
            weights: weights.transpose()?,
            weights_dropped: false,
            transposed,
            labels: Labels::consecutive(0, vertices),
            matrix,
        };
        let found = adjacency.look();
        Ok(adjacency.graph(found, directed)?)
    }

    /// The same graph, its vertices in another order, which has to name each one once.
    ///
    /// # Panics
    /// If `order` names a vertex that does not exist.
    pub fn reordered(&self, order: &[Vertex]) -> Graph {
        let csr: Csr = self.csr.induced(order);
        let weights = self.weights.as_ref().map(|(lengths, info)| {
            let lengths = lengths.induced(&self.csr, &csr, order);
            (lengths, *info)
        });
        Graph {
            csr,
            weights,
            labels: self.labels.reordered(order),
            directed: self.directed,
            simplified: self.simplified,
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

    #[test]
    fn rows_columns_and_pairs_are_the_same_graph() {
        let weights = || Some((vec![0.5, 2.0, 0.25], WeightIs::Length));
        let by_pairs = Graph::from_arrays(3, pairs(&[0, 0, 2], &[1, 2, 0]), weights(), true);
        let rows = Entries::Rows {
            offsets: vec![0, 2, 2, 3],
            targets: vec![1, 2, 0],
        };
        let columns = Entries::Columns {
            offsets: vec![0, 1, 2, 3],
            targets: vec![2, 0, 0],
        };
        let turned = Some((vec![0.25, 0.5, 2.0], WeightIs::Length));
        let by_columns = Graph::from_arrays(3, columns, turned, true);
        assert_eq!(by_pairs, Graph::from_arrays(3, rows, weights(), true));
        assert_eq!(by_pairs, by_columns);
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
    fn a_reordered_graph_is_the_same_with_other_numbers() {
        let weights = Some((vec![1.0, 2.0], WeightIs::Length));
        let graph = Graph::from_arrays(3, pairs(&[0, 1], &[1, 2]), weights, false).unwrap();
        let turned = graph.reordered(&[2, 0, 1]);
        assert_eq!(turned.csr().neighbours(0), [2]);
        assert_eq!(turned.labels().display(0).to_string(), "2");
        assert_eq!(turned.reordered(&[1, 2, 0]).csr(), graph.csr());
    }
}

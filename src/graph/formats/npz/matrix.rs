//! The entries of a matrix, and the graph they become.

use rayon::prelude::*;

use crate::graph::builder::{check_vertices, lengths};
use crate::graph::error::Problem;
use crate::graph::formats::symmetry::{edge_hash, weight_hash};
use crate::graph::weights::{Weight, scaled};
use crate::graph::{BuildError, Csr, EdgeList, Graph, Labels, Simplified, WeightIs};

/// Rows that a task checks.
const ROWS_PER_TASK: usize = 1 << 12;

/// Entries that a task checks.
const ENTRIES_PER_TASK: usize = 1 << 16;

/// The positions of a matrix's entries.
pub(super) enum Matrix {
    /// Row by row, or column by column.
    Compressed {
        offsets: Vec<u32>,
        targets: Vec<u32>,
    },
    /// In any order.
    Coordinates { rows: Vec<u32>, columns: Vec<u32> },
}

/// The weight of every entry, and what weights mean.
pub(super) type Weights = (Vec<Weight>, WeightIs);

impl Matrix {
    pub fn entries(&self) -> usize {
        match self {
            Matrix::Compressed { targets, .. } => targets.len(),
            Matrix::Coordinates { rows, .. } => rows.len(),
        }
    }

    /// Tasks that [`Self::for_each`] is cut into.
    fn tasks(&self) -> usize {
        match self {
            Matrix::Compressed { offsets, .. } => (offsets.len() - 1).div_ceil(ROWS_PER_TASK),
            Matrix::Coordinates { rows, .. } => rows.len().div_ceil(ENTRIES_PER_TASK),
        }
    }

    /// Calls `f` with row, column and number of each entry of a task, in their order.
    #[inline]
    fn for_each(&self, task: usize, mut f: impl FnMut(u32, u32, usize)) {
        match self {
            Matrix::Compressed { offsets, targets } => {
                let first = task * ROWS_PER_TASK;
                let last = (first + ROWS_PER_TASK).min(offsets.len() - 1);
                for row in first..last {
                    for entry in offsets[row] as usize..offsets[row + 1] as usize {
                        f(row as u32, targets[entry], entry);
                    }
                }
            }
            Matrix::Coordinates { rows, columns } => {
                let first = task * ENTRIES_PER_TASK;
                for entry in first..rows.len().min(first + ENTRIES_PER_TASK) {
                    f(rows[entry], columns[entry], entry);
                }
            }
        }
    }

    /// A problem of an entry, with its place.
    pub fn problem_at(&self, entry: usize, problem: Problem) -> Problem {
        let (row, column) = match self {
            Matrix::Compressed { offsets, targets } => {
                let row = offsets.partition_point(|&end| end as usize <= entry) - 1;
                (row as u32, targets[entry])
            }
            Matrix::Coordinates { rows, columns } => (rows[entry], columns[entry]),
        };
        unfit!("in row {row}, column {column} (from 0): {}", problem.text())
    }
}

/// What the entries of a matrix have shown.
#[derive(Debug, Clone, Copy)]
struct Shown {
    /// Whether each row ascends, without repeats and without the row's own number.
    ordered: bool,
    /// Sum over all entries of the hash of their edge, with the sign of their direction: zero when
    /// each edge is there equally often in both directions. With the weights in the hashes.
    balance: u64,
}

/// Looks at all entries once.
fn look(matrix: &Matrix, weights: Option<&[Weight]>) -> Shown {
    let look_at = |task| {
        let (mut ordered, mut balance) = (true, 0u64);
        let mut before = None;
        matrix.for_each(task, |row, column, entry| {
            ordered &= row != column && before < Some((row, column));
            before = Some((row, column));
            if row == column {
                return;
            }
            let edge = edge_hash(row.min(column), row.max(column));
            let hash = weights.map_or(edge, |weights| weight_hash(edge, weights[entry]));
            let signed = if row < column {
                hash
            } else {
                hash.wrapping_neg()
            };
            balance = balance.wrapping_add(signed);
        });
        Shown { ordered, balance }
    };
    let nothing = || Shown {
        ordered: true,
        balance: 0,
    };
    let tasks = (0..matrix.tasks()).into_par_iter().map(look_at);
    tasks.reduce(nothing, |a, b| Shown {
        ordered: a.ordered && b.ordered,
        balance: a.balance.wrapping_add(b.balance),
    })
}

/// The graph, from the rows as they are if that is possible.
pub(super) fn built(
    matrix: Matrix,
    weights: Option<Weights>,
    weights_dropped: bool,
    transposed: bool,
    labels: Labels,
    directed: bool,
) -> Result<Graph, BuildError> {
    let list = weights.as_ref().map(|(list, _)| &list[..]);
    let shown = look(&matrix, list);
    let symmetric = shown.balance == 0;
    let as_it_is = symmetric || directed && !transposed;
    let matrix = match matrix {
        Matrix::Compressed { offsets, targets } if shown.ordered && as_it_is => {
            let csr = Csr::new(offsets, targets);
            return of_rows(csr, weights, symmetric, weights_dropped, labels, directed);
        }
        other => other,
    };
    let mut edges = EdgeList::with_capacity(matrix.entries() / (1 + usize::from(symmetric)));
    if let Some((_, meaning)) = &weights {
        edges.take_weights(*meaning);
    }
    if weights_dropped {
        edges.set_weights_dropped();
    }
    if symmetric {
        edges.set_both_ways();
    }
    for task in 0..matrix.tasks() {
        matrix.for_each(task, |row, column, entry| {
            // Of a symmetric matrix the upper triangle says all.
            if symmetric && row > column {
                return;
            }
            let weight = weights.as_ref().map(|(weights, _)| weights[entry]);
            if transposed {
                edges.push_weighted(column, row, weight);
            } else {
                edges.push_weighted(row, column, weight);
            }
        });
    }
    drop(matrix);
    edges.build(labels, directed)
}

/// The graph whose rows these are; those of an undirected one have to be symmetric.
fn of_rows(
    csr: Csr,
    weights: Option<Weights>,
    symmetric: bool,
    weights_dropped: bool,
    labels: Labels,
    directed: bool,
) -> Result<Graph, BuildError> {
    check_vertices(labels.len())?;
    debug_assert!(directed || symmetric);
    let weights = weights.map(|(list, meaning)| {
        let scaled = scaled(&list, meaning, |keys| longest_path(&csr, keys));
        drop(list);
        let fits = longest_path(&csr, &scaled.keys) < u128::from(u32::MAX);
        lengths(scaled.keys.into_iter(), scaled.unit, fits, meaning)
    });
    let simplified = Simplified {
        entries: csr.arcs() as u64 / (1 + u64::from(symmetric)),
        weights_dropped,
        ..Simplified::default()
    };
    Ok(Graph {
        csr,
        weights,
        labels,
        directed,
        simplified,
    })
}

/// No path is longer than this: it leaves each vertex at most once.
fn longest_path(csr: &Csr, keys: &[u64]) -> u128 {
    let ends = csr.offsets().windows(2);
    let longest = ends.map(|ends| {
        let row = &keys[ends[0] as usize..ends[1] as usize];
        row.iter().copied().max().unwrap_or(0)
    });
    longest.map(u128::from).sum()
}

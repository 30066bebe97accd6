//! The entries of a matrix, and the graph they become.

use rayon::prelude::*;

use crate::graph::builder::{check_vertices, lengths};
use crate::graph::formats::symmetry::{edge_hash, weight_hash};
use crate::graph::weights::{Weight, scaled};
use crate::graph::{BuildError, Csr, EdgeList, Graph, Labels, Simplified, Vertex, WeightIs};

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

    /// Row and column of an entry.
    pub fn position(&self, entry: usize) -> (u32, u32) {
        match self {
            Matrix::Compressed { offsets, targets } => {
                let row = offsets.partition_point(|&end| end as usize <= entry) - 1;
                (row as u32, targets[entry])
            }
            Matrix::Coordinates { rows, columns } => (rows[entry], columns[entry]),
        }
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

impl Shown {
    const NOTHING: Shown = Shown {
        ordered: true,
        balance: 0,
    };

    fn and(self, other: Shown) -> Shown {
        Shown {
            ordered: self.ordered && other.ordered,
            balance: self.balance.wrapping_add(other.balance),
        }
    }

    #[inline]
    fn add(&mut self, row: u32, column: u32, weight: Option<Weight>) {
        if row == column {
            return;
        }
        let (low, high) = (row.min(column), row.max(column));
        let edge = edge_hash(low, high);
        let hash = weight.map_or(edge, |weight| weight_hash(edge, weight));
        let signed = if row < column {
            hash
        } else {
            hash.wrapping_neg()
        };
        self.balance = self.balance.wrapping_add(signed);
    }
}

/// Looks at all entries once.
fn look(matrix: &Matrix, weights: Option<&[Weight]>) -> Shown {
    let weight = |entry: usize| weights.map(|weights| weights[entry]);
    match matrix {
        Matrix::Compressed { offsets, targets } => {
            let rows = offsets.len() - 1;
            (0..rows.div_ceil(ROWS_PER_TASK))
                .into_par_iter()
                .map(|task| {
                    let mut shown = Shown::NOTHING;
                    let first = task * ROWS_PER_TASK;
                    for row in first..rows.min(first + ROWS_PER_TASK) {
                        let (start, end) = (offsets[row] as usize, offsets[row + 1] as usize);
                        let columns = &targets[start..end];
                        shown.ordered &= columns.is_sorted_by(|a, b| a < b);
                        for (i, &column) in columns.iter().enumerate() {
                            shown.ordered &= column != row as u32;
                            shown.add(row as u32, column, weight(start + i));
                        }
                    }
                    shown
                })
                .reduce(|| Shown::NOTHING, Shown::and)
        }
        Matrix::Coordinates { rows, columns } => rows
            .par_chunks(ENTRIES_PER_TASK)
            .zip(columns.par_chunks(ENTRIES_PER_TASK))
            .enumerate()
            .map(|(task, (rows, columns))| {
                let mut shown = Shown {
                    ordered: false,
                    balance: 0,
                };
                for (i, (&row, &column)) in rows.iter().zip(columns).enumerate() {
                    shown.add(row, column, weight(task * ENTRIES_PER_TASK + i));
                }
                shown
            })
            .reduce(|| Shown::NOTHING, Shown::and),
    }
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
    let mut push = |row: Vertex, column: Vertex, entry: usize| {
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
    };
    match &matrix {
        Matrix::Compressed { offsets, targets } => {
            for (row, ends) in offsets.windows(2).enumerate() {
                for entry in ends[0]..ends[1] {
                    push(row as Vertex, targets[entry as usize], entry as usize);
                }
            }
        }
        Matrix::Coordinates { rows, columns } => {
            for (entry, (&row, &column)) in rows.iter().zip(columns).enumerate() {
                push(row, column, entry);
            }
        }
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

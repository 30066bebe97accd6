//! The entries of a matrix, and the graph they become.

use std::mem::take;

use rayon::prelude::*;

use crate::graph::builder::{check_vertices, lengths};
use crate::graph::error::Problem;
use crate::graph::formats::symmetry::Balance;
use crate::graph::weights::{Weight, scaled};
use crate::graph::{BuildError, Csr, EdgeList, Graph, Labels, Simplified, WeightIs};

/// Rows that a task checks.
const ROWS_PER_TASK: usize = 1 << 12;

/// Entries that a task checks.
const ENTRIES_PER_TASK: usize = 1 << 16;

/// The positions of a matrix's entries.
pub(in crate::graph) enum Matrix {
    /// Row by row, or column by column.
    Compressed {
        offsets: Vec<u32>,
        targets: Vec<u32>,
    },
    /// In any order.
    Coordinates { rows: Vec<u32>, columns: Vec<u32> },
}

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
                    let entries = offsets[row] as usize..offsets[row + 1] as usize;
                    for (&column, entry) in targets[entries.clone()].iter().zip(entries) {
                        f(row as u32, column, entry);
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

/// The weight of every entry, and what weights mean.
pub(in crate::graph) type Weights = (Vec<Weight>, WeightIs);

/// A matrix and what belongs to it.
pub(in crate::graph) struct Adjacency {
    pub matrix: Matrix,
    /// If they were asked for.
    pub weights: Option<Weights>,
    /// Whether there are weights that were not asked for.
    pub weights_dropped: bool,
    /// Whether rows are columns.
    pub transposed: bool,
    pub labels: Labels,
}

impl Adjacency {
    fn weight(&self, entry: usize) -> Option<Weight> {
        self.weights.as_ref().map(|(list, _)| list[entry])
    }

    /// Looks at all entries once: whether they are in order, each row ascending without repeats and
    /// without the row's own number; and whether each entry is there equally often in both
    /// directions, with the same weight.
    pub fn look(&self) -> (bool, bool) {
        let look_at = |task| {
            let (mut ordered, mut balance, mut before) = (true, Balance::default(), None);
            self.matrix.for_each(task, |row, column, entry| {
                ordered &= row != column && before < Some((row, column));
                before = Some((row, column));
                if row != column {
                    balance.add(row, column, self.weight(entry));
                }
            });
            (ordered, balance)
        };
        let tasks = (0..self.matrix.tasks()).into_par_iter().map(look_at);
        let nothing = || (true, Balance::default());
        let (ordered, balance) = tasks.reduce(nothing, |a, b| (a.0 && b.0, a.1.and(b.1)));
        (ordered, balance.is_even())
    }

    /// Refuses weights of several entries in one place, which SciPy takes for one, their sum.
    pub fn refuse_sums(&self) -> Result<(), Problem> {
        if self.weights.is_none() {
            return Ok(());
        }
        let mut places = Vec::with_capacity(self.matrix.entries());
        for task in 0..self.matrix.tasks() {
            self.matrix.for_each(task, |row, column, entry| {
                places.push((row, column, entry));
            });
        }
        places.par_sort_unstable();
        let same = |pair: &&[(u32, u32, usize)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        match places.windows(2).find(same) {
            None => Ok(()),
            Some(pair) => {
                let problem = unfit!(
                    "there are several entries, which are one for SciPy, their sum (add them up: \
                     A.sum_duplicates())"
                );
                Err(self.matrix.problem_at(pair[1].2, problem))
            }
        }
    }

    /// The graph, from the rows as they are if that is possible; what [`Self::look`] has found is
    /// known.
    pub fn graph(
        mut self,
        (ordered, symmetric): (bool, bool),
        directed: bool,
    ) -> Result<Graph, BuildError> {
        let as_it_is = ordered && (symmetric || directed && !self.transposed);
        if as_it_is && let Matrix::Compressed { offsets, targets } = &mut self.matrix {
            let csr = Csr::new(take(offsets), take(targets));
            return self.of_rows(csr, symmetric, directed);
        }
        let most = self.matrix.entries() / (1 + usize::from(symmetric));
        let mut edges = EdgeList::with_capacity(most);
        if let Some((_, meaning)) = &self.weights {
            edges.take_weights(*meaning);
        }
        if self.weights_dropped {
            edges.set_weights_dropped();
        }
        if symmetric {
            edges.set_both_ways();
        }
        for task in 0..self.matrix.tasks() {
            self.matrix.for_each(task, |row, column, entry| {
                // Of a symmetric matrix the upper triangle says all.
                if symmetric && row > column {
                    return;
                }
                let (tail, head) = if self.transposed {
                    (column, row)
                } else {
                    (row, column)
                };
                edges.push_weighted(tail, head, self.weight(entry));
            });
        }
        drop((self.matrix, self.weights));
        edges.build(self.labels, directed)
    }

    /// The graph whose rows these are; those of an undirected one have to be symmetric.
    fn of_rows(self, csr: Csr, symmetric: bool, directed: bool) -> Result<Graph, BuildError> {
        check_vertices(self.labels.len())?;
        debug_assert!(directed || symmetric);
        let weights = self.weights.map(|(list, meaning)| {
            let scaled = scaled(&list, meaning, |keys| longest_path(&csr, keys));
            drop(list);
            let fits = longest_path(&csr, &scaled.keys) < u128::from(u32::MAX);
            lengths(scaled.keys.into_iter(), scaled.unit, fits, meaning)
        });
        let simplified = Simplified {
            entries: csr.arcs() as u64 / (1 + u64::from(symmetric)),
            weights_dropped: self.weights_dropped,
            ..Simplified::default()
        };
        Ok(Graph {
            csr,
            weights,
            labels: self.labels,
            directed,
            simplified,
        })
    }
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

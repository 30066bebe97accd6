//! The entries of a matrix, and the graph they become.

use std::mem::take;

use rayon::prelude::*;

use crate::builder::{check_vertices, lengths};
use crate::error::Problem;
use crate::formats::symmetry::Balance;
use crate::weights::{Weight, scaled};
use crate::{BuildError, Csr, EdgeList, Graph, Labels, Simplified, Vertex, WeightIs};

/// Rows that a task checks.
const ROWS_PER_TASK: usize = 1 << 12;

/// Entries that a task checks.
const ENTRIES_PER_TASK: usize = 1 << 16;

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

/// Whether these are the offsets of so many rows that follow each other and have all entries.
pub(crate) fn rows_follow(offsets: &[u32], vertices: usize, entries: usize) -> bool {
    offsets.len() == vertices + 1
        && offsets[0] == 0
        && offsets.last().map(|&end| end as usize) == Some(entries)
        && offsets.par_windows(2).all(|ends| ends[0] <= ends[1])
}

impl Entries {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Entries::Rows { targets, .. } | Entries::Columns { targets, .. } => targets.len(),
            Entries::Pairs { tails, .. } => tails.len(),
        }
    }

    /// Tasks that [`Self::for_each`] is cut into.
    fn tasks(&self) -> usize {
        match self {
            Entries::Rows { offsets, .. } | Entries::Columns { offsets, .. } => {
                (offsets.len() - 1).div_ceil(ROWS_PER_TASK)
            }
            Entries::Pairs { tails, .. } => tails.len().div_ceil(ENTRIES_PER_TASK),
        }
    }

    /// Calls `f` with row, column and number of each entry of a task, in their order.
    #[inline]
    fn for_each(&self, task: usize, mut f: impl FnMut(u32, u32, usize)) {
        match self {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                let first = task * ROWS_PER_TASK;
                let last = (first + ROWS_PER_TASK).min(offsets.len() - 1);
                for row in first..last {
                    let entries = offsets[row] as usize..offsets[row + 1] as usize;
                    for (&column, entry) in targets[entries.clone()].iter().zip(entries) {
                        f(row as u32, column, entry);
                    }
                }
            }
            Entries::Pairs { tails, heads } => {
                let first = task * ENTRIES_PER_TASK;
                for entry in first..tails.len().min(first + ENTRIES_PER_TASK) {
                    f(tails[entry], heads[entry], entry);
                }
            }
        }
    }

    /// Returns the row and the column of an entry.
    pub(crate) fn place(&self, entry: usize) -> (Vertex, Vertex) {
        match self {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                let row = offsets.partition_point(|&end| end as usize <= entry) - 1;
                (row as u32, targets[entry])
            }
            Entries::Pairs { tails, heads } => (tails[entry], heads[entry]),
        }
    }

    /// A problem of an entry, with its place.
    pub(crate) fn problem_at(&self, entry: usize, problem: Problem) -> Problem {
        let (row, column) = self.place(entry);
        unfit!("in row {row}, column {column} (from 0): {}", problem.text())
    }
}

/// The weight of every entry, and what weights mean.
pub(crate) type Weights = (Vec<Weight>, WeightIs);

/// A matrix and what belongs to it.
pub(crate) struct Adjacency {
    pub entries: Entries,
    /// If they were asked for.
    pub weights: Option<Weights>,
    /// Whether there are weights that were not asked for.
    pub weights_dropped: bool,
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
            self.entries.for_each(task, |row, column, entry| {
                ordered &= row != column && before < Some((row, column));
                before = Some((row, column));
                if row != column {
                    balance.add(row, column, self.weight(entry));
                }
            });
            (ordered, balance)
        };
        let tasks = (0..self.entries.tasks()).into_par_iter().map(look_at);
        let nothing = || (true, Balance::default());
        let (ordered, balance) = tasks.reduce(nothing, |a, b| (a.0 && b.0, a.1.and(b.1)));
        (ordered, balance.is_even())
    }

    /// Refuses weights of several entries in one place, which SciPy takes for one, their sum.
    pub fn refuse_sums(&self) -> Result<(), Problem> {
        if self.weights.is_none() {
            return Ok(());
        }
        let entries = (0..self.entries.count()).into_par_iter();
        let mut places: Vec<_> = entries
            .map(|entry| (self.entries.place(entry), entry))
            .collect();
        places.par_sort_unstable();
        let twice = places.windows(2).find(|pair| pair[0].0 == pair[1].0);
        twice.map_or(Ok(()), |pair| {
            let problem = unfit!(
                "there are several entries, which are one for SciPy, their sum (add them up: \
                 A.sum_duplicates())"
            );
            Err(self.entries.problem_at(pair[1].1, problem))
        })
    }

    /// The graph, from the rows as they are if that is possible; what [`Self::look`] has found is
    /// known.
    pub fn graph(
        mut self,
        (ordered, symmetric): (bool, bool),
        directed: bool,
    ) -> Result<Graph, BuildError> {
        let transposed = matches!(self.entries, Entries::Columns { .. });
        let as_it_is = ordered && (symmetric || directed && !transposed);
        if as_it_is
            && let Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } =
                &mut self.entries
        {
            let csr = Csr::new(take(offsets), take(targets));
            return self.of_rows(csr, symmetric, directed);
        }
        let most = self.entries.count() / (1 + usize::from(symmetric));
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
        for task in 0..self.entries.tasks() {
            self.entries.for_each(task, |row, column, entry| {
                // Of a symmetric matrix the upper triangle says all.
                if symmetric && row > column {
                    return;
                }
                let (tail, head) = if transposed {
                    (column, row)
                } else {
                    (row, column)
                };
                edges.push_weighted(tail, head, self.weight(entry));
            });
        }
        drop((self.entries, self.weights));
        let mut graph = edges.build(self.labels, directed)?;
        graph.simplified.symmetrised = !directed && !symmetric;
        Ok(graph)
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

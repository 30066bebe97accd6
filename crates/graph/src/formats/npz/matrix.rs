//! Makes a graph of the entries of a matrix.

use std::iter::repeat_n;
use std::mem::take;

use rayon::prelude::*;

use crate::builder::{weight_info, wide_lengths};
use crate::error::Problem;
use crate::formats::symmetry::Balance;
use crate::weights::{Weight, longest_path, scaled};
use crate::{BuildError, Csr, EdgeList, Graph, Labels, Lengths, Vertex, WeightIs};

/// Positions of the entries of an adjacency matrix. An entry in row v and column u is the arc from
/// v to u, or an edge between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entries {
    /// Row by row: the columns of row v are `targets[offsets[v]..offsets[v + 1]]`, in any order.
    Rows {
        /// The starts of all rows, and the end of the last one.
        offsets: Vec<u32>,
        /// The columns of all entries.
        targets: Vec<Vertex>,
    },
    /// Like [`Self::Rows`], but column by column: `targets` are rows.
    Columns {
        /// The starts of all columns, and the end of the last one.
        offsets: Vec<u32>,
        /// The rows of all entries.
        targets: Vec<Vertex>,
    },
    /// Entries in any order, one at each position of both arrays.
    Pairs {
        /// The rows of all entries.
        tails: Vec<Vertex>,
        /// The columns of all entries.
        heads: Vec<Vertex>,
    },
}

impl Entries {
    /// Checks that the arrays fit each other and that all vertices are below `vertices`, so that
    /// later code needs no checks.
    pub(crate) fn check(&self, vertices: usize) -> Result<(), Problem> {
        let arcs = self.count();
        if u32::try_from(arcs).is_err() {
            return Err(BuildError::TooMany(arcs, "arcs").into());
        }
        let ends: [&[Vertex]; 2] = match self {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                let valid = offsets.len() == vertices + 1
                    && (offsets[0], offsets[vertices] as usize) == (0, arcs)
                    && offsets.is_sorted();
                if !valid {
                    return Err(unfit!(
                        "the offsets of the matrix are not valid (they must begin with 0, never \
                         decrease, and end with the number of entries)"
                    ));
                }
                [targets, &[]]
            }
            Entries::Pairs { tails, heads } if tails.len() == heads.len() => [tails, heads],
            Entries::Pairs { tails, heads } => {
                return Err(unfit!(
                    "there are {} sources, but {} targets (give each edge one of each)",
                    tails.len(),
                    heads.len()
                ));
            }
        };
        let outside = |&&v: &&Vertex| v as usize >= vertices;
        let find = |ends: &[Vertex]| ends.par_iter().find_any(outside).copied();
        match find(ends[0]).or_else(|| find(ends[1])) {
            None => Ok(()),
            Some(v) => Err(unfit!(
                "vertex {v} is not among the {vertices} of the graph (vertices are numbered from 0)"
            )),
        }
    }

    /// Returns the number of entries.
    pub(crate) fn count(&self) -> usize {
        match self {
            Entries::Rows { targets, .. } | Entries::Columns { targets, .. } => targets.len(),
            Entries::Pairs { tails, .. } => tails.len(),
        }
    }

    /// Calls `f` with the row, the column and the number of each entry, in their order. For
    /// [`Self::Columns`], `f` receives the column first.
    #[inline]
    fn for_each(&self, mut f: impl FnMut(u32, u32, usize)) {
        match self {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                for (row, ends) in offsets.windows(2).enumerate() {
                    let entries = ends[0] as usize..ends[1] as usize;
                    for (&column, entry) in targets[entries.clone()].iter().zip(entries) {
                        f(row as u32, column, entry);
                    }
                }
            }
            Entries::Pairs { tails, heads } => {
                for (entry, (&row, &column)) in tails.iter().zip(heads).enumerate() {
                    f(row, column, entry);
                }
            }
        }
    }

    /// Returns the row and the column of an entry.
    pub(crate) fn row_and_column(&self, entry: usize) -> (Vertex, Vertex) {
        let line =
            |offsets: &[u32]| offsets.partition_point(|&end| end as usize <= entry) as u32 - 1;
        match self {
            Entries::Rows { offsets, targets } => (line(offsets), targets[entry]),
            Entries::Columns { offsets, targets } => (targets[entry], line(offsets)),
            Entries::Pairs { tails, heads } => (tails[entry], heads[entry]),
        }
    }

    /// Returns the error of an entry with its row and column.
    pub(crate) fn problem_at(&self, entry: usize, problem: Problem) -> Problem {
        let (row, column) = self.row_and_column(entry);
        unfit!("in row {row}, column {column} (from 0): {problem}")
    }
}

/// The weight of every entry, and the meaning of weights.
pub(crate) type Weights = (Vec<Weight>, WeightIs);

/// An adjacency matrix with weights and labels.
pub(crate) struct Adjacency {
    pub entries: Entries,
    /// The weights, if the user asked for them.
    pub weights: Option<Weights>,
    /// Whether there are weights although the user did not ask for them.
    pub weights_dropped: bool,
    pub labels: Labels,
}

impl Adjacency {
    fn weight(&self, entry: usize) -> Option<Weight> {
        self.weights.as_ref().map(|(list, _)| list[entry])
    }

    /// Checks all entries. Returns whether they are known to be in order: each row ascends, without
    /// repeats and without the row's own number. Also returns whether the matrix is symmetric: each
    /// entry occurs equally often in both directions, with the same weight.
    pub fn order_and_symmetry(&self) -> (bool, bool) {
        let balance = |row: u32, column: u32, entry| {
            let mut balance = Balance::default();
            if row != column {
                balance.add(row, column, self.weight(entry));
            }
            balance
        };
        let (ordered, balance) = match &self.entries {
            Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } => {
                let rows = offsets.par_windows(2).enumerate().with_min_len(1 << 10);
                let checks = rows.map(|(row, ends)| {
                    let entries = ends[0] as usize..ends[1] as usize;
                    let (row, columns) = (row as u32, &targets[entries.clone()]);
                    let ordered = columns.is_sorted_by(|a, b| a < b) && !columns.contains(&row);
                    let balances = columns.iter().zip(entries);
                    let balances = balances.map(|(&column, entry)| balance(row, column, entry));
                    (ordered, balances.fold(Balance::default(), Balance::and))
                });
                let nothing = || (true, Balance::default());
                checks.reduce(nothing, |a, b| (a.0 && b.0, a.1.and(b.1)))
            }
            Entries::Pairs { tails, heads } => {
                let pairs = tails.par_iter().zip(heads).enumerate();
                let balances = pairs.map(|(entry, (&row, &column))| balance(row, column, entry));
                (false, balances.reduce(Balance::default, Balance::and))
            }
        };
        (ordered, balance.is_symmetric())
    }

    /// Refuses weights if several entries are in one place, because SciPy adds them up.
    pub fn refuse_repeated_entries(&self) -> Result<(), Problem> {
        if self.weights.is_none() {
            return Ok(());
        }
        let mut places = Vec::with_capacity(self.entries.count());
        (self.entries).for_each(|row, column, entry| places.push(((row, column), entry)));
        places.par_sort_unstable();
        let mut pairs = places.windows(2);
        let Some(pair) = pairs.find(|pair| pair[0].0 == pair[1].0) else {
            return Ok(());
        };
        let problem = unfit!(
            "there are several entries, which SciPy adds up (add them up in the file: \
             A.sum_duplicates())"
        );
        Err(self.entries.problem_at(pair[1].1, problem))
    }

    /// Returns the graph. Reuses the arrays of the matrix if its rows are in order and it is
    /// symmetric or, for a directed graph, stored row by row. The first argument is the result of
    /// [`Self::order_and_symmetry`].
    pub fn graph(
        mut self,
        (ordered, symmetric): (bool, bool),
        directed: bool,
    ) -> Result<Graph, BuildError> {
        let transposed = matches!(self.entries, Entries::Columns { .. });
        let reuses_arrays = ordered && (symmetric || directed && !transposed);
        if reuses_arrays
            && let Entries::Rows { offsets, targets } | Entries::Columns { offsets, targets } =
                &mut self.entries
        {
            let csr = Csr::new(take(offsets), take(targets));
            return self.graph_of_rows(csr, symmetric, directed);
        }
        let capacity = self.entries.count() / (1 + usize::from(symmetric));
        let mut edges = EdgeList::with_capacity(capacity);
        edges.meaning = self.weights.as_ref().map(|&(_, meaning)| meaning);
        edges.weights_dropped = self.weights_dropped;
        edges.both_ways = symmetric;
        self.entries.for_each(|row, column, entry| {
            // The upper triangle of a symmetric matrix has all edges.
            if !symmetric || row <= column {
                let (tail, head) = match transposed {
                    true => (column, row),
                    false => (row, column),
                };
                edges.push_weighted(tail, head, self.weight(entry));
            }
        });
        drop((self.entries, self.weights));
        let mut graph = edges.build(self.labels, directed)?;
        graph.simplified.symmetrised = !directed && !symmetric;
        Ok(graph)
    }

    /// Returns the graph with these rows, which have to be symmetric if it is undirected.
    fn graph_of_rows(self, csr: Csr, symmetric: bool, directed: bool) -> Result<Graph, BuildError> {
        let vertices = csr.vertices();
        let longest = |keys: &[u64]| {
            let tails = (0..vertices as Vertex).flat_map(|v| repeat_n([v; 2], csr.degree(v)));
            longest_path(tails, keys, vertices, false)
        };
        let lengths = |(list, meaning): Weights| {
            let (keys, unit) = scaled(list.iter(), meaning, longest)?;
            drop(list);
            let fit_32_bits = unit.is_some() && longest(&keys) < u128::from(u32::MAX);
            let lengths = match fit_32_bits {
                true => Lengths::U32(keys.into_iter().map(|key| key as u32).collect()),
                false => wide_lengths(keys, unit),
            };
            let info = weight_info(&lengths, unit, meaning);
            Ok((lengths, info))
        };
        let weights = self.weights.map(lengths).transpose()?;
        let entries = csr.arcs() as u64 / (1 + u64::from(symmetric));
        let mut graph = Graph::unlabelled(csr, None, directed);
        graph.simplified.entries = entries;
        graph.simplified.weights_dropped = self.weights_dropped;
        (graph.weights, graph.labels) = (weights, self.labels);
        Ok(graph)
    }
}

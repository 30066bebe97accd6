//! From a list of edges to a simple graph in compressed sparse rows.
//!
//! The steps are: count the arcs of each row, prefix sum, scatter, then sort each row and drop its
//! repeats in place. The list is freed before the rows are sorted, so the peak is the list plus the
//! rows: twice the finished CSR when nothing repeats.

use rayon::prelude::*;
use thiserror::Error;

use super::{Csr, Graph, Labels, Simplified, Vertex};

/// Most vertices, and most arcs, of a graph: both are counted in 32 bits on the devices.
const LIMIT: usize = u32::MAX as usize;

/// Most workers of the counting and the scattering step, each of which reads the whole list.
const MOST_SCANS: usize = 32;

/// Arcs aimed at in one task of the sorting step. Rows are never split, so a task can hold more.
const ARCS_PER_TASK: usize = 1 << 14;

/// A row longer than this is sorted by all threads together, so that one hub does not
/// keep the others waiting.
const PARALLEL_ROW: usize = 1 << 20;

/// Why a list of edges cannot become a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BuildError {
    /// The vertices cannot be numbered in 32 bits.
    #[error(
        "{vertices} vertices are more than the 4294967295 a graph can have (use a smaller graph)"
    )]
    TooManyVertices {
        /// Vertices asked for.
        vertices: usize,
    },
    /// The arcs left after merging cannot be numbered in 32 bits.
    #[error("{arcs} arcs are more than the 4294967295 a graph can have (use a smaller graph)")]
    TooManyArcs {
        /// Distinct arcs; an undirected edge is two.
        arcs: usize,
    },
}

/// Collects edges as an input states them. Self-loops are counted and dropped at once.
#[derive(Debug, Clone, Default)]
pub struct EdgeList {
    edges: Vec<[Vertex; 2]>,
    loops: u64,
    weighted: bool,
    both_ways: bool,
}

impl EdgeList {
    /// An empty list with room for `edges` entries.
    pub fn with_capacity(edges: usize) -> Self {
        EdgeList {
            edges: Vec::with_capacity(edges),
            ..EdgeList::default()
        }
    }

    /// Adds the edge from `tail` to `head`.
    #[inline]
    pub fn push(&mut self, tail: Vertex, head: Vertex) {
        if tail == head {
            self.loops += 1;
        } else {
            self.edges.push([tail, head]);
        }
    }

    /// Adds `count` edges that join a vertex to itself.
    pub fn add_loops(&mut self, count: u64) {
        self.loops += count;
    }

    /// Notes that the input has weights, which this list does not hold.
    pub fn set_weighted(&mut self) {
        self.weighted = true;
    }

    /// Notes that each entry stands for both arcs even when a directed graph is asked for, as in
    /// file formats that store one triangle of a symmetric matrix.
    pub fn set_both_ways(&mut self) {
        self.both_ways = true;
    }

    /// Entries so far, self-loops included.
    pub fn entries(&self) -> u64 {
        self.edges.len() as u64 + self.loops
    }

    /// Makes the graph of `labels.len()` vertices.
    ///
    /// # Errors
    /// [`BuildError`] when there are more vertices or arcs than 32 bits can count.
    ///
    /// # Panics
    /// If an edge names a vertex that has no label.
    pub fn build(self, labels: Labels, directed: bool) -> Result<Graph, BuildError> {
        let vertices = labels.len();
        if vertices > LIMIT {
            return Err(BuildError::TooManyVertices { vertices });
        }
        let entries = self.entries();
        let symmetric = !directed || self.both_ways;
        let csr = simple_csr(self.edges, vertices, symmetric)?;
        let distinct = if symmetric {
            csr.arcs() / 2
        } else {
            csr.arcs()
        };
        Ok(Graph {
            simplified: Simplified {
                entries,
                loops: self.loops,
                merged: entries - self.loops - distinct as u64,
                weighted: self.weighted,
            },
            csr,
            labels,
            directed,
        })
    }
}

impl From<Vec<[Vertex; 2]>> for EdgeList {
    /// Takes edges over as `[tail, head]`, without a second copy.
    fn from(mut edges: Vec<[Vertex; 2]>) -> Self {
        let entries = edges.len();
        edges.retain(|[tail, head]| tail != head);
        EdgeList {
            loops: (entries - edges.len()) as u64,
            edges,
            ..EdgeList::default()
        }
    }
}

/// Rows of the distinct arcs in `edges`, which holds no self-loops. With `symmetric`, every edge
/// is two arcs.
fn simple_csr(
    edges: Vec<[Vertex; 2]>,
    vertices: usize,
    symmetric: bool,
) -> Result<Csr, BuildError> {
    let workers = rayon::current_num_threads().clamp(1, MOST_SCANS);
    let mut rows = count_rows(&edges, vertices, symmetric, workers);
    let mut targets = scatter(&edges, &mut rows, symmetric, workers);
    drop(edges);
    let offsets = sort_rows(&rows, &mut targets)?;
    targets.shrink_to_fit();
    Ok(Csr::new(offsets, targets))
}

/// Calls `f` with row and target of every arc whose row is among the `count` rows from `first`;
/// rows are counted from `first` on.
///
/// Each worker looks through all edges for the arcs of its own rows. That reads the list as often
/// as there are workers, but in order, and spares the atomic operations that sharing rows would
/// need: those do not overlap with each other, so each waits for its own cache miss.
#[inline]
fn for_each_arc(
    edges: &[[Vertex; 2]],
    symmetric: bool,
    first: usize,
    count: usize,
    mut f: impl FnMut(usize, Vertex),
) {
    let mut own = |row: Vertex, target: Vertex| {
        let row = (row as usize).wrapping_sub(first);
        if row < count {
            f(row, target);
        }
    };
    for &[tail, head] in edges {
        own(tail, head);
        if symmetric {
            own(head, tail);
        }
    }
}

/// Where each row starts, repeats still counted.
fn count_rows(
    edges: &[[Vertex; 2]],
    vertices: usize,
    symmetric: bool,
    workers: usize,
) -> Vec<usize> {
    let mut rows = vec![0; vertices];
    let share = vertices.div_ceil(workers).max(1);
    rows.par_chunks_mut(share)
        .enumerate()
        .for_each(|(chunk, counts)| {
            for_each_arc(edges, symmetric, chunk * share, counts.len(), |row, _| {
                counts[row] += 1;
            });
        });
    let mut start = 0;
    for row in &mut rows {
        start += std::mem::replace(row, start);
    }
    assert!(
        start == edges.len() * (1 + usize::from(symmetric)),
        "an edge names a vertex without a label"
    );
    rows
}

/// Writes every arc into its row, in no particular order. `next` holds the row starts and moves
/// on with every arc, so that it ends up holding the row ends.
fn scatter(
    edges: &[[Vertex; 2]],
    next: &mut [usize],
    symmetric: bool,
    workers: usize,
) -> Vec<Vertex> {
    let arcs = edges.len() * (1 + usize::from(symmetric));
    let mut targets = vec![0; arcs];
    // The rows are shared out so that everybody writes about equally many arcs.
    let (mut rest, mut unassigned, mut first_row, mut start) = (next, &mut targets[..], 0, 0);
    let mut shares = Vec::with_capacity(workers);
    for worker in 1..=workers {
        let (rows, end) = if worker == workers {
            (rest.len(), arcs)
        } else {
            let goal = arcs / workers * worker;
            let rows = rest.partition_point(|&row_start| row_start < goal);
            (rows, rest.get(rows).copied().unwrap_or(arcs))
        };
        let (own_rows, other_rows) = rest.split_at_mut(rows);
        let (own_targets, other_targets) = unassigned.split_at_mut(end - start);
        shares.push((first_row, start, own_rows, own_targets));
        (rest, unassigned, first_row, start) = (other_rows, other_targets, first_row + rows, end);
    }
    shares
        .into_par_iter()
        .for_each(|(first_row, start, next, targets)| {
            for_each_arc(edges, symmetric, first_row, next.len(), |row, target| {
                targets[next[row] - start] = target;
                next[row] += 1;
            });
        });
    targets
}

/// A run of whole rows, the unit of the sorting step.
struct Block<'a> {
    /// Row ends as positions in the whole array of targets.
    ends: &'a [usize],
    /// Position of this block's first target in that array.
    start: usize,
    targets: &'a mut [Vertex],
    /// Receives the number of distinct targets of each row.
    lengths: &'a mut [u32],
}

impl Block<'_> {
    /// Sorts the rows and moves their distinct targets to the front of the block.
    /// Returns how many there are.
    fn simplify(self) -> usize {
        let (mut row_start, mut kept) = (0, 0);
        for (&end, length) in self.ends.iter().zip(self.lengths) {
            let row_end = end - self.start;
            let row = &mut self.targets[row_start..row_end];
            if row.len() > PARALLEL_ROW {
                row.par_sort_unstable();
            } else {
                row.sort_unstable();
            }
            let first = kept;
            for i in row_start..row_end {
                let target = self.targets[i];
                if kept == first || self.targets[kept - 1] != target {
                    self.targets[kept] = target;
                    kept += 1;
                }
            }
            *length = (kept - first) as u32;
            row_start = row_end;
        }
        kept
    }
}

/// Sorts every row, drops repeats, closes the gaps in `targets` and returns the final offsets.
fn sort_rows(ends: &[usize], targets: &mut Vec<Vertex>) -> Result<Vec<u32>, BuildError> {
    // One entry more than rows: the lengths become the offsets in place.
    let mut offsets = vec![0u32; ends.len() + 1];
    let blocks = split(ends, targets, &mut offsets[1..]);
    let kept: Vec<(usize, usize)> = blocks
        .into_par_iter()
        .map(|block| (block.start, block.simplify()))
        .collect();

    let arcs: usize = kept.iter().map(|&(_, count)| count).sum();
    if arcs > LIMIT {
        return Err(BuildError::TooManyArcs { arcs });
    }
    let mut to = 0;
    for (from, count) in kept {
        if from != to {
            targets.copy_within(from..from + count, to);
        }
        to += count;
    }
    targets.truncate(arcs);
    let mut end = 0;
    for offset in &mut offsets {
        end += *offset;
        *offset = end;
    }
    Ok(offsets)
}

/// Cuts the rows into blocks of about [`ARCS_PER_TASK`] targets, or as many empty rows.
fn split<'a>(
    mut ends: &'a [usize],
    mut targets: &'a mut [Vertex],
    mut lengths: &'a mut [u32],
) -> Vec<Block<'a>> {
    let mut blocks = Vec::with_capacity((ends.len() + targets.len()) / ARCS_PER_TASK + 1);
    let mut start = 0;
    while let Some(&first_end) = ends.first() {
        let full = start + ARCS_PER_TASK;
        let candidates = &ends[..ends.len().min(ARCS_PER_TASK)];
        let rows = candidates.partition_point(|&end| end <= full).max(1);
        let end = ends[..rows].last().copied().unwrap_or(first_end);
        let (block_ends, other_ends) = ends.split_at(rows);
        let (block_targets, other_targets) = targets.split_at_mut(end - start);
        let (block_lengths, other_lengths) = lengths.split_at_mut(rows);
        blocks.push(Block {
            ends: block_ends,
            start,
            targets: block_targets,
            lengths: block_lengths,
        });
        (ends, targets, lengths, start) = (other_ends, other_targets, other_lengths, end);
    }
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn built(vertices: u32, edges: &[(u32, u32)], directed: bool) -> Graph {
        let mut list = EdgeList::default();
        for &(tail, head) in edges {
            list.push(tail, head);
        }
        list.build(Labels::consecutive(0, vertices as usize), directed)
            .expect("small graphs fit")
    }

    fn arcs(graph: &Graph) -> Vec<(u32, u32)> {
        (0..graph.vertices() as u32)
            .flat_map(|v| graph.csr().neighbours(v).iter().map(move |&u| (v, u)))
            .collect()
    }

    #[test]
    fn loops_and_repeats_are_dropped_and_counted() {
        let edges = [(0, 1), (1, 0), (0, 1), (2, 2), (1, 3)];
        let graph = built(5, &edges, false);
        assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 3), (3, 1)]);
        let expected = Simplified {
            entries: 5,
            loops: 1,
            merged: 2,
            weighted: false,
        };
        assert_eq!(graph.simplified(), expected);
        assert_eq!((graph.vertices(), graph.edges()), (5, 2));

        let graph = built(5, &edges, true);
        assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 3)]);
        assert_eq!(graph.simplified().merged, 1);
        assert_eq!(graph.edges(), 3);
    }

    #[test]
    fn entries_for_both_ways_stay_symmetric_in_a_directed_graph() {
        let mut list = EdgeList::default();
        list.set_both_ways();
        list.push(0, 1);
        list.push(1, 0);
        let graph = list
            .build(Labels::consecutive(0, 2), true)
            .expect("small graphs fit");
        assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
        assert_eq!((graph.simplified().merged, graph.edges()), (1, 2));
    }

    #[test]
    fn no_vertices_and_no_edges_are_fine() {
        assert_eq!(built(0, &[], false).csr(), &Csr::empty(0));
        assert_eq!(built(3, &[], true).csr(), &Csr::empty(3));
    }

    #[test]
    fn too_many_vertices_are_refused() {
        let result = EdgeList::default().build(Labels::consecutive(0, 1 << 32), false);
        assert_eq!(
            result.map(|_| ()).map_err(|error| error.to_string()),
            Err("4294967296 vertices are more than the 4294967295 a graph can have (use a smaller graph)".into())
        );
    }

    #[test]
    fn rows_longer_than_a_task_and_a_parallel_sort_come_out_sorted() {
        let leaves = PARALLEL_ROW as u32 + 3;
        let mut list = EdgeList::default();
        for leaf in (1..=leaves).rev() {
            list.push(leaf, 0);
            list.push(0, leaf);
        }
        let graph = list
            .build(Labels::consecutive(0, leaves as usize + 1), false)
            .expect("fits");
        assert!(graph.csr().neighbours(0).iter().copied().eq(1..=leaves));
        assert!((1..=leaves).all(|leaf| graph.csr().neighbours(leaf) == [0]));
        assert_eq!(graph.simplified().merged, u64::from(leaves));
    }

    #[test]
    fn any_number_of_threads_builds_the_same_rows() {
        // A hub and a few leaves: shares of rows are uneven, and some are empty.
        let edges: Vec<(u32, u32)> = (0..200).map(|i| (i % 7, (i * i) % 11)).collect();
        let alone = built(12, &edges, false);
        for threads in [1, 3, 8, 40] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("a few threads");
            assert_eq!(
                pool.install(|| built(12, &edges, false)),
                alone,
                "{threads}"
            );
        }
    }

    proptest! {
        #[test]
        fn rows_hold_exactly_the_distinct_arcs(
            edges in prop::collection::vec((0u32..40, 0u32..40), 0..300),
            directed: bool,
        ) {
            let graph = built(42, &edges, directed);
            let mut expected = BTreeSet::new();
            for &(tail, head) in edges.iter().filter(|(tail, head)| tail != head) {
                expected.insert((tail, head));
                if !directed {
                    expected.insert((head, tail));
                }
            }
            prop_assert_eq!(arcs(&graph), expected.into_iter().collect::<Vec<_>>());
            let done = graph.simplified();
            prop_assert_eq!(done.entries, edges.len() as u64);
            prop_assert_eq!(done.entries, done.loops + done.merged + graph.edges() as u64);
        }
    }
}

//! Rows of the distinct arcs of a list of edges.
//!
//! The steps are: count the arcs of each row, prefix sum, scatter, then sort each row and drop its
//! repeats in place. The list is freed before the rows are sorted, so the peak is the list plus the
//! rows: twice the finished CSR when nothing repeats.

use rayon::prelude::*;

use crate::graph::Vertex;
use crate::graph::csr::{add_up, cut, split};
use crate::graph::error::BuildError;
use crate::pages::reserved;

/// Most arcs of a graph: they are counted in 32 bits on the devices.
const LIMIT: usize = u32::MAX as usize;

/// Most workers of the counting and the scattering step, each of which reads the whole list.
const MOST_SCANS: usize = 32;

/// Arcs aimed at in one task of the sorting step. Rows are never split, so a task can hold more.
const ARCS_PER_TASK: usize = 1 << 14;

/// A row longer than this is sorted by all threads together, so that one hub does not
/// keep the others waiting.
pub(super) const PARALLEL_ROW: usize = 1 << 20;

/// What a row holds for an arc while it is sorted: its target, and what decides between repeats.
pub(super) trait Slot: Copy + Default + Ord + Send + Sync {
    fn target(self) -> Vertex;
}

impl Slot for Vertex {
    fn target(self) -> Vertex {
        self
    }
}

/// With a length, of which the smallest is kept.
impl Slot for (Vertex, u64) {
    fn target(self) -> Vertex {
        self.0
    }
}

/// Where rows start, and their distinct arcs, as `slot` makes them from entry and target.
pub(super) fn rows<S: Slot>(
    edges: Vec<Vec<[Vertex; 2]>>,
    vertices: usize,
    symmetric: bool,
    slot: impl Fn(usize, Vertex) -> S + Sync,
) -> Result<(Vec<u32>, Vec<S>), BuildError> {
    let workers = rayon::current_num_threads().clamp(1, MOST_SCANS);
    let mut offsets = count_rows(&edges, vertices, symmetric, workers);
    let mut arcs = scatter(&edges, &mut offsets, symmetric, workers, slot)?;
    drop(edges);
    let offsets = sort_rows(&offsets, &mut arcs)?;
    Ok((offsets, arcs))
}

/// Arcs that these edges are, repeats counted.
fn count_arcs(edges: &[Vec<[Vertex; 2]>], symmetric: bool) -> usize {
    edges.iter().map(Vec::len).sum::<usize>() * (1 + usize::from(symmetric))
}

/// Calls `f` with row, entry and target of every arc whose row is among the `count` rows from
/// `first`; rows are counted from `first` on.
///
/// Each worker looks through all edges for the arcs of its own rows. That reads the list as often
/// as there are workers, but in order, and spares the atomic operations that sharing rows would
/// need: those do not overlap with each other, so each waits for its own cache miss.
#[inline]
fn for_each_arc(
    edges: &[Vec<[Vertex; 2]>],
    symmetric: bool,
    first: usize,
    count: usize,
    mut f: impl FnMut(usize, usize, Vertex),
) {
    let mut own = |row: Vertex, entry: usize, target: Vertex| {
        let row = (row as usize).wrapping_sub(first);
        if row < count {
            f(row, entry, target);
        }
    };
    let mut before = 0;
    for part in edges {
        for (entry, &[tail, head]) in (before..).zip(part) {
            own(tail, entry, head);
            if symmetric {
                own(head, entry, tail);
            }
        }
        before += part.len();
    }
}

/// Where each row starts and the last one ends, repeats still counted.
fn count_rows(
    edges: &[Vec<[Vertex; 2]>],
    vertices: usize,
    symmetric: bool,
    workers: usize,
) -> Vec<u64> {
    let mut rows = vec![0; vertices + 1];
    let share = vertices.div_ceil(workers).max(1);
    rows[..vertices]
        .par_chunks_mut(share)
        .enumerate()
        .for_each(|(chunk, counts)| {
            let first = chunk * share;
            for_each_arc(edges, symmetric, first, counts.len(), |row, _, _| {
                counts[row] += 1;
            });
        });
    let mut start = 0;
    for row in &mut rows {
        start += std::mem::replace(row, start);
    }
    assert!(
        start == count_arcs(edges, symmetric) as u64,
        "an edge names a vertex without a label"
    );
    rows
}

/// Writes every arc into its row, in no particular order, as `slot` makes it from entry and target.
fn scatter<S: Slot>(
    edges: &[Vec<[Vertex; 2]>],
    offsets: &mut [u64],
    symmetric: bool,
    workers: usize,
    slot: impl Fn(usize, Vertex) -> S + Sync,
) -> Result<Vec<S>, BuildError> {
    let arcs = count_arcs(edges, symmetric);
    let mut targets = reserved(arcs).map_err(|_| BuildError::Memory {
        bytes: (arcs * size_of::<S>()) as u64,
    })?;
    // Each worker has rows of its own, with about equally many arcs.
    let shares = cut(offsets, workers);
    let starts: Vec<u64> = shares.iter().map(|rows| offsets[rows.start]).collect();
    let ends: Vec<usize> = shares.iter().map(|s| offsets[s.end] as usize).collect();
    let places = split(&mut targets.spare_capacity_mut()[..arcs], ends.into_iter());
    let next = split(offsets, shares.iter().map(|rows| rows.end));
    let tasks = shares.par_iter().zip(starts).zip(places).zip(next);
    tasks.for_each(|(((rows, start), places), next)| {
        for_each_arc(
            edges,
            symmetric,
            rows.start,
            rows.len(),
            |row, entry, target| {
                places[(next[row] - start) as usize].write(slot(entry, target));
                next[row] += 1;
            },
        );
    });
    // What was the start of each row has become its end, which is the start of the next one.
    offsets.rotate_right(1);
    offsets[0] = 0;
    // SAFETY: rows were counted over the same edges, so each arc has a place of its own, and all
    // are written.
    unsafe { targets.set_len(arcs) };
    Ok(targets)
}

/// Sorts every row, drops repeats, closes the gaps in `targets` and returns the final offsets.
fn sort_rows<S: Slot>(offsets: &[u64], targets: &mut Vec<S>) -> Result<Vec<u32>, BuildError> {
    // One entry more than rows: the lengths become the offsets in place.
    let mut lengths = vec![0u32; offsets.len()];
    let runs = cut(offsets, targets.len() / ARCS_PER_TASK + 1);
    let ends = runs.iter().map(|rows| offsets[rows.end] as usize);
    let parts = split(targets, ends);
    let of_runs = split(&mut lengths[1..], runs.iter().map(|rows| rows.end));
    let tasks = runs.into_par_iter().zip(parts).zip(of_runs);
    let kept: Vec<(usize, usize)> = tasks
        .map(|((rows, targets), lengths)| {
            let start = offsets[rows.start] as usize;
            let offsets = &offsets[rows.start..=rows.end];
            (start, simplify(offsets, targets, lengths))
        })
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
    add_up(&mut lengths);
    Ok(lengths)
}

/// Sorts a run of rows and moves the first arc to each target to its front; `lengths` receives how
/// many there are in each row. Returns how many there are in all.
fn simplify<S: Slot>(offsets: &[u64], targets: &mut [S], lengths: &mut [u32]) -> usize {
    let mut kept = 0;
    for (ends, length) in offsets.windows(2).zip(lengths) {
        let [start, end] = [ends[0], ends[1]].map(|end| (end - offsets[0]) as usize);
        let row = &mut targets[start..end];
        if row.len() > PARALLEL_ROW {
            row.par_sort_unstable();
        } else {
            row.sort_unstable();
        }
        let first = kept;
        for i in start..end {
            let slot = targets[i];
            if kept == first || targets[kept - 1].target() != slot.target() {
                targets[kept] = slot;
                kept += 1;
            }
        }
        *length = (kept - first) as u32;
    }
    kept
}

//! From a list of edges to a simple graph in compressed sparse rows.
//!
//! The steps are: count the arcs of each row, prefix sum, scatter, then sort each row and drop its
//! repeats in place. The list is freed before the rows are sorted, so the peak is the list plus the
//! rows: twice the finished CSR when nothing repeats.

use rayon::prelude::*;

use crate::memory;
use crate::pages::reserved;

use super::csr::{add_up, cut, split};
use super::error::BuildError;
use super::weights::{Scaled, Weight, WeightIs, longest_path, scaled};
use super::{Csr, Graph, Labels, Lengths, Simplified, Vertex, WeightInfo};

/// Most vertices, and most arcs, of a graph: both are counted in 32 bits on the devices.
const LIMIT: usize = u32::MAX as usize;

/// Most workers of the counting and the scattering step, each of which reads the whole list.
const MOST_SCANS: usize = 32;

/// Arcs aimed at in one task of the sorting step. Rows are never split, so a task can hold more.
const ARCS_PER_TASK: usize = 1 << 14;

/// A row longer than this is sorted by all threads together, so that one hub does not
/// keep the others waiting.
const PARALLEL_ROW: usize = 1 << 20;

/// Edges of a part of an input.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub edges: Vec<[Vertex; 2]>,
    /// One for each edge, if weights were asked for.
    pub weights: Vec<Weight>,
}

/// Collects edges as an input states them. Self-loops are counted and dropped at once.
#[derive(Debug, Clone, Default)]
pub struct EdgeList {
    /// In parts, so that several cores can make them.
    edges: Vec<Vec<[Vertex; 2]>>,
    loops: u64,
    /// One per edge, if they were asked for.
    weights: Option<(Vec<Weight>, WeightIs)>,
    weights_dropped: bool,
    both_ways: bool,
    /// Runs of entries that stand for both arcs while others stand for one.
    undirected: Vec<[usize; 2]>,
}

impl EdgeList {
    /// An empty list with room for `edges` entries.
    pub fn with_capacity(edges: usize) -> Self {
        EdgeList {
            edges: vec![Vec::with_capacity(edges)],
            ..EdgeList::default()
        }
    }

    /// The edges of several parts of an input, one part after the other; with weights if these mean
    /// something.
    pub(super) fn of_pieces(mut pieces: Vec<Piece>, meaning: Option<WeightIs>) -> EdgeList {
        let loops = pieces.par_iter_mut().map(Piece::drop_loops).sum();
        let split = pieces.into_iter().map(|piece| (piece.edges, piece.weights));
        let (edges, lists): (_, Vec<Vec<Weight>>) = split.unzip();
        EdgeList {
            edges,
            loops,
            weights: meaning.map(|meaning| (lists.into_iter().flatten().collect(), meaning)),
            ..EdgeList::default()
        }
    }

    /// Adds the edge from `tail` to `head`.
    #[inline]
    pub fn push(&mut self, tail: Vertex, head: Vertex) {
        if tail == head {
            self.loops += 1;
        } else {
            match self.edges.last_mut() {
                Some(part) => part.push([tail, head]),
                None => self.edges.push(vec![[tail, head]]),
            }
        }
    }

    /// Adds the edge from `tail` to `head` with a weight, if weights are
    /// [taken](Self::take_weights).
    #[inline]
    pub(super) fn push_weighted(&mut self, tail: Vertex, head: Vertex, weight: Option<Weight>) {
        if tail != head
            && let (Some((list, _)), Some(weight)) = (&mut self.weights, weight)
        {
            list.push(weight);
        }
        self.push(tail, head);
    }

    /// Adds an edge that stands for both arcs even when a directed graph is asked for, in a file
    /// whose other edges may stand for one.
    #[inline]
    pub(super) fn push_undirected(&mut self, tail: Vertex, head: Vertex, weight: Option<Weight>) {
        let start = self.edges.last().map_or(0, Vec::len);
        self.push_weighted(tail, head, weight);
        let end = self.edges.last().map_or(0, Vec::len);
        match self.undirected.last_mut() {
            Some(run) if run[1] == start => run[1] = end,
            _ if end > start => self.undirected.push([start, end]),
            _ => {}
        }
    }

    /// Adds the other arc of each edge that [stands for both](Self::push_undirected), or notes that
    /// all do.
    fn unfold_undirected(&mut self) {
        let runs = std::mem::take(&mut self.undirected);
        // Edges that are added one at a time are in one part.
        let Some(edges) = self.edges.last_mut() else {
            return;
        };
        if runs == [[0, edges.len()]] {
            self.both_ways = true;
        }
        if self.both_ways {
            return;
        }
        for entry in runs.into_iter().flat_map(|[start, end]| start..end) {
            let [tail, head] = edges[entry];
            edges.push([head, tail]);
            if let Some((list, _)) = &mut self.weights {
                list.push(list[entry]);
            }
        }
    }

    /// From now on each edge comes with a weight, by [`Self::push_weighted`].
    pub(super) fn take_weights(&mut self, meaning: WeightIs) {
        self.weights = Some((Vec::new(), meaning));
    }

    /// Adds `count` edges that join a vertex to itself.
    pub fn add_loops(&mut self, count: u64) {
        self.loops += count;
    }

    /// Notes that the input has weights, which this list does not hold.
    pub fn set_weights_dropped(&mut self) {
        self.weights_dropped = true;
    }

    /// Notes that each entry stands for both arcs even when a directed graph is asked for, as in
    /// file formats that store one triangle of a symmetric matrix.
    pub fn set_both_ways(&mut self) {
        self.both_ways = true;
    }

    /// Entries so far, self-loops included.
    pub fn entries(&self) -> u64 {
        self.edges.iter().map(|part| part.len() as u64).sum::<u64>() + self.loops
    }

    /// Makes the graph of `labels.len()` vertices.
    ///
    /// # Errors
    /// [`BuildError`] when there are more vertices or arcs than 32 bits can count.
    ///
    /// # Panics
    /// If an edge names a vertex that has no label.
    pub fn build(mut self, labels: Labels, directed: bool) -> Result<Graph, BuildError> {
        let vertices = labels.len();
        check_vertices(vertices)?;
        if directed {
            self.unfold_undirected();
        }
        let entries = self.entries();
        let symmetric = !directed || self.both_ways;
        let (csr, weights) = match self.weights {
            None => (simple_csr(self.edges, vertices, symmetric)?, None),
            Some((list, meaning)) => {
                let longest =
                    |lengths: &[u64]| longest_path(&self.edges, lengths, vertices, symmetric);
                let scaled = scaled(&list, meaning, longest);
                drop(list);
                let (csr, lengths, info) =
                    weighted_csr(self.edges, scaled, meaning, vertices, symmetric)?;
                (csr, Some((lengths, info)))
            }
        };
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
                weights_dropped: self.weights_dropped,
            },
            csr,
            weights,
            labels,
            directed,
        })
    }
}

impl Piece {
    /// Drops edges that join a vertex to itself, and returns how many there were.
    fn drop_loops(&mut self) -> u64 {
        let is_loop = |&[tail, head]: &[Vertex; 2]| tail == head;
        let loops = self.edges.iter().filter(|edge| is_loop(edge)).count();
        if loops > 0 {
            let edges = &self.edges;
            let mut entry = edges.iter();
            self.weights
                .retain(|_| entry.next().is_some_and(|edge| !is_loop(edge)));
            self.edges.retain(|edge| !is_loop(edge));
        }
        loops as u64
    }
}

impl From<Vec<[Vertex; 2]>> for EdgeList {
    /// Takes edges over as `[tail, head]`, without a second copy.
    fn from(mut edges: Vec<[Vertex; 2]>) -> Self {
        let entries = edges.len();
        edges.retain(|[tail, head]| tail != head);
        EdgeList {
            loops: (entries - edges.len()) as u64,
            edges: vec![edges],
            ..EdgeList::default()
        }
    }
}

/// Refuses more vertices than 32 bits can count, or than there is memory for.
pub(super) fn check_vertices(vertices: usize) -> Result<(), BuildError> {
    if vertices > LIMIT {
        return Err(BuildError::TooManyVertices { vertices });
    }
    // A file can declare any number. This is what the graph, its preparation and scores take at the
    // least.
    const BYTES: usize = 40;
    let bytes = vertices.saturating_mul(BYTES);
    if memory::available().is_some_and(|available| bytes > available) {
        return Err(BuildError::Memory {
            bytes: bytes as u64,
        });
    }
    Ok(())
}

/// What a row holds for an arc while it is sorted: its target, and what decides between repeats.
trait Slot: Copy + Default + Ord + Send + Sync {
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

/// Rows of the distinct arcs in `edges`, which holds no self-loops. With `symmetric`, every edge
/// is two arcs.
fn simple_csr(
    edges: Vec<Vec<[Vertex; 2]>>,
    vertices: usize,
    symmetric: bool,
) -> Result<Csr, BuildError> {
    let (offsets, mut targets) = rows(edges, vertices, symmetric, |_, target| target)?;
    targets.shrink_to_fit();
    Ok(Csr::new(offsets, targets))
}

/// The same with lengths: of repeated arcs the shortest is kept.
fn weighted_csr(
    edges: Vec<Vec<[Vertex; 2]>>,
    Scaled { keys, unit }: Scaled,
    meaning: WeightIs,
    vertices: usize,
    symmetric: bool,
) -> Result<(Csr, Lengths, WeightInfo), BuildError> {
    let fits = longest_path(&edges, &keys, vertices, symmetric) < u128::from(u32::MAX);
    let slot = |entry: usize, target| (target, keys[entry]);
    let (offsets, arcs) = rows(edges, vertices, symmetric, slot)?;
    drop(keys);
    let csr = Csr::new(offsets, arcs.iter().map(|&(target, _)| target).collect());
    let (lengths, info) = lengths(arcs.iter().map(|&(_, key)| key), unit, fits, meaning);
    Ok((csr, lengths, info))
}

/// Where rows start, and their distinct arcs, as `slot` makes them from entry and target.
fn rows<S: Slot>(
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

/// Lengths of arcs from their keys, as small as they may be if they [fit](Lengths::U32).
pub(super) fn lengths(
    keys: impl Iterator<Item = u64>,
    unit: Option<f64>,
    fits: bool,
    meaning: WeightIs,
) -> (Lengths, WeightInfo) {
    let lengths = match unit {
        Some(_) if fits => Lengths::U32(keys.map(|key| key as u32).collect()),
        Some(_) => Lengths::U64(keys.collect()),
        None => Lengths::F64(keys.map(f64::from_bits).collect()),
    };
    let range = lengths.range();
    let info = WeightInfo {
        meaning,
        unit,
        min: range.map(|(min, _)| min * unit.unwrap_or(1.0)),
        max: range.map(|(_, max)| max * unit.unwrap_or(1.0)),
    };
    (lengths, info)
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

#[cfg(test)]
mod tests;

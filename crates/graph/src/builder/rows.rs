//! Builds the rows of the distinct arcs of a list of edges, on all cores.
//!
//! The edges are sorted part by part into buckets of neighbouring rows. Then each bucket gathers
//! its arcs from all parts, sorts each of its rows and drops repeated arcs. Writing each arc
//! straight into its row would miss the cache nearly every time, whereas a part and a bucket both
//! fit into the cache of a core. An arc in a part takes six bytes, and the list of edges is freed
//! while it is sorted, so that the peak is two and a half times the finished CSR if no arc repeats.

use std::iter;
use std::mem;
use std::ops::Range;

use bytemuck::Zeroable;
use rayon::prelude::*;

use crate::csr::{Csr, Vertex, counts_to_starts, sort_by_target, split};
use crate::error::BuildError;
use crate::pages::zeroed;

/// The largest number of arcs of a graph, because devices count them in 32 bits.
const MOST_ARCS: usize = u32::MAX as usize;

/// The number of arcs that a bucket should have, so that it stays in the cache of a core.
const ARCS_PER_BUCKET: usize = 1 << 16;

/// The largest number of buckets, unless [`MOST_ROW_BITS`] requires more: a core writes to all of
/// them at once.
const MOST_BUCKETS: usize = 1 << 10;

/// The largest number of bits of a row's number in its bucket, which [`Part::rows`] stores.
const MOST_ROW_BITS: u32 = u16::BITS;

/// The number of edges that are sorted, and then freed, at a time.
const EDGES_PER_PART: usize = 1 << 17;

/// The length of an arc, as a number that sorts as lengths do, or `()` without lengths. Of repeated
/// arcs, the one with the smallest key is kept.
pub(super) trait Key: Copy + Default + Ord + Zeroable + Send + Sync {}

impl<K: Copy + Default + Ord + Zeroable + Send + Sync> Key for K {}

/// Returns the rows of the distinct arcs of `edges`, two for each edge if they are `symmetric`, and
/// the smallest key of each arc. `key` returns the key of the edge with a given number.
///
/// # Errors
/// [`BuildError`] if 32 bits cannot count the arcs, or there is too little memory for them.
///
/// # Panics
/// If an edge names a vertex that has no row.
pub(super) fn rows<K: Key>(
    edges: Vec<Vec<[Vertex; 2]>>,
    vertices: usize,
    symmetric: bool,
    key: impl Fn(usize) -> K + Sync,
) -> Result<(Csr, Vec<K>), BuildError> {
    if let ([list], false) = (&edges[..], symmetric)
        && list.len() <= MOST_ARCS
        && list.is_sorted_by(|a, b| a < b)
    {
        let mut offsets = vec![0; vertices + 1];
        list.iter().for_each(|arc| offsets[arc[0] as usize] += 1);
        counts_to_starts(&mut offsets);
        let targets = list.iter().map(|arc| arc[1]).collect();
        let keys = (0..list.len()).map(key).collect();
        return Ok((Csr::new(offsets, targets), keys));
    }
    let arcs = edges.iter().map(Vec::len).sum::<usize>() * (1 + usize::from(symmetric));
    let wanted = (arcs / ARCS_PER_BUCKET).clamp(1, MOST_BUCKETS);
    let rows_per_bucket = vertices.div_ceil(wanted).next_power_of_two();
    let row_bits = rows_per_bucket.ilog2().min(MOST_ROW_BITS);
    let buckets = vertices.div_ceil(1 << row_bits);
    let sorted = |(first, edges): (usize, Vec<[Vertex; 2]>)| {
        Part::sorted(&edges, first, symmetric, buckets, row_bits, &key)
    };
    let parts: Vec<Part<K>> = parts(edges).par_bridge().map(sorted).collect();

    let bytes = (arcs * size_of::<(Vertex, K)>()) as u64;
    let mut slots = zeroed(arcs).ok_or(BuildError::Memory(bytes))?;
    let ends = (0..buckets).scan(0, |end, bucket| {
        let arcs = parts.iter().map(|part| part.range(bucket).len());
        *end += arcs.sum::<usize>();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    // There is one entry more than rows: the degrees become the offsets in place.
    let mut degrees = vec![0; vertices + 1];
    let counts: Vec<usize> = split(&mut slots, ends.iter().copied())
        .into_par_iter()
        .zip(degrees[..vertices].par_chunks_mut(1 << row_bits))
        .enumerate()
        .with_max_len(1)
        .map(|(bucket, (slots, degrees))| sort_bucket(&parts, bucket, slots, degrees))
        .collect();
    drop(parts);
    let distinct: usize = counts.iter().sum();
    if distinct > MOST_ARCS {
        return Err(BuildError::TooMany(distinct, "arcs"));
    }
    let mut to = 0;
    for (start, count) in iter::once(0).chain(ends).zip(counts) {
        if start != to {
            slots.copy_within(start..start + count, to);
        }
        to += count;
    }
    slots.truncate(distinct);
    counts_to_starts(&mut degrees);
    let keys = slots.iter().map(|&(_, key)| key).collect();
    // The standard library collects this into the memory of `slots`.
    let mut targets: Vec<Vertex> = slots.into_iter().map(|(target, _)| target).collect();
    targets.shrink_to_fit();
    Ok((Csr::new(degrees, targets), keys))
}

/// Splits a list of edges into parts that can be freed one by one, each with the number of its
/// first edge.
fn parts(edges: Vec<Vec<[Vertex; 2]>>) -> impl Iterator<Item = (usize, Vec<[Vertex; 2]>)> + Send {
    let mut end = 0;
    edges.into_iter().flat_map(move |mut list| {
        let first = end;
        end += list.len();
        // The last part comes first, so that the list can shrink where it is.
        iter::from_fn(move || {
            let start = list.len().checked_sub(1)? / EDGES_PER_PART * EDGES_PER_PART;
            let part = match start {
                0 => mem::take(&mut list),
                _ => list.split_off(start),
            };
            list.shrink_to_fit();
            Some((first + start, part))
        })
    })
}

/// The arcs of some edges, sorted by buckets.
struct Part<K> {
    /// The end of each bucket in the other arrays.
    ends: Vec<u32>,
    /// The row of each arc, counted from the first row of its bucket.
    rows: Vec<u16>,
    targets: Vec<Vertex>,
    keys: Vec<K>,
}

impl<K: Key> Part<K> {
    /// Sorts the arcs of `edges` into buckets of `1 << row_bits` rows. The first edge has the
    /// number `first`.
    fn sorted(
        edges: &[[Vertex; 2]],
        first: usize,
        symmetric: bool,
        buckets: usize,
        row_bits: u32,
        key: impl Fn(usize) -> K,
    ) -> Part<K> {
        let mut ends = vec![0; buckets];
        for &[tail, head] in edges {
            ends[(tail >> row_bits) as usize] += 1;
            if symmetric {
                ends[(head >> row_bits) as usize] += 1;
            }
        }
        let arcs = counts_to_starts(&mut ends) as usize;
        let (mut rows, mut targets) = (vec![0; arcs], vec![0; arcs]);
        let mut keys = vec![K::default(); arcs];
        let mut place = |row: Vertex, target, key| {
            let end = &mut ends[(row >> row_bits) as usize];
            let at = *end as usize;
            rows[at] = (row & ((1 << row_bits) - 1)) as u16;
            targets[at] = target;
            keys[at] = key;
            *end += 1;
        };
        for (&[tail, head], edge) in edges.iter().zip(first..) {
            let key = key(edge);
            place(tail, head, key);
            if symmetric {
                place(head, tail, key);
            }
        }
        Part {
            ends,
            rows,
            targets,
            keys,
        }
    }

    /// Returns the positions of the arcs of a bucket.
    fn range(&self, bucket: usize) -> Range<usize> {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[bucket] as usize
    }
}

/// Sorts the arcs of a bucket by rows and targets into `slots`, and moves the distinct ones, each
/// with its smallest key, to the front. Stores the number of distinct arcs of each row in `degrees`
/// and returns their sum.
fn sort_bucket<K: Key>(
    parts: &[Part<K>],
    bucket: usize,
    slots: &mut [(Vertex, K)],
    degrees: &mut [u32],
) -> usize {
    let mut ends = vec![0; degrees.len()];
    for part in parts {
        for &row in &part.rows[part.range(bucket)] {
            ends[usize::from(row)] += 1;
        }
    }
    counts_to_starts(&mut ends);
    for part in parts {
        let arcs = part.range(bucket);
        let (rows, targets) = (&part.rows[arcs.clone()], &part.targets[arcs.clone()]);
        for (&row, (&target, &key)) in rows.iter().zip(targets.iter().zip(&part.keys[arcs])) {
            let end = &mut ends[usize::from(row)];
            slots[*end] = (target, key);
            *end += 1;
        }
    }
    let (mut distinct, mut start) = (0, 0);
    for (end, degree) in ends.into_iter().zip(degrees) {
        sort_by_target(&mut slots[start..end], |&(target, _)| target);
        let first = distinct;
        for at in start..end {
            let slot = slots[at];
            if distinct == first || slots[distinct - 1].0 != slot.0 {
                slots[distinct] = slot;
                distinct += 1;
            } else {
                slots[distinct - 1] = slots[distinct - 1].min(slot);
            }
        }
        *degree = (distinct - first) as u32;
        start = end;
    }
    distinct
}

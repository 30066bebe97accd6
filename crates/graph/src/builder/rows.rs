//! Rows of the distinct arcs of a list of edges.
//!
//! The steps are: deal the arcs to buckets of neighbouring rows, bring those of each bucket into
//! rows, sort each row and drop its repeats. Writing each arc straight into its row would miss the
//! cache nearly every time; here a core writes to the ends of a few hundred buckets, and then to
//! the rows of one, which fit its cache. An arc in a bucket takes six bytes, and the list is freed
//! while it is dealt, so that the peak is two and a half times the finished CSR when nothing
//! repeats.

use std::iter;
use std::mem;
use std::ptr;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::Vertex;
use crate::csr::{add_up, split};
use crate::error::BuildError;
use crate::pages::{reserved, zeroed};
use crate::sort::{Key, RowArc, sort_row};

/// Most arcs of a graph: they are counted in 32 bits on the devices.
const LIMIT: usize = u32::MAX as usize;

/// Arcs aimed at in a bucket: they stay in a core's cache.
const ARCS_PER_BUCKET: usize = 1 << 16;

/// Most buckets, if so many suffice: a core has to find the ends of all of them at any time.
const MOST_BUCKETS: usize = 1 << 10;

/// A bucket has at most two to the power of this many rows, which 16 bits tell apart.
const LARGEST_SHIFT: u32 = u16::BITS;

/// Most workers that deal, each to chunks of its own.
const MOST_DEALERS: usize = 64;

/// Edges of a list that are dealt, and then freed, at a time.
const EDGES_PER_PART: usize = 1 << 17;

/// Where rows start and the last one ends, and the distinct arcs of `edges`, two for each edge if
/// they are `symmetric`; `key` is told the number of an edge.
///
/// # Errors
/// [`BuildError`] when 32 bits cannot count the arcs, or there is too little memory for them.
///
/// # Panics
/// If an edge names a vertex that has no row.
pub(super) fn rows<S: RowArc>(
    edges: Vec<Vec<[Vertex; 2]>>,
    vertices: usize,
    symmetric: bool,
    key: impl Fn(usize) -> S::Key + Sync,
) -> Result<(Vec<u32>, Vec<S>), BuildError> {
    let arcs = edges.iter().map(Vec::len).sum::<usize>() * (1 + usize::from(symmetric));
    let memory = || BuildError::Memory {
        bytes: (arcs * size_of::<S>()) as u64,
    };
    let table = Table::new(arcs, vertices);
    let room = table.room();
    let mut rows = zeroed(room).ok_or_else(memory)?;
    let mut targets = zeroed(room).ok_or_else(memory)?;
    let mut keys = zeroed(room).ok_or_else(memory)?;
    let size = table.chunk;
    let chunks = rows.chunks_mut(size).zip(targets.chunks_mut(size));
    let chunks = chunks.zip(keys.chunks_mut(size));
    let chunks = chunks.map(|((rows, targets), keys)| Chunk {
        rows,
        targets,
        keys,
    });
    let buckets = deal(edges, symmetric, &table, key, chunks);

    let mut slots: Vec<S> = reserved(arcs).map_err(|_| memory())?;
    let size =
        |chunks: &Vec<Chunk<S::Key>>| chunks.iter().map(|chunk| chunk.rows.len()).sum::<usize>();
    let ends = buckets.iter().scan(0, |end, chunks| {
        *end += size(chunks);
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let places = &mut slots.spare_capacity_mut()[..arcs];
    let places = split(places, ends.iter().copied());
    // One entry more than rows: the lengths become the offsets in place.
    let mut lengths = vec![0; vertices + 1];
    let of_rows = lengths[1..].par_chunks_mut(1 << table.shift);
    let tasks = buckets
        .into_par_iter()
        .with_max_len(1)
        .zip(places)
        .zip(of_rows);
    let kept: Vec<usize> = tasks
        .map(|((chunks, places), lengths)| simplify(&chunks, places, lengths, vertices))
        .collect();
    // SAFETY: each bucket has a place for each of its arcs, and `simplify` writes to all of them.
    unsafe { slots.set_len(arcs) };
    let distinct: usize = kept.iter().sum();
    if distinct > LIMIT {
        return Err(BuildError::TooManyArcs { arcs: distinct });
    }
    let mut to = 0;
    for (start, count) in iter::once(0).chain(ends).zip(kept) {
        if start != to {
            slots.copy_within(start..start + count, to);
        }
        to += count;
    }
    slots.truncate(distinct);
    add_up(&mut lengths);
    Ok((lengths, slots))
}

/// How arcs are dealt.
#[derive(Debug)]
struct Table {
    arcs: usize,
    buckets: usize,
    /// A bucket has two to the power of this many rows.
    shift: u32,
    /// Workers that deal.
    dealers: usize,
    /// Arcs that a worker has room for in a bucket at a time.
    chunk: usize,
}

impl Table {
    fn new(arcs: usize, vertices: usize) -> Table {
        let wanted = (arcs / ARCS_PER_BUCKET).clamp(1, MOST_BUCKETS);
        let rows = vertices.div_ceil(wanted).next_power_of_two();
        let shift = rows.ilog2().min(LARGEST_SHIFT);
        let buckets = vertices.div_ceil(1 << shift);
        let dealers = rayon::current_num_threads().clamp(1, MOST_DEALERS);
        // A sixteenth of all room at most stays empty, but in small graphs.
        let chunk = arcs / (16 * dealers * buckets.max(1));
        Table {
            arcs,
            buckets,
            shift,
            dealers,
            chunk: chunk.clamp(8, 1 << 10),
        }
    }

    /// Arcs that there is room for, so that each worker finds a chunk for each bucket.
    fn room(&self) -> usize {
        self.arcs + self.dealers * self.buckets * self.chunk
    }
}

/// Some arcs of a bucket. Its rows are counted from the first of the bucket.
#[derive(Debug, Default)]
struct Chunk<'c, K> {
    rows: &'c mut [u16],
    targets: &'c mut [Vertex],
    keys: &'c mut [K],
}

impl<K> Chunk<'_, K> {
    /// The first `arcs` of them.
    fn cut(self, arcs: usize) -> Self {
        Chunk {
            rows: &mut self.rows[..arcs],
            targets: &mut self.targets[..arcs],
            keys: &mut self.keys[..arcs],
        }
    }
}

/// What a worker has dealt to a bucket.
#[derive(Debug, Default)]
struct Hand<'c, K> {
    full: Vec<Chunk<'c, K>>,
    open: Chunk<'c, K>,
    /// Arcs in the open chunk.
    arcs: usize,
}

/// Deals the arcs of all edges into `chunks`. Returns those of each bucket, in no particular order.
fn deal<'c, K: Key>(
    edges: Vec<Vec<[Vertex; 2]>>,
    symmetric: bool,
    table: &Table,
    key: impl Fn(usize) -> K + Sync,
    chunks: impl Iterator<Item = Chunk<'c, K>> + Send,
) -> Vec<Vec<Chunk<'c, K>>> {
    let mask = (1 << table.shift) - 1;
    let parts = Mutex::new(parts(edges));
    let chunks = Mutex::new(chunks);
    let next_part = || parts.lock().ok()?.next();
    // There is one: see `Table::room`.
    let next_chunk = || chunks.lock().ok().and_then(|mut chunks| chunks.next());
    let dealers = (0..table.dealers).into_par_iter().with_max_len(1);
    let dealt = dealers.map(|_| {
        let mut hands: Vec<Hand<K>> = (0..table.buckets).map(|_| Hand::default()).collect();
        let mut take = |row: Vertex, target: Vertex, key: K| {
            let hand = &mut hands[(row >> table.shift) as usize];
            if hand.arcs == hand.open.rows.len() {
                let new = next_chunk().unwrap_or_default();
                hand.full.push(mem::replace(&mut hand.open, new));
                hand.arcs = 0;
            }
            hand.open.rows[hand.arcs] = (row & mask) as u16;
            hand.open.targets[hand.arcs] = target;
            hand.open.keys[hand.arcs] = key;
            hand.arcs += 1;
        };
        while let Some((first, part)) = next_part() {
            for (entry, &[tail, head]) in (first..).zip(&part) {
                let key = key(entry);
                take(tail, head, key);
                if symmetric {
                    take(head, tail, key);
                }
            }
        }
        hands
    });
    let mut buckets: Vec<_> = (0..table.buckets).map(|_| Vec::new()).collect();
    for hands in dealt.collect::<Vec<_>>() {
        for (bucket, hand) in buckets.iter_mut().zip(hands) {
            bucket.extend(hand.full);
            bucket.push(hand.open.cut(hand.arcs));
        }
    }
    buckets
}

/// A list of edges in parts that can be freed one by one, each with the number of its first edge.
fn parts(edges: Vec<Vec<[Vertex; 2]>>) -> impl Iterator<Item = (usize, Vec<[Vertex; 2]>)> {
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

/// Brings the arcs of a bucket into its rows, sorts those, and moves the first arc to each target
/// of each row to the front of `places`, all of which are written to. `lengths` receives how many
/// there are in each row. Returns how many there are in all. Targets are below `vertices`.
fn simplify<S: RowArc>(
    chunks: &[Chunk<S::Key>],
    places: &mut [mem::MaybeUninit<S>],
    lengths: &mut [u32],
    vertices: usize,
) -> usize {
    let mut ends = vec![0; lengths.len()];
    for chunk in chunks {
        for &row in &*chunk.rows {
            ends[usize::from(row)] += 1;
        }
    }
    let mut arcs = 0;
    for end in &mut ends {
        arcs += mem::replace(end, arcs);
    }
    for Chunk {
        rows,
        targets,
        keys,
    } in chunks
    {
        for ((&row, &target), &key) in rows.iter().zip(&**targets).zip(&**keys) {
            let end = &mut ends[usize::from(row)];
            places[*end].write(S::new(target, key));
            *end += 1;
        }
    }
    assert!(arcs == places.len(), "a bucket has a place for each arc");
    // SAFETY: rows were counted over the same chunks, so each arc has a place of its own, and all
    // are written.
    let slots = unsafe { &mut *(ptr::from_mut(places) as *mut [S]) };
    let (mut kept, mut start) = (0, 0);
    for (end, length) in ends.into_iter().zip(lengths) {
        sort_row(&mut slots[start..end], vertices);
        let first = kept;
        for at in start..end {
            let slot = slots[at];
            if kept == first || slots[kept - 1].target() != slot.target() {
                slots[kept] = slot;
                kept += 1;
            } else {
                slots[kept - 1] = slots[kept - 1].min(slot);
            }
        }
        *length = (kept - first) as u32;
        start = end;
    }
    kept
}

//! Numbers the vertices of edge arrays whose labels are unsigned integers of up to 64 bits.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use brandes::graph::{BuildError, Labels, Vertex};
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use rayon::prelude::*;

use crate::errors::{arrays_error, too_little_memory};

/// The labels of one end of every edge.
pub enum EndLabels {
    /// All labels fit in 32 bits.
    Narrow(Vec<u32>),
    /// Some labels do not fit in 32 bits.
    Wide(Vec<u64>),
}

/// The vertices at both ends of every edge, and their labels.
pub type Numbered = (Vec<Vertex>, Vec<Vertex>, Labels);

/// A direct-address table of at most this many slots is always used. A larger table is used if it has
/// at most twice as many slots as there are ends of edges.
const SMALL_TABLE: usize = 1 << 12;

/// Marks an empty slot of a table.
const EMPTY: u32 = u32::MAX;

/// Numbers the vertices in the order of `listed`, which has to contain all their labels, or without
/// it in ascending order of their labels.
///
/// # Errors
/// Returns a `ValueError` if `listed` has a label twice or lacks the label of an end, and a
/// `MemoryError` if the tables do not fit into the memory.
pub fn number(
    tails: EndLabels,
    heads: EndLabels,
    listed: Option<Vec<u64>>,
) -> Result<Numbered, PyErr> {
    if let Some(labels) = listed {
        return by_hash(tails, heads, labels);
    }
    let (mut tails, mut heads) = match (tails, heads) {
        (EndLabels::Narrow(tails), EndLabels::Narrow(heads)) => (tails, heads),
        (tails, heads) => {
            let labels = distinct(&tails, &heads)?;
            return by_hash(tails, heads, labels);
        }
    };
    let largest = tails.par_iter().chain(&heads).max().copied();
    let size = largest.map_or(0, |largest| largest as usize + 1);
    if size <= SMALL_TABLE.max(2 * (tails.len() + heads.len())) {
        let labels = by_table(&mut tails, &mut heads, size)?;
        return Ok((tails, heads, labels));
    }
    let (tails, heads) = (EndLabels::Narrow(tails), EndLabels::Narrow(heads));
    let labels = distinct(&tails, &heads)?;
    by_hash(tails, heads, labels)
}

/// Replaces labels below `size` by vertex numbers, with a direct-address table.
fn by_table(tails: &mut [u32], heads: &mut [u32], size: usize) -> Result<Labels, PyErr> {
    let mut table: Vec<AtomicU32> = room(size)?;
    table.resize_with(size, || AtomicU32::new(EMPTY));
    tails.par_iter().chain(&*heads).for_each(|&label| {
        // Most labels were seen before, and a load is cheaper than a store.
        let slot = &table[label as usize];
        if slot.load(Relaxed) == EMPTY {
            slot.store(0, Relaxed);
        }
    });
    let seen = |slot: &&AtomicU32| slot.load(Relaxed) != EMPTY;
    let count = table.par_iter().filter(seen).count();
    if count == size {
        return Ok(Labels::consecutive(0, count));
    }
    let mut labels = room(count)?;
    for (label, slot) in table.iter().enumerate() {
        if seen(&slot) {
            slot.store(labels.len() as u32, Relaxed);
            labels.push(label as u64);
        }
    }
    for ends in [tails, heads] {
        let vertex = |end: &mut u32| *end = table[*end as usize].load(Relaxed);
        ends.par_iter_mut().for_each(vertex);
    }
    Ok(compact_labels(labels))
}

/// Returns the distinct labels of all ends in ascending order.
fn distinct(tails: &EndLabels, heads: &EndLabels) -> Result<Vec<u64>, PyErr> {
    let mut labels = room(tails.len() + heads.len())?;
    for ends in [tails, heads] {
        match ends {
            EndLabels::Narrow(list) => labels.par_extend(list.par_iter().map(|&id| u64::from(id))),
            EndLabels::Wide(list) => labels.par_extend(list),
        }
    }
    labels.par_sort_unstable();
    labels.dedup();
    labels.shrink_to_fit();
    Ok(labels)
}

/// Replaces the label of each end by its position in `labels`, with a hash table.
fn by_hash(tails: EndLabels, heads: EndLabels, labels: Vec<u64>) -> Result<Numbered, PyErr> {
    let table = Table::new(&labels)?;
    let tails = tails.vertices("sources", &table)?;
    let heads = heads.vertices("targets", &table)?;
    Ok((tails, heads, compact_labels(labels)))
}

impl EndLabels {
    /// Returns the number of ends.
    pub fn len(&self) -> usize {
        match self {
            EndLabels::Narrow(list) => list.len(),
            EndLabels::Wide(list) => list.len(),
        }
    }

    /// Replaces each label by its vertex number. `name` is the array's name in error messages.
    fn vertices(self, name: &str, table: &Table<'_>) -> Result<Vec<Vertex>, PyErr> {
        let missing = |at: usize, label: u64| {
            let text = format!(
                "{name}[{at}] is {label}, which is not among the vertices (add it to vertices, or \
                 remove the edge)"
            );
            PyValueError::new_err(text)
        };
        match self {
            EndLabels::Narrow(mut list) => {
                let unknown = list.par_iter_mut().enumerate().find_map_any(|(at, id)| {
                    let label = *id;
                    match table.get(label.into()) {
                        Some(vertex) => *id = vertex,
                        None => return Some((at, label)),
                    }
                    None
                });
                match unknown {
                    Some((at, label)) => Err(missing(at, label.into())),
                    None => Ok(list),
                }
            }
            EndLabels::Wide(list) => {
                let mut vertices = room(list.len())?;
                let found = list.par_iter().map(|&label| table.get(label));
                vertices.par_extend(found.map(|vertex| vertex.unwrap_or(EMPTY)));
                match vertices.par_iter().position_any(|&vertex| vertex == EMPTY) {
                    Some(at) => Err(missing(at, list[at])),
                    None => Ok(vertices),
                }
            }
        }
    }
}

/// A hash table with linear probing from labels to their positions.
struct Table<'l> {
    labels: &'l [u64],
    /// Positions in `labels`; at least half of the slots are empty.
    slots: Vec<u32>,
    /// The right shift that turns a 64-bit hash into a slot number.
    shift: u32,
}

impl<'l> Table<'l> {
    /// Builds the table. Returns a `ValueError` if a label is listed twice.
    fn new(labels: &'l [u64]) -> Result<Table<'l>, PyErr> {
        let vertices = labels.len();
        if vertices >= EMPTY as usize {
            let error = BuildError::TooMany(vertices, "vertices");
            return Err(arrays_error(&error.into()));
        }
        let size = (2 * vertices).next_power_of_two().max(2);
        let mut slots = room(size)?;
        slots.resize(size, EMPTY);
        let shift = 64 - size.trailing_zeros();
        let mut table = Table {
            labels,
            slots,
            shift,
        };
        for (vertex, &label) in labels.iter().enumerate() {
            let slot = table.slot(label);
            if table.slots[slot] != EMPTY {
                let text = format!("vertices has {label} twice (list each vertex once)");
                return Err(PyValueError::new_err(text));
            }
            table.slots[slot] = vertex as u32;
        }
        Ok(table)
    }

    /// Returns the slot that holds this label, or the empty slot where it would be inserted.
    fn slot(&self, label: u64) -> usize {
        // Fibonacci hashing: the upper bits of the product depend on all bits of the label.
        let mut slot = (label.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            match self.slots[slot] {
                EMPTY => return slot,
                vertex if self.labels[vertex as usize] == label => return slot,
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Returns the position of a label.
    fn get(&self, label: u64) -> Option<Vertex> {
        let vertex = self.slots[self.slot(label)];
        (vertex != EMPTY).then_some(vertex)
    }
}

/// Returns the labels as a range if they are consecutive.
fn compact_labels(labels: Vec<u64>) -> Labels {
    let first = labels.first().copied().unwrap_or(0);
    let follows = |(v, &label): (usize, &u64)| first.checked_add(v as u64) == Some(label);
    match labels.par_iter().enumerate().all(follows) {
        true => Labels::consecutive(first, labels.len()),
        false => Labels::Numbers(labels),
    }
}

/// Returns an empty list with room for `count` values.
fn room<T>(count: usize) -> Result<Vec<T>, PyErr> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(_) => Err(too_little_memory(count.saturating_mul(size_of::<T>()))),
    }
}

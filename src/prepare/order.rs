//! The order in which prepared vertices are numbered.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Csr, Vertex};

/// How prepared vertices are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Breadth-first, from a vertex of the highest degree of each component; shallow components
    /// without lengths by distances to the vertices of highest degree.
    #[default]
    Bfs,
    /// As in the input, one component after the other.
    None,
}

/// The fewest vertices of a parallel task.
pub const PER_TASK: usize = 1 << 12;

/// The entry in [`places`] of a vertex that is not in the list.
pub const NO_PLACE: u32 = u32::MAX;

/// 2^64 divided by the golden ratio. Multiples of it modulo 2^64 are evenly spread.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the place of each of `n` vertices in a list, or [`NO_PLACE`].
pub fn places(n: usize, list: &[Vertex]) -> Vec<u32> {
    let mut places = vec![NO_PLACE; n];
    for (place, &v) in (0..).zip(list) {
        places[v as usize] = place;
    }
    places
}

/// Numbers the vertices of a forest in a preorder: the numbers of a subtree are consecutive and
/// begin with that of its root. `parent` returns the parent of a vertex, which is smaller. Also
/// returns the size of each subtree.
pub fn preorder(n: usize, parent: impl Fn(usize) -> Option<usize>) -> (Vec<u32>, Vec<u32>) {
    let mut size = vec![1u32; n];
    for v in (0..n).rev() {
        if let Some(p) = parent(v) {
            size[p] += size[v];
        }
    }
    // The first free number of each subtree.
    let (mut number, mut free, mut numbered) = (vec![0; n], vec![0; n], 0);
    for v in 0..n {
        let slot = parent(v).map_or(&mut numbered, |p| &mut free[p]);
        number[v] = *slot;
        *slot += size[v];
        free[v] = number[v] + 1;
    }
    (number, size)
}

/// Returns the numbers `0..count` in an order of which every prefix is a representative sample.
pub fn spread_order(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_cached_key(|&i| (i as u64).wrapping_mul(GOLDEN));
    order
}

/// Returns the vertices in `kept` in breadth-first order, each component from a vertex of its
/// highest degree; components that start with a vertex of higher degree come first.
///
/// Vertices that are close in the graph get close numbers, so that the vertices of one level, and
/// the roots of one batch, lie together in memory. The search does not pass through vertices
/// outside `kept`. `reverse` is given for directed graphs, whose arcs are followed both ways here.
/// Also returns the level of each vertex of the order: its distance from the first one of its
/// component.
pub fn bfs_order(csr: &Csr, reverse: Option<&Csr>, kept: &[Vertex]) -> (Vec<Vertex>, Vec<u32>) {
    let degree = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
    // The vertices that are in the order already, and those outside `kept`.
    let mut done = FixedBitSet::with_capacity(csr.vertices());
    done.insert_range(..);
    for &v in kept {
        done.remove(v as usize);
    }
    let (mut order, mut levels) = (Vec::with_capacity(kept.len()), Vec::new());
    // Appends the component of `start`, unless it is in the order already; returns whether the
    // order is complete.
    let mut append_component = |start: Vertex| {
        let mut expanded = order.len();
        order.extend((!done.put(start as usize)).then_some(start));
        levels.resize(order.len(), 0);
        while let Some(&v) = order.get(expanded) {
            let inward = reverse.map_or(&[][..], |r| r.neighbours(v));
            let neighbours = csr.neighbours(v).iter().chain(inward).copied();
            order.extend(neighbours.filter(|&u| !done.put(u as usize)));
            levels.resize(order.len(), levels[expanded] + 1);
            expanded += 1;
        }
        order.len() == kept.len()
    };
    // Vertices with equal degrees are in the order of `kept`. If the component of the first start
    // has all vertices of `kept`, the others need not be sorted.
    let by_degree = |&(i, &v): &(usize, &Vertex)| (degree(v), Reverse(i));
    let hub = kept.par_iter().enumerate().max_by_key(by_degree);
    if hub.is_some_and(|(_, &hub)| !append_component(hub)) {
        let mut starts = kept.to_vec();
        starts.par_sort_by_key(|&v| Reverse(degree(v)));
        // `any` stops when the order is complete.
        starts.into_iter().any(append_component);
    }
    (order, levels)
}

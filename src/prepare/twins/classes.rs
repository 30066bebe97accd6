//! Which vertices are twins.
//!
//! The neighbours of each vertex are hashed, in any order, and a vertex is compared with the first
//! one of the same hash. A table of bits tells before which hashes are there twice at all, so that
//! a graph without twins costs little more than a look at its arcs.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::reduced::TOGETHER;
use crate::graph::mixed::mixed;
use crate::graph::{Csr, Vertex};

/// Classes of twins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// Per vertex: the first vertex of its class, itself if it has no twin.
    pub first: Vec<Vertex>,
    /// Vertices that are not the first of a class whose members are not neighbours of each other,
    /// ascending.
    pub apart: Vec<Vertex>,
    /// The same where they are neighbours.
    pub joined: Vec<Vertex>,
}

impl Classes {
    /// Of an undirected graph. Twins apart are found first: no two of them are neighbours, so a
    /// vertex of such a class has no twin beside it.
    pub fn of(graph: &Csr) -> Classes {
        let n = graph.vertices();
        let vertices = || (0..n as Vertex).into_par_iter().with_min_len(TOGETHER);
        let row_hash = |v| {
            let row = graph.neighbours(v).iter();
            row.fold(0u64, |sum, &u| sum.wrapping_add(mixed(u.into())))
        };
        let hashes: Vec<u64> = vertices().map(row_hash).collect();
        let mut first: Vec<Vertex> = vertices().collect();
        let has_arcs = |v: &Vertex| graph.degree(*v) > 0;
        let alike = repeated(vertices().filter(has_arcs), n, |v| hashes[v as usize]);
        let apart = join(&mut first, &alike, |v, u| {
            graph.neighbours(v) == graph.neighbours(u)
        });
        let mut single = vec![true; n];
        for &v in &apart {
            single[v as usize] = false;
            single[first[v as usize] as usize] = false;
        }
        let open = vertices().filter(|&v| single[v as usize]).filter(has_arcs);
        let closed = |v: Vertex| hashes[v as usize].wrapping_add(mixed(v.into()));
        let alike = repeated(open, n, closed);
        let joined = join(&mut first, &alike, |v, u| {
            let others = |v: Vertex, u: Vertex| {
                let row = graph.neighbours(v).iter().copied();
                row.filter(move |&w| w != u)
            };
            graph.degree(v) == graph.degree(u) && others(v, u).eq(others(u, v))
        });
        Classes {
            first,
            apart,
            joined,
        }
    }

    /// How many vertices there are beside the first ones of classes.
    pub fn merged(&self) -> usize {
        self.apart.len() + self.joined.len()
    }
}

/// Those of these vertices, of `n` there are, whose hash another one may have too, with it, in
/// their order.
fn repeated(
    vertices: impl ParallelIterator<Item = Vertex> + Clone,
    n: usize,
    hash: impl Fn(Vertex) -> u64 + Sync,
) -> Vec<(u64, Vertex)> {
    /// Bits for each vertex: about one in so many others is taken for nothing.
    const BITS: usize = 8;
    let words = (n * BITS).div_ceil(64).next_power_of_two();
    let table = || -> Vec<AtomicU64> { (0..words).map(|_| AtomicU64::new(0)).collect() };
    let (once, twice) = (table(), table());
    let place = |hash: u64| (hash as usize >> 6 & (words - 1), 1u64 << (hash & 63));
    vertices.clone().for_each(|v| {
        let (word, bit) = place(hash(v));
        if once[word].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            twice[word].fetch_or(bit, Ordering::Relaxed);
        }
    });
    let again = |v: &Vertex| {
        let (word, bit) = place(hash(*v));
        twice[word].load(Ordering::Relaxed) & bit != 0
    };
    let again = vertices.filter(again).map(|v| (hash(v), v));
    again.collect()
}

/// Joins vertices of the same hash, ascending, that are twins: `first` of each is then the smallest
/// of its class. Returns the others.
fn join(
    first: &mut [Vertex],
    alike: &[(u64, Vertex)],
    twins: impl Fn(Vertex, Vertex) -> bool + Sync,
) -> Vec<Vertex> {
    let mut of_hash = FxHashMap::with_capacity_and_hasher(alike.len(), FxBuildHasher);
    // Of vertices with the same hash that are no twins there is one in 2^64.
    let leaders = alike
        .iter()
        .map(|&(hash, v)| (v, *of_hash.entry(hash).or_insert(v)));
    let pairs: Vec<_> = leaders.filter(|(v, leader)| v != leader).collect();
    let are_twins = pairs.par_iter().filter(|&&(v, leader)| twins(v, leader));
    let joined: Vec<(Vertex, Vertex)> = are_twins.copied().collect();
    for &(v, leader) in &joined {
        first[v as usize] = leader;
    }
    joined.into_iter().map(|(v, _)| v).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::generate;

    /// First vertices by comparing all with all: apart, then joined.
    fn simple(graph: &Csr) -> Vec<Vertex> {
        let n = graph.vertices() as Vertex;
        let row = |v: Vertex| graph.neighbours(v).to_vec();
        let mut first: Vec<Vertex> = (0..n).collect();
        let apart = |v: Vertex| (0..v).find(|&u| graph.degree(v) > 0 && row(u) == row(v));
        for v in 0..n {
            first[v as usize] = apart(v).unwrap_or(v);
        }
        let alone: Vec<bool> = (0..n)
            .map(|v| first.iter().filter(|&&f| f == first[v as usize]).count() == 1)
            .collect();
        let with = |v: Vertex| {
            let mut row = row(v);
            row.push(v);
            row.sort_unstable();
            row
        };
        for v in (0..n).filter(|&v| alone[v as usize] && graph.degree(v) > 0) {
            let twin = (0..v).find(|&u| alone[u as usize] && with(u) == with(v));
            first[v as usize] = twin.unwrap_or(v);
        }
        first
    }

    proptest! {
        #[test]
        fn classes_are_those_of_the_definition(n in 1u32..12, part in 0.0f64..1.0, seed: u64) {
            let most = u64::from(n * (n - 1) / 2);
            let edges = (part * most as f64) as u64;
            let graph = generate::erdos_renyi(n, edges, seed).unwrap();
            let classes = Classes::of(graph.csr());
            prop_assert_eq!(&classes.first, &simple(graph.csr()));
            let others = |v: &Vertex| classes.first[*v as usize] != *v;
            prop_assert_eq!(classes.merged(), (0..n).filter(others).count());
        }
    }

    #[test]
    fn sides_of_a_bipartite_graph_are_twins_apart() {
        let graph = generate::complete_bipartite(3, 4).unwrap();
        let classes = Classes::of(graph.csr());
        assert_eq!(classes.first, [0, 0, 0, 3, 3, 3, 3]);
        assert_eq!((classes.apart.len(), classes.joined.len()), (5, 0));
        let complete = generate::complete(5).unwrap();
        assert_eq!(Classes::of(complete.csr()).joined, [1, 2, 3, 4]);
    }
}

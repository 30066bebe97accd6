//! The classes of twins.
//!
//! A vertex is compared with the first one whose neighbours have the same hash. The hash does not
//! depend on the order of neighbours.

use rayon::prelude::*;

use super::super::order::PER_TASK;
use crate::graph::mixed::mixed;
use crate::graph::{Csr, Vertex};

/// Classes of twins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// Per vertex, the first vertex of its class.
    pub first: Vec<Vertex>,
    /// The other vertices of classes, ascending: false twins, which are not neighbours, and true
    /// twins, which are.
    pub twins: [Vec<Vertex>; 2],
}

impl Classes {
    /// Finds the twins of a graph; `into` has the arcs of `graph` reversed. False twins are found
    /// first: no two of them are neighbours, so a vertex of such a class has no true twin. Those
    /// with arcs into them and out of them but without a common neighbour are left out: the paths
    /// from one to another are longer than 2.
    pub fn find([graph, into]: [&Csr; 2]) -> Classes {
        let ways = [graph, into];
        let n = graph.vertices();
        let vertices = || (0..n as Vertex).into_par_iter().with_min_len(PER_TASK);
        let row_hash = |v| {
            let hashes = ways.map(|way| {
                let row = way.neighbours(v).iter();
                row.fold(0u64, |sum, &u| sum.wrapping_add(mixed(u.into())))
            });
            hashes[0].wrapping_add(hashes[1].wrapping_mul(2))
        };
        let hashes: Vec<u64> = vertices().map(row_hash).collect();
        let mut first: Vec<Vertex> = vertices().collect();
        let mut is_single = vec![true; n];
        let twins = [false, true].map(|neighbours| {
            let own = |v: Vertex| mixed(v.into()).wrapping_mul(if neighbours { 3 } else { 0 });
            let has_arcs = |&v: &Vertex| ways.iter().any(|way| way.degree(v) > 0);
            let candidates = vertices().filter(|&v| is_single[v as usize]);
            let candidates = candidates.filter(has_arcs);
            let hashed = candidates.map(|v| (hashes[v as usize].wrapping_add(own(v)), v));
            // Neighbours that have all others in common have different hashes unless each counts as
            // its own.
            let joined = join(&mut first, hashed.collect(), |v, u| {
                let is_same = |way: &&Csr| {
                    let [one, other] = [(v, u), (u, v)].map(|(v, u)| {
                        let row = way.neighbours(v).iter();
                        row.filter(move |&&w| w != u)
                    });
                    way.degree(v) == way.degree(u) && one.eq(other)
                };
                let are_alone = || ways.iter().any(|way| way.degree(v) == 0);
                let is_near = || are_alone() || common_neighbours(ways, v).next().is_some();
                ways.iter().all(is_same) && (neighbours || is_near())
            });
            for &v in &joined {
                is_single[v as usize] = false;
                is_single[first[v as usize] as usize] = false;
            }
            joined
        });
        Classes { first, twins }
    }
}

/// Returns the vertices that have arcs both from and to a vertex.
pub fn common_neighbours([out, into]: [&Csr; 2], v: Vertex) -> impl Iterator<Item = Vertex> {
    let into = into.neighbours(v);
    let row = out.neighbours(v).iter().copied();
    row.filter(move |u| into.binary_search(u).is_ok())
}

/// Joins each vertex with the smallest vertex of the same hash, if the two are twins: that vertex
/// becomes its `first`. Returns the joined vertices, ascending.
fn join(
    first: &mut [Vertex],
    mut hashes: Vec<(u64, Vertex)>,
    are_twins: impl Fn(Vertex, Vertex) -> bool + Sync,
) -> Vec<Vertex> {
    hashes.par_sort_unstable();
    // Two vertices that are no twins have the same hash with probability 2^-64.
    let same_hash = hashes.par_chunk_by(|(a, _), (b, _)| a == b);
    let pairs = same_hash.flat_map_iter(|same| same[1..].iter().map(|&(_, v)| (v, same[0].1)));
    let mut joined: Vec<_> = pairs.filter(|&(v, leader)| are_twins(v, leader)).collect();
    joined.par_sort_unstable();
    for &(v, leader) in &joined {
        first[v as usize] = leader;
    }
    joined.into_iter().map(|(v, _)| v).collect()
}

//! The order in which prepared vertices are numbered.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::graph::{Csr, Vertex};

/// Levels of so many vertices are followed by all cores together.
const PARALLEL_LEVEL: usize = 1 << 12;

/// Vertices that are a piece of such a level at most.
const PIECE: usize = 1 << 10;

const NONE: u32 = u32::MAX;

/// Breadth-first order, each component from a vertex of its highest degree; components with
/// higher-degree starts come first.
///
/// Vertices that are close in the graph get close numbers, so that the vertices of one level,
/// and the roots of one batch, lie together in memory. Only the vertices in `kept` are numbered
/// and walked over. `reverse` is given for directed graphs, whose arcs are followed both ways here.
pub fn bfs_order(csr: &Csr, reverse: Option<&Csr>, kept: &[Vertex]) -> Vec<Vertex> {
    let mut seen = FixedBitSet::with_capacity(csr.vertices());
    seen.insert_range(..);
    for &v in kept {
        seen.remove(v as usize);
    }
    let mut walk = Walk {
        arcs: Arcs { csr, reverse },
        seen,
        found_by: Vec::new(),
        pieces: 0,
        order: Vec::with_capacity(kept.len()),
    };
    // Of equal degrees the first one starts. Most vertices are usually found from the very first.
    let degree = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
    let by_degree = |&(i, &v): &(usize, &Vertex)| (degree(v), Reverse(i));
    if let Some((_, &start)) = kept.par_iter().enumerate().max_by_key(by_degree) {
        walk.from(start);
    }
    let unseen = |v: &Vertex| !walk.seen.contains(*v as usize);
    let mut starts: Vec<Vertex> = kept.par_iter().copied().filter(unseen).collect();
    starts.par_sort_by_key(|&v| Reverse(degree(v)));
    for start in starts {
        walk.from(start);
    }
    walk.order
}

#[derive(Clone, Copy)]
struct Arcs<'g> {
    csr: &'g Csr,
    reverse: Option<&'g Csr>,
}

impl<'g> Arcs<'g> {
    fn of(self, v: Vertex) -> impl Iterator<Item = Vertex> + use<'g> {
        let inward = self.reverse.map_or(&[][..], |r| r.neighbours(v));
        self.csr.neighbours(v).iter().chain(inward).copied()
    }
}

struct Walk<'g> {
    arcs: Arcs<'g>,
    /// Vertices that are in the order, or are not to be.
    seen: FixedBitSet,
    /// Per vertex: the first piece of a level shared by all cores that found it, or [`NONE`].
    /// Made when there is such a level.
    found_by: Vec<AtomicU32>,
    /// How many pieces there were.
    pieces: u32,
    order: Vec<Vertex>,
}

impl Walk<'_> {
    /// Appends everything that can be reached from `start` and is not there yet, in the order in
    /// which a queue would find it.
    fn from(&mut self, start: Vertex) {
        let mut first = self.order.len();
        self.order
            .extend((!self.seen.put(start as usize)).then_some(start));
        let alone = rayon::current_num_threads() == 1;
        while first < self.order.len() {
            let level = first..self.order.len();
            first = level.end;
            if level.len() >= PARALLEL_LEVEL && !alone {
                self.share(level);
                continue;
            }
            for i in level {
                let found = self.arcs.of(self.order[i]);
                self.order
                    .extend(found.filter(|&u| !self.seen.put(u as usize)));
            }
        }
    }

    /// Appends what this level finds. A vertex that several pieces of it find is that of the first
    /// one.
    fn share(&mut self, level: Range<usize>) {
        if self.found_by.is_empty() {
            let none = (0..self.seen.len())
                .into_par_iter()
                .map(|_| AtomicU32::new(NONE));
            self.found_by = none.collect();
        }
        let size = level
            .len()
            .div_ceil(8 * rayon::current_num_threads())
            .min(PIECE);
        let first = self.pieces;
        let pieces = self.order[level].par_chunks(size).enumerate();
        let found = pieces.map(|(i, piece)| {
            let number = first + i as u32;
            let is_new = |&u: &Vertex| {
                let found_by = &self.found_by[u as usize];
                !self.seen.contains(u as usize)
                    && found_by.load(Relaxed) > number
                    && found_by.fetch_min(number, Relaxed) > number
            };
            let found = piece.iter().flat_map(|&v| self.arcs.of(v)).filter(is_new);
            (number, found.collect())
        });
        let found: Vec<(u32, Vec<Vertex>)> = found.collect();
        self.pieces += found.len() as u32;
        let kept = found.into_par_iter().map(|(number, mut found)| {
            found.retain(|&u| self.found_by[u as usize].load(Relaxed) == number);
            found
        });
        let kept: Vec<Vec<Vertex>> = kept.collect();
        self.seen.extend(kept.iter().flatten().map(|&u| u as usize));
        self.order.extend(kept.iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::generate;

    /// The same by a queue.
    fn simple_order(csr: &Csr, reverse: Option<&Csr>, kept: &[Vertex]) -> Vec<Vertex> {
        let degree = |v: Vertex| csr.degree(v) + reverse.map_or(0, |r| r.degree(v));
        let mut starts = kept.to_vec();
        starts.sort_by_key(|&v| Reverse(degree(v)));
        let mut seen = vec![true; csr.vertices()];
        for &v in kept {
            seen[v as usize] = false;
        }
        let mut order = Vec::new();
        let mut head = 0;
        for start in starts {
            if !std::mem::replace(&mut seen[start as usize], true) {
                order.push(start);
            }
            while head < order.len() {
                let v = order[head];
                head += 1;
                let inward = reverse.map_or(&[][..], |r| r.neighbours(v));
                for &u in csr.neighbours(v).iter().chain(inward) {
                    if !std::mem::replace(&mut seen[u as usize], true) {
                        order.push(u);
                    }
                }
            }
        }
        order
    }

    #[test]
    fn the_hub_comes_first_and_every_vertex_once() {
        // 0-1, 1-2, 1-3, 4-5
        let csr = Csr::new(vec![0, 1, 4, 5, 6, 7, 8], vec![1, 0, 2, 3, 1, 1, 5, 4]);
        let order = bfs_order(&csr, None, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(order[0], 1);
        assert_eq!(order[4..], [4, 5]);
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        assert_eq!(bfs_order(&csr, None, &[0, 2, 4]), [0, 2, 4]);
    }

    #[test]
    fn directed_arcs_are_followed_both_ways() {
        let csr = Csr::new(vec![0, 0, 1, 2], vec![0, 1]); // 1 -> 0, 2 -> 1
        assert_eq!(
            bfs_order(&csr, Some(&csr.reversed()), &[0, 1, 2]),
            [1, 0, 2]
        );
    }

    /// Vertices with arcs to their larger neighbours only.
    fn upwards(graph: &Csr) -> Csr {
        let mut offsets = vec![0];
        let mut targets = Vec::new();
        for v in 0..graph.vertices() as Vertex {
            targets.extend(graph.neighbours(v).iter().filter(|&&u| u > v));
            offsets.push(targets.len() as u32);
        }
        Csr::new(offsets, targets)
    }

    fn check(graph: &Csr, kept: &[Vertex]) {
        let found = bfs_order(graph, None, kept);
        assert!(found == simple_order(graph, None, kept));
        let upwards = upwards(graph);
        let reverse = upwards.reversed();
        let found = bfs_order(&upwards, Some(&reverse), kept);
        assert!(found == simple_order(&upwards, Some(&reverse), kept));
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_a_queue(
            n in 1u32..200,
            degree in 0u32..8,
            seed: u64,
            kept in prop::collection::vec(any::<bool>(), 200),
        ) {
            let edges = u64::from(n * degree / 2).min(u64::from(n * (n - 1) / 2));
            let graph = generate::erdos_renyi(n, edges, seed).unwrap();
            check(graph.csr(), &(0..n).collect::<Vec<_>>());
            check(graph.csr(), &(0..n).filter(|&v| kept[v as usize]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn levels_that_cores_share_are_in_that_order_too() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for degree in [1, 3, 10] {
                let n = 60_000;
                let edges = u64::from(n) * degree / 2;
                let graph = generate::erdos_renyi(n, edges, degree).unwrap();
                let kept: Vec<Vertex> = (0..n).filter(|v| v % 17 != 3).collect();
                pool.install(|| check(graph.csr(), &kept));
            }
        }
    }
}

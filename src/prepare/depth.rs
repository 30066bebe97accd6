//! The depths of a sample of searches.

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// A graph whose median search is deeper than this many times log2 of its vertices is deep: levels
/// are small and many, as in meshes and road networks.
pub const DEEP: f64 = 1.5;

/// In graphs that are deeper than this part of [`DEEP`], searching neighbouring roots together may
/// be the fastest.
pub(super) const MAY_BE_DEEP: f64 = 0.5;

/// The number of searches of a sample.
pub(super) const SAMPLE: usize = 9;

/// Returns the largest median depth of searches of a graph with `n` vertices that is not deep.
pub fn shallow_limit(n: usize) -> f64 {
    DEEP * (n.max(2) as f64).log2()
}

/// Returns the median of ascending depths; zero if there are none.
pub fn median(depths: &[u32]) -> u32 {
    depths.get(depths.len() / 2).copied().unwrap_or(0)
}

/// A level with more than one in this many of all arcs is expanded bottom-up.
const BOTTOM_UP: usize = 14;

/// Returns the depths (levels below the root) of searches from at most `count` of these roots,
/// ascending. The roots are spread evenly over the work of all of them: `arcs` yields the number of
/// arcs that each search looks at. `reverse` is given for directed graphs.
pub fn sample(
    graph: &Csr,
    reverse: Option<&Csr>,
    (roots, arcs): (&[Root], impl Iterator<Item = usize>),
    count: usize,
) -> Vec<u32> {
    let count = count.min(roots.len());
    let mut work = 0;
    let ends = arcs.map(|arcs| {
        work += arcs.max(1) as u64;
        work
    });
    let ends: Vec<u64> = ends.collect();
    let chosen = (0..count).into_par_iter().map(|i| {
        let place = (i as u128 * u128::from(work) / count as u128) as u64;
        roots[ends.partition_point(|&end| end <= place)].vertex
    });
    let inward = reverse.unwrap_or(graph);
    let mut depths: Vec<u32> = chosen.map(|root| depth(graph, inward, root)).collect();
    depths.sort_unstable();
    depths
}

/// Returns the number of levels below this root.
///
/// Large levels are expanded bottom-up: an unseen vertex is on the next level if any neighbour has
/// been seen, and one such neighbour is enough, so most arcs are never looked at. (Beamer,
/// Asanovic, Patterson: "Direction-Optimizing Breadth-First Search", SC 2012.)
fn depth(graph: &Csr, inward: &Csr, root: Vertex) -> u32 {
    let mut seen = FixedBitSet::with_capacity(graph.vertices());
    seen.insert(root as usize);
    let mut level = vec![root];
    let mut depth = 0;
    loop {
        let arcs: usize = level.iter().map(|&v| graph.degree(v)).sum();
        if arcs > graph.arcs() / BOTTOM_UP {
            let is_seen = |&u: &Vertex| seen.contains(u as usize);
            let is_next = |&v: &Vertex| inward.neighbours(v).iter().any(is_seen);
            level = seen.zeroes().map(|v| v as Vertex).filter(is_next).collect();
            seen.extend(level.iter().map(|&v| v as usize));
        } else {
            let heads = level.iter().flat_map(|&v| graph.neighbours(v)).copied();
            level = heads.filter(|&u| !seen.put(u as usize)).collect();
        }
        if level.is_empty() {
            return depth;
        }
        depth += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::graph::generate;
    use crate::prepare::Prepared;
    use crate::prepare::tests::{all_roots, upwards};

    /// Returns the depth of a breadth-first search with a queue.
    fn simple(graph: &Csr, root: Vertex) -> u32 {
        let mut depths = vec![None; graph.vertices()];
        depths[root as usize] = Some(0);
        let mut queue = VecDeque::from([(root, 0)]);
        let mut deepest = 0;
        while let Some((v, depth)) = queue.pop_front() {
            deepest = depth;
            for &u in graph.neighbours(v) {
                if depths[u as usize].is_none() {
                    depths[u as usize] = Some(depth + 1);
                    queue.push_back((u, depth + 1));
                }
            }
        }
        deepest
    }

    fn check(graph: &Csr, reverse: Option<&Csr>, count: usize) {
        let n = graph.vertices();
        let roots = all_roots(n);
        let count = count.min(n);
        let mut expected: Vec<u32> = (0..count)
            .map(|i| simple(graph, roots[i * n / count].vertex))
            .collect();
        expected.sort_unstable();
        let arcs = roots.iter().map(|_| graph.arcs());
        assert_eq!(sample(graph, reverse, (&roots, arcs), count), expected);
    }

    proptest! {
        #[test]
        fn depths_are_those_of_a_simple_search(
            n in 1u32..300,
            degree in 1u32..8,
            directed: bool,
            seed: u64,
        ) {
            let edges = u64::from(n * degree / 2).min(u64::from(n * (n - 1) / 2));
            let graph = generate::erdos_renyi(n, edges, seed).unwrap();
            let forward = upwards(graph.csr());
            if directed {
                check(&forward, Some(&forward.reversed()), 50);
            } else {
                check(graph.csr(), None, 50);
            }
        }
    }

    #[test]
    fn depths_of_larger_graphs() {
        check(generate::grid(100, 70, 0.2, 1).unwrap().csr(), None, 20);
        let large = generate::erdos_renyi(200_000, 500_000, 1).unwrap();
        check(large.csr(), None, 9);
    }

    #[test]
    fn depths_of_a_path() {
        let path = Csr::new(vec![0, 1, 3, 5, 6], vec![1, 0, 2, 1, 3, 2]);
        let prepared = Prepared::bare(path);
        let roots = &prepared.roots;
        let depths = |count| {
            let arcs = roots.iter().map(|_| 6);
            sample(&prepared.graph, None, (roots, arcs), count)
        };
        assert_eq!(depths(4), [2, 2, 3, 3]);
        assert_eq!(depths(100), [2, 2, 3, 3]);
        assert_eq!(depths(1), [3]);
        let none = std::iter::empty();
        assert!(sample(&Csr::empty(0), None, (&[], none), 4).is_empty());
    }
}

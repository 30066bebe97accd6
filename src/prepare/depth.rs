//! How deep searches are, from a few of them.

use rayon::prelude::*;

use super::bits::{Bits, ones};
use crate::engine::Root;
use crate::graph::{Csr, Vertex};

/// A graph whose median search is deeper than this many times log2 of its vertices is deep: levels
/// are small and many, as in meshes and road networks.
pub const DEEP: f64 = 1.5;

/// The deepest that the median search of a graph of `n` vertices may be for the graph not to be
/// deep.
pub fn shallow_limit(n: usize) -> f64 {
    DEEP * (n.max(2) as f64).log2()
}

/// The median of ascending depths; zero without any.
pub fn median(depths: &[u32]) -> u32 {
    depths.get(depths.len() / 2).copied().unwrap_or(0)
}

/// The next level is found from below if the last one has more arcs than one in so many of those
/// left.
const FROM_BELOW: usize = 14;
/// Levels are found from above again once one has fewer vertices than one in so many.
const FROM_ABOVE: usize = 24;
/// Words of a bitmap that are worth a task.
const WORDS_PER_TASK: usize = 1 << 10;

/// The depths (levels below the root) of searches from at most `count` of these roots, spread over
/// the work of all; ascending. `arcs` are those that each of them looks at, `reverse` is given for
/// directed graphs.
pub fn sample(
    graph: &Csr,
    reverse: Option<&Csr>,
    (roots, arcs): (&[Root], impl Iterator<Item = usize> + Clone),
    count: usize,
) -> Vec<u32> {
    let count = count.min(roots.len());
    let work: u128 = arcs.clone().map(|arcs| arcs.max(1) as u128).sum();
    // The roots in whose work these parts of the whole are.
    let mut chosen = Vec::with_capacity(count);
    let mut end = 0;
    for (root, arcs) in roots.iter().zip(arcs) {
        end += arcs.max(1) as u128;
        while chosen.len() < count && chosen.len() as u128 * work < end * count as u128 {
            chosen.push(root.vertex);
        }
    }
    let mut depths: Vec<u32> = chosen
        .into_par_iter()
        .map(|root| depth(graph, reverse.unwrap_or(graph), root))
        .collect();
    depths.sort_unstable();
    depths
}

/// How many levels are below this root.
///
/// Large levels are found from below: an unseen vertex is in the next level if any neighbour has
/// been seen, and one such neighbour will do, so most arcs are never looked at. (Beamer, Asanovic,
/// Patterson: "Direction-Optimizing Breadth-First Search", SC 2012.)
fn depth(graph: &Csr, inward: &Csr, root: Vertex) -> u32 {
    let n = graph.vertices();
    let mut seen = Bits::new(n);
    seen.insert(root);
    let mut found: Option<Bits> = None;
    let (mut level, mut next) = (vec![root], Vec::new());
    let (mut arcs, mut left) = (graph.degree(root), graph.arcs());
    let mut depth = 0;
    loop {
        left -= arcs;
        if arcs > left / FROM_BELOW {
            let found = found.get_or_insert_with(|| Bits::new(n));
            loop {
                let (vertices, arcs_of_level) = seen.find(graph, inward, found);
                if vertices == 0 {
                    return depth;
                }
                depth += 1;
                arcs = arcs_of_level;
                if vertices < n / FROM_ABOVE {
                    break;
                }
                left -= arcs;
            }
            level.clear();
            level.extend(found.vertices());
        } else {
            for &v in &level {
                next.extend(graph.neighbours(v).iter().filter(|&&u| seen.insert(u)));
            }
            if next.is_empty() {
                return depth;
            }
            depth += 1;
            arcs = next.iter().map(|&v| graph.degree(v)).sum();
            std::mem::swap(&mut level, &mut next);
            next.clear();
        }
    }
}

impl Bits {
    /// Adds the vertices that have a neighbour in the set, makes `found` the set of them, and
    /// counts them and their arcs.
    fn find(&mut self, graph: &Csr, inward: &Csr, found: &mut Bits) -> (usize, usize) {
        let seen = &*self;
        let counts = found
            .words
            .par_iter_mut()
            .with_min_len(WORDS_PER_TASK)
            .zip(&seen.words)
            .enumerate()
            .map(|(i, (new, &old))| {
                let (mut vertices, mut arcs) = (0, 0);
                *new = 0;
                for bit in ones(!old) {
                    let v = 64 * i as Vertex + bit;
                    if v as usize == seen.n {
                        break;
                    }
                    if inward.neighbours(v).iter().any(|&u| seen.contains(u)) {
                        *new |= 1 << bit;
                        vertices += 1;
                        arcs += graph.degree(v);
                    }
                }
                (vertices, arcs)
            })
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        for (word, new) in self.words.iter_mut().zip(&found.words) {
            *word |= new;
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::graph::generate;
    use crate::prepare::Prepared;

    fn all(n: usize) -> Vec<Root> {
        let root = |vertex| Root { vertex, sources: 1 };
        (0..n as Vertex).map(root).collect()
    }

    /// The same by a queue, over all arcs.
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
        let roots = all(n);
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
            // Arcs to the larger end only.
            let arcs = (0..n).map(|v| graph.csr().neighbours(v).iter().filter(move |&&u| u > v));
            let mut offsets = vec![0];
            let mut targets = Vec::new();
            for row in arcs {
                targets.extend(row);
                offsets.push(targets.len() as u32);
            }
            let forward = Csr::new(offsets, targets);
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

//! Finds connected components on all cores.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::{Csr, Vertex};

/// The components of a graph, numbered in the order of their smallest vertices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Components {
    /// The component of each vertex, from 0.
    pub of: Vec<u32>,
    /// The number of vertices of each component.
    pub sizes: Vec<u32>,
}

impl Components {
    /// Returns the number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the number of vertices of each component that are marked in `chosen`.
    pub fn sources(&self, chosen: &[bool]) -> Vec<u64> {
        let mut sources = vec![0; self.sizes.len()];
        for (&component, &chosen) in self.of.iter().zip(chosen) {
            sources[component as usize] += u64::from(chosen);
        }
        sources
    }

    /// Returns the size of the largest component; 0 without vertices.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }
}

/// The number of arcs of each vertex that the first pass follows. These arcs already join most of a
/// large component into one tree. The second pass follows the other arcs.
const FIRST_ARCS: usize = 2;

/// Returns the components of a symmetric graph, or the weakly connected ones of a `directed` graph.
pub fn components(csr: &Csr, directed: bool) -> Components {
    linked(csr.vertices(), |v| csr.neighbours(v), !directed)
}

/// Returns the components of `n` vertices. `row` returns the vertices that a vertex is joined to.
/// If the rows are `symmetric`, each edge is in the rows of both of its ends.
pub fn linked<'g>(
    n: usize,
    row: impl Fn(Vertex) -> &'g [Vertex] + Sync,
    symmetric: bool,
) -> Components {
    let forest = Forest::new(n);
    forest.link(|v| &row(v)[..row(v).len().min(FIRST_ARCS)], None);
    // The rows of the vertices in the largest tree so far are skipped: an arc between it and
    // another tree is also in the row of its other end.
    let skipped = forest.most_frequent().filter(|_| symmetric);
    forest.link(|v| row(v).get(FIRST_ARCS..).unwrap_or(&[]), skipped);
    forest.components()
}

/// A forest whose trees are sets of vertices known to be connected, built by all cores at once.
///
/// The parent of a vertex is never larger than the vertex, and the root of a tree is its own
/// parent. So the root of each finished tree is its smallest vertex, in whatever order trees are
/// merged. (Sutton, Ben-Nun, Barak: "Optimizing Parallel Graph Connectivity Computation via
/// Subgraph Sampling", IPDPS 2018.)
struct Forest(Vec<AtomicU32>);

impl Forest {
    fn new(n: usize) -> Forest {
        let alone = (0..n as Vertex).into_par_iter().map(AtomicU32::new);
        Forest(alone.collect())
    }

    fn parent(&self, v: Vertex) -> Vertex {
        self.0[v as usize].load(Relaxed)
    }

    /// Merges the tree of each vertex with the trees of the vertices in its `row`, except for
    /// vertices in the tree with the root `skipped`; then makes each root the parent of all
    /// vertices of its tree.
    fn link<'g>(&self, row: impl Fn(Vertex) -> &'g [Vertex] + Sync, skipped: Option<Vertex>) {
        const VERTICES_PER_TASK: usize = 1 << 12;
        let vertices = || (0..self.0.len() as Vertex).into_par_iter();
        let vertices = || vertices().with_min_len(VERTICES_PER_TASK);
        vertices().for_each(|v| {
            if Some(self.parent(v)) != skipped {
                for &u in row(v) {
                    self.merge(v, u);
                }
            }
        });
        vertices().for_each(|v| {
            let mut above = self.parent(v);
            while above != self.parent(above) {
                above = self.parent(above);
            }
            self.0[v as usize].store(above, Relaxed);
        });
    }

    /// Merges the trees of `v` and `u`.
    fn merge(&self, v: Vertex, u: Vertex) {
        let (mut a, mut b) = (self.parent(v), self.parent(u));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            // Only a root gets another parent, and only once, so that no merge is lost.
            let root = &self.0[high as usize];
            match root.compare_exchange(high, low, Relaxed, Relaxed) {
                Ok(_) => break,
                Err(above) => (a, b) = (self.parent(above), self.parent(low)),
            }
        }
    }

    /// Returns the root of the tree that has the most vertices in a sample.
    fn most_frequent(&self) -> Option<Vertex> {
        const SAMPLE: usize = 1024;
        let step = self.0.len().div_ceil(SAMPLE).max(1);
        let sample = (0..self.0.len()).step_by(step);
        let mut roots: Vec<Vertex> = sample.map(|v| self.parent(v as Vertex)).collect();
        roots.sort_unstable();
        let trees = roots.chunk_by(|a, b| a == b);
        trees.max_by_key(|tree| tree.len()).map(|tree| tree[0])
    }

    fn components(self) -> Components {
        let mut of = vec![0; self.0.len()];
        let mut sizes = Vec::new();
        for v in 0..of.len() {
            // A root comes before the other vertices of its tree, so its component is known.
            let root = self.parent(v as Vertex) as usize;
            if root == v {
                of[v] = sizes.len() as u32;
                sizes.push(1);
            } else {
                of[v] = of[root];
                sizes[of[v] as usize] += 1;
            }
        }
        Components { of, sizes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::built;

    #[test]
    fn components_are_numbered_by_their_smallest_vertex() {
        let graph = built(6, &[(4, 0), (3, 1), (5, 3)], false);
        let expected = Components {
            of: vec![0, 1, 2, 1, 0, 1],
            sizes: vec![2, 3, 1],
        };
        assert_eq!(components(graph.csr(), false), expected);
        assert_eq!((expected.count(), expected.largest()), (3, 3));
        assert_eq!(components(&Csr::empty(0), false), Components::default());
    }

    /// Finds components by a search from each vertex that was not reached before.
    fn simple(csr: &Csr) -> Components {
        let mut of = vec![u32::MAX; csr.vertices()];
        let mut sizes = Vec::new();
        for root in 0..csr.vertices() {
            if of[root] != u32::MAX {
                continue;
            }
            let component = sizes.len() as u32;
            of[root] = component;
            let mut found = vec![root as Vertex];
            let mut size = 0;
            while let Some(v) = found.pop() {
                size += 1;
                for &u in csr.neighbours(v) {
                    if std::mem::replace(&mut of[u as usize], component) == u32::MAX {
                        found.push(u);
                    }
                }
            }
            sizes.push(size);
        }
        Components { of, sizes }
    }

    #[test]
    fn components_are_those_of_simple_searches() {
        for (seed, edges) in [(1, 0), (2, 20_000), (3, 50_000), (4, 150_000)] {
            let graph = super::super::generate::erdos_renyi(100_000, edges, seed).unwrap();
            let expected = simple(graph.csr());
            for threads in [1, 4] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let found = pool.build().unwrap().install(|| {
                    (
                        components(graph.csr(), false),
                        components(graph.csr(), true),
                    )
                });
                assert!(found == (expected.clone(), expected.clone()));
            }
        }
    }

    proptest! {
        #[test]
        fn weak_components_are_those_of_the_undirected_graph(
            edges in prop::collection::vec((0u32..30, 0u32..30), 0..40)
        ) {
            let undirected = components(built(31, &edges, false).csr(), false);
            prop_assert_eq!(&undirected, &simple(built(31, &edges, false).csr()));
            prop_assert_eq!(&components(built(31, &edges, true).csr(), true), &undirected);
            prop_assert_eq!(undirected.sizes.iter().sum::<u32>(), 31);
        }
    }
}

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

    /// Returns the size of the largest component; 0 without vertices.
    pub fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// Returns the modularity of these components as communities of a graph, whose arcs may join
    /// them (Newman and Girvan, Physical Review E 69, 2004).
    pub fn modularity(&self, csr: &Csr) -> f64 {
        let arcs = csr.arcs().max(1) as f64;
        let mut sums = vec![[0.0; 2]; self.count()];
        let mut inside = 0.0;
        for (tail, &head) in csr.tails().into_iter().zip(csr.targets()) {
            let [own, other] = [tail, head].map(|v| self.of[v as usize] as usize);
            sums[own][0] += 1.0;
            sums[other][1] += 1.0;
            inside += f64::from(u8::from(own == other));
        }
        let products = sums.iter().map(|[out, into]| out * into);
        inside / arcs - products.sum::<f64>() / (arcs * arcs)
    }
}

/// Returns the strongly connected components of a graph, numbered so that every arc between two of
/// them leads to the smaller number. (Tarjan: "Depth-First Search and Linear Graph Algorithms",
/// 1972. One array is enough: Pearce: "A Space-Efficient Algorithm for Finding Strongly Connected
/// Components", 2016.)
pub fn strong_components(csr: &Csr) -> Components {
    // The vertices whose component is not complete, and the path of the search, with the position
    // of each vertex among the former, from 1, and its next arcs.
    let (mut open, mut path) = (Vec::new(), Vec::new());
    // For each open vertex, the smallest position known to be reachable; 0 before it is found. The
    // numbers of complete components count down from the largest one, so that they never are the
    // minimum.
    let (mut of, mut sizes) = (vec![0; csr.vertices()], Vec::new());
    for start in 0..csr.vertices() as Vertex {
        let mut found = (of[start as usize] == 0).then_some(start);
        loop {
            if let Some(v) = found.take() {
                open.push(v);
                of[v as usize] = open.len() as u32;
                path.push((v, open.len(), csr.neighbours(v).iter()));
            }
            let Some((v, position, heads)) = path.last_mut() else {
                break;
            };
            let (at, position) = (*v as usize, *position);
            if let Some(&u) = heads.next() {
                match of[u as usize] {
                    0 => found = Some(u),
                    reachable => of[at] = reachable.min(of[at]),
                }
                continue;
            }
            path.pop();
            if let Some(&(above, ..)) = path.last() {
                of[above as usize] = of[above as usize].min(of[at]);
            }
            if of[at] as usize == position {
                let component = u32::MAX - sizes.len() as u32;
                sizes.push((open.len() + 1 - position) as u32);
                (open.drain(position - 1..)).for_each(|u| of[u as usize] = component);
            }
        }
    }
    for component in &mut of {
        *component = u32::MAX - *component;
    }
    Components { of, sizes }
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
    fn long_cycles_are_strong_components() {
        let n = 300_000;
        let mut arcs: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        arcs.push((0, n));
        let found = strong_components(built(n as usize + 1, &arcs, true).csr());
        assert_eq!((found.sizes, found.of[n as usize]), (vec![1, n], 0));
    }

    proptest! {
        #[test]
        fn strong_components_are_those_of_the_definition(
            edges in prop::collection::vec((0u32..12, 0u32..12), 0..30)
        ) {
            let graph = built(12, &edges, true);
            let found = strong_components(graph.csr());
            let mut reaches = [[false; 12]; 12];
            for (v, row) in reaches.iter_mut().enumerate() {
                let mut open = vec![v as Vertex];
                while let Some(u) = open.pop() {
                    if !std::mem::replace(&mut row[u as usize], true) {
                        open.extend(graph.csr().neighbours(u));
                    }
                }
            }
            for (v, u) in (0..12).flat_map(|v| (0..12).map(move |u| (v, u))) {
                let same = found.of[v] == found.of[u];
                prop_assert_eq!(same, reaches[v][u] && reaches[u][v]);
                prop_assert!(!reaches[v][u] || found.of[u] <= found.of[v]);
            }
            for (number, &size) in (0..).zip(&found.sizes) {
                let own = found.of.iter().filter(|&&one| one == number);
                prop_assert_eq!(own.count(), size as usize);
            }
        }
    }

    #[test]
    fn components_are_those_of_simple_searches() {
        assert_eq!(components(&Csr::empty(0), false), Components::default());
        for (seed, edges) in [(1, 0), (2, 20_000), (3, 50_000), (4, 150_000)] {
            let graph = super::super::generate::erdos_renyi(100_000, edges, seed).unwrap();
            let expected = simple(graph.csr());
            for threads in [1, 4] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let both = || [false, true].map(|directed| components(graph.csr(), directed));
                let found = pool.build().unwrap().install(both);
                assert!(found.iter().all(|found| *found == expected));
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

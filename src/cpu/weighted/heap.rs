//! Brandes' algorithm with lengths of all kinds, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dijkstra's algorithm and
//! a binary heap. There are no predecessor lists: the way back looks at the arcs out of each vertex
//! once more, in the reverse of the order in which vertices were settled. Distance and path count
//! of a vertex share 16 bytes, and its coefficient takes the place of the path count when that has
//! been used for the last time. With numbers of other types than f64 it is the search for path
//! counts that f64 cannot hold.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::arcs::Arcs;
use super::count::{Count, Node};
use super::length::{Length, Tie};
use crate::cpu::root_by_root::RootSearch;
use crate::engine::{EngineError, OwnSums, Root};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// Vertices that are open, with the keys of their distances. A vertex may be among them with
/// several distances; which one is right is looked up when it is taken out.
pub(in crate::cpu) trait Open: Default {
    /// Whether vertices may be merged twins, which those of graphs with lengths are not.
    const TWINS: bool;
    fn put(&mut self, key: u64, v: Vertex);
    /// Takes the nearest one out.
    fn take(&mut self) -> Option<(u64, Vertex)>;
}

/// For lengths of any kind.
pub(in crate::cpu) type ByDistance = BinaryHeap<Reverse<(u64, Vertex)>>;

impl Open for ByDistance {
    const TWINS: bool = false;

    #[inline(always)]
    fn put(&mut self, key: u64, v: Vertex) {
        self.push(Reverse((key, v)));
    }

    #[inline(always)]
    fn take(&mut self) -> Option<(u64, Vertex)> {
        self.pop().map(|Reverse(nearest)| nearest)
    }
}

/// For arcs that are all of length 1: vertices are settled in the order they are found.
pub(in crate::cpu) type InTurn = VecDeque<(u64, Vertex)>;

impl Open for InTurn {
    const TWINS: bool = true;

    #[inline(always)]
    fn put(&mut self, key: u64, v: Vertex) {
        self.push_back((key, v));
    }

    #[inline(always)]
    fn take(&mut self) -> Option<(u64, Vertex)> {
        self.pop_front()
    }
}

/// The search for lengths of one type, with numbers of another.
pub(in crate::cpu) struct Dijkstra<'g, L: Length, N, Q> {
    prepared: &'g Prepared,
    arcs: Arcs<L>,
    tie: L::Tie,
    open: Q,
    nodes: Vec<Node<L, N>>,
    /// Vertices in the order they were settled.
    settled: Vec<Vertex>,
}

impl<'g, L: Length, N: Count, Q: Open> Dijkstra<'g, L, N, Q> {
    const UNREACHED: Node<L, N> = Node {
        dist: L::FAR,
        value: N::ZERO,
    };

    pub(in crate::cpu) fn new(prepared: &'g Prepared, lengths: &[L]) -> Self {
        let n = prepared.graph.vertices();
        Dijkstra {
            prepared,
            arcs: Arcs::new(&prepared.graph, lengths),
            tie: L::tie(prepared.tie_tolerance),
            open: Q::default(),
            nodes: vec![Self::UNREACHED; n],
            settled: Vec::with_capacity(n),
        }
    }

    /// How many twins a vertex stands for, if it may stand for several.
    #[inline(always)]
    fn twins(&self, v: Vertex) -> Option<N> {
        let weights = self.prepared.weights();
        (Q::TWINS && weights.has_twins()).then(|| weights.multiplicity(v as usize).into())
    }

    /// Path counts where distances have to be final before it is known which vertex precedes which.
    fn count_paths(&mut self) {
        for &v in &self.settled[1..] {
            self.nodes[v as usize].value = N::ZERO;
        }
        for &v in &self.settled {
            let Node { dist, value: paths } = self.nodes[v as usize];
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                if self.tie.leads_to(dist, arc.length, node.dist) {
                    node.value = node.value + paths;
                }
            }
        }
    }

    /// Adds the dependencies of the arcs out of `v`: `factor` (sources * sigma) times the
    /// coefficients of their heads.
    fn count_arcs(&self, v: Vertex, factor: N, sums: &mut [f64]) {
        let dist = self.nodes[v as usize].dist;
        let first = self.prepared.graph.offsets()[v as usize] as usize;
        let sums = &mut sums[first..];
        for (arc, sum) in self.arcs.of(v).iter().zip(sums) {
            let node = &self.nodes[arc.target as usize];
            if self.tie.leads_to(dist, arc.length, node.dist) {
                *sum += (factor * node.value).to_f64();
            }
        }
    }
}

impl<L: Length, N: Count, Q: Open> RootSearch for Dijkstra<'_, L, N, Q> {
    /// Path counts on the way, where they can be had there.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.settled.clear();
        self.nodes[root as usize] = Node {
            dist: L::ZERO,
            value: N::from(1.0),
        };
        self.open.put(L::ZERO.key(), root);
        while let Some((key, v)) = self.open.take() {
            let dist = L::of_key(key);
            // Each entry of a vertex is nearer than the ones before.
            if self.nodes[v as usize].dist != dist {
                continue;
            }
            self.settled.push(v);
            if v != root
                && let Some(twins) = self.twins(v)
            {
                let node = &mut self.nodes[v as usize];
                node.value = node.value * twins;
            }
            let paths = self.nodes[v as usize].value;
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                let through = dist.plus(arc.length);
                if through < node.dist {
                    node.dist = through;
                    node.value = paths;
                    self.open.put(through.key(), arc.target);
                } else if L::Tie::ON_THE_WAY && through == node.dist {
                    node.value = node.value + paths;
                }
            }
        }
        if !L::Tie::ON_THE_WAY {
            self.count_paths();
        }
        Ok(N::in_range(&self.nodes, &self.settled))
    }

    /// The farthest vertex first.
    #[inline(never)]
    fn backward(&mut self, root: Root, sums: &mut OwnSums) -> Result<(), EngineError> {
        let sources = N::from(f64::from(root.sources));
        let scores = &mut sums.vertices[..];
        let arc_scores = sums.arcs.as_deref_mut().unwrap_or_default();
        let mut all_counted = true;
        for i in (1..self.settled.len()).rev() {
            let v = self.settled[i];
            let Node { dist, value: paths } = self.nodes[v as usize];
            let mut sum = N::ZERO;
            for arc in self.arcs.of(v) {
                let node = &self.nodes[arc.target as usize];
                let leads = self.tie.leads_to(dist, arc.length, node.dist);
                sum = sum.plus_if(leads, node.value);
            }
            if !arc_scores.is_empty() {
                self.count_arcs(v, sources * paths, arc_scores);
            }
            all_counted &= paths != N::ZERO;
            let mut coefficient = N::from(self.prepared.weight[v as usize]) / paths + sum;
            if let Some(twins) = self.twins(v) {
                coefficient = coefficient * twins;
            }
            self.nodes[v as usize].value = coefficient;
            scores[v as usize] += (sources * paths * sum).to_f64();
        }
        if !arc_scores.is_empty() {
            self.count_arcs(root.vertex, sources, arc_scores);
        }
        if !all_counted {
            return Err(EngineError::LengthLost { root: root.vertex });
        }
        Ok(())
    }

    fn reached(&self) -> &[Vertex] {
        &self.settled
    }

    fn clear(&mut self) {
        for &v in &self.settled {
            self.nodes[v as usize] = Self::UNREACHED;
        }
    }
}

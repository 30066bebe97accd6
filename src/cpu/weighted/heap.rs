//! Brandes' algorithm with lengths of all kinds, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dijkstra's algorithm and
//! a binary heap. There are no predecessor lists: the way back looks at the arcs out of each vertex
//! once more, in the reverse of the order in which vertices were settled. Distance and path count
//! of a vertex share 16 bytes, and its coefficient takes the place of the path count when that has
//! been used for the last time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arcs::Arcs;
use super::length::{Length, Tie};
use crate::cpu::root_by_root::RootSearch;
use crate::engine::{EngineError, OwnSums, Root};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// What a search knows of a vertex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<L> {
    /// Distance from the root; [`Length::FAR`] where it is not known to be reached.
    pub(super) dist: L,
    /// On the way there the path count sigma; from the way back on the coefficient, (weight +
    /// delta) / sigma.
    pub(super) value: f64,
}

impl<L: Length> Node<L> {
    const UNREACHED: Self = Node {
        dist: L::FAR,
        value: 0.0,
    };
}

/// The search for lengths of one type.
pub(super) struct Dijkstra<'g, L: Length> {
    prepared: &'g Prepared,
    arcs: Arcs<L>,
    tie: L::Tie,
    /// Vertices by distance. A vertex may be in it with several distances; which one is right is
    /// looked up when it is taken out.
    queue: BinaryHeap<Reverse<(u64, Vertex)>>,
    pub(super) nodes: Vec<Node<L>>,
    /// Vertices in the order they were settled.
    pub(super) settled: Vec<Vertex>,
}

impl<'g, L: Length> Dijkstra<'g, L> {
    pub(super) fn new(prepared: &'g Prepared, lengths: &[L]) -> Self {
        let n = prepared.graph.vertices();
        Dijkstra {
            prepared,
            arcs: Arcs::new(&prepared.graph, lengths),
            tie: L::tie(prepared.tie_tolerance),
            queue: BinaryHeap::new(),
            nodes: vec![Node::UNREACHED; n],
            settled: Vec::with_capacity(n),
        }
    }

    /// Path counts where distances have to be final before it is known which vertex precedes which.
    fn count_paths(&mut self) {
        for &v in &self.settled[1..] {
            self.nodes[v as usize].value = 0.0;
        }
        for &v in &self.settled {
            let Node { dist, value: paths } = self.nodes[v as usize];
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                if self.tie.leads_to(dist, arc.length, node.dist) {
                    node.value += paths;
                }
            }
        }
    }

    /// Adds the dependencies of the arcs out of `v`: `factor` (sources * sigma) times the
    /// coefficients of their heads.
    fn count_arcs(&self, v: Vertex, factor: f64, sums: &mut [f64]) {
        let dist = self.nodes[v as usize].dist;
        let first = self.prepared.graph.offsets()[v as usize] as usize;
        let sums = &mut sums[first..];
        for (arc, sum) in self.arcs.of(v).iter().zip(sums) {
            let node = &self.nodes[arc.target as usize];
            if self.tie.leads_to(dist, arc.length, node.dist) {
                *sum += factor * node.value;
            }
        }
    }
}

impl<L: Length> RootSearch for Dijkstra<'_, L> {
    /// Path counts on the way, where they can be had there.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.settled.clear();
        self.nodes[root as usize] = Node {
            dist: L::ZERO,
            value: 1.0,
        };
        self.queue.push(Reverse((L::ZERO.key(), root)));
        while let Some(Reverse((key, v))) = self.queue.pop() {
            let dist = L::of_key(key);
            // Each entry of a vertex is nearer than the ones before.
            if self.nodes[v as usize].dist != dist {
                continue;
            }
            self.settled.push(v);
            let paths = self.nodes[v as usize].value;
            for arc in self.arcs.of(v) {
                let node = &mut self.nodes[arc.target as usize];
                let through = dist.plus(arc.length);
                if through < node.dist {
                    node.dist = through;
                    node.value = paths;
                    self.queue.push(Reverse((through.key(), arc.target)));
                } else if L::Tie::ON_THE_WAY && through == node.dist {
                    node.value += paths;
                }
            }
        }
        if !L::Tie::ON_THE_WAY {
            self.count_paths();
        }
        Ok(self.in_range())
    }

    /// The farthest vertex first.
    #[inline(never)]
    fn backward(&mut self, root: Root, sums: &mut OwnSums) -> Result<(), EngineError> {
        let sources = f64::from(root.sources);
        let scores = &mut sums.vertices[..];
        let arc_scores = sums.arcs.as_deref_mut().unwrap_or_default();
        let mut all_counted = true;
        for i in (1..self.settled.len()).rev() {
            let v = self.settled[i];
            let Node { dist, value: paths } = self.nodes[v as usize];
            let mut sum = 0.0;
            for arc in self.arcs.of(v) {
                let node = &self.nodes[arc.target as usize];
                // No branch: whether an arc is on a shortest path is hard to guess.
                let on = u64::from(self.tie.leads_to(dist, arc.length, node.dist)).wrapping_neg();
                sum += f64::from_bits(node.value.to_bits() & on);
            }
            if !arc_scores.is_empty() {
                self.count_arcs(v, sources * paths, arc_scores);
            }
            all_counted &= paths > 0.0;
            self.nodes[v as usize].value = self.prepared.weight[v as usize] / paths + sum;
            scores[v as usize] += sources * paths * sum;
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
            self.nodes[v as usize] = Node::UNREACHED;
        }
    }
}

//! Brandes' algorithm with lengths of any type, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dijkstra's algorithm and
//! a binary heap. There are no predecessor lists: the backward phase reads the arcs out of each
//! vertex once more, in the reverse of the order in which vertices were settled. Distance and path
//! count of a vertex share 16 bytes if counts are f64, and its coefficient replaces the path count
//! after the last use of the count. With a number type of wider range, this searches from roots
//! with too many paths for f64.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arcs::Arcs;
use super::count::Count;
use super::length::Length;
use crate::cpu::root_by_root::{BackwardPass, RootSearch};
use crate::engine::EngineError;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// The state of a vertex in a search.
#[derive(Debug, Clone, Copy)]
struct Node<L, N> {
    /// The distance from the root; [`Length::FAR`] before the vertex is reached.
    dist: L,
    /// The path count sigma; from the backward phase on the coefficient (weight + delta) / sigma.
    value: N,
}

/// The search for one type of lengths and one type of path counts.
pub(in crate::cpu) struct Dijkstra<'g, L: Length, N> {
    prepared: &'g Prepared,
    arcs: Arcs<L>,
    /// Open vertices by the keys of their distances. A vertex may be in the heap with several
    /// distances; all but the smallest are skipped.
    open: BinaryHeap<Reverse<(u64, Vertex)>>,
    nodes: Vec<Node<L, N>>,
    /// Vertices in the order in which they were settled.
    settled: Vec<Vertex>,
    /// Vertices beyond this distance are not searched.
    limit: L,
    /// The path counts of `settled`, if there is more than one backward phase.
    paths: Vec<N>,
}

impl<'g, L: Length, N: Count> Dijkstra<'g, L, N> {
    const UNREACHED: Node<L, N> = Node {
        dist: L::FAR,
        value: N::ZERO,
    };

    pub(in crate::cpu) fn new(prepared: &'g Prepared, lengths: &[L]) -> Self {
        let n = prepared.graph.vertices();
        Dijkstra {
            prepared,
            arcs: Arcs::new(&prepared.graph, lengths),
            open: BinaryHeap::new(),
            nodes: vec![Self::UNREACHED; n],
            settled: Vec::with_capacity(n),
            limit: L::at_most(prepared.search_limit()),
            paths: Vec::new(),
        }
    }

    /// Counts paths in a second pass, for lengths whose ties are only known when distances are
    /// final. Returns whether all counts are in range.
    fn count_paths(&mut self) -> bool {
        for &v in &self.settled[1..] {
            self.nodes[v as usize].value = N::ZERO;
        }
        let mut in_range = true;
        for &v in &self.settled {
            let Node { dist, value: paths } = self.nodes[v as usize];
            in_range &= paths.in_range();
            for arc in self.arcs.row(v) {
                let node = &mut self.nodes[arc.target as usize];
                if dist.leads_to(arc.length, node.dist, self.prepared.tie_tolerance) {
                    node.value = node.value + paths;
                }
            }
        }
        in_range
    }

    /// Stores the path counts before the first backward phase, and restores them before each later
    /// one.
    fn restore_paths(&mut self) {
        let nodes = &mut self.nodes;
        if self.paths.is_empty() {
            let paths = self.settled.iter().map(|&v| nodes[v as usize].value);
            self.paths.extend(paths);
        }
        for (&v, &paths) in self.settled.iter().zip(&self.paths) {
            nodes[v as usize].value = paths;
        }
    }

    /// Adds the dependencies of the arcs out of `v`: `factor` (the weight of the root, times sigma)
    /// times the coefficients of their heads.
    fn count_arcs(&self, v: Vertex, factor: N, sums: &mut [f64]) {
        let dist = self.nodes[v as usize].dist;
        let first = self.prepared.graph.offsets()[v as usize] as usize;
        let sums = &mut sums[first..];
        for (arc, sum) in self.arcs.row(v).iter().zip(sums) {
            let node = &self.nodes[arc.target as usize];
            if dist.leads_to(arc.length, node.dist, self.prepared.tie_tolerance) {
                *sum += (factor * node.value).to_f64();
            }
        }
    }
}

impl<L: Length, N: Count> RootSearch for Dijkstra<'_, L, N> {
    /// Finds distances, and path counts at the same time if lengths are exact.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.settled.clear();
        self.paths.clear();
        self.nodes[root as usize] = Node {
            dist: L::default(),
            value: N::from(1.0),
        };
        self.open.push(Reverse((L::default().key(), root)));
        let mut in_range = true;
        while let Some(Reverse((key, v))) = self.open.pop() {
            let dist = self.nodes[v as usize].dist;
            // The vertex has come nearer to the root since this entry was pushed.
            if dist.key() != key {
                continue;
            }
            self.settled.push(v);
            let mut paths = self.nodes[v as usize].value;
            if v != root {
                // It differs from 1 only in graphs without lengths, with wider path counts.
                paths = paths * N::from(self.prepared.multiplicity_of(v as usize));
                self.nodes[v as usize].value = paths;
            }
            in_range &= paths.in_range();
            for arc in self.arcs.row(v) {
                let node = &mut self.nodes[arc.target as usize];
                let through = dist + arc.length;
                if through > self.limit {
                    continue;
                }
                if through < node.dist {
                    node.dist = through;
                    node.value = paths;
                    self.open.push(Reverse((through.key(), arc.target)));
                } else if L::EXACT && through == node.dist {
                    node.value = node.value + paths;
                }
            }
        }
        match L::EXACT {
            true => Ok(in_range),
            false => Ok(self.count_paths()),
        }
    }

    /// Goes over the vertices from the farthest to the nearest.
    #[inline(never)]
    fn backward<const IS_ALL_PAIRS: bool>(
        &mut self,
        root: Vertex,
        mut pass: BackwardPass<'_, IS_ALL_PAIRS>,
    ) -> Result<(), EngineError> {
        let factor = N::from(pass.factor);
        if self.prepared.passes().len() > 1 {
            self.restore_paths();
        }
        let mut all_counted = true;
        for i in (1..self.settled.len()).rev() {
            let v = self.settled[i];
            let Node { dist, value: paths } = self.nodes[v as usize];
            let mut sum = N::ZERO;
            for arc in self.arcs.row(v) {
                let node = &self.nodes[arc.target as usize];
                let is_on_path = dist.leads_to(arc.length, node.dist, self.prepared.tie_tolerance);
                sum = sum.plus_if(is_on_path, node.value);
            }
            if !pass.arcs.is_empty() {
                self.count_arcs(v, factor * paths, pass.arcs);
            }
            all_counted &= paths != N::ZERO;
            let weight = pass.weight::<N>(v as usize, || dist.to_f64());
            let own = weight / pass.divisor(paths);
            let multiplicity = N::from(self.prepared.multiplicity_of(v as usize));
            self.nodes[v as usize].value = multiplicity * (own + sum);
            pass.add(v, (factor * paths * sum).to_f64());
        }
        if !pass.arcs.is_empty() {
            self.count_arcs(root, factor, pass.arcs);
        }
        if !all_counted {
            return Err(EngineError::LengthLost(root));
        }
        Ok(())
    }

    fn distance(&self, place: usize) -> f64 {
        self.nodes[self.settled[place] as usize].dist.to_f64()
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

//! The chains of an undirected graph.

use std::mem;

use crate::graph::{Csr, Vertex};

/// Chains of vertices of degree 2, each with two different ends.
#[derive(Debug, Clone, Default)]
pub(in crate::prepare) struct FoundChains {
    /// The ends of each chain.
    pub(in crate::prepare) ends: Vec<[Vertex; 2]>,
    /// Per chain, the place of its first inner vertex in `inner`.
    first: Vec<usize>,
    /// The inner vertices of all chains, each from end 0 to end 1.
    pub(super) inner: Vec<Vertex>,
}

impl FoundChains {
    /// Finds all chains with inner vertices. A chain that returns to its start is cut at a vertex
    /// in its middle, so that its ends differ.
    pub(in crate::prepare) fn find(graph: &Csr) -> FoundChains {
        let n = graph.vertices();
        let mut found = FoundChains::default();
        let mut walked = vec![false; n];
        // Vertices of degree 2 that are not walked from others are on cycles.
        let is_end = |&v: &Vertex| graph.degree(v) != 2;
        let (others, inner): (Vec<_>, Vec<_>) = (0..n as Vertex).partition(is_end);
        for start in others.into_iter().chain(inner) {
            if mem::replace(&mut walked[start as usize], true) {
                continue;
            }
            for &second in graph.neighbours(start) {
                if graph.degree(second) == 2 && !walked[second as usize] {
                    found.walk(graph, (start, second), &mut walked);
                }
            }
        }
        found
    }

    /// Follows the chain from `start` whose first inner vertex is `second`, and adds it.
    fn walk(&mut self, graph: &Csr, (start, second): (Vertex, Vertex), walked: &mut [bool]) {
        let mut inner = Vec::new();
        let (mut previous, mut v) = (start, second);
        while v != start && graph.degree(v) == 2 {
            walked[v as usize] = true;
            inner.push(v);
            let neighbours = graph.neighbours(v);
            let onward = neighbours[usize::from(neighbours[0] == previous)];
            (previous, v) = (v, onward);
        }
        match v == start {
            true => self.push_cut([start, v], &inner, inner.len() / 2),
            false => self.push([start, v], &inner),
        }
    }

    /// Adds the two chains into which a cut at this inner vertex divides a chain.
    pub(super) fn push_cut(&mut self, [first, last]: [Vertex; 2], inner: &[Vertex], at: usize) {
        self.push([first, inner[at]], &inner[..at]);
        self.push([inner[at], last], &inner[at + 1..]);
    }

    /// Adds a chain, if it has inner vertices.
    pub(super) fn push(&mut self, ends: [Vertex; 2], inner: &[Vertex]) {
        if !inner.is_empty() {
            self.ends.push(ends);
            self.first.push(self.inner.len());
            self.inner.extend_from_slice(inner);
        }
    }

    /// Returns the ends and the inner vertices of a chain.
    pub(super) fn chain(&self, chain: usize) -> ([Vertex; 2], &[Vertex]) {
        (self.ends[chain], self.inner_of(chain))
    }

    /// Returns the inner vertices of a chain.
    pub(in crate::prepare) fn inner_of(&self, chain: usize) -> &[Vertex] {
        let end = self.first.get(chain + 1).copied();
        &self.inner[self.first[chain]..end.unwrap_or(self.inner.len())]
    }
}

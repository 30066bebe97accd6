//! Brandes' algorithm for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001. Levels replace the
//! predecessor lists (Madduri et al. 2009): the way back pulls over the out-arcs of each vertex,
//! so directed graphs need no reverse arcs.

use std::time::{Duration, Instant};

use super::claim::Claim;
use super::limit::{Limit, in_range};
use crate::engine::{Engine, EngineError, Root, Sums};
use crate::graph::Vertex;
use crate::prepare::Prepared;

const UNSEEN: u32 = u32::MAX;

/// Aim of one claim.
const CLAIM_TIME: Duration = Duration::from_millis(5);

/// The plain engine: flat arrays over the prepared vertices, reused for every root.
pub struct Plain<'g> {
    prepared: &'g Prepared,
    /// Level of each vertex in the current search.
    dist: Vec<u32>,
    /// Shortest paths from the root; meaningful where `dist` is set.
    sigma: Vec<f64>,
    /// (weight + delta) / sigma.
    coef: Vec<f64>,
    /// Vertices in the order they were reached.
    stack: Vec<Vertex>,
    scores: Vec<f64>,
    /// Dependencies of arcs; empty if they are not wanted.
    arc_scores: Vec<f64>,
    limit: Limit,
    claim: Claim,
}

impl<'g> Plain<'g> {
    /// An engine for this graph with all its memory allocated.
    pub fn new(prepared: &'g Prepared) -> Self {
        let n = prepared.graph.vertices();
        let arcs = if prepared.count_edges {
            prepared.graph.arcs()
        } else {
            0
        };
        Plain {
            prepared,
            dist: vec![UNSEEN; n],
            sigma: vec![0.0; n],
            coef: vec![0.0; n],
            stack: Vec::with_capacity(n),
            scores: vec![0.0; n],
            arc_scores: vec![0.0; arcs],
            limit: Limit::new(&prepared.graph),
            claim: Claim::new(CLAIM_TIME),
        }
    }

    /// Bytes of the memory of an engine for a graph of so many vertices.
    pub fn bytes(vertices: usize) -> usize {
        // Of each vertex: `dist`, `stack`, `sigma`, `coef` and `scores`.
        vertices * (size_of::<u32>() + size_of::<Vertex>() + 3 * size_of::<f64>())
    }

    /// Levels and path counts from `root`.
    // Not inlined: loops in one large function would share its registers.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) {
        let graph = &self.prepared.graph;
        self.stack.clear();
        self.stack.push(root);
        self.dist[root as usize] = 0;
        self.sigma[root as usize] = 1.0;
        let mut head = 0;
        while head < self.stack.len() {
            let v = self.stack[head];
            head += 1;
            let next = self.dist[v as usize] + 1;
            let paths = self.sigma[v as usize];
            for &w in graph.neighbours(v) {
                let d = &mut self.dist[w as usize];
                if *d == UNSEEN {
                    *d = next;
                    self.sigma[w as usize] = paths;
                    self.stack.push(w);
                } else if *d == next {
                    self.sigma[w as usize] += paths;
                }
            }
        }
    }

    /// Whether all path counts of the search just made are in range.
    fn in_range(&self) -> bool {
        let deepest = self.stack.last().map_or(0, |&v| self.dist[v as usize]);
        self.limit.is_far(deepest as usize)
            || in_range(self.stack.iter().map(|&v| self.sigma[v as usize]))
    }

    /// Dependencies, last level first, into the scores.
    #[inline(never)]
    fn backward(&mut self, sources: f64) {
        let Prepared { graph, weight, .. } = self.prepared;
        for &v in self.stack[1..].iter().rev() {
            let below = self.dist[v as usize] + 1;
            let mut sum = 0.0;
            for &w in graph.neighbours(v) {
                if self.dist[w as usize] == below {
                    sum += self.coef[w as usize];
                }
            }
            let paths = self.sigma[v as usize];
            self.coef[v as usize] = weight[v as usize] / paths + sum;
            self.scores[v as usize] += sources * paths * sum;
        }
    }

    /// Dependencies of the arcs that lead from one level to the next.
    fn count_arcs(&mut self, sources: f64) {
        let graph = &self.prepared.graph;
        for &v in &self.stack {
            let below = self.dist[v as usize] + 1;
            let factor = sources * self.sigma[v as usize];
            let sums = &mut self.arc_scores[graph.offsets()[v as usize] as usize..];
            for (&w, sum) in graph.neighbours(v).iter().zip(sums) {
                if self.dist[w as usize] == below {
                    *sum += factor * self.coef[w as usize];
                }
            }
        }
    }

    /// `--endpoints` of a directed graph: the root meets all it reaches, and they meet the root.
    fn count_endpoints(&mut self, root: Root) {
        let sources = f64::from(root.sources);
        self.scores[root.vertex as usize] += sources * (self.stack.len() - 1) as f64;
        for &v in &self.stack[1..] {
            self.scores[v as usize] += sources;
        }
    }
}

impl Engine for Plain<'_> {
    fn roots_wanted(&self) -> usize {
        self.claim.wanted
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        let start = Instant::now();
        let mut uncounted = Vec::new();
        for &root in roots {
            self.forward(root.vertex);
            if self.in_range() {
                self.backward(f64::from(root.sources));
                if self.prepared.count_endpoints {
                    self.count_endpoints(root);
                }
                if self.prepared.count_edges {
                    self.count_arcs(f64::from(root.sources));
                }
            } else {
                uncounted.push(root);
            }
            for &v in &self.stack {
                self.dist[v as usize] = UNSEEN;
            }
        }
        self.claim.adjust(start);
        EngineError::of_uncounted(uncounted)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        sums.take(&mut self.scores, &mut self.arc_scores);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Csr;

    #[test]
    fn bytes_are_those_of_all_vectors() {
        let prepared = Prepared::bare(Csr::empty(100));
        // Whoever adds a vector has to count it.
        let Plain {
            prepared: _,
            dist,
            sigma,
            coef,
            stack,
            scores,
            arc_scores,
            limit: _,
            claim: _,
        } = Plain::new(&prepared);
        let bytes = 4 * (dist.capacity() + stack.capacity())
            + 8 * (sigma.capacity() + coef.capacity() + scores.capacity() + arc_scores.capacity());
        assert_eq!(Plain::bytes(100), bytes);
    }
}

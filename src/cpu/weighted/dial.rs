//! Brandes' algorithm with integer lengths, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dial's buckets as the
//! queue. The search looks at each arc once. If the distance through the arc is at most the known
//! distance of its head, the arc goes into the bucket of that distance. When a bucket is taken,
//! distances in it are final, and exactly the arcs whose distance still equals that of their head
//! are on shortest paths. Path counts are added along these arcs, which are kept for the backward
//! phase, bucket by bucket. Arcs are selected without branches, which would be mispredicted on most
//! graphs.

use std::ops::Range;

use super::arcs::{Arc, Arcs};
use super::buckets::{BLOCK, Buckets, Entry, Shape};
use super::length::Length;
use crate::cpu::limit::{in_range, safe_levels};
use crate::cpu::root_by_root::{BackwardPass, RootSearch, Step, most_steps};
use crate::engine::EngineError;
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// The number of vertices ahead whose arcs are prefetched.
const AHEAD: usize = 3;

/// Where the settled vertices and the steps of a bucket end.
#[derive(Debug, Clone, Copy)]
struct End {
    settled: usize,
    steps: usize,
}

/// The search for one type of lengths. With `COUNT_ARCS` it also adds up the dependencies of arcs.
pub(super) struct Dial<L: Length, const COUNT_ARCS: bool> {
    arcs: Arcs<L>,
    queue: Buckets<L>,
    /// Arcs whose distance was at most that of their head when they were found, before they are
    /// pushed to the queue, with room for those of one more vertex.
    found: Vec<Entry<L>>,
    /// The distance from the root; `limit` until the vertex is reached.
    dist: Vec<L>,
    /// The largest distance that the search finds.
    limit: L,
    /// Path counts; zero until a vertex is settled.
    sigma: Vec<f64>,
    /// In the backward phase, first the sum of the coefficients of the successors, then the
    /// coefficient (weight + delta) / sigma of the vertex.
    coefficient: Vec<f64>,
    /// Vertices in the order in which they were settled, and room for one more.
    settled: Vec<Vertex>,
    /// Arcs on shortest paths, in the order in which their heads were settled, and room for one
    /// more.
    steps: Vec<Step>,
    /// Per step, the number of its arc in the graph; only with `COUNT_ARCS`.
    step_arcs: Vec<u32>,
    ends: Vec<End>,
    /// The most buckets of searches whose path counts need no check.
    safe_levels: usize,
}

impl<L: Length, const COUNT_ARCS: bool> Dial<L, COUNT_ARCS> {
    pub(super) fn new(prepared: &Prepared, lengths: &[L], shape: Shape) -> Self {
        let n = prepared.graph.vertices();
        let steps = most_steps(prepared) + 1;
        let limit = L::at_most(prepared.search_limit());
        Dial {
            arcs: Arcs::new(&prepared.graph, lengths),
            queue: Buckets::new(shape),
            found: vec![Entry::default(); BLOCK + prepared.graph.max_degree() + 1],
            dist: vec![limit; n],
            limit,
            sigma: vec![0.0; n],
            coefficient: vec![0.0; n],
            settled: vec![0; n + 1],
            steps: vec![Step::default(); steps],
            step_arcs: vec![0; if COUNT_ARCS { steps } else { 0 }],
            ends: Vec::new(),
            safe_levels: safe_levels(prepared),
        }
    }

    /// Relaxes the arcs of newly settled vertices.
    #[inline(always)]
    fn relax(&mut self, new: Range<usize>) {
        let mut len = 0;
        let new = &self.settled[new];
        let (dist, found) = (&mut self.dist[..], &mut self.found[..]);
        for (i, &v) in new.iter().enumerate() {
            if let Some(&later) = new.get(i + AHEAD) {
                self.arcs.prefetch(later);
            }
            let from = dist[v as usize];
            let (arcs, first) = self.arcs.numbered(v);
            for (&Arc { target, length }, arc) in arcs.iter().zip(first..) {
                let through = from + length;
                found[len] = Entry {
                    v: target,
                    from: v,
                    arc,
                    dist: through,
                };
                len += usize::from(through <= dist[target as usize]);
            }
            if len >= BLOCK {
                self.queue.push(dist, &found[..len]);
                len = 0;
            }
        }
        self.queue.push(dist, &found[..len]);
    }

    /// Settles the heads of the next bucket. Returns whether there is one.
    #[inline(always)]
    fn settle(&mut self, end: &mut End) -> bool {
        let dist = &self.dist[..];
        let (settled, steps) = (&mut self.settled[..], &mut self.steps[..]);
        let step_arcs = &mut self.step_arcs[..];
        let begin = end.steps;
        let mut len = begin;
        let more = self.queue.take(|entry| {
            steps[len] = Step {
                from: entry.from,
                to: entry.v,
            };
            if COUNT_ARCS {
                step_arcs[len] = entry.arc;
            }
            len += usize::from(dist[entry.v as usize] == entry.dist);
        });
        end.steps = len;
        let sigma = &mut self.sigma[..];
        for step in &steps[begin..len] {
            let paths = sigma[step.from as usize];
            let sum = &mut sigma[step.to as usize];
            settled[end.settled] = step.to;
            end.settled += usize::from(*sum == 0.0);
            *sum += paths;
        }
        more
    }
}

impl<L: Length, const COUNT_ARCS: bool> RootSearch for Dial<L, COUNT_ARCS> {
    // Not inlined, since the loops of one large function would compete for registers.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.dist[root as usize] = L::default();
        self.sigma[root as usize] = 1.0;
        self.settled[0] = root;
        let mut end = End {
            settled: 1,
            steps: 0,
        };
        self.ends.clear();
        self.ends.push(end);
        let mut begin = 0;
        loop {
            self.relax(begin..end.settled);
            begin = end.settled;
            if !self.settle(&mut end) {
                break;
            }
            // A bucket may have no arc that still is on a shortest path.
            if end.settled > begin {
                self.ends.push(end);
            }
        }
        // A shortest path has at most one vertex in each bucket, so the number of buckets bounds
        // the number of its arcs.
        let sigma = |&v: &Vertex| self.sigma[v as usize];
        Ok(self.ends.len() <= self.safe_levels || in_range(self.reached().iter().map(sigma)))
    }

    /// Goes over the buckets from the farthest to the nearest.
    #[inline(never)]
    fn backward<const IS_ALL_PAIRS: bool>(
        &mut self,
        _: Vertex,
        mut pass: BackwardPass<'_, IS_ALL_PAIRS>,
    ) -> Result<(), EngineError> {
        let factor = pass.factor;
        let dist = &self.dist[..];
        let (sigma, coefficient) = (&self.sigma[..], &mut self.coefficient[..]);
        for &v in &self.settled[..self.ends.last().map_or(0, |end| end.settled)] {
            coefficient[v as usize] = 0.0;
        }
        for bucket in (1..self.ends.len()).rev() {
            let (start, end) = (self.ends[bucket - 1], self.ends[bucket]);
            for &v in &self.settled[start.settled..end.settled] {
                let (paths, sum) = (sigma[v as usize], coefficient[v as usize]);
                pass.add(v, factor * paths * sum);
                let weight = pass.weight::<f64>(v as usize, || dist[v as usize].to_f64());
                coefficient[v as usize] = weight / pass.divisor(paths) + sum;
            }
            let steps = &self.steps[start.steps..end.steps];
            for step in steps {
                coefficient[step.from as usize] += coefficient[step.to as usize];
            }
            if COUNT_ARCS {
                let numbers = &self.step_arcs[start.steps..end.steps];
                for (step, &arc) in steps.iter().zip(numbers) {
                    let paths = sigma[step.from as usize];
                    pass.arcs[arc as usize] += factor * paths * coefficient[step.to as usize];
                }
            }
        }
        Ok(())
    }

    fn distance(&self, place: usize) -> f64 {
        self.dist[self.settled[place] as usize].to_f64()
    }

    fn reached(&self) -> &[Vertex] {
        &self.settled[..self.ends.last().map_or(0, |end| end.settled)]
    }

    fn clear(&mut self) {
        let reached = self.reached().len();
        for &v in &self.settled[..reached] {
            self.dist[v as usize] = self.limit;
            self.sigma[v as usize] = 0.0;
        }
    }
}

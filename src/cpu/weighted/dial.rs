//! Brandes' algorithm with integer lengths, for one root at a time on one core.
//!
//! U. Brandes, "A Faster Algorithm for Betweenness Centrality", 2001, with Dial's buckets as the
//! queue. Each arc is looked at once for a root. If it leads to no vertex farther than known, it is
//! put into the bucket of that distance. When the bucket's turn comes, distances in it are final:
//! its arcs that still lead to where their heads are, and they alone, are on shortest paths. They
//! are added to the path counts, and kept for the way back, bucket by bucket. No decision of this
//! is a branch, since on most graphs none can be guessed.

use std::ops::Range;

use super::arcs::{Arc, Arcs};
use super::buckets::{Buckets, Entry};
use super::length::Length;
use crate::cpu::limit::{Limit, in_range};
use crate::cpu::root_by_root::RootSearch;
use crate::cpu::steps::{Step, most_steps};
use crate::engine::{EngineError, OwnSums, Root};
use crate::graph::Vertex;
use crate::prepare::Prepared;

/// So many entries are found before they are pushed.
const BLOCK: usize = 128;

/// Rows are asked for so many vertices ahead.
const AHEAD: usize = 3;

/// An arc that leads to no vertex farther than known.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    from: Vertex,
    arc: u32,
}

/// Where the settled vertices and the steps of a bucket end.
#[derive(Debug, Clone, Copy)]
struct End {
    settled: usize,
    steps: usize,
}

/// The search for lengths of one type. With `COUNT_ARCS` it adds up the
/// dependencies of arcs too.
pub(super) struct Dial<'g, L: Length, const COUNT_ARCS: bool> {
    prepared: &'g Prepared,
    arcs: Arcs<L>,
    queue: Buckets<L>,
    /// Entries on their way to the queue, and room for those of one vertex.
    found: Vec<Found>,
    /// Distance from the root; [`Length::FAR`] where it is not known to be reached.
    dist: Vec<L>,
    /// Path counts; zero until a vertex is settled.
    sigma: Vec<f64>,
    /// On the way back the sum of the coefficients of the next vertices, then the own coefficient,
    /// (weight + delta) / sigma.
    coefficient: Vec<f64>,
    /// Vertices in the order they were settled, and room for one more.
    settled: Vec<Vertex>,
    /// Arcs on shortest paths, in the order their heads were settled, and room for one more.
    steps: Vec<Step>,
    /// Beside `steps`: which arcs of the graph they are; only with `COUNT_ARCS`.
    step_arcs: Vec<u32>,
    ends: Vec<End>,
    limit: Limit,
}

impl<'g, L: Length, const COUNT_ARCS: bool> Dial<'g, L, COUNT_ARCS> {
    pub(super) fn new(prepared: &'g Prepared, lengths: &[L], queue: Buckets<L>) -> Self {
        let n = prepared.graph.vertices();
        let degrees = (0..n as Vertex).map(|v| prepared.graph.degree(v));
        let most = degrees.max().unwrap_or(0);
        let steps = most_steps(prepared) + 1;
        Dial {
            prepared,
            arcs: Arcs::new(&prepared.graph, lengths),
            queue,
            found: vec![Found::default(); BLOCK + most + 1],
            dist: vec![L::FAR; n],
            sigma: vec![0.0; n],
            coefficient: vec![0.0; n],
            settled: vec![0; n + 1],
            steps: vec![Step::default(); steps],
            step_arcs: vec![0; if COUNT_ARCS { steps } else { 0 }],
            ends: Vec::new(),
            limit: Limit::new(prepared),
        }
    }

    /// Looks at the arcs out of newly settled vertices.
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
            for (arc, number) in arcs.iter().zip(first..) {
                found[len] = Found {
                    from: v,
                    arc: number,
                };
                let through = from.plus(arc.length);
                len += usize::from(through <= dist[arc.target as usize]);
            }
            if len >= BLOCK {
                push(&mut self.queue, &self.arcs, dist, &found[..len]);
                len = 0;
            }
        }
        push(&mut self.queue, &self.arcs, dist, &found[..len]);
    }

    /// Settles the heads of the next bucket; `false` if there is none.
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

/// Hands what was found on to the queue, unless something nearer has been found since.
#[inline(always)]
fn push<L: Length>(queue: &mut Buckets<L>, arcs: &Arcs<L>, dist: &mut [L], found: &[Found]) {
    queue.reserve(found.len());
    for &Found { from, arc } in found {
        let Arc { target, length } = arcs.all()[arc as usize];
        let through = dist[from as usize].plus(length);
        let known = &mut dist[target as usize];
        let wanted = through <= *known;
        *known = if wanted { through } else { *known };
        let entry = Entry {
            v: target,
            from,
            arc,
            dist: through,
        };
        queue.push_if(wanted, entry);
    }
}

impl<L: Length, const COUNT_ARCS: bool> RootSearch for Dial<'_, L, COUNT_ARCS> {
    // Not inlined: loops in one large function would share its registers.
    #[inline(never)]
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.dist[root as usize] = L::ZERO;
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
            // All entries of a bucket may have been overtaken.
            if end.settled > begin {
                self.ends.push(end);
            }
        }
        // An arc leads from one bucket to a later one.
        let sigma = |&v: &Vertex| self.sigma[v as usize];
        Ok(self.limit.is_far(self.ends.len()) || in_range(self.reached().iter().map(sigma)))
    }

    /// The farthest bucket first.
    #[inline(never)]
    fn backward(&mut self, root: Root, sums: &mut OwnSums) -> Result<(), EngineError> {
        let sources = f64::from(root.sources);
        let (sigma, coefficient) = (&self.sigma[..], &mut self.coefficient[..]);
        let (scores, weight) = (&mut sums.vertices[..], &self.prepared.weight[..]);
        let arc_scores = sums.arcs.as_deref_mut().unwrap_or_default();
        for bucket in (1..self.ends.len()).rev() {
            let (start, end) = (self.ends[bucket - 1], self.ends[bucket]);
            for &v in &self.settled[start.settled..end.settled] {
                let (paths, sum) = (sigma[v as usize], coefficient[v as usize]);
                scores[v as usize] += sources * paths * sum;
                coefficient[v as usize] = weight[v as usize] / paths + sum;
            }
            let steps = &self.steps[start.steps..end.steps];
            for step in steps {
                coefficient[step.from as usize] += coefficient[step.to as usize];
            }
            if COUNT_ARCS {
                let numbers = &self.step_arcs[start.steps..end.steps];
                for (step, &arc) in steps.iter().zip(numbers) {
                    let paths = sigma[step.from as usize];
                    arc_scores[arc as usize] += sources * paths * coefficient[step.to as usize];
                }
            }
        }
        Ok(())
    }

    fn reached(&self) -> &[Vertex] {
        &self.settled[..self.ends.last().map_or(0, |end| end.settled)]
    }

    fn clear(&mut self) {
        let reached = self.reached().len();
        for &v in &self.settled[..reached] {
            self.dist[v as usize] = L::FAR;
            self.sigma[v as usize] = 0.0;
            self.coefficient[v as usize] = 0.0;
        }
    }
}

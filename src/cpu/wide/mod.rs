//! Brandes' algorithm for roots with more shortest paths than f64 can count.
//!
//! A root at a time, with path counts and coefficients as [`Wide`] numbers: a double and an
//! exponent of its own for each vertex, as one level can have a vertex with one path beside one
//! with 2^3000. Scores are ordinary doubles. Few graphs need it, so it is one search for all: an
//! unweighted graph has lengths of 1.

mod number;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::root_by_root::{RootByRoot, RootSearch};
use super::weighted::length::{Length, Tie};
use crate::engine::{Engine, EngineError, OwnSums, Root};
use crate::graph::{Lengths, Vertex};
use crate::prepare::Prepared;
use number::Wide;

/// The search for lengths of one type.
struct WideSearch<'g, L: Length> {
    prepared: &'g Prepared,
    /// Of every arc, beside the targets.
    lengths: Cow<'g, [L]>,
    /// Whether all lengths are the same, so that vertices are settled in the order they are found.
    unweighted: bool,
    tie: L::Tie,
    /// [`Length::FAR`] between searches.
    dist: Vec<L>,
    sigma: Vec<Wide>,
    /// (weight + delta) / sigma.
    coefficient: Vec<Wide>,
    /// Vertices in the order they were settled.
    settled: Vec<Vertex>,
    queue: BinaryHeap<Reverse<(u64, Vertex)>>,
}

/// The engine for this graph, as it is without contraction, with its memory allocated.
pub(super) fn engine(prepared: &Prepared) -> Box<dyn Engine + '_> {
    fn of<'g, L: Length>(prepared: &'g Prepared, lengths: Cow<'g, [L]>) -> Box<dyn Engine + 'g> {
        RootByRoot::boxed(prepared, WideSearch::new(prepared, lengths))
    }
    match &prepared.lengths {
        None => of(prepared, Cow::Owned(vec![1u32; prepared.graph.arcs()])),
        Some(Lengths::U32(lengths)) => of(prepared, Cow::Borrowed(&lengths[..])),
        Some(Lengths::U64(lengths)) => of(prepared, Cow::Borrowed(&lengths[..])),
        Some(Lengths::F64(lengths)) => of(prepared, Cow::Borrowed(&lengths[..])),
    }
}

/// Number and head of the arcs out of `v`.
fn arcs(prepared: &Prepared, v: Vertex) -> impl Iterator<Item = (usize, Vertex)> {
    let first = prepared.graph.offsets()[v as usize] as usize;
    (first..).zip(prepared.graph.neighbours(v).iter().copied())
}

impl<'g, L: Length> WideSearch<'g, L> {
    fn new(prepared: &'g Prepared, lengths: Cow<'g, [L]>) -> Self {
        let n = prepared.graph.vertices();
        WideSearch {
            prepared,
            lengths,
            unweighted: prepared.lengths.is_none(),
            tie: L::tie(prepared.tie_tolerance),
            dist: vec![L::FAR; n],
            sigma: vec![Wide::ZERO; n],
            coefficient: vec![Wide::ZERO; n],
            settled: Vec::with_capacity(n),
            queue: BinaryHeap::new(),
        }
    }

    /// Distances from `root`, and the order in which vertices are settled.
    fn settle(&mut self, root: Vertex) {
        let prepared = self.prepared;
        self.settled.clear();
        self.dist[root as usize] = L::ZERO;
        self.open(root);
        let mut taken = 0;
        while let Some((v, dist)) = self.next(&mut taken) {
            for (arc, w) in arcs(prepared, v) {
                let through = dist.plus(self.lengths[arc]);
                if through < self.dist[w as usize] {
                    self.dist[w as usize] = through;
                    self.open(w);
                }
            }
        }
    }

    /// Notes a vertex that has become nearer.
    fn open(&mut self, v: Vertex) {
        if self.unweighted {
            self.settled.push(v);
        } else {
            self.queue.push(Reverse((self.dist[v as usize].key(), v)));
        }
    }

    /// The next vertex in the order of distances; `taken`: how many there have been.
    fn next(&mut self, taken: &mut usize) -> Option<(Vertex, L)> {
        if self.unweighted {
            let v = *self.settled.get(*taken)?;
            *taken += 1;
            return Some((v, self.dist[v as usize]));
        }
        loop {
            let Reverse((key, v)) = self.queue.pop()?;
            let dist = L::of_key(key);
            // Each entry of a vertex is nearer than the ones before.
            if self.dist[v as usize] == dist {
                self.settled.push(v);
                return Some((v, dist));
            }
        }
    }

    /// Whether an arc out of a vertex at `from` is on a shortest path.
    #[inline(always)]
    fn leads(&self, from: L, arc: usize, w: Vertex) -> bool {
        let (length, to) = (self.lengths[arc], self.dist[w as usize]);
        self.tie.leads_to(from, length, to)
    }

    /// Path counts, once distances are final. Fails if there is a vertex without paths.
    fn count_paths(&mut self, root: Vertex) -> Result<(), EngineError> {
        let prepared = self.prepared;
        for &v in &self.settled {
            self.sigma[v as usize] = Wide::ZERO;
        }
        self.sigma[root as usize] = Wide::ONE;
        let weights = prepared.weights();
        for i in 0..self.settled.len() {
            let v = self.settled[i];
            if i > 0 && weights.has_twins() {
                let sigma = &mut self.sigma[v as usize];
                *sigma = *sigma * Wide::from(weights.multiplicity(v as usize));
            }
            let (from, paths) = (self.dist[v as usize], self.sigma[v as usize]);
            if paths.is_zero() {
                return Err(EngineError::LengthLost { root });
            }
            for (arc, w) in arcs(prepared, v) {
                if self.leads(from, arc, w) {
                    let sum = &mut self.sigma[w as usize];
                    *sum = *sum + paths;
                }
            }
        }
        Ok(())
    }

    /// Dependencies of the arcs that are on shortest paths.
    fn count_arcs(&self, sources: f64, sums: &mut [f64]) {
        for i in 0..self.settled.len() {
            let v = self.settled[i];
            let (from, paths) = (self.dist[v as usize], self.sigma[v as usize]);
            for (arc, w) in arcs(self.prepared, v) {
                if self.leads(from, arc, w) {
                    let share = paths * self.coefficient[w as usize];
                    sums[arc] += sources * share.to_f64();
                }
            }
        }
    }
}

impl<L: Length> RootSearch for WideSearch<'_, L> {
    fn forward(&mut self, root: Vertex) -> Result<bool, EngineError> {
        self.settle(root);
        self.count_paths(root)?;
        Ok(true)
    }

    /// The farthest vertex first.
    fn backward(&mut self, root: Root, sums: &mut OwnSums) -> Result<(), EngineError> {
        let sources = f64::from(root.sources);
        let (prepared, weights) = (self.prepared, self.prepared.weights());
        for i in (1..self.settled.len()).rev() {
            let v = self.settled[i];
            let from = self.dist[v as usize];
            let mut sum = Wide::ZERO;
            for (arc, w) in arcs(prepared, v) {
                if self.leads(from, arc, w) {
                    sum = sum + self.coefficient[w as usize];
                }
            }
            let paths = self.sigma[v as usize];
            let mut coefficient = Wide::from(weights.weight(v as usize)) / paths + sum;
            if weights.has_twins() {
                coefficient = coefficient * Wide::from(weights.multiplicity(v as usize));
            }
            self.coefficient[v as usize] = coefficient;
            sums.vertices[v as usize] += sources * (paths * sum).to_f64();
        }
        if let Some(arcs) = &mut sums.arcs {
            self.count_arcs(sources, arcs);
        }
        Ok(())
    }

    fn reached(&self) -> &[Vertex] {
        &self.settled
    }

    fn clear(&mut self) {
        for &v in &self.settled {
            self.dist[v as usize] = L::FAR;
        }
    }
}

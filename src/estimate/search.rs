//! A search that draws sources until the estimate is good enough.

use std::sync::Arc;
use std::time::Instant;

use super::Estimated;
use super::processes::{Estimator, Interval};
use crate::graph::Graph;
use crate::prepare::{Column, Draws, Prepared, Scale, prepare_estimate};
use crate::query::{Estimate, Measure};
use crate::runner::{Committed, NextBatch};
use crate::settings::Settings;
use crate::span::Span;

/// The draws of the first batch, and of others at least.
const LEAST: usize = 256;
/// One in this many of all draws so far is the size of the next batch.
const PART: usize = 4;

/// Returns the ends of the batches of draws from this many sources.
fn schedule(sources: usize) -> Vec<usize> {
    let (mut ends, mut end) = (Vec::new(), 0);
    while end < sources {
        end = (end + LEAST.max(end / PART)).min(sources);
        ends.push(end);
    }
    ends
}

/// An estimate under way.
pub(crate) struct Estimating {
    pub(crate) prepared: Arc<Prepared>,
    draws: Draws,
    estimator: Estimator,
    /// The targets of a path besides its source and the vertex.
    targets: f64,
    /// The number of the next batch, and the draws so far.
    next: usize,
    drawn: usize,
    /// The draws of the batch that is searched now.
    pending: usize,
    /// The sums of all batches that the estimator has.
    known: Vec<f64>,
    began: Instant,
    options: Estimate,
}

impl Estimating {
    /// Prepares the graph.
    pub(crate) fn new(
        graph: &Graph,
        settings: &Settings,
        options: Estimate,
        spans: &mut Vec<Span>,
    ) -> Estimating {
        let n = graph.vertices();
        let prepare = &settings.options.prepare;
        let (prepared, draws) = Span::time(spans, "prepare", || {
            prepare_estimate(graph, prepare, (&schedule(n), options.seed))
        });
        let vertices = prepared.graph.vertices();
        let central = most_inner(&prepared, graph) / options.epsilon;
        Estimating {
            estimator: Estimator::new(options, vertices, n, central),
            targets: (n as f64 - 2.0).max(1.0),
            next: 0,
            drawn: 0,
            pending: 0,
            known: prepared.zero_sums().vertices,
            began: Instant::now(),
            prepared: Arc::new(prepared),
            draws,
            options,
        }
    }

    /// Returns the function that supplies batches until the estimate is good enough.
    pub(crate) fn batches(&mut self) -> NextBatch<'_> {
        Box::new(|committed| self.next_batch(committed))
    }

    fn next_batch(&mut self, committed: &Committed) -> Option<std::ops::Range<usize>> {
        self.learn(committed);
        let out_of_time = self
            .options
            .time
            .is_some_and(|time| self.began.elapsed() >= time);
        if self.drawn > 0 && (out_of_time || self.estimator.is_done()) {
            return None;
        }
        let mut batch = self.draws.batches.get(self.next)?;
        if self.next == 1 && self.options.time.is_none() {
            let planned = self.estimator.plan();
            // Roots that several batches search from are searched several times.
            let mut drawn = self.drawn as f64;
            let needed = self.draws.batches[1..].iter().take_while(|batch| {
                let is_needed = drawn < planned;
                drawn += batch.draws as f64;
                is_needed
            });
            let searches: usize = needed.map(|batch| batch.roots.len()).sum();
            if searches >= self.draws.rest.roots.len() {
                batch = &self.draws.rest;
            }
        }
        self.estimator.plan();
        self.next += 1;
        self.pending = batch.draws;
        Some(batch.roots.clone())
    }

    /// Adds the sums of the last batch.
    fn learn(&mut self, committed: &Committed) {
        if self.pending == 0 {
            return;
        }
        let sums = &committed.sums.vertices;
        let (known, n) = (&self.known, self.prepared.graph.vertices());
        let fresh = |place: usize| sums[place] - known[place];
        let targets = self.targets;
        self.estimator.add(self.pending, |v| {
            [fresh(v) / targets, fresh(n + v) / (targets * targets)]
        });
        self.known.clone_from(sums);
        self.drawn += std::mem::take(&mut self.pending);
    }

    /// Returns the scores, normalised, and what is known about them.
    pub(crate) fn scores(&self, graph: &Graph) -> (Column, Estimated) {
        let n = graph.vertices() as f64;
        let factor = n / (n - 1.0).max(1.0);
        let closed = self.prepared.scores(
            &vec![0.0; self.prepared.graph.vertices()],
            Scale::Normalized,
        );
        let (mut values, mut lower, mut upper) = (closed.clone(), closed.clone(), closed);
        for v in 0..self.prepared.graph.vertices() {
            let Interval { score, low, high } = self.estimator.interval(v);
            let old = self.prepared.input_vertex(v as u32) as usize;
            values[old] += factor * score;
            lower[old] += factor * low;
            upper[old] += factor * high;
        }
        let estimated = Estimated {
            lower,
            upper,
            half_width: factor * self.estimator.half_width(),
            draws: self.drawn,
            options: self.options,
        };
        let column = Column {
            measure: Measure::Betweenness,
            radius: None,
            values,
        };
        (column, estimated)
    }
}

/// Returns a bound of the mean number of inner vertices of shortest paths, the sum of all scores.
fn most_inner(prepared: &Prepared, graph: &Graph) -> f64 {
    let all = graph.vertices() as f64;
    let connected = !graph.directed() && graph.lengths().is_none() && prepared.components == 1;
    match prepared.depths().first() {
        // The ends of a path may be folded into its first and its last vertex.
        Some(&least) if connected => all.min(2.0 * f64::from(least) + 1.0),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_end_with_all_sources() {
        for sources in [1, 100, 256, 257, 5000, 1_000_000] {
            let ends = schedule(sources);
            assert!(ends.is_sorted_by(|a, b| a < b));
            assert_eq!(ends.last(), Some(&sources));
        }
        assert!(schedule(0).is_empty() && schedule(1_000_000).len() < 45);
    }
}

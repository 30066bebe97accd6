//! Estimates of betweenness with a guarantee, from searches of some of the sources, or from random
//! shortest paths ([`paths`]).
//!
//! Sources are drawn without replacement, in an order that a seed fixes. The dependency of a vertex
//! v on source s, divided by n - 2, the number of other targets, is a number x in [0, 1]. The mean
//! of x over all sources, times n / (n - 1), is the normalised score. After each batch of draws,
//! every vertex gets an interval ([`processes`]). With the stated confidence, all intervals of all
//! vertices contain their scores: docs/estimates.md has the theorem and its proof.

mod intervals;
mod paths;
mod processes;

use std::cell::Cell;
use std::iter;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::graph::Graph;
use crate::prepare::{Column, Draws, PrepareOptions, Prepared, Scale, prepare_estimate};
use crate::query::{Drawn, Estimate, Measure};
use crate::runner::{Committed, NextBatch};
use crate::span::Span;
pub use intervals::Estimated;
pub(crate) use paths::Paths;
use processes::{Estimator, Interval};

/// The number of draws of the first batch is 1.28 divided by epsilon, within these limits: few
/// draws show too little of the variances by which failures are shared.
const FIRST_DRAWS: [usize; 2] = [128, 2048];
/// The least number of draws of all other batches but the last.
const LEAST_DRAWS: usize = 64;
/// The number of draws of a later batch is the number of all draws before it, divided by this, and
/// at least [`LEAST_DRAWS`]. Several such batches may be joined.
const BATCH_PART: usize = 32;
/// The least and the largest factor by which joined batches increase the number of draws. Within
/// these limits they end at [`JOINED_PART`] of the draws that are expected to be needed, and never
/// after these; if the search may end earlier, the least factor holds. Without a limit of time,
/// batches and bets depend on no measured time, so they are the same on cores and devices.
const JOINED_GROWTH: [f64; 2] = [1.25, 2.0];
/// See [`JOINED_GROWTH`].
const JOINED_PART: f64 = 0.6;

/// Returns the ends of the batches of draws from this many sources.
fn schedule(sources: usize, epsilon: f64) -> Vec<usize> {
    let [least, most] = FIRST_DRAWS;
    let wanted = if epsilon > 0.0 { 1.28 / epsilon } else { 0.0 };
    let first = (wanted as usize).clamp(least, most).min(sources);
    let later = |&end: &usize| {
        let next = end + LEAST_DRAWS.max(end / BATCH_PART);
        (end < sources).then_some(next.min(sources))
    };
    let ends = iter::successors(Some(first), later);
    ends.filter(|&end| end > 0).collect()
}

/// The progress of an estimate, for display.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EstimateStatus {
    /// The largest distance from a score to an end of its interval, once there are intervals.
    pub(crate) half_width: Option<f64>,
    /// The number of searches that are planned.
    pub(crate) roots: usize,
}

/// An estimate under way.
pub(crate) struct Estimating {
    pub(crate) prepared: Arc<Prepared>,
    /// The status, shared with its display.
    pub(crate) status: Rc<Cell<EstimateStatus>>,
    options: Estimate,
    start: Instant,
    draws: Draws,
    /// The number of all sources.
    sources: usize,
    estimator: Estimator,
    /// The draws of paths, unless only sources are drawn.
    pub(crate) paths: Option<Paths>,
    /// The number of the next batch of sources.
    next: usize,
    /// The number of searches of all batches before the next one.
    pub(crate) searches: usize,
    /// The number of draws that are being searched.
    pending_draws: usize,
    /// The sums of the searches of this run that the estimator already has.
    known_sums: Vec<f64>,
    /// The parts of the normalised scores that need no search.
    closed: Vec<f64>,
    /// Whether the requested number of highest scores is separated from all others.
    has_top: bool,
    /// The seconds of a search from a source; 0 if they were not measured.
    pub(crate) search_seconds: f64,
    /// The graph of an exact search and its seconds, once they are measured.
    pub(crate) exact: Option<(Arc<Prepared>, f64)>,
    /// Whether an exact search may replace searches from all other sources, and whether it should.
    pub(crate) may_be_exact: bool,
    pub(crate) wants_exact: bool,
}

impl Estimating {
    /// Prepares the graph.
    pub(crate) fn new(
        graph: &Graph,
        prepare: &PrepareOptions,
        options: Estimate,
        spans: &mut Vec<Span>,
    ) -> Estimating {
        let n = graph.vertices();
        let (ends, of_means) = (schedule(n, options.epsilon), factor(n, Drawn::Sources));
        let prepare = || prepare_estimate(graph, prepare, (&ends, options.seed));
        let (prepared, draws) = Span::time(spans, "prepare", prepare);
        let vertices = prepared.graph.vertices();
        let status = EstimateStatus {
            half_width: None,
            roots: draws.batches.first().map_or(0, |first| first.roots.len()),
        };
        Estimating {
            status: Rc::new(Cell::new(status)),
            options,
            start: Instant::now(),
            estimator: Estimator::new(options.of_means(of_means), vertices, n as f64),
            draws,
            sources: n,
            paths: None,
            next: 0,
            searches: 0,
            pending_draws: 0,
            known_sums: prepared.zero_sums().vertices,
            closed: prepared.scores(&vec![0.0; vertices], Scale::Normalized),
            has_top: false,
            search_seconds: 0.0,
            exact: None,
            may_be_exact: false,
            wants_exact: false,
            prepared: Arc::new(prepared),
        }
    }

    /// Returns the function that supplies a run with batches until the estimate is good enough, or
    /// with the first batch only. The sums of a run begin at 0.
    pub(crate) fn batches(&mut self, first_only: bool) -> NextBatch<'_> {
        self.known_sums.fill(0.0);
        Box::new(move |committed| {
            self.learn(committed);
            (!first_only || self.next == 0).then(|| self.next_batch())?
        })
    }

    /// Returns whether paths may be drawn: without lengths, with an epsilon or scores to separate,
    /// and if the input has more vertices than the first batch has draws. Otherwise, searches from
    /// all sources are faster.
    pub(crate) fn may_draw_paths(&self) -> bool {
        self.prepared.lengths.is_none()
            && self.has_wanted_width()
            && self.sources > paths::first_draws(self.options.epsilon)
    }

    /// Returns whether epsilon or the separation of the highest scores sets a width to reach.
    pub(crate) fn has_wanted_width(&self) -> bool {
        self.options.epsilon > 0.0 || self.top_count().is_some()
    }

    /// Prepares draws of paths on these threads.
    pub(crate) fn begin_paths(&mut self, threads: ThreadPool) {
        let options = self.options.of_means(factor(self.sources, Drawn::Paths));
        self.paths = Some(Paths::new(threads, &self.prepared, options, self.sources));
    }

    /// Ends or plans draws of paths after a batch. Returns the number of paths that are expected to
    /// be left; `None` if the estimate is good enough, or time is short.
    pub(crate) fn paths_left(&mut self) -> Option<usize> {
        self.check_top(Drawn::Paths);
        let (n, elapsed) = (self.sources, self.start.elapsed());
        let paths = self.paths.as_mut()?;
        let drawn = paths.estimator.drawn;
        let draws_in_time = draws_in_time(drawn, self.options.time, elapsed);
        let ([half_width, distance], planned) = paths.widths_and_plan(draws_in_time);
        let is_done = paths.estimator.is_done(half_width) || self.has_top;
        let batch = paths.begin(planned) as f64;
        // The first batch gives no intervals.
        if is_done || drawn > paths.first as f64 && drawn + batch > draws_in_time {
            return None;
        }
        self.status.set(EstimateStatus {
            half_width: Some(factor(n, Drawn::Paths) * distance),
            roots: planned as usize,
        });
        Some((planned - drawn).max(batch) as usize)
    }

    /// Returns whether the search ends after about the planned number of draws. Otherwise, a limit
    /// of time or a separation of the highest scores may end it long before.
    pub(crate) fn ends_as_planned(&self) -> bool {
        self.options.time.is_none() && (self.options.top.is_none() || self.options.epsilon == 0.0)
    }

    /// Returns a low estimate of the searches that are needed if this many paths are.
    pub(crate) fn least_searches(&self, paths: usize) -> usize {
        /// The most paths that replace a source, for most graphs.
        const PATHS_PER_SOURCE: usize = 8;
        (paths / PATHS_PER_SOURCE).min(self.all_searches())
    }

    /// Returns the number of searches from all sources that are not in the first batch.
    pub(crate) fn all_searches(&self) -> usize {
        self.draws.rest.roots.len()
    }

    /// Returns the number of searches that are expected to be left.
    pub(crate) fn searches_left(&mut self) -> usize {
        let planned = self.estimator.plan(f64::INFINITY);
        self.searches_until(planned).min(self.all_searches())
    }

    /// Returns the number of searches that are left until `planned` draws. Roots that several
    /// batches search from count several times.
    fn searches_until(&self, planned: f64) -> usize {
        let mut drawn = self.estimator.drawn;
        let batches = self.draws.batches[self.next..].iter().take_while(|batch| {
            let is_needed = drawn < planned;
            drawn += batch.draws as f64;
            is_needed
        });
        batches.map(|batch| batch.roots.len()).sum()
    }

    /// Adds the sums of the batch that was searched.
    fn learn(&mut self, committed: &Committed) {
        if self.pending_draws == 0 {
            return;
        }
        let sums = &committed.sums.vertices;
        let (known_sums, n) = (&self.known_sums, self.prepared.graph.vertices());
        let targets = (self.estimator.sources - 2.0).max(1.0);
        // Columns have the sums of dependencies and of their squares.
        let fresh = |place: usize| sums[place] - known_sums[place];
        self.estimator.add(self.pending_draws, |v| {
            [fresh(v) / targets, fresh(n + v) / (targets * targets)]
        });
        self.known_sums.clone_from(sums);
        self.pending_draws = 0;
        self.check_top(Drawn::Sources);
    }

    /// Returns the roots of the next draws; `None` if the estimate is good enough, no draws or no
    /// time are left, or an exact search should replace the others.
    fn next_batch(&mut self) -> Option<Range<usize>> {
        if self.next == 0 {
            return self.take_batches(0.0);
        }
        let [half_width, distance] = self.estimator.widths();
        if self.estimator.is_done(half_width) || self.has_top {
            return None;
        }
        let drawn = self.estimator.drawn;
        let draws_in_time = draws_in_time(drawn, self.options.time, self.start.elapsed());
        let next = self.draws.batches.get(self.next)?.draws as f64;
        // The first batch gives no intervals.
        if self.next > 1 && drawn + next > draws_in_time {
            return None;
        }
        let planned = self.estimator.plan(draws_in_time);
        let needed = self.searches_until(planned);
        let seconds = needed as f64 * self.search_seconds;
        let is_slower = (self.exact.as_ref()).is_some_and(|(_, exact)| *exact < seconds);
        // Searching from all other sources is no more work, and exact.
        let needs_all = needed >= self.all_searches();
        let needs_all = needs_all && self.next == 1 && self.ends_as_planned();
        if self.may_be_exact && (is_slower || needs_all) {
            self.wants_exact = true;
            return None;
        }
        if needs_all {
            self.draws.batches.truncate(1);
            self.draws.batches.push(self.draws.rest.clone());
        }
        let of_scores = factor(self.sources, Drawn::Sources);
        let half_width = of_scores * half_width;
        self.status.set(EstimateStatus {
            half_width: Some(of_scores * distance),
            roots: self.searches + needed,
        });
        // The width of intervals is about proportional to the inverse square root of the draws.
        let draws_when_narrow = drawn * (half_width / self.options.epsilon).powi(2);
        let until = planned.min(draws_when_narrow);
        let [least, most] = JOINED_GROWTH.map(|growth| growth * drawn);
        let joined = match self.ends_as_planned() {
            true => (JOINED_PART * until).clamp(least, most),
            false => least,
        };
        self.take_batches(until.min(joined))
    }

    /// Returns the roots of the next batch, and of all later ones that end by this number of draws.
    fn take_batches(&mut self, until: f64) -> Option<Range<usize>> {
        let mut batch = self.draws.batches.get(self.next)?.clone();
        self.next += 1;
        while let Some(more) = self.draws.batches.get(self.next)
            && self.estimator.drawn + (batch.draws + more.draws) as f64 <= until
        {
            batch.draws += more.draws;
            batch.roots.end = more.roots.end;
            self.next += 1;
        }
        self.pending_draws = batch.draws;
        self.searches += batch.roots.len();
        Some(batch.roots)
    }

    /// Returns the number of highest scores to separate from others, if there are others.
    fn top_count(&self) -> Option<usize> {
        self.options.top.filter(|&top| top < self.sources)
    }

    /// Finds out whether the requested number of highest scores is separated from all others, after
    /// draws of this kind. Without an epsilon, sets the width of intervals that should separate
    /// them.
    fn check_top(&mut self, kind: Drawn) {
        /// The least width, if the last of these scores and the first of the others are equal.
        const LEAST_WIDTH: f64 = 1e-6;
        let Some(top) = self.top_count() else {
            return;
        };
        let factor = factor(self.sources, kind);
        let [means, lower, upper] = self.values_and_ends(kind, |interval| interval.mean);
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.select_nth_unstable_by(top - 1, |&a, &b| means[b].total_cmp(&means[a]));
        let (first, others) = order.split_at(top);
        let least = |of: &[f64]| first.iter().map(|&v| of[v]).fold(f64::INFINITY, f64::min);
        let most = |of: &[f64]| others.iter().map(|&v| of[v]).fold(0.0, f64::max);
        self.has_top = most(&upper) <= least(&lower);
        if self.options.epsilon == 0.0 {
            let width = (least(&means) - most(&means)) / 2.0 / factor;
            let estimator = match &mut self.paths {
                Some(paths) if kind == Drawn::Paths => &mut paths.estimator,
                _ => &mut self.estimator,
            };
            estimator.want_width(width.max(LEAST_WIDTH));
        }
    }

    /// Returns the estimator from draws of this kind.
    fn estimator(&self, kind: Drawn) -> &Estimator {
        match &self.paths {
            Some(paths) if kind == Drawn::Paths => &paths.estimator,
            _ => &self.estimator,
        }
    }

    /// Returns a value and both ends of the interval of the normalised score of each vertex of the
    /// input, from draws of this kind. Those of folded vertices are exact.
    fn values_and_ends(&self, kind: Drawn, value: impl Fn(&Interval) -> f64) -> [Vec<f64>; 3] {
        let (factor, estimator) = (factor(self.sources, kind), self.estimator(kind));
        let mut all = [(); 3].map(|()| self.closed.clone());
        for v in 0..self.prepared.graph.vertices() {
            let interval = estimator.interval(v);
            let old = self.prepared.input_vertex(v as u32) as usize;
            let row = [value(&interval), interval.low, interval.high];
            for (column, value) in all.iter_mut().zip(row) {
                // Bounds of parts may add up to more than the largest normalised score.
                column[old] = (column[old] + factor * value).min(1.0);
            }
        }
        all
    }

    /// Returns the normalised scores and their intervals.
    pub(crate) fn scores(&self) -> (Column, Estimated) {
        let kind = (self.paths.as_ref()).map_or(Drawn::Sources, |_| Drawn::Paths);
        let estimator = self.estimator(kind);
        let [values, lower, upper] = self.values_and_ends(kind, |interval| interval.score);
        let estimated = Estimated {
            lower,
            upper,
            half_width: factor(self.sources, kind) * estimator.widths()[1],
            kind,
            draws: estimator.drawn as usize,
            sources: self.sources,
            searches: self.searches,
            options: self.options,
        };
        (Column::new((Measure::Betweenness, None), values), estimated)
    }
}

/// Returns the factor that turns means over n sources, or over the n^2 pairs of sources and
/// targets, into normalised scores. These are means over the pairs of vertices other than the
/// vertex itself.
fn factor(n: usize, kind: Drawn) -> f64 {
    let n = n as f64;
    let of_sources = n / (n - 1.0).max(1.0);
    match kind {
        Drawn::Sources => of_sources,
        Drawn::Paths => of_sources * (n / (n - 2.0).max(1.0)),
    }
}

/// Returns the number of draws that the limit of time allows, if `drawn` draws took so long.
fn draws_in_time(drawn: f64, limit: Option<Duration>, elapsed: Duration) -> f64 {
    limit.map_or(f64::INFINITY, |limit| {
        drawn * limit.as_secs_f64() / elapsed.as_secs_f64().max(1e-9)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_end_with_all_sources() {
        for sources in [1, 100, 256, 257, 5000, 1_000_000] {
            let ends = schedule(sources, 0.01);
            assert!(ends.is_sorted_by(|a, b| a < b));
            assert_eq!(ends.last(), Some(&sources));
        }
        assert!(schedule(0, 0.01).is_empty() && schedule(1_000_000, 0.01).len() < 250);
    }
}

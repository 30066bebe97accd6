//! A search that draws sources until the estimate is good enough.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use super::Estimated;
use super::processes::{Estimator, Interval};
use crate::graph::Graph;
use crate::prepare::{Column, Draws, PrepareOptions, Prepared, Scale, prepare_estimate};
use crate::query::{Estimate, Measure};
use crate::runner::{Committed, NextBatch};
use crate::span::Span;

/// The draws of the first batch, and of others at least.
const LEAST: usize = 64;
/// One in this many of all draws so far is the size of the next batch.
const PART: usize = 32;
/// One in this many of all draws so far are searched between two looks, far from the planned end.
const STRIDE: usize = 4;

/// Returns the ends of the batches of draws from this many sources.
fn schedule(sources: usize) -> Vec<usize> {
    let (mut ends, mut end) = (Vec::new(), 0);
    while end < sources {
        end = (end + LEAST.max(end / PART)).min(sources);
        ends.push(end);
    }
    ends
}

/// The state of an estimate under way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outlook {
    /// Half of the widest interval, once there are intervals.
    pub(crate) half_width: Option<f64>,
    /// The number of searches that is planned.
    pub(crate) roots: usize,
}

/// An estimate under way.
pub(crate) struct Estimating {
    pub(crate) prepared: Arc<Prepared>,
    /// The state for the display of progress.
    pub(crate) outlook: Rc<Cell<Outlook>>,
    draws: Draws,
    estimator: Estimator,
    sources: usize,
    /// The targets of a path besides its source and the vertex.
    targets: f64,
    /// The factor from means of draws to normalised scores, n / (n - 1): of the n sources, the
    /// vertex itself adds nothing.
    factor: f64,
    /// The number of the next batch, and the draws so far.
    next: usize,
    drawn: usize,
    /// The searches of all batches up to now.
    searched: usize,
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
        prepare: &PrepareOptions,
        options: Estimate,
        spans: &mut Vec<Span>,
    ) -> Estimating {
        let n = graph.vertices();
        let (prepared, draws) = Span::time(spans, "prepare", || {
            prepare_estimate(graph, prepare, (&schedule(n), options.seed))
        });
        let vertices = prepared.graph.vertices();
        let factor = n as f64 / (n as f64 - 1.0).max(1.0);
        let of_means = Estimate {
            epsilon: options.epsilon / factor,
            ..options
        };
        let central = most_inner(&prepared, graph) / of_means.epsilon;
        let outlook = Outlook {
            half_width: None,
            roots: draws.batches.first().map_or(0, |first| first.roots.len()),
        };
        Estimating {
            estimator: Estimator::new(of_means, vertices, n, central),
            sources: n,
            outlook: Rc::new(Cell::new(outlook)),
            targets: (n as f64 - 2.0).max(1.0),
            factor,
            next: 0,
            drawn: 0,
            searched: 0,
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
        let half_width = self.estimator.half_width();
        if self.drawn > 0 && (self.estimator.is_done(half_width) || self.has_top()) {
            return None;
        }
        let mut batch = self.draws.batches.get(self.next)?.clone();
        self.next += 1;
        let drawn = self.drawn as f64;
        // The number of draws by the end of the time, at the rate so far.
        let in_time = self.options.time.map_or(f64::INFINITY, |time| {
            drawn * time.as_secs_f64() / self.began.elapsed().as_secs_f64().max(1e-9)
        });
        // The first batch gives no intervals.
        let needed = if self.next > 2 {
            batch.draws as f64
        } else {
            0.0
        };
        if self.drawn > 0 && drawn + needed > in_time {
            return None;
        }
        let planned = self.estimator.plan(in_time);
        // The time, or the highest scores, may end the search long before all intervals are narrow.
        let needs_all = self.options.time.is_none() && self.options.top.is_none();
        if self.next == 2 && needs_all {
            // Roots that several batches search from are searched several times.
            let mut drawn = drawn;
            let needed = self.draws.batches[1..].iter().take_while(|batch| {
                let is_needed = drawn < planned;
                drawn += batch.draws as f64;
                is_needed
            });
            let searches: usize = needed.map(|batch| batch.roots.len()).sum();
            if searches >= self.draws.rest.roots.len() {
                batch = self.draws.rest.clone();
                self.next = self.draws.batches.len();
            }
        }
        // Several batches at once, up to the planned end. What is known before them decides how
        // many.
        let wide = self.factor * half_width / self.options.epsilon;
        // Intervals are about as wide as the inverse square root of the number of draws.
        let until = planned.min(drawn * wide * wide);
        let until = until.min((self.drawn + self.drawn / STRIDE) as f64);
        while let Some(more) = self.draws.batches.get(self.next)
            && drawn + (batch.draws + more.draws) as f64 <= until
        {
            batch.draws += more.draws;
            batch.roots.end = more.roots.end;
            self.next += 1;
        }
        if self.drawn > 0 {
            // The ratio of searches to draws stays as it was, unless the batch is the last one.
            let searched = self.searched as f64 * planned / drawn;
            self.outlook.set(Outlook {
                half_width: Some(self.factor * half_width),
                roots: (self.searched + batch.roots.len()).max(searched as usize),
            });
        }
        self.pending = batch.draws;
        self.searched += batch.roots.len();
        Some(batch.roots)
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

    /// Returns whether the highest scores that are asked for are separated from all others.
    fn has_top(&self) -> bool {
        let Some(top) = self.options.top.filter(|&top| top < self.sources) else {
            return false;
        };
        // Folded vertices have scores too, which are known from the start.
        let (Column { values, .. }, known) = self.scores();
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let (first, others) = order.split_at(top);
        let lowest = first.iter().map(|&v| known.lower[v]);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        others.iter().all(|&v| known.upper[v] <= lowest)
    }

    /// Returns the scores, normalised, and what is known about them.
    pub(crate) fn scores(&self) -> (Column, Estimated) {
        let factor = self.factor;
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
            sources: self.sources,
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

/// Returns a bound of the sum of the means of all vertices. It is the mean number of inner vertices
/// of shortest paths over all n (n - 1) pairs, times (n - 1) / (n - 2).
fn most_inner(prepared: &Prepared, graph: &Graph) -> f64 {
    let all = graph.vertices() as f64;
    let connected = !graph.directed() && graph.lengths().is_none() && prepared.components == 1;
    match prepared.depths().first() {
        // No distance is more than twice the depth of a search, so that a path has at most
        // 2 depth - 1 inner vertices, and the product is at most 2 depth + 1, or n.
        Some(&least) if connected => all.min(2.0 * f64::from(least) + 1.0),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_means_has_a_bound() {
        use crate::graph::generate;
        let graphs = [
            generate::star(50).unwrap(),
            generate::path(40).unwrap(),
            generate::barabasi_albert(300, 2, 3).unwrap(),
            generate::barabasi_albert(300, 1, 3).unwrap(),
        ];
        for graph in graphs {
            let n = graph.vertices();
            let options = Estimate::default();
            let prepare = PrepareOptions::default();
            let estimating = Estimating::new(&graph, &prepare, options, &mut Vec::new());
            let exact = crate::Betweenness::new().devices(crate::DeviceSelection::None);
            let scores = exact.normalized(true).run(&graph).unwrap();
            let closed = estimating.prepared.scores(
                &vec![0.0; estimating.prepared.graph.vertices()],
                Scale::Normalized,
            );
            let searched = scores.vertices().iter().sum::<f64>() - closed.iter().sum::<f64>();
            let bound = most_inner(&estimating.prepared, &graph);
            assert!(
                searched / estimating.factor <= bound + 1e-9,
                "{n} {searched} {bound}"
            );
        }
    }

    #[test]
    fn schedules_end_with_all_sources() {
        for sources in [1, 100, 256, 257, 5000, 1_000_000] {
            let ends = schedule(sources);
            assert!(ends.is_sorted_by(|a, b| a < b));
            assert_eq!(ends.last(), Some(&sources));
        }
        assert!(schedule(0).is_empty() && schedule(1_000_000).len() < 250);
    }
}

//! Measures several settings on one graph, in turns.

use std::sync::Arc;

use anyhow::Result;

use super::results::{Check, Measured};
use super::search::{Bench, TimedSearch};
use super::timing::{self, Rate, Spread};
use brandes::engine::Root;
use brandes::prepare::Scale;

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of timed searches of each setting; with 0, the last one of the warm-up counts.
    pub repeat: usize,
    /// Seconds. The time of a search from all roots that would take longer is estimated from a
    /// sample.
    pub limit: f64,
    /// The number of roots of the first sample.
    pub first: usize,
}

/// A callback that gets a description of each search before it begins.
pub type Observer<'t> = &'t mut dyn FnMut(String);

/// A setting and its measurements.
struct Candidate {
    bench: Bench,
    /// The roots of the first sample.
    first: Vec<Root>,
    /// The roots of every timed search: all, or a sample.
    roots: Vec<Root>,
    /// Sums over the roots of the first sample, one entry per prepared vertex.
    first_sums: Vec<f64>,
    /// The roots and seconds of the second largest sample of the warm-up; zeros if that is the
    /// first sample, or if there is none.
    smaller: (usize, f64),
    /// Scores of the last search, if it searched from all roots.
    scores: Option<Vec<f64>>,
    measured: Measured,
}

/// Measures settings on their graphs, which must have roots. All warm up, then all search once,
/// then all search again, so that a machine that slows down affects all alike. Compares scores with
/// those of the first setting that succeeds.
/// CPU engines without mixed precision search in f64; a setting that then equals an earlier one is
/// skipped.
pub fn compare(settings: &[Bench], options: &Options, observe: Observer) -> Vec<Measured> {
    let mut all: Vec<Candidate> = Vec::new();
    for bench in settings {
        let candidate = Candidate::new(bench.clone());
        let same = |other: &Candidate| other.measured.setting == candidate.measured.setting;
        if !all.iter().any(same) {
            all.push(candidate);
        }
    }
    for repeat in 0..=options.repeat {
        for candidate in all.iter_mut().filter(|c| c.can_search()) {
            let name = candidate.measured.setting.words();
            observe(match repeat {
                0 => format!("{name}, warming up"),
                _ => format!("{name}, run {repeat} of {}", options.repeat),
            });
            let result = match repeat {
                0 => candidate.warm_up(options),
                _ => candidate.search(),
            };
            candidate.measured.failure = result.err().map(|error| error.to_string());
        }
    }
    let reference = all.iter().find(|c| c.can_search());
    let checks: Vec<Option<Check>> = all.iter().map(|c| c.check(reference?)).collect();
    let whole = |(candidate, check): (Candidate, Option<Check>)| Measured {
        spread: Spread::from_times(&candidate.measured.seconds).filter(|_| candidate.can_search()),
        check,
        ..candidate.measured
    };
    all.into_iter().zip(checks).map(whole).collect()
}

impl Candidate {
    fn new(bench: Bench) -> Candidate {
        Candidate {
            first: Vec::new(),
            roots: Vec::new(),
            first_sums: Vec::new(),
            smaller: (0, 0.0),
            scores: None,
            measured: Measured {
                setting: bench.setting_part(),
                roots: bench.prepared.roots.len(),
                ..Measured::default()
            },
            bench,
        }
    }

    fn can_search(&self) -> bool {
        self.measured.failure.is_none()
    }

    /// Warms up and decides from how many roots to search: samples grow until a search from all
    /// roots is expected to end within the limit, or clearly would not.
    fn warm_up(&mut self, options: &Options) -> Result<()> {
        let (prepared, limit) = (Arc::clone(&self.bench.prepared), options.limit);
        let all = prepared.roots.len();
        self.first = timing::sample(&prepared.roots, options.first);
        self.roots.clone_from(&self.first);
        loop {
            let done = self.bench.search(&self.first, &self.roots)?;
            if self.first_sums.is_empty() {
                self.first_sums.clone_from(&done.sums);
            }
            let (searched, seconds) = (self.roots.len(), done.seconds);
            let whole = seconds * all as f64 / searched as f64;
            // A batch engine is hardly faster on a few roots than on a full batch, so the estimate
            // from a sample smaller than a batch counts only if a larger sample would take too
            // long.
            let is_small = searched < done.roots_to_saturate();
            let is_last = searched == all || seconds > limit / if is_small { 2.0 } else { 8.0 };
            if is_last || whole <= limit && options.repeat > 0 {
                if options.repeat == 0 {
                    self.record(done);
                } else if whole <= limit {
                    self.roots.clone_from(&prepared.roots);
                }
                return Ok(());
            }
            // The first sample only warms the engine up.
            if searched > self.first.len() {
                self.smaller = (searched, seconds);
            }
            let growth = if seconds > limit / 8.0 { 2 } else { 8 };
            self.roots = timing::sample(&prepared.roots, growth * searched);
        }
    }

    /// Runs one timed search and stores its result.
    fn search(&mut self) -> Result<()> {
        self.record(self.bench.search(&self.first, &self.roots)?);
        Ok(())
    }

    /// Stores the result of a search from `roots`.
    fn record(&mut self, done: TimedSearch) {
        let (measured, searched) = (&mut self.measured, self.roots.len());
        let batch = done.roots_to_saturate().max(1);
        let samples = [self.smaller, (searched, done.seconds)];
        measured.rate = Rate::from_samples(samples, batch, measured.roots);
        measured.seconds.push(measured.rate.seconds(measured.roots));
        measured.estimated = searched < measured.roots;
        measured.is_rough = searched < batch.min(measured.roots);
        measured.roots_searched = searched;
        measured.device_roots = done.device_roots;
        measured.cpu_workers = done.workers;
        measured.cpu_engine = done.cpu_plan.map(|plan| plan.words());
        measured.plan = done.plan;
        let all = !measured.estimated;
        self.scores = all.then(|| self.bench.prepared.scores(&done.sums, Scale::Pairs));
    }

    /// Compares scores with those of the reference if both searched from all roots, otherwise sums
    /// over the first sample. Samples of differently prepared graphs are not compared, because they
    /// have different sources.
    fn check(&self, reference: &Candidate) -> Option<Check> {
        if std::ptr::eq(self, reference) || !self.can_search() {
            return None;
        }
        let (roots, difference) = match (&self.scores, &reference.scores) {
            (Some(a), Some(b)) => (self.measured.roots, timing::difference(a, b)),
            _ if !Arc::ptr_eq(&self.bench.prepared, &reference.bench.prepared) => return None,
            _ => (
                self.first.len(),
                timing::difference(&self.first_sums, &reference.first_sums),
            ),
        };
        let allowed = |one: &Candidate| {
            let precision = one.measured.setting.precision;
            precision.unwrap_or_default().tolerance()
        };
        let name = reference.measured.setting.words();
        let allowed = allowed(self).max(allowed(reference));
        Some(Check::new(name, roots, difference, allowed))
    }
}

//! Measures several settings on one graph, in turns.

use std::sync::Arc;

use anyhow::Result;

use super::results::{Check, Measured, SettingPart, mark_best};
use super::search::{Bench, TimedSearch};
use super::setting::{Setting, Subject};
use super::timing::{self, BLOCK, Spread};
use brandes::engine::Root;
use brandes::prepare::{Prepared, Scale};

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of timed searches of each setting.
    pub repeat: usize,
    /// Seconds. The time of a search from all roots that would take longer is estimated from a
    /// sample.
    pub limit: f64,
}

/// A callback that gets a description of each search before it begins.
pub type Observer<'t> = &'t mut dyn FnMut(String);

/// A candidate, the prepared graph that it searches, and its measurements.
struct Candidate {
    bench: Bench,
    prepared: Arc<Prepared>,
    /// The roots of every timed search: all, or a sample.
    roots: Vec<Root>,
    /// Sums over the roots of the first sample, one entry per prepared vertex.
    first_sums: Vec<f64>,
    /// Scores of the last search, if it searched from all roots.
    scores: Option<Vec<f64>>,
    measured: Measured,
}

/// Measures candidates on their graphs, which must have roots. All warm up, then all search once,
/// then all search again, so that a machine that slows down affects all alike. Compares scores with
/// those of CPU workers on the graph `check`, or with those of the first candidate that succeeds.
/// CPU engines without mixed precision search in f64; a candidate that then equals an earlier one
/// is skipped.
pub fn compare(
    candidates: &[(Bench, Arc<Prepared>)],
    check: Option<&Arc<Prepared>>,
    options: &Options,
    observe: Observer,
) -> Vec<Measured> {
    let mut all: Vec<Candidate> = Vec::new();
    for (bench, prepared) in candidates {
        let candidate = Candidate::new(bench, prepared);
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
            let done = match repeat {
                0 => candidate.warm_up(options.limit),
                _ => candidate.search(),
            };
            candidate.measured.failure = done.err().map(|error| error.to_string());
        }
    }
    let first = all.iter().find(|c| c.can_search());
    let check = check.filter(|_| first.is_some_and(|c| c.bench.setting.subject != Subject::Cpu));
    let cpu = check.and_then(|prepared| {
        let mut setting = Setting::plain(Subject::Cpu);
        setting.precision = candidates.first()?.0.setting.precision;
        let mut cpu = Candidate::new(&Bench::new(setting, None), prepared);
        let done = cpu.warm_up(options.limit).and_then(|()| cpu.search());
        done.ok().map(|()| cpu)
    });
    let reference = cpu.as_ref().or(first);
    let checks: Vec<Option<Check>> = all.iter().map(|c| c.check(reference?)).collect();
    let whole = |(candidate, check): (Candidate, Option<Check>)| Measured {
        spread: Spread::from_times(&candidate.measured.seconds).filter(|_| candidate.can_search()),
        check,
        ..candidate.measured
    };
    let mut measured: Vec<Measured> = all.into_iter().zip(checks).map(whole).collect();
    mark_best(&mut measured);
    measured
}

impl Candidate {
    fn new(bench: &Bench, prepared: &Arc<Prepared>) -> Candidate {
        Candidate {
            bench: bench.clone(),
            prepared: Arc::clone(prepared),
            roots: Vec::new(),
            first_sums: Vec::new(),
            scores: None,
            measured: Measured {
                setting: SettingPart::new(
                    &bench.setting,
                    bench.precision(prepared),
                    bench.device_kind(),
                ),
                roots: prepared.roots.len(),
                ..Measured::default()
            },
        }
    }

    fn can_search(&self) -> bool {
        self.measured.failure.is_none()
    }

    /// Warms up and decides from how many roots to search: samples grow until a search from all
    /// roots is expected to end within `limit`, or clearly would not.
    fn warm_up(&mut self, limit: f64) -> Result<()> {
        let all = &self.prepared.roots;
        let mut sample = timing::sample(all, BLOCK);
        loop {
            let mut done = self.timed(&sample)?;
            if self.first_sums.is_empty() {
                self.first_sums = std::mem::take(&mut done.sums);
            }
            let whole = done.seconds * all.len() as f64 / sample.len() as f64;
            if whole <= limit || sample.len() == all.len() {
                self.roots.clone_from(all);
                return Ok(());
            }
            // A batch engine is hardly faster on a few roots than on a full batch, so the estimate
            // from a sample smaller than a batch counts only if a larger sample would take too
            // long.
            let is_small = sample.len() < done.roots_to_saturate();
            if done.seconds > limit / if is_small { 2.0 } else { 8.0 } {
                self.roots = sample;
                return Ok(());
            }
            sample = timing::sample(all, 8 * sample.len());
        }
    }

    /// Searches from `roots`. If a device searches alone, its engine first warms up on the first
    /// sample.
    fn timed(&self, roots: &[Root]) -> Result<TimedSearch> {
        let block = timing::sample(&self.prepared.roots, BLOCK);
        self.bench.search(&self.prepared, &block, roots)
    }

    /// Runs one timed search and stores its result.
    fn search(&mut self) -> Result<()> {
        let done = self.timed(&self.roots)?;
        let measured = &mut self.measured;
        let share = self.roots.len() as f64 / measured.roots as f64;
        measured.seconds.push(done.seconds / share);
        measured.estimated = self.roots.len() < measured.roots;
        measured.roots_searched = self.roots.len();
        measured.device_roots = done.device_roots;
        measured.cpu_workers = done.workers;
        measured.cpu_engine = done.cpu_plan.map(|plan| plan.words());
        measured.plan = done.plan;
        let all = !measured.estimated;
        self.scores = all.then(|| self.prepared.scores(&done.sums, Scale::Pairs));
        Ok(())
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
            _ if !Arc::ptr_eq(&self.prepared, &reference.prepared) => return None,
            _ => (
                BLOCK.min(self.measured.roots),
                timing::difference(&self.first_sums, &reference.first_sums),
            ),
        };
        let [own, other] = [self, reference].map(|one| {
            one.measured
                .setting
                .precision
                .unwrap_or_default()
                .tolerance()
        });
        let whose = reference.measured.setting.words();
        Some(Check::new(&whose, roots, difference, own.max(other)))
    }
}

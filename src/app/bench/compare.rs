//! Several subjects on one graph, in turns.

use std::sync::Arc;

use super::Preparations;
use super::results::{Check, Measured};
use super::search::{Bench, Done, Subject};
use super::timing::{self, BLOCK, Spread};
use brandes::engine::{Precision, Root};
use brandes::prepare::{Prepared, Scale};

/// How to measure.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Timed searches of each subject.
    pub repeat: usize,
    /// Seconds above which a search of all roots is not made but estimated.
    pub limit: f64,
    /// Whether the CPU's scores are the reference, in place of the first subject's.
    pub check: bool,
    /// Number type on the device, which decides how far scores may differ.
    pub precision: Precision,
}

/// What is measured next, to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Name of the subject.
    pub strategy: &'static str,
    /// Which of the timed searches, from 1; 0 for what comes before them.
    pub repeat: usize,
    /// How many there are.
    pub of: usize,
}

/// Told before every step.
pub type Tell<'t> = &'t mut dyn FnMut(Step);

impl Step {
    /// Before the timed searches.
    pub(super) fn warm_up(subject: Subject) -> Step {
        Step {
            strategy: subject.name(),
            repeat: 0,
            of: 0,
        }
    }
}

/// How far scores may differ, relatively.
pub fn tolerance(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 1e-9,
        Precision::F32 => 1e-3,
    }
}

/// A subject that can search.
struct Ready {
    /// All roots, or a sample.
    roots: Vec<Root>,
    /// Sums over the first sample.
    sample_sums: Vec<f64>,
    /// Sums of the last search, if it was of all roots.
    all_sums: Option<Vec<f64>>,
}

/// Measures `subjects` on a graph that has roots: one warm-up each, then the first repeat of
/// all of them, then the second, so that a machine that slows down does so for all.
pub fn compare(
    bench: &Bench,
    graph: &Preparations,
    subjects: &[Subject],
    options: &Options,
    tell: Tell,
) -> Vec<Measured> {
    let mut measured: Vec<Measured> = subjects
        .iter()
        .map(|subject| Measured {
            strategy: subject.name().into(),
            seconds: Vec::new(),
            spread: None,
            estimated: false,
            roots_searched: 0,
            roots: graph.of(*subject).roots.len(),
            device_roots: 0,
            cpu_workers: 0,
            cpu_engine: None,
            plan: None,
            check: None,
            failure: None,
        })
        .collect();
    let mut ready: Vec<Option<Ready>> = Vec::new();
    for (subject, measured) in subjects.iter().zip(&mut measured) {
        tell(Step::warm_up(*subject));
        let made = probe(bench, graph.of(*subject), *subject, options.limit);
        ready.push(made.map_err(|error| measured.failure = Some(error)).ok());
    }
    for repeat in 1..=options.repeat {
        for ((subject, measured), slot) in subjects.iter().zip(&mut measured).zip(&mut ready) {
            let Some(ready) = slot else { continue };
            tell(Step {
                strategy: subject.name(),
                repeat,
                of: options.repeat,
            });
            let prepared = graph.of(*subject);
            let base = timing::sample(&prepared.roots, BLOCK);
            match bench.search(*subject, prepared, &base, &ready.roots) {
                Ok(done) => note(measured, ready, done),
                Err(error) => {
                    measured.failure = Some(error);
                    *slot = None;
                }
            }
        }
    }
    for measured in &mut measured {
        if measured.failure.is_none() {
            measured.spread = Spread::of(&measured.seconds);
        }
    }
    check(bench, graph, subjects, options, &mut measured, &ready);
    measured
}

fn note(measured: &mut Measured, ready: &mut Ready, done: Done) {
    let (searched, total) = (ready.roots.len(), measured.roots);
    let seconds = timing::predict(done.seconds, searched, total);
    measured.seconds.push(seconds);
    measured.estimated = searched < total;
    measured.roots_searched = searched;
    measured.device_roots = done.device_roots;
    measured.cpu_workers = done.workers;
    measured.cpu_engine = done.cpu_plan.map(|plan| plan.words());
    measured.plan = done.plan;
    ready.all_sums = (searched == total).then_some(done.sums);
}

/// Warms up and finds out how many roots to search: larger and larger samples, until all roots
/// would be done within `limit` or it is clear that they would not.
fn probe(
    bench: &Bench,
    prepared: &Arc<Prepared>,
    subject: Subject,
    limit: f64,
) -> Result<Ready, String> {
    let all = &prepared.roots;
    let base = timing::sample(all, BLOCK);
    let mut sample = base.clone();
    let mut done = bench.search(subject, prepared, &base, &sample)?;
    let mut ready = Ready {
        roots: Vec::new(),
        sample_sums: std::mem::take(&mut done.sums),
        all_sums: None,
    };
    loop {
        let predicted = timing::predict(done.seconds, sample.len(), all.len());
        if predicted <= limit || sample.len() == all.len() {
            ready.roots = all.clone();
            return Ok(ready);
        }
        // Engines that take many roots together are hardly faster on few: these are not believed,
        // unless that would take too long.
        let lanes = done.together();
        let few = sample.len() < lanes;
        if done.seconds > limit / if few { 2.0 } else { 8.0 } {
            ready.roots = sample;
            return Ok(ready);
        }
        sample = timing::sample(all, 8 * sample.len());
        done = bench.search(subject, prepared, &base, &sample)?;
    }
}

/// Compares everybody's scores with the reference's: over all roots where both searched from all,
/// otherwise over the first sample. Samples of a graph as it stands and of the same with its chains
/// contracted are of different sources, and not compared.
fn check(
    bench: &Bench,
    graph: &Preparations,
    subjects: &[Subject],
    options: &Options,
    measured: &mut [Measured],
    ready: &[Option<Ready>],
) {
    let mut own = None;
    let first = ready
        .iter()
        .zip(measured.iter())
        .position(|(ready, measured)| ready.is_some() && measured.failure.is_none());
    let Some(first) = first else { return };
    if options.check && measured[first].strategy != Subject::Cpu.name() {
        let prepared = graph.of(Subject::Cpu);
        own = probe(bench, prepared, Subject::Cpu, options.limit)
            .ok()
            .and_then(|mut ready| {
                let done = bench
                    .search(Subject::Cpu, prepared, &[], &ready.roots)
                    .ok()?;
                let all = ready.roots.len() == prepared.roots.len();
                ready.all_sums = all.then_some(done.sums);
                Some(ready)
            });
    }
    let (reference, subject) = match (&own, &ready[first]) {
        (Some(own), _) => (own, Subject::Cpu),
        (None, Some(ready)) => (ready, subjects[first]),
        (None, None) => return,
    };
    for (index, (measured, ready)) in measured.iter_mut().zip(ready).enumerate() {
        let Some(ready) = ready else { continue };
        if own.is_none() && index == first {
            continue;
        }
        let (own_graph, reference_graph) = (graph.of(subjects[index]), graph.of(subject));
        let (roots, difference) = match (&ready.all_sums, &reference.all_sums) {
            (Some(a), Some(b)) => {
                let a = own_graph.scores(a, Scale::Pairs);
                let b = reference_graph.scores(b, Scale::Pairs);
                (own_graph.roots.len(), timing::difference(&a, &b))
            }
            _ if !Arc::ptr_eq(own_graph, reference_graph) => continue,
            _ => (
                BLOCK.min(own_graph.roots.len()),
                timing::difference(&ready.sample_sums, &reference.sample_sums),
            ),
        };
        measured.check = Some(Check {
            reference: subject.name().into(),
            roots,
            largest_difference: difference,
            passed: difference <= tolerance(options.precision),
        });
    }
}

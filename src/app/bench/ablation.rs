//! What the ideas of strategy `virtual` are worth: each switched off against all on.

use std::sync::Arc;

use super::compare::{Options, Step, Tell, tolerance};
use super::results::{Ablation, AblationRow, Check};
use super::search::{Bench, Subject};
use super::timing::{self, BLOCK, Spread};
use brandes::graph::Graph;
use brandes::prepare::{PrepareOptions, Prepared, RootSelection, Scale, TooManyRoots, prepare};
use brandes::strategy::ablation::Switch;

/// The original report's relative change of the total time by an idea, where it gives one: mean
/// and standard deviation over its eight graphs. (Of folding it says only that half of the
/// vertices go.)
pub fn original(switch: Switch) -> Option<(f64, f64)> {
    match switch {
        Switch::Folding => None,
        Switch::Ordering => Some((-0.03, 0.02)),
        Switch::StructureOfArrays => Some((-0.12, 0.06)),
        Switch::VirtualVertices => Some((-0.17, 0.11)),
        Switch::RoundRobin => Some((-0.05, 0.04)),
        Switch::Reduction => Some((-0.38, 0.08)),
    }
}

/// What is searched with one switch off, and what came out.
struct Row {
    off: Option<Switch>,
    prepared: Arc<Prepared>,
    seconds: Vec<f64>,
    scores: Vec<f64>,
    failure: Option<String>,
}

/// Measures strategy `virtual` on `graph`, in turns as [`super::compare`] does. All rows have the
/// same sources, so that their scores are the same: a sample of them if all would take longer
/// than the limit.
pub fn measure(
    bench: &Bench,
    graph: &Graph,
    prepare_options: PrepareOptions,
    options: &Options,
    tell: Tell,
) -> Result<Ablation, TooManyRoots> {
    let mut how = prepare_options;
    let mut prepared = Arc::new(prepare(graph, &how)?);
    let sources = prepared.sources;
    if how.roots == RootSelection::All
        && let Some(part) = affordable(bench, &prepared, options.limit)
    {
        how.roots = RootSelection::Sample(part);
        prepared = Arc::new(prepare(graph, &how)?);
    }
    let mut rows = vec![row(None, &prepared)];
    for switch in Switch::ALL {
        let own = switch.prepare_without(how);
        if (own.fold, own.order) == (how.fold, how.order) {
            rows.push(row(Some(switch), &prepared));
        } else {
            rows.push(row(Some(switch), &Arc::new(prepare(graph, &own)?)));
        }
    }
    // Once before the clock counts, and then in turns.
    for turn in 0..=options.repeat {
        for row in rows.iter_mut().filter(|row| row.failure.is_none()) {
            tell(Step {
                strategy: Subject::Ablation(row.off).name(),
                repeat: turn,
                of: options.repeat,
            });
            search(bench, row, turn > 0);
        }
    }
    let all_on = rows.remove(0);
    let base = Spread::of(&all_on.seconds);
    Ok(Ablation {
        spread: base,
        failure: all_on.failure.clone(),
        sources: prepared.sources,
        sampled: prepared.sources < sources,
        rows: rows
            .into_iter()
            .filter_map(|row| finish(row, &all_on, base, options))
            .collect(),
        all_on: all_on.seconds,
    })
}

fn row(off: Option<Switch>, prepared: &Arc<Prepared>) -> Row {
    Row {
        off,
        prepared: Arc::clone(prepared),
        seconds: Vec::new(),
        scores: Vec::new(),
        failure: None,
    }
}

/// How many sources strategy `virtual` does in `limit` seconds, if that is not all of them.
fn affordable(bench: &Bench, prepared: &Arc<Prepared>, limit: f64) -> Option<u64> {
    let sample = timing::sample(&prepared.roots, BLOCK);
    let subject = Subject::Ablation(None);
    // A failure shows again, and is reported then.
    let done = bench.search(subject, prepared, &sample, &sample).ok()?;
    let predicted = timing::predict(done.seconds, sample.len(), prepared.roots.len());
    let part = (prepared.sources as f64 * limit / predicted).max(BLOCK as f64);
    (part < prepared.sources as f64).then_some(part as u64)
}

fn search(bench: &Bench, row: &mut Row, timed: bool) {
    let all = &row.prepared.roots;
    let warm = timing::sample(all, BLOCK);
    // The first turn only warms up.
    let roots = if timed { all } else { &warm };
    match bench.search(Subject::Ablation(row.off), &row.prepared, &warm, roots) {
        Ok(done) if timed => {
            row.seconds.push(done.seconds);
            row.scores = row.prepared.scores(&done.sums, Scale::Pairs);
        }
        Ok(_) => {}
        Err(error) => row.failure = Some(error),
    }
}

fn finish(row: Row, all_on: &Row, base: Option<Spread>, options: &Options) -> Option<AblationRow> {
    let switch = row.off?;
    let worked = row.failure.is_none();
    let spread = Spread::of(&row.seconds).filter(|_| worked);
    let check = (worked && all_on.failure.is_none()).then(|| {
        let difference = timing::difference(&row.scores, &all_on.scores);
        Check {
            reference: Subject::Ablation(None).name().into(),
            roots: row.prepared.roots.len(),
            largest_difference: difference,
            passed: difference <= tolerance(options.precision),
        }
    });
    Some(AblationRow {
        switch,
        spread,
        change: spread
            .zip(base)
            .map(|(off, on)| on.median / off.median - 1.0),
        original: original(switch),
        check,
        failure: row.failure,
        seconds: row.seconds,
    })
}

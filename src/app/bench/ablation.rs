//! What the ideas of strategy `virtual` are worth: each switched off against all on.

use std::sync::Arc;

use super::compare::{Options, Tell, compare};
use super::predict::Rate;
use super::results::{Ablation, AblationRow, Measured};
use super::search::{Bench, Subject};
use super::timing::{self, BLOCK};
use brandes::graph::Graph;
use brandes::prepare::{
    PrepareOptions, Prepared, Reductions, RootSelection, TooManyRoots, prepare,
};
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

/// Measures strategy `virtual` on `graph`, in turns as [`compare`] does. All rows have the same
/// sources, so that their scores are the same: a sample of them if all would take longer than the
/// limit.
pub fn measure(
    bench: &Bench,
    graph: &Graph,
    mut how: PrepareOptions,
    options: &Options,
    tell: Tell,
) -> Result<Ablation, TooManyRoots> {
    how.reduce = Reductions::folding(true);
    let mut prepared = Arc::new(prepare(graph, &how)?);
    let sources = prepared.sources;
    if how.roots == RootSelection::All
        && let Some(part) = affordable(bench, &prepared, options.limit)
    {
        how.roots = RootSelection::Sample(part);
        prepared = Arc::new(prepare(graph, &how)?);
    }
    let mut subjects = vec![(Subject::Ablation(None), Arc::clone(&prepared))];
    for switch in Switch::ALL {
        let own = switch.prepare_without(how);
        let same = (own.reduce, own.order) == (how.reduce, how.order);
        let searched = match same {
            true => Arc::clone(&prepared),
            false => Arc::new(prepare(graph, &own)?),
        };
        subjects.push((Subject::Ablation(Some(switch)), searched));
    }
    // Nothing is estimated.
    let options = Options {
        limit: f64::INFINITY,
        ..*options
    };
    let benches = std::slice::from_ref(bench);
    let mut measured = compare(benches, &subjects, None, &options, tell).into_iter();
    let all_on = measured.next().unwrap_or_default();
    let base = all_on.median();
    let row = |(switch, off): (Switch, Measured)| AblationRow {
        switch,
        change: off.median().zip(base).map(|(off, on)| on / off - 1.0),
        original: original(switch),
        spread: off.spread,
        check: off.check,
        failure: off.failure,
        seconds: off.seconds,
    };
    Ok(Ablation {
        spread: all_on.spread,
        failure: all_on.failure,
        sources: prepared.sources,
        sampled: prepared.sources < sources,
        rows: Switch::ALL.into_iter().zip(measured).map(row).collect(),
        all_on: all_on.seconds,
    })
}

/// How many sources strategy `virtual` does in `limit` seconds, if that is not all of them.
fn affordable(bench: &Bench, prepared: &Arc<Prepared>, limit: f64) -> Option<u64> {
    let sample = timing::sample(&prepared.roots, BLOCK);
    let subject = Subject::Ablation(None);
    // A failure shows again, and is reported then.
    let done = bench.search(subject, prepared, &sample, &sample).ok()?;
    let whole = Rate::scaled(done.seconds, sample.len(), prepared.roots.len(), 1);
    let part = (prepared.sources as f64 * limit / whole.seconds()).max(BLOCK as f64);
    (part < prepared.sources as f64).then_some(part as u64)
}

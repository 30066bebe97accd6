//! The ablation of strategy `virtual`: measures it with each of its ideas switched off.

use std::sync::Arc;

use super::compare::{Options, Tell, compare};
use super::results::Measured;
use super::search::Bench;
use super::setting::{Setting, Subject};
use brandes::graph::Graph;
use brandes::prepare::{
    PrepareOptions, Prepared, Reductions, RootSelection, TooManyRoots, prepare,
};
use brandes::strategy::ablation::Switch;

/// Measures strategy `virtual` with all of its ideas, and then with each of them switched off. If a
/// search from all roots would take longer than the limit, every variant searches from the same
/// sample of sources, and times are not scaled. (The sample consists of input vertices, because
/// some variants number the prepared vertices differently.)
pub fn rows(
    all_on: &Bench,
    graph: &Graph,
    base: PrepareOptions,
    options: &Options,
    tell: Tell,
) -> Result<Vec<Measured>, TooManyRoots> {
    let mut all = candidates(all_on, graph, base)?;
    let once = Options {
        repeat: 1,
        ..*options
    };
    let mut limit = options.limit;
    let first = compare(&all[..1], None, &once, tell);
    if let [
        Measured {
            estimated: true,
            roots_searched,
            ..
        },
    ] = first[..]
        && base.roots == RootSelection::All
    {
        let roots = RootSelection::Sample(roots_searched as u64);
        all = candidates(all_on, graph, PrepareOptions { roots, ..base })?;
        limit = f64::INFINITY;
    }
    Ok(compare(&all, None, &Options { limit, ..*options }, tell))
}

/// Returns the variants, each with the graph that it searches. Folding trees is the only reduction.
fn candidates(
    all_on: &Bench,
    graph: &Graph,
    base: PrepareOptions,
) -> Result<Vec<(Bench, Arc<Prepared>)>, TooManyRoots> {
    let base = PrepareOptions {
        reduce: Reductions::folding(true),
        ..base
    };
    let folded = Arc::new(prepare(graph, &base)?);
    let switches = std::iter::once(None).chain(Switch::ALL.map(Some));
    let candidate = |switch: Option<Switch>| {
        let own = switch.map_or(base, |switch| switch.prepare_without(base));
        let same = (own.reduce, own.order) == (base.reduce, base.order);
        let prepared = match same {
            true => Arc::clone(&folded),
            false => Arc::new(prepare(graph, &own)?),
        };
        let candidate = Bench {
            setting: Setting {
                subject: Subject::Ablation(switch),
                reduce: own.reduce,
                ..all_on.setting
            },
            ..all_on.clone()
        };
        Ok((candidate, prepared))
    };
    switches.map(candidate).collect()
}

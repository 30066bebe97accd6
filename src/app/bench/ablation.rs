//! The ablation of strategy `virtual`: measures it with each of its ideas switched off.

use std::sync::Arc;

use super::compare::{Observer, Options, compare};
use super::results::Measured;
use super::search::Bench;
use super::setting::Subject;
use brandes::graph::Graph;
use brandes::prepare::{
    PrepareOptions, Prepared, Reductions, RootSelection, TooManyRoots, prepare,
};
use brandes::strategy::Switch;

/// Measures strategy `virtual` with all of its ideas, and then with each of them switched off. If a
/// search from all roots would take longer than the limit, every variant searches from the same
/// sample of sources, and times are not scaled. (The sample consists of input vertices, because
/// some variants number the prepared vertices differently.)
pub fn rows(
    all_on: &Bench,
    graph: &Graph,
    base: PrepareOptions,
    options: &Options,
    observe: Observer,
) -> Result<Vec<Measured>, TooManyRoots> {
    let mut all = candidates(all_on, graph, base)?;
    let (mut first_options, mut options) = (*options, *options);
    first_options.repeat = 1;
    let first = compare(&all[..1], None, &first_options, observe).pop();
    let sampled = first.filter(|first| first.estimated && base.roots == RootSelection::All);
    if let Some(first) = sampled {
        let roots = RootSelection::Sample(first.roots_searched as u64);
        all = candidates(all_on, graph, PrepareOptions { roots, ..base })?;
        options.limit = f64::INFINITY;
    }
    Ok(compare(&all, None, &options, observe))
}

/// Returns the variants, each with the graph that it searches. Folding trees is the only reduction,
/// and one variant is without it.
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
        let options = switch.map_or(base, |switch| switch.prepare_without(base));
        let is_base = (options.reduce, options.order) == (base.reduce, base.order);
        let prepared = match is_base {
            true => Arc::clone(&folded),
            false => Arc::new(prepare(graph, &options)?),
        };
        let mut candidate = all_on.clone();
        candidate.setting.subject = Subject::Ablation(switch);
        candidate.setting.reduce = options.reduce;
        Ok((candidate, prepared))
    };
    switches.map(candidate).collect()
}

//! The ablation of strategy `virtual`: measures it with each of its ideas switched off.

use std::iter;
use std::sync::Arc;

use super::compare::{Observer, Options, compare};
use super::results::{Ablation, AblationRow, Measured};
use super::search::Bench;
use super::setting::{Setting, Subject};
use brandes::Error;
use brandes::device::Session;
use brandes::graph::Graph;
use brandes::prepare::{PrepareOptions, Reductions, RootSelection, prepare};
use brandes::strategy::Switch;

/// Measures strategy `virtual` with all of its ideas, and then with each of them switched off. If a
/// search from all roots would take longer than the limit, every variant searches from the same
/// sample of sources, and times are not scaled. (The sample consists of input vertices, because
/// some variants number the prepared vertices differently.)
pub fn ablation(
    (setting, session): (Setting, Option<&Session>),
    graph: &Graph,
    base: PrepareOptions,
    options: &Options,
    observe: Observer,
) -> Result<Ablation, Error> {
    let variants = |roots| variants((setting, session), graph, PrepareOptions { roots, ..base });
    let (mut all, mut options) = (variants(base.roots)?, *options);
    let mut once = options;
    once.repeat = 1;
    let first = compare(&all[..1], &once, observe).remove(0);
    if first.estimated && base.roots == RootSelection::All {
        all = variants(RootSelection::Sample(first.roots_searched as u64))?;
        options.limit = f64::INFINITY;
    }
    let mut all = compare(&all, &options, observe).into_iter();
    let all_on = all.next().unwrap_or(first);
    let median = all_on.median();
    let row = |off: Measured| AblationRow {
        change: median.zip(off.median()).map(|(on, off)| on / off - 1.0),
        original: off.setting.switch.and_then(Switch::original),
        off,
    };
    let rows = all.map(row).collect();
    Ok(Ablation { rows, all_on })
}

/// Returns the variants of a setting. Folding trees is the only reduction, and one variant is
/// without it.
fn variants(
    (setting, session): (Setting, Option<&Session>),
    graph: &Graph,
    mut base: PrepareOptions,
) -> Result<Vec<Bench>, Error> {
    base.reduce = Reductions::folding(true);
    let folded = Arc::new(prepare(graph, &base)?);
    let switches = iter::once(None).chain(Switch::ALL.map(Some));
    let variant = |switch: Option<Switch>| {
        let options = switch.map_or(base, |switch| switch.prepare_without(base));
        let is_base = (options.reduce, options.order) == (base.reduce, base.order);
        let prepared = match is_base {
            true => Arc::clone(&folded),
            false => Arc::new(prepare(graph, &options)?),
        };
        let mut setting = setting;
        (setting.subject, setting.reduce) = (Subject::Ablation(switch), options.reduce);
        Ok(Bench::new(setting, &prepared, session))
    };
    switches.map(variant).collect()
}

//! What the ideas of strategy `virtual` are worth: each switched off against all on.

use std::sync::Arc;

use super::search::Bench;
use super::setting::{Setting, Subject};
use brandes::graph::Graph;
use brandes::prepare::{PrepareOptions, Prepared, Reductions, TooManyRoots, prepare};
use brandes::strategy::ablation::Switch;

/// Strategy `virtual` with all of its ideas, and then with each of them switched off, with the
/// graph as each searches it. Trees are folded, and that is the only reduction.
pub fn candidates(
    all_on: &Bench,
    graph: &Graph,
    how: PrepareOptions,
) -> Result<Vec<(Bench, Arc<Prepared>)>, TooManyRoots> {
    let how = PrepareOptions {
        reduce: Reductions::folding(true),
        ..how
    };
    let folded = Arc::new(prepare(graph, &how)?);
    let switches = std::iter::once(None).chain(Switch::ALL.map(Some));
    let candidate = |switch: Option<Switch>| {
        let own = switch.map_or(how, |switch| switch.prepare_without(how));
        let same = (own.reduce, own.order) == (how.reduce, how.order);
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

//! Decisions before a search: its options, and reductions that pay off.

mod options;

use crate::cpu::{self, CpuOptions, CpuPlan};
use crate::prepare::{Prepared, WORKERS_OF_DEVICE, When};
use crate::strategy;

pub use options::SearchOptions;

/// Serves sources inside chains if that is expected to be the fastest way to search: on devices if
/// `on_devices` is true, otherwise by `workers` CPU workers. If it is not, and `twins` is
/// [`When::Auto`], merges twins where that makes less work ([`When::Always`] has merged them
/// before).
pub fn reduce(
    prepared: &mut Prepared,
    twins: When,
    options: CpuOptions,
    workers: usize,
    on_devices: bool,
) {
    let may_serve = prepared.may_serve_chains();
    let searching = [workers, WORKERS_OF_DEVICE][usize::from(on_devices)];
    let hierarchy = may_serve
        .then(|| prepared.likely_hierarchy(searching))
        .flatten();
    let chains = hierarchy.and_then(|hierarchy| {
        let chains = prepared.find_chains()?;
        let pays = if on_devices {
            let sweeps = strategy::hierarchy_seconds(&hierarchy, Some(&chains), chains.roots.len());
            sweeps < strategy::seconds_without_hierarchy(prepared)
        } else {
            let other = cpu::plan(prepared, &options, workers.max(1));
            let seconds = CpuPlan::served_seconds(&hierarchy, &chains);
            seconds < other.seconds(prepared, prepared.roots.len())
        };
        pays.then_some(chains)
    });
    if let Some(chains) = chains {
        prepared.serve_chains(chains);
    } else if twins == When::Auto {
        prepared.merge_twins(false);
    }
}

/// Returns whether a search of all roots of `exact` on devices is expected to take less time than
/// `searches` searches of an estimate, which only some strategies can do.
pub fn exact_is_cheaper(exact: &Prepared, (estimate, searches): (&Prepared, usize)) -> bool {
    // Only strategy `hierarchy` serves chains.
    let (hierarchy, other_seconds) = match &exact.chains {
        Some(_) => (exact.hierarchy().ok(), f64::INFINITY),
        None => {
            let other_seconds = strategy::seconds_without_hierarchy(exact);
            (exact.likely_hierarchy(WORKERS_OF_DEVICE), other_seconds)
        }
    };
    let sweep_seconds = hierarchy.map_or(f64::INFINITY, |hierarchy| {
        strategy::hierarchy_seconds(&hierarchy, exact.chains.as_deref(), exact.roots.len())
    });
    let share = searches as f64 / estimate.roots.len().max(1) as f64;
    sweep_seconds.min(other_seconds) < share * strategy::seconds_without_hierarchy(estimate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Betweenness;
    use crate::device::DeviceSelection;
    use crate::graph::generate;
    use crate::runner::CpuWorkers;
    use crate::strategy::Strategy;

    #[test]
    fn shapes_and_their_plans() {
        let rmat = generate::rmat(11, 16, 0.57, 0.19, 0.19, 7);
        for (graph, serves_chains, engine, strategy) in [
            (rmat, false, "lanes", "lanes"),
            (generate::grid(40, 40, 0.0, 1), false, "clustered", "local"),
            (generate::cycle(100_000), true, "hierarchy", "hierarchy"),
            // Two classes of twins remain.
            (generate::complete_bipartite(2, 3000), false, "plain", ""),
        ] {
            let graph = graph.unwrap();
            let settings = Betweenness::new().cpu_workers(CpuWorkers::Count(1));
            let prepared = |devices| {
                let settings = settings.clone().devices(devices);
                let chains = settings.options.contraction();
                settings.prepared(&graph, chains, &mut Vec::new()).unwrap()
            };
            let on_cores = prepared(DeviceSelection::None);
            assert_eq!(on_cores.chains.is_some(), serves_chains);
            let plans = cpu::candidates(&on_cores, &CpuOptions::default(), 1, on_cores.roots.len());
            assert_eq!(plans[0].engine.to_string(), engine);
            let on_device = Strategy::Auto
                .likely(&prepared(DeviceSelection::Auto))
                .name();
            assert!(strategy.is_empty() || on_device == strategy, "{on_device}");
        }
    }
}

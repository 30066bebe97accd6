//! Decisions by estimates of the work: whether searches serve sources inside chains, whether twins
//! are merged, and whether an exact search is cheaper than an estimate.

use crate::cpu::{self, CpuOptions, CpuPlan, WorkerBudget};
use crate::prepare::{Chains, Prepared, When};
use crate::strategy;

/// Returns the chains of a graph if serving the sources inside them is expected to be the fastest
/// way to search it, for devices or for `workers` CPU workers alone.
pub fn chains_worth_serving(
    prepared: &Prepared,
    options: CpuOptions,
    workers: usize,
    devices: bool,
) -> Option<Chains> {
    if !prepared.may_contract() {
        return None;
    }
    let hierarchy = prepared.likely_hierarchy()?;
    let chains = prepared.find_chains()?;
    let pays = if devices {
        let seconds = strategy::hierarchy_seconds(&hierarchy, Some(&chains), chains.roots.len());
        seconds < strategy::seconds_without_hierarchy(prepared)
    } else {
        let budget = WorkerBudget::for_all_roots(prepared, workers.max(1));
        let other = cpu::plan(prepared, &options, budget);
        let seconds = CpuPlan::served_seconds(&hierarchy, &chains);
        seconds < other.seconds(prepared, prepared.roots.len())
    };
    pays.then_some(chains)
}

/// Serves sources inside chains if that makes the search faster, or else merges twins if that does
/// and `twins` is [`When::Auto`]. `workers` CPU workers will search the graph, and devices if
/// `devices` is true.
pub fn reduce(
    prepared: &mut Prepared,
    twins: When,
    options: CpuOptions,
    workers: usize,
    devices: bool,
) {
    if let Some(chains) = chains_worth_serving(prepared, options, workers, devices) {
        prepared.contract(chains);
        return;
    }
    let find = || prepared.twins(false);
    if let Some(twins) = (twins == When::Auto).then(find).flatten() {
        prepared.merge(twins);
    }
}

/// Returns whether a search of all roots of `exact` is expected to take less time than `searches`
/// searches of an estimate, each by the best engine for it on devices, or on cores alone. The
/// answer does not depend on the number of workers.
pub fn exact_is_cheaper(
    exact: &Prepared,
    (estimate, searches): (&Prepared, usize),
    options: CpuOptions,
    devices: bool,
) -> bool {
    let roots = exact.roots.len();
    if devices {
        // Only strategy `hierarchy` serves chains.
        let (hierarchy, other_seconds) = match &exact.chains {
            Some(_) => (exact.hierarchy().ok(), f64::INFINITY),
            None => {
                let other_seconds = strategy::seconds_without_hierarchy(exact);
                (exact.likely_hierarchy(), other_seconds)
            }
        };
        let sweep_seconds = hierarchy.map_or(f64::INFINITY, |hierarchy| {
            strategy::hierarchy_seconds(&hierarchy, exact.chains.as_deref(), roots)
        });
        let share = searches as f64 / estimate.roots.len().max(1) as f64;
        let estimate_seconds = share * strategy::seconds_without_hierarchy(estimate);
        return sweep_seconds.min(other_seconds) < estimate_seconds;
    }
    let options = CpuOptions {
        reproducible: true,
        ..options
    };
    let seconds = |prepared: &Prepared, roots| {
        let budget = WorkerBudget::for_all_roots(prepared, 1);
        cpu::plan(prepared, &options, budget).seconds(prepared, roots)
    };
    seconds(exact, roots) < seconds(estimate, searches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate;
    use crate::prepare::{PrepareOptions, prepare, prepare_estimate};

    #[test]
    fn exact_searches_of_roads_are_cheaper_than_many_searches_of_an_estimate() {
        let road = generate::road(6_000, 0.25, 0.3, 5).unwrap().graph;
        let (cpu, usual) = (CpuOptions::default(), PrepareOptions::default());
        // Without lengths, `local` is about as fast as sweeps on roads this small, so the exact
        // search on a device is not cheaper.
        let hops = (road.clone().without_lengths(), &[false][..]);
        for (road, devices) in [hops, (road, &[false, true])] {
            let mut exact = prepare(&road, &usual).unwrap();
            reduce(&mut exact, When::Auto, cpu, 1, false);
            let (estimate, _) = prepare_estimate(&road, &usual, (&[64, road.vertices()], 1));
            for &devices in devices {
                let cheaper = |n| exact_is_cheaper(&exact, (&estimate, n), cpu, devices);
                assert!(!cheaper(64) && cheaper(4_000), "{devices}");
            }
        }
    }
}

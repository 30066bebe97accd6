//! Decisions before a search: its options, reductions that pay off, and the expected engines.

mod options;

use crate::cpu::{self, CpuOptions, CpuPlan};
use crate::device::DeviceSelection;
use crate::prepare::{Prepared, WORKERS_OF_DEVICE, When};
use crate::strategy::{self, Strategy};

pub use options::SearchOptions;

/// How a graph will be searched, as far as it is known before the search. See
/// [`Betweenness::plan`](crate::Betweenness::plan).
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of vertices of the prepared graph.
    pub vertices: usize,
    /// The number of its arcs; an undirected edge is two.
    pub arcs: usize,
    /// The number of searches.
    pub roots: usize,
    /// Whether sources inside chains of degree-2 vertices need no searches of their own, because
    /// searches from the ends of the chains serve them.
    pub serves_chains: bool,
    /// The engines of CPU workers, the likeliest first. If there are several, workers try them on
    /// their first claims and continue with the fastest.
    pub cores: Vec<CpuPlan>,
    /// The estimated seconds of the whole search on one core, within a factor of about three.
    pub seconds: f64,
    /// The strategy that devices will use unless they lack memory, which is not tested; `None` if
    /// no device is driven.
    pub device: Option<Strategy>,
    /// The reason for the strategy, if `auto` chose it.
    pub why: String,
}

impl Plan {
    /// Returns the plan for a prepared graph and this many workers.
    pub(crate) fn new(prepared: &Prepared, options: &SearchOptions, workers: usize) -> Plan {
        let (cpu, roots) = (options.cpu_request(), prepared.roots.len());
        let cores = cpu::candidates(prepared, &cpu.options, workers, roots);
        let (device, why) = options.strategy.likely_because(prepared);
        let driven = options.devices != DeviceSelection::None;
        Plan {
            vertices: prepared.graph.vertices(),
            arcs: prepared.graph.arcs(),
            roots,
            serves_chains: prepared.chains.is_some(),
            seconds: cores[0].seconds(prepared, roots),
            cores,
            device: driven.then_some(device),
            why: if driven { why } else { String::new() },
        }
    }
}

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
    use crate::graph::generate;
    use crate::runner::CpuWorkers;

    #[test]
    fn shapes_and_their_plans() {
        let [none, auto] = [DeviceSelection::None, DeviceSelection::Auto];
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
            let plan = |devices: &DeviceSelection| {
                let settings = settings.clone().devices(devices.clone());
                settings.plan(&graph).unwrap()
            };
            let on_cores = plan(&none);
            assert_eq!(on_cores.serves_chains, serves_chains);
            assert_eq!(on_cores.cores[0].engine.to_string(), engine);
            assert!(on_cores.device.is_none() && on_cores.seconds > 0.0);
            let on_device = plan(&auto);
            assert!(on_device.seconds > 0.0 && !on_device.why.is_empty());
            let on_device = on_device.device.unwrap().name();
            assert!(strategy.is_empty() || on_device == strategy, "{on_device}");
        }
    }
}

//! A summary of how a graph will be searched.

use super::SearchOptions;
use crate::cpu::{self, CpuPlan, WorkerBudget};
use crate::device::DeviceSelection;
use crate::prepare::Prepared;
use crate::strategy::Strategy;

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
    /// Whether searches serve the sources inside chains of degree-2 vertices.
    pub contracted: bool,
    /// The engines of CPU workers, the likeliest first. If there are several, workers try them on
    /// their first claims and continue with the fastest.
    pub cores: Vec<CpuPlan>,
    /// The estimated seconds of the whole search on one core, within a factor of about three.
    pub seconds: f64,
    /// The strategy of devices, if they have enough memory for it; `None` if no device is driven.
    pub device: Option<Strategy>,
    /// The reason for the strategy, if `auto` chose it.
    pub why: String,
}

impl Plan {
    /// Returns the plan for a prepared graph and this many workers.
    pub(crate) fn new(prepared: &Prepared, options: &SearchOptions, workers: usize) -> Plan {
        let budget = WorkerBudget::for_all_roots(prepared, workers);
        let cores = cpu::candidates(prepared, &options.cpu_request().options, budget);
        let (device, why) = options.strategy.likely_because(prepared);
        let driven = options.devices != DeviceSelection::None;
        Plan {
            vertices: prepared.graph.vertices(),
            arcs: prepared.graph.arcs(),
            roots: prepared.roots.len(),
            contracted: prepared.chains.is_some(),
            seconds: cores[0].seconds(prepared, prepared.roots.len()),
            cores,
            device: driven.then_some(device),
            why: if driven { why } else { String::new() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Betweenness;
    use crate::graph::{Graph, generate};
    use crate::runner::CpuWorkers;

    #[test]
    fn shapes_and_their_plans() {
        let engines = |graph: &Graph, devices: DeviceSelection| {
            let settings = Betweenness::new()
                .devices(devices)
                .cpu_workers(CpuWorkers::Count(1));
            let plan = settings.plan(graph).unwrap();
            let names: Vec<&str> = plan.cores.iter().map(|plan| plan.engine.name()).collect();
            let device = plan.device.map_or("none", |strategy| strategy.name());
            (plan.contracted, names[0], device)
        };
        let world = generate::rmat(11, 16, 0.57, 0.19, 0.19, 7).unwrap();
        let grid = generate::grid(40, 40, 0.0, 1).unwrap();
        let ring = generate::cycle(100_000).unwrap();
        let hubs = generate::complete_bipartite(2, 3000).unwrap();
        let none = || DeviceSelection::None;
        for (graph, expected) in [
            (&world, (false, "lanes", "none")),
            (&grid, (false, "clustered", "none")),
            (&ring, (true, "hierarchy", "none")),
            // Two classes of twins remain.
            (&hubs, (false, "plain", "none")),
        ] {
            assert_eq!(engines(graph, none()), expected);
        }
        for (graph, expected) in [(&world, "lanes"), (&grid, "local"), (&ring, "hierarchy")] {
            assert_eq!(engines(graph, DeviceSelection::Auto).2, expected);
        }
    }

    #[test]
    fn engines_that_seem_alike_are_all_tried() {
        let graph = generate::grid(4, 150, 0.3, 1).unwrap();
        let plan = Betweenness::new().plan(&graph).unwrap();
        assert!(plan.seconds > 0.0 && !plan.why.is_empty());
    }
}

//! Prints the plans for five graphs: the number of searches, the engine on cores, and the strategy
//! on devices.

#![expect(clippy::print_stdout, reason = "the example prints its result")]

use brandes::graph::generate;
use brandes::{Betweenness, CpuWorkers, DeviceSelection};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, graph) in [
        ("R-MAT", generate::rmat(11, 8, 0.57, 0.19, 0.19, 1)?),
        ("grid", generate::grid(40, 40, 0.0, 1)?),
        ("streets", generate::grid(60, 60, 0.3, 1)?),
        ("ring", generate::cycle(100_000)?),
        ("two hubs", generate::complete_bipartite(2, 3000)?),
    ] {
        let settings = Betweenness::new().cpu_workers(CpuWorkers::Count(1));
        let without_devices = settings.clone().devices(DeviceSelection::None);
        let (on_cores, on_devices) = (without_devices.plan(&graph)?, settings.plan(&graph)?);
        // A worker tries these engines, and goes on with the fastest.
        let engines: Vec<String> = on_cores
            .cores
            .iter()
            .map(|plan| plan.engine.to_string())
            .collect();
        println!(
            "{name}: a core: {} searches by {}, about {:.2} s; devices: {} searches by {}",
            on_cores.roots,
            engines.join(" or "),
            on_cores.seconds,
            on_devices.roots,
            on_devices.device.map_or("none", |strategy| strategy.name()),
        );
    }
    Ok(())
}

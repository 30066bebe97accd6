//! How five graphs would be searched: what becomes of chains, the engine of cores, and the strategy
//! of devices.

#![expect(clippy::print_stdout, reason = "it is to be seen")]

use brandes::cpu::{self, CpuOptions, Staff};
use brandes::graph::generate;
use brandes::plan;
use brandes::prepare::{PrepareOptions, prepare};
use brandes::strategy::Strategy;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, graph) in [
        ("R-MAT", generate::rmat(11, 8, 0.57, 0.19, 0.19, 1)?),
        ("grid", generate::grid(40, 40, 0.0, 1)?),
        ("streets", generate::grid(60, 60, 0.3, 1)?),
        ("ring", generate::cycle(100_000)?),
        ("two hubs", generate::complete_bipartite(2, 3000)?),
    ] {
        let mut prepared = prepare(&graph, &PrepareOptions::default())?;
        let verdict = plan::contraction(&prepared, 1, false);
        plan::contract(&mut prepared, 1, false);
        let cores = cpu::plan(&prepared, &CpuOptions::default(), Staff::of(&prepared, 1));
        let device = Strategy::Auto.likely(&prepared);
        println!(
            "{name}: {} roots, chains {verdict:?}; cores {}, devices {}",
            prepared.roots.len(),
            cores.words(),
            device.name()
        );
    }
    Ok(())
}

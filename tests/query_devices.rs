//! Tests queries of large graphs, and estimates, on an OpenCL device.

use crate::common::{any_device, difference};
use brandes::graph::generate;
use brandes::strategy::Strategy as Search;
use brandes::{
    Betweenness, CpuEngine, CpuWorkers, DeviceSelection, Drawn, Estimate, Measure, Query,
};

/// Searches stop at the radius, long before they reach all vertices.
#[test]
fn small_radii_of_large_graphs() {
    let grid = generate::grid(50, 60, 0.1, 4).unwrap();
    let search = Betweenness::new().query(Query {
        measures: vec![Measure::Betweenness, Measure::Closeness],
        radii: vec![2.0, 4.0],
        ..Query::default()
    });
    let cores = search.clone().devices(DeviceSelection::None);
    let cores = cores.cpu_engine(CpuEngine::Plain).run(&grid).unwrap();
    for strategy in [Search::WorkEfficient, Search::Warp, Search::Local] {
        let device = search.clone().devices(any_device()).strategy(strategy);
        let device = device.cpu_workers(CpuWorkers::Count(0)).run(&grid).unwrap();
        for (found, expected) in device.columns().iter().zip(cores.columns()) {
            let off = difference(&found.values, &expected.values, 1e-9);
            assert!(off <= 1e-11, "{strategy:?}: {off:e}");
        }
    }
}

#[test]
fn devices_estimate_as_cores_do() {
    let graph = generate::barabasi_albert(600, 3, 5).unwrap();
    let options = Estimate {
        epsilon: 0.03,
        draws: Some(Drawn::Sources),
        ..Estimate::default()
    };
    let cores = Betweenness::new().devices(DeviceSelection::None);
    let exact = cores.clone().normalized(true).run(&graph).unwrap();
    let exact = exact.vertices();
    let expected = cores.estimate(options).run(&graph).unwrap();
    let estimated = expected.estimated().unwrap();
    let device = |search| {
        let device = Betweenness::new().devices(any_device()).strategy(search);
        device.cpu_workers(CpuWorkers::Count(0)).estimate(options)
    };
    for search in [Search::Edge, Search::Hybrid] {
        let error = device(search).run(&graph).err().unwrap().to_string();
        assert!(
            error.contains("does not estimate; use strategy lanes"),
            "{error}"
        );
    }
    for search in [
        Search::Lanes,
        Search::Vertex,
        Search::WorkEfficient,
        Search::Warp,
        Search::Local,
    ] {
        let scores = device(search).run(&graph).unwrap();
        let found = scores.estimated().unwrap();
        // Batches may be wider on devices.
        assert!(found.draws >= estimated.draws, "{search:?}");
        let close = |a: &[f64], b: &[f64]| difference(a, b, 1e-3) < 1e-9;
        let are_equal =
            close(&found.lower, &estimated.lower) && close(&found.upper, &estimated.upper);
        assert!(are_equal || found.draws > estimated.draws, "{search:?}");
        let exact = exact.iter().zip(found.lower.iter().zip(&found.upper));
        let mut misses = exact.filter(|&(score, (low, high))| score < low || score > high);
        assert!(misses.next().is_none(), "{search:?}");
    }
}

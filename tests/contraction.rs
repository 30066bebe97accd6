//! Whether chains are contracted where `auto` decides: by counted work, and by a trial on who will
//! search.

mod common;

use std::sync::Arc;

use brandes::cpu::CpuOptions;
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, When, prepare};
use brandes::runner::Devices;
use brandes::strategy::Strategy;
use brandes::strategy::trial::Compared;
use common::Setup;
use common::subdivided::{edges, roads, subdivided};

/// How a graph is prepared whose chains may be contracted, or not.
fn open() -> PrepareOptions {
    let mut options = Setup::cpu(1).fold(true).prepare;
    options.reduce.chains = When::Auto;
    options
}

#[test]
fn auto_contracts_where_that_is_faster() {
    let contracts = |graph: &Graph| {
        let mut prepared = prepare(graph, &open()).unwrap();
        let options = CpuOptions::default();
        brandes::plan::reduce(&mut prepared, When::Never, options, 1, None);
        prepared.chains.is_some()
    };
    assert!(contracts(&subdivided(2, &[(0, 1); 3], &[40, 50, 60])));
    assert!(contracts(&generate::cycle(50).unwrap()));
    assert!(!contracts(&generate::complete(12).unwrap()));
    assert!(!contracts(&generate::path(12).unwrap()));
    assert!(!contracts(
        &generate::rmat(8, 8, 0.57, 0.19, 0.19, 1).unwrap()
    ));
    // Quadratic work at its hubs: 11 times slower in chains than in lanes.
    let hubs = generate::complete_bipartite(2, 4000).unwrap();
    assert!(!contracts(&hubs));
}

/// 5,000 vertices, three long chains at most of them.
fn long_chains() -> Graph {
    let random = generate::erdos_renyi(5000, 7500, 3).unwrap();
    subdivided(5000, &edges(&random), &[4; 7500])
}

#[test]
fn devices_decide_where_there_are_some() {
    let whole = prepare(&long_chains(), &open()).unwrap();
    let contracts = |workers: usize, answer: Compared| {
        let compare = |forms: Option<&brandes::plan::Forms>| {
            let [kept, swept] = forms.expect("counted work leaves it open")();
            assert!(kept.chains.is_none() && swept.chains.is_some());
            answer
        };
        let mut prepared = whole.clone();
        let options = CpuOptions::default();
        brandes::plan::reduce(&mut prepared, When::Never, options, workers, Some(&compare));
        prepared.chains.is_some()
    };
    for workers in [0, 1] {
        assert!(contracts(
            workers,
            Compared::Seconds([[4.0; 2], [1.0, 2.0]])
        ));
        assert!(!contracts(
            workers,
            Compared::Seconds([[1.0, 3.0], [4.0; 2]])
        ));
        // The likelier, by counted work.
        assert!(contracts(
            workers,
            Compared::Seconds([[1.0, 9.0], [2.0, 4.0]])
        ));
        assert!(contracts(workers, Compared::Unknown));
    }
}

#[test]
fn cores_decide_where_there_is_no_device_or_too_late() {
    // Too little work for a device to gain by contraction; cores do.
    let whole = subdivided(2, &[(0, 1); 3], &[40, 50, 60]);
    let whole = prepare(&whole, &open()).unwrap();
    let contracts = |workers: usize, compare: &brandes::plan::Compare| {
        let mut prepared = whole.clone();
        let options = CpuOptions::default();
        brandes::plan::reduce(&mut prepared, When::Never, options, workers, Some(compare));
        prepared.chains.is_some()
    };
    assert!(contracts(0, &|_| Compared::NoDevice));
    assert!(!contracts(0, &|_| Compared::Unknown));
    // Workers are done before a device is ready, so that none is asked.
    assert!(contracts(1, &|_| unreachable!("workers are done")));
}

#[test]
fn a_device_tries_both_forms() {
    let forms = || {
        let mut swept = prepare(&roads(9), &Setup::cpu(1).prepare).unwrap();
        let kept = Arc::new(swept.clone());
        swept.contract();
        [kept, Arc::new(swept)]
    };
    let mut request = Setup::device(16, Precision::F64, 0).request;
    request.strategy = Strategy::Auto;
    request.options.degree = None;
    let devices = Devices::start(request.clone());
    devices.wait_until_ready();
    assert_eq!(devices.compare(None), Compared::Unknown);
    let compared = devices.compare(Some(&forms));
    let Compared::Seconds(seconds) = compared else {
        panic!("{compared:?}")
    };
    for [least, most] in seconds {
        assert!(0.0 < least && least <= most && most < 100.0, "{seconds:?}");
    }
    request.selection = brandes::DeviceSelection::None;
    let none = Devices::start(request);
    assert_eq!(none.compare(Some(&forms)), Compared::NoDevice);
}

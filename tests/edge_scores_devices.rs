//! Compares scores of edges by every strategy on an OpenCL device with the CPU engine, the
//! definition and closed forms.

use std::sync::Arc;

use crate::common::failing::{Failure, failing};
use crate::common::{
    Setup, any_device, assert_close, diamonds, difference, graph, hub, plain, supports_directed,
};
use brandes::device::{DeviceError, DeviceOptions, Numbers, Session, find};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, Reductions, RootSelection, Scale, prepare};
use brandes::runner::{self, CpuRequest, CpuWorkers, DeviceRequest, Devices, DriverState, Outcome};
use brandes::strategy::{NumericOption, Strategy as Search};

const STRATEGIES: [Search; 9] = [
    Search::Vertex,
    Search::Edge,
    Search::WorkEfficient,
    Search::Hybrid,
    Search::Warp,
    Search::Local,
    Search::Virtual,
    Search::EdgeDevice,
    Search::Lanes,
];

fn request(strategy: Search, work_group: u32, precision: Precision) -> DeviceRequest {
    DeviceRequest {
        selection: any_device(),
        options: DeviceOptions {
            precision,
            // The graphs then have many pieces and chunks, and several tiles.
            numbers: Numbers {
                work_group: Some(work_group),
                degree: strategy.has(NumericOption::Degree).then_some(4),
                lanes: strategy.has(NumericOption::Lanes).then_some(64),
                ..Numbers::default()
            },
            // Some frontiers are searched by arcs, others by vertices.
            wide: (strategy == Search::Hybrid).then_some(3),
            count_edges: true,
            ..DeviceOptions::default()
        },
        strategy,
        is_explicit: true,
        workers: CpuWorkers::Count(0),
        ..DeviceRequest::default()
    }
}

fn with_edges(options: &PrepareOptions) -> PrepareOptions {
    PrepareOptions {
        edges: true,
        ..*options
    }
}

/// Panics if a device failed: the CPU would compute the scores, and tests would not notice.
fn assert_no_failure(outcome: &Outcome) {
    assert!(outcome.drivers.iter().all(|driver| driver.error.is_none()));
}

/// Returns the scores of vertices and of edges, and the record of the search.
fn searched(
    graph: &Graph,
    options: &PrepareOptions,
    request: DeviceRequest,
    workers: usize,
) -> (Vec<f64>, Vec<f64>, Outcome) {
    let devices = Devices::start(request);
    let prepared = Arc::new(prepare(graph, &with_edges(options)).unwrap());
    let cpu = CpuRequest {
        workers: CpuWorkers::Count(workers),
        options: plain(),
    };
    let outcome = runner::run(
        &prepared,
        &devices,
        cpu,
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )
    .unwrap();
    devices.join();
    let arcs = outcome.sums.arcs.as_ref().unwrap();
    (
        prepared.scores(&outcome.sums.vertices, Scale::Pairs),
        prepared.edge_scores(graph, arcs, Scale::Pairs).unwrap(),
        outcome,
    )
}

fn by_cpu(graph: &Graph, options: &PrepareOptions) -> (Vec<f64>, Vec<f64>) {
    let (vertices, edges, _) = searched(graph, options, Setup::cpu(1).request, 1);
    (vertices, edges)
}

fn by_device(
    graph: &Graph,
    options: &PrepareOptions,
    request: DeviceRequest,
) -> (Vec<f64>, Vec<f64>) {
    let (vertices, edges, outcome) = searched(graph, options, request, 0);
    assert_no_failure(&outcome);
    (vertices, edges)
}

fn without_folding() -> PrepareOptions {
    PrepareOptions {
        reduce: Reductions::NONE,
        ..PrepareOptions::default()
    }
}

/// Returns some of the arcs of an undirected graph.
fn arcs_of(undirected: &Graph) -> Graph {
    let arcs: Vec<(u32, u32)> = (0..undirected.vertices() as u32)
        .flat_map(|v| undirected.csr().neighbours(v).iter().map(move |&w| (v, w)))
        .filter(|&(v, w)| (v * 7 + w * 3) % 5 != 0)
        .collect();
    graph(undirected.vertices(), &arcs, true)
}

fn shapes() -> Vec<(&'static str, Graph)> {
    let world = generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap();
    vec![
        ("arcs of a small world", arcs_of(&world)),
        ("small world", world),
        ("arcs of a hub", arcs_of(&hub(150))),
        ("hub", hub(150)),
        ("deep", generate::grid(30, 3, 0.05, 2).unwrap()),
        ("many paths", generate::diamonds(20).unwrap()),
        (
            "many components",
            generate::erdos_renyi(150, 130, 3).unwrap(),
        ),
    ]
}

#[test]
fn every_strategy_gives_the_edge_scores_of_the_cpu() {
    for (i, (name, graph)) in shapes().into_iter().enumerate() {
        for (j, options) in [PrepareOptions::default(), without_folding()]
            .into_iter()
            .enumerate()
        {
            let (vertices, edges) = by_cpu(&graph, &options);
            for (k, strategy) in STRATEGIES.into_iter().enumerate() {
                // Each graph is folded for every other strategy.
                if (i + j + k) % 2 == 0 || graph.directed() && !supports_directed(strategy) {
                    continue;
                }
                let work_group = [32, 64][j];
                let request = request(strategy, work_group, Precision::F64);
                let got = by_device(&graph, &options, request);
                for (got, expected) in [(&got.0, &vertices), (&got.1, &edges)] {
                    let difference = difference(got, expected, 1e-3);
                    assert!(difference < 1e-10, "{name}, {strategy:?}: {difference:e}");
                }
            }
        }
    }
}

#[test]
fn closed_forms() {
    let n = 60u32;
    let path: Vec<f64> = (1..n).map(|i| f64::from(i * (n - i))).collect();
    for (graph, expected) in [
        (generate::path(n).unwrap(), path),
        // Only the pair of its own ends uses an edge.
        (generate::complete(20).unwrap(), vec![1.0; 190]),
        // There are 15 pairs at each distance d from 1 to 7, and each of them uses d of the 15
        // edges.
        (
            generate::cycle(15).unwrap(),
            vec![(1..=7).sum::<u32>().into(); 15],
        ),
        (generate::star(40).unwrap(), vec![39.0; 39]),
    ] {
        for strategy in STRATEGIES {
            for options in [PrepareOptions::default(), without_folding()] {
                let request = request(strategy, 32, Precision::F64);
                let (_, edges) = by_device(&graph, &options, request);
                assert_close(&edges, &expected, 1e-12);
            }
        }
    }
}

/// The graph has so many roots that sums in f32 move to the host during the search.
#[test]
fn f32_is_close() {
    let graph = generate::erdos_renyi(1200, 2000, 4).unwrap();
    let (_, expected) = by_cpu(&graph, &PrepareOptions::default());
    for strategy in [
        Search::Virtual,
        Search::Lanes,
        Search::WorkEfficient,
        Search::Local,
    ] {
        let request = request(strategy, 32, Precision::F32);
        let (_, edges) = by_device(&graph, &PrepareOptions::default(), request);
        let difference = difference(&edges, &expected, 1.0);
        assert!(difference < 1e-4, "{strategy:?}: {difference:e}");
    }
}

#[test]
fn tiles_of_every_width() {
    for graph in [hub(150), arcs_of(&hub(150))] {
        let (_, expected) = by_cpu(&graph, &without_folding());
        for lanes in [32, 96, 128, 256, 512] {
            let mut request = request(Search::Lanes, 32, Precision::F64);
            request.options.numbers.lanes = Some(lanes);
            let (_, edges) = by_device(&graph, &without_folding(), request);
            assert_close(&edges, &expected, 1e-12);
        }
    }
}

/// Searches that are too deep for masks of levels run on `virtual`, which also sums edges.
#[test]
fn lanes_leave_deep_searches_to_virtual() {
    let graph = generate::path(300).unwrap();
    let options = PrepareOptions {
        roots: RootSelection::Sample(100),
        ..without_folding()
    };
    let (_, expected) = by_cpu(&graph, &options);
    let request = request(Search::Lanes, 64, Precision::F64);
    let (_, edges) = by_device(&graph, &options, request);
    assert_close(&edges, &expected, 1e-12);
}

#[test]
fn auto_counts_edges_too() {
    let world = generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap();
    for graph in [world, generate::cycle(300).unwrap()] {
        let (_, expected) = by_cpu(&graph, &PrepareOptions::default());
        let mut request = request(Search::Auto, 64, Precision::F64);
        (
            request.options.numbers.degree,
            request.options.numbers.lanes,
        ) = (None, None);
        let (_, edges) = by_device(&graph, &PrepareOptions::default(), request);
        assert_close(&edges, &expected, 1e-12);
    }
}

/// Roots whose sums a failing device did not return are searched again, and counted once.
#[test]
fn roots_of_a_failing_device_are_searched_again() {
    let graph = generate::erdos_renyi(600, 1500, 8).unwrap();
    let (_, expected) = by_cpu(&graph, &without_folding());
    for strategy in [Search::Warp, Search::Virtual, Search::Lanes] {
        for step in [Failure::Search(1), Failure::Collect, Failure::Panic] {
            let mut request = request(strategy, 32, Precision::F64);
            request.strategy = failing(strategy, step);
            let (_, edges, outcome) = searched(&graph, &without_folding(), request, 0);
            assert!(outcome.drivers[0].error.is_some(), "{strategy:?}, {step:?}");
            assert_close(&edges, &expected, 1e-12);
        }
    }
}

#[test]
fn a_device_and_the_cpu_share_the_roots() {
    let graph = generate::erdos_renyi(900, 3000, 8).unwrap();
    let (_, expected) = by_cpu(&graph, &without_folding());
    let request = request(Search::Local, 32, Precision::F64);
    let (_, edges, outcome) = searched(&graph, &without_folding(), request, 1);
    assert_no_failure(&outcome);
    assert_close(&edges, &expected, 1e-12);
}

#[test]
fn a_path_count_beyond_f32_is_counted_by_the_cpu() {
    let chain = diamonds::chain(150); // 2^150 paths
    let options = PrepareOptions::default();
    for strategy in STRATEGIES {
        let request = request(strategy, 32, Precision::F32);
        let (_, edges, outcome) = searched(&chain, &options, request, 0);
        assert_no_failure(&outcome);
        let off = difference(&edges, &diamonds::edge_scores(150), 1e-3);
        assert!(off <= 1e-5, "{strategy:?}: {off:e}");
        assert_eq!(outcome.drivers[0].state, DriverState::PathCounts);
    }
}

/// Opens a session on the first device. It sums scores of edges if `count_edges` is set.
fn session(strategy: Search, count_edges: bool) -> Session {
    any_device();
    let found = find::survey().unwrap().devices.swap_remove(0);
    let mut options = request(strategy, 32, Precision::F64).options;
    options.count_edges = count_edges;
    options.numbers.degree = None;
    Session::open(
        &found,
        options,
        |options, info| strategy.kernels(options, info),
        &mut Vec::new(),
    )
    .unwrap()
}

#[test]
fn sums_of_arcs_have_to_fit() {
    let graph = generate::erdos_renyi(100, 4000, 3).unwrap();
    let prepared = prepare(&graph, &with_edges(&PrepareOptions::default())).unwrap();
    let bytes = 8 * prepared.graph.arcs() as u64;
    for strategy in STRATEGIES {
        let mut session = session(strategy, true);
        // A buffer can hold the arcs, but not a double for each of them.
        session.info.max_buffer = bytes - 1;
        match strategy.engine(&session, &prepared).map(|made| made.plan) {
            Err(DeviceError::Refused(text)) => {
                assert!(text.contains("buffer 'sums of arcs"), "{text}");
                let numbers = text.split(' ').filter_map(|word| word.parse().ok());
                assert!(numbers.max() >= Some(bytes), "{text}");
            }
            other => panic!("{strategy:?}: {other:?}"),
        }
        session.info.max_buffer = u64::MAX;
        session.info.memory = bytes;
        let refused = strategy.engine(&session, &prepared).map(|made| made.plan);
        assert!(
            matches!(&refused, Err(DeviceError::Refused(text)) if text.contains("device memory")),
            "{strategy:?}: {refused:?}"
        );
    }
}

#[test]
fn slots_shrink_to_fit() {
    let graph = generate::erdos_renyi(100, 4000, 3).unwrap();
    let prepared = prepare(&graph, &with_edges(&PrepareOptions::default())).unwrap();
    for strategy in [Search::WorkEfficient, Search::Local] {
        let mut session = session(strategy, true);
        let slots = |session: &Session| {
            let device = strategy.engine(session, &prepared).unwrap();
            device.plan.slots.unwrap()
        };
        assert!(slots(&session) > 1);
        session.info.max_buffer = 12 * 8 * prepared.graph.arcs() as u64 / 10;
        if strategy == Search::Local {
            // A record has eight arcs.
            session.info.max_buffer += 100 * 8 * 8;
        }
        assert_eq!(slots(&session), 1, "{strategy:?}");
    }
}

#[test]
fn a_session_without_sums_of_arcs_is_refused() {
    let graph = generate::cycle(10).unwrap();
    let prepared = prepare(&graph, &with_edges(&PrepareOptions::default())).unwrap();
    let refused = |strategy: Search, count_edges| {
        let session = session(strategy, count_edges);
        match strategy.engine(&session, &prepared) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("an engine of {strategy:?}"),
        }
    };
    let text = refused(Search::Warp, false);
    assert!(text.contains("without sums"), "{text}");
}

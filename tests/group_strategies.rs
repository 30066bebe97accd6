//! Compares the strategies from the literature (`vertex`, `edge`, `edge-device`, `work-efficient`,
//! `hybrid`, `warp`) and `local` on an OpenCL device with the CPU engine and the definition.

use std::sync::Arc;

use crate::common::{Setup, assert_close, diamonds, difference, graph, hub, supports_directed};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, RootSelection, prepare};
use brandes::runner::{CpuWorkers, Devices, run};
use brandes::strategy::Strategy as Search;

const STRATEGIES: [Search; 7] = [
    Search::Vertex,
    Search::Edge,
    Search::EdgeDevice,
    Search::WorkEfficient,
    Search::Hybrid,
    Search::Warp,
    Search::Local,
];

fn setup(strategy: Search, work_group: u32, precision: Precision) -> Setup {
    let mut setup = Setup::device(16, precision, 0);
    setup.request.strategy = strategy;
    setup.request.options.numbers.degree = None;
    setup.request.options.numbers.work_group = Some(work_group);
    setup
}

fn shapes() -> Vec<(&'static str, Graph)> {
    vec![
        (
            "small world",
            generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap(),
        ),
        ("hub", hub(300)),
        (
            "preferring high degrees",
            generate::barabasi_albert(150, 4, 5).unwrap(),
        ),
        ("deep", generate::grid(40, 3, 0.05, 2).unwrap()),
        ("path", generate::path(70).unwrap()),
        ("many paths", generate::diamonds(30).unwrap()),
        (
            "many components",
            generate::erdos_renyi(200, 170, 3).unwrap(),
        ),
        ("clique", generate::complete(33).unwrap()),
    ]
}

#[test]
fn every_strategy_gives_the_scores_of_the_cpu() {
    for (i, (name, graph)) in shapes().into_iter().enumerate() {
        let expected = Setup::cpu(2).scores(&graph);
        for (j, strategy) in STRATEGIES.into_iter().enumerate() {
            // Each strategy and each graph runs with both work-group sizes.
            let (work_group, fold) = [(32, true), (256, false)][(i + j) % 2];
            let setup = setup(strategy, work_group, Precision::F64).fold(fold);
            let difference = difference(&setup.scores(&graph), &expected, 1e-3);
            assert!(
                difference < 1e-10,
                "{name}, {strategy:?}, work-groups of {work_group}: {difference:e}"
            );
        }
    }
}

#[test]
fn graphs_without_anything_to_search() {
    for graph in [
        graph(0, &[], false),
        graph(1, &[], true),
        graph(5, &[], false),
        graph(2, &[(0, 1)], true),
        graph(2, &[(0, 1)], false),
    ] {
        let expected = Setup::cpu(1).scores(&graph);
        for strategy in STRATEGIES {
            if graph.directed() && !supports_directed(strategy) {
                continue;
            }
            let setup = setup(strategy, 32, Precision::F64).fold(false);
            assert_close(&setup.scores(&graph), &expected, 0.0);
        }
    }
}

/// Rows of in-arcs and out-arcs have several tiles, and levels are wider than a work-group.
#[test]
fn directed_graphs_with_hubs_and_path_ends() {
    let undirected = hub(300);
    let arcs: Vec<(u32, u32)> = (0..undirected.vertices() as u32)
        .flat_map(|v| undirected.csr().neighbours(v).iter().map(move |&w| (v, w)))
        .filter(|&(v, w)| (v * 7 + w * 3) % 5 != 0)
        .collect();
    let graph = graph(undirected.vertices(), &arcs, true);
    let mut cpu = Setup::cpu(2);
    cpu.prepare.endpoints = true;
    let expected = cpu.scores(&graph);
    for strategy in STRATEGIES.into_iter().filter(|&s| supports_directed(s)) {
        for precision in [Precision::F64, Precision::F32] {
            // Other tests use these sizes too, and each size needs a compilation.
            let (work_group, tolerance) = match precision {
                Precision::F32 => (64, 1e-4),
                _ => (32, 1e-10),
            };
            let mut setup = setup(strategy, work_group, precision);
            setup.prepare.endpoints = true;
            assert_close(&setup.scores(&graph), &expected, tolerance);
        }
    }
}

/// The graph has more roots than `hybrid` samples, and frontiers of more than 512 vertices.
#[test]
fn hybrid_searches_wide_frontiers_by_arcs() {
    let undirected = generate::barabasi_albert(1100, 4, 9).unwrap();
    let directed: Vec<(u32, u32)> = (0..undirected.vertices() as u32)
        .flat_map(|v| undirected.csr().neighbours(v).iter().map(move |&w| (v, w)))
        .filter(|&(v, w)| (v + w) % 7 != 0)
        .collect();
    let directed = graph(undirected.vertices(), &directed, true);
    for graph in [undirected, directed] {
        let expected = Setup::cpu(2).scores(&graph);
        let setup = setup(Search::Hybrid, 256, Precision::F64);
        assert_close(&setup.scores(&graph), &expected, 1e-10);
    }
}

#[test]
fn every_size_of_virtual_warps() {
    let (_, graph) = shapes().swap_remove(2);
    let expected = Setup::cpu(2).scores(&graph);
    for size in brandes::strategy::WARP_SIZES {
        let mut setup = setup(Search::Warp, 32, Precision::F64);
        setup.request.options.numbers.warp_size = Some(size);
        let (scores, outcome) = setup.outcome(&graph);
        assert_close(&scores, &expected, 1e-10);
        let plan = outcome.drivers[0].plan.as_ref().unwrap();
        assert_eq!(plan.warp_size, Some(size));
    }
}

/// A root that stands for several sources counts each vertex that it reaches once for each of them.
#[test]
fn path_ends_count_for_every_source_of_a_root() {
    let arcs = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (3, 4),
        (5, 1),
        (1, 6),
        (6, 3),
    ];
    let options = PrepareOptions {
        endpoints: true,
        ..PrepareOptions::default()
    };
    let mut prepared = prepare(&graph(8, &arcs, true), &options).unwrap();
    for (root, sources) in prepared
        .roots
        .iter_mut()
        .zip([3, 1, 2, 5].into_iter().cycle())
    {
        root.sources = sources;
    }
    let prepared = Arc::new(prepared);
    let sums = |setup: Setup, workers| {
        let devices = Devices::start(setup.request);
        let workers = CpuWorkers::Count(workers);
        let outcome = run(
            &prepared,
            &devices,
            workers,
            brandes::runner::RunOptions::default(),
            &mut |_| {},
        )
        .unwrap();
        devices.join();
        outcome.sums.vertices
    };
    let expected = sums(Setup::cpu(1), 1);
    let others = [Search::Virtual, Search::Lanes];
    for strategy in STRATEGIES.into_iter().chain(others) {
        if supports_directed(strategy) {
            let found = sums(setup(strategy, 32, Precision::F64), 0);
            let difference = difference(&found, &expected, 1e-3);
            assert!(
                difference < 1e-10,
                "{strategy:?}: {found:?}, not {expected:?}"
            );
        }
    }
}

/// The search is as deep as possible: there are as many levels as vertices.
#[test]
fn a_path_of_ten_thousand_vertices() {
    let path = generate::path(10_000).unwrap();
    let shorter = generate::path(1_500).unwrap();
    for strategy in STRATEGIES {
        // Strategies that process all vertices or arcs on each level need quadratic time here.
        let graph = match strategy.name() {
            "vertex" | "edge" | "edge-device" => &shorter,
            _ => &path,
        };
        let mut cpu = Setup::cpu(1).fold(false);
        let mut device = setup(strategy, 32, Precision::F64).fold(false);
        for setup in [&mut cpu, &mut device] {
            setup.prepare.roots = RootSelection::Range { first: 0, last: 1 };
        }
        assert_close(&device.scores(graph), &cpu.scores(graph), 1e-12);
    }
}

#[test]
fn a_path_count_beyond_f32_is_counted_by_the_cpu() {
    let chain = diamonds::chain(150); // 2^150 paths
    for strategy in STRATEGIES {
        let (scores, outcome) = setup(strategy, 64, Precision::F32).too_many_paths(&chain);
        assert!(
            difference(&scores, &diamonds::scores(150), 1e-3) <= 1e-5,
            "{strategy:?}"
        );
        assert_eq!(outcome.wide_roots(), 0);
    }
}

#[test]
fn local_refuses_directed_graphs() {
    let directed = graph(3, &[(0, 1), (1, 2)], true);
    let prepared = std::sync::Arc::new(prepare(&directed, &PrepareOptions::default()).unwrap());
    let devices = Devices::start(setup(Search::Local, 32, Precision::F64).request);
    let outcome = run(
        &prepared,
        &devices,
        CpuWorkers::Count(0),
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )
    .unwrap();
    devices.join();
    let error = outcome.drivers[0].error.as_ref().unwrap().to_string();
    assert!(error.contains("undirected"), "{error}");
}

//! Compares scores of weighted graphs on an OpenCL device with the definition and the CPU engine,
//! for every strategy that supports them and every type of lengths.

use std::sync::Arc;

use crate::common::weighted::{EXTRA_LENGTH, Weighted, length_type, random_weighted};
use crate::common::{Setup, assert_close, config, diamonds, difference, hub};
use brandes::engine::{EngineError, Precision};
use brandes::graph::{Graph, WeightOptions, generate};
use brandes::prepare::{PrepareOptions, RootSelection, prepare};
use brandes::runner::{CpuWorkers, Devices, run};
use brandes::strategy::Strategy as Search;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const STRATEGIES: [Search; 3] = [Search::Vertex, Search::WorkEfficient, Search::Warp];

/// Returns a search of graphs with lengths on the device alone.
fn setup(strategy: Search, work_group: u32, precision: Precision) -> Setup {
    let mut setup = Setup::device(16, precision, 0);
    setup.request.strategy = strategy;
    setup.request.options.numbers.degree = None;
    setup.request.options.weighted = true;
    setup.request.options.numbers.work_group = Some(work_group);
    setup
}

/// Returns the edges of a graph with pseudo-random lengths from 1 to `longest`.
fn weighted(graph: &Graph, longest: u32, directed: bool) -> Weighted {
    let mut edges = Vec::new();
    graph.for_each_edge(|tail, head| {
        let mixed = (tail * 7919 + head * 104_729).wrapping_mul(2_654_435_769);
        let (t, h) = (tail as usize, head as usize);
        edges.push((t, h, 1 + (mixed >> 16) % longest));
        // In directed graphs, most arcs also have a reverse arc of another length.
        if directed && !mixed.is_multiple_of(5) {
            edges.push((h, t, 1 + (mixed >> 8) % longest));
        }
    });
    Weighted {
        vertices: graph.vertices(),
        edges,
        directed,
    }
}

/// Returns graphs and the longest length of their edges: from all lengths equal to hardly any tie.
fn shapes() -> Vec<(&'static str, Graph, u32)> {
    vec![
        (
            "small world",
            generate::rmat(7, 8, 0.57, 0.19, 0.19, 7).unwrap(),
            5,
        ),
        ("hub", hub(300), 3),
        ("wide", generate::grid(20, 20, 0.1, 2).unwrap(), 9),
        ("unit lengths", generate::grid(15, 9, 0.0, 2).unwrap(), 1),
        ("deep", generate::grid(60, 3, 0.05, 2).unwrap(), 30_000),
        (
            "many components",
            generate::erdos_renyi(200, 170, 3).unwrap(),
            4,
        ),
    ]
}

/// Lengths are doubles of all kinds, and the tolerance ties whole neighbourhoods, so the device has
/// to follow the CPU's rules to the last bit.
#[test]
fn doubles_within_any_tolerance_are_searched_as_on_the_cpu() {
    let strategy = (
        random_weighted(9),
        prop::sample::select(&STRATEGIES[..]),
        prop::sample::select(vec![0.0, 1e-15, 1e-3, 0.1, 0.4, 0.9]),
        prop::sample::select(vec![1.0, 0.1, 1.0 / 3.0, 1e-20, 1e150]),
    );
    TestRunner::new(config(90))
        .run(&strategy, |(weighted, search, tolerance, scale)| {
            let graph =
                weighted
                    .beside(1)
                    .beside(EXTRA_LENGTH)
                    .read(WeightOptions::default(), |length| {
                        let length = if length == EXTRA_LENGTH {
                            1e-200
                        } else {
                            f64::from(length) * scale
                        };
                        format!("{length:e}")
                    });
            prop_assert!(length_type(&graph) == "f64");
            let (mut cpu, mut device) = (Setup::cpu(1), setup(search, 32, Precision::F64));
            for setup in [&mut cpu, &mut device] {
                setup.prepare.tie_tolerance = Some(tolerance);
            }
            assert_close(&device.scores(&graph), &cpu.scores(&graph), 1e-12);
            Ok(())
        })
        .unwrap();
}

#[test]
fn larger_graphs_are_searched_as_on_the_cpu() {
    for (name, graph, longest) in shapes() {
        let (directed, fold) = (name == "small world" || name == "wide", name != "hub");
        let graph = weighted(&graph, longest, directed).graph();
        let mut cpu = Setup::cpu(2);
        cpu.prepare.endpoints = true;
        let expected = cpu.scores(&graph);
        for search in STRATEGIES {
            for work_group in [32, 128] {
                let mut setup = setup(search, work_group, Precision::F64).fold(fold);
                setup.prepare.endpoints = true;
                let difference = difference(&setup.scores(&graph), &expected, 1e-3);
                assert!(
                    difference < 1e-10,
                    "{name}, {search:?}, work-groups of {work_group}: {difference:e}"
                );
            }
        }
    }
}

/// Each round settles one vertex, so there are as many rounds as possible. Distances are near the
/// end of each type's range.
#[test]
fn a_path_has_as_many_rounds_as_vertices() {
    let edges = (1..1500).map(|v| (v - 1, v, 1 + v as u32 % 3)).collect();
    let path = Weighted {
        vertices: 1500,
        edges,
        directed: false,
    };
    let texts: [fn(u32) -> String; 2] = [
        |length| (length * 900_000 + length % 2).to_string(),
        |length| format!("{}", u64::from(length) * 1_500_000_000_000_000 + 1),
    ];
    for text in texts {
        let graph = path.read(WeightOptions::default(), text);
        for search in STRATEGIES {
            let mut cpu = Setup::cpu(1).fold(false);
            let mut device = setup(search, 32, Precision::F64).fold(false);
            for setup in [&mut cpu, &mut device] {
                setup.prepare.roots = RootSelection::Range { first: 0, last: 2 };
            }
            assert_close(&device.scores(&graph), &cpu.scores(&graph), 1e-12);
        }
    }
}

/// Returns the error of a run on a device alone.
fn failure(graph: &Graph, search: Search, precision: Precision) -> EngineError {
    let prepared = Arc::new(prepare(graph, &PrepareOptions::default()).unwrap());
    let devices = Devices::start(setup(search, 32, precision).request);
    let result = run(
        &prepared,
        &devices,
        CpuWorkers::Count(0),
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    );
    devices.join();
    match result {
        Err(brandes::Error::Engine(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn a_path_count_beyond_f32_is_counted_by_the_cpu() {
    let chain = diamonds::weighted(150).graph(); // 2^150 paths
    for search in STRATEGIES {
        let (scores, outcome) = setup(search, 32, Precision::F32).too_many_paths(&chain);
        assert!(difference(&scores, &diamonds::scores(150), 1e-3) <= 1e-5);
        assert_eq!(outcome.wide_roots(), 0);
    }
}

#[test]
fn a_length_lost_in_a_sum_is_an_error() {
    // A shortest path uses the short edge, which does not change the distance.
    let edges = vec![(0, 1, 2), (1, 2, 1), (2, 3, 2), (3, 0, 9)];
    let ring = Weighted {
        vertices: 4,
        edges,
        directed: false,
    };
    let graph = ring.read(WeightOptions::default(), |length| match length {
        1 => "1e-30".into(),
        _ => length.to_string(),
    });
    assert_eq!(length_type(&graph), "f64");
    for search in STRATEGIES {
        let error = failure(&graph, search, Precision::F64);
        assert!(matches!(error, EngineError::LengthLost { .. }), "{error:?}");
    }
}

#[test]
fn auto_chooses_virtual_warps_and_some_strategies_refuse() {
    for name in ["wide", "small world"] {
        let mut shapes = shapes().into_iter();
        let (_, graph, longest) = shapes.find(|shape| shape.0 == name).unwrap();
        let graph = weighted(&graph, longest, false).graph();
        let (scores, outcome) = setup(Search::Auto, 32, Precision::F64).outcome(&graph);
        assert_close(&scores, &Setup::cpu(2).scores(&graph), 1e-10);
        let plan = outcome.drivers[0].plan.as_ref().unwrap();
        assert_eq!((plan.strategy, plan.warp_size), (Search::Warp, Some(4)));
        assert!(plan.why.contains("weighted"), "{}", plan.why);
    }
    let graph = weighted(&generate::grid(3, 3, 0.0, 1).unwrap(), 3, false).graph();
    let prepared = Arc::new(prepare(&graph, &PrepareOptions::default()).unwrap());
    for search in [Search::Virtual, Search::Lanes, Search::Edge, Search::Local] {
        let mut request = setup(search, 32, Precision::F64).request;
        request.options.weighted = false;
        let devices = Devices::start(request);
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
        assert!(error.contains("without weights"), "{error}");
    }
}

//! Compares strategy `hierarchy` on an OpenCL device with the definition and the CPU engine.
//! (Engine `hierarchy` on cores has separate tests.)

use crate::common::definition::definition;
use crate::common::weighted::random_weighted;
use crate::common::{
    Setup, any_device, assert_close, case_count, check_random_graphs, config, diamonds, difference,
};
use brandes::cpu::{self, CpuEngine, CpuOptions, WorkerBudget};
use brandes::device::{DeviceOptions, Numbers, Session, find};
use brandes::engine::{Engine, OwnSums, Precision, feed};
use brandes::graph::{Graph, WeightOptions, generate};
use brandes::prepare::{PrepareOptions, When, prepare, prepare_query};
use brandes::runner::DriverState;
use brandes::strategy::Strategy as Search;
use brandes::{Measure, Query};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn setup(lanes: u32, degree: u32, precision: Precision) -> Setup {
    let mut setup = Setup::lanes(lanes, degree, precision);
    setup.request.strategy = Search::Hierarchy;
    setup
}

/// Makes searches with a setup serve the sources inside chains where possible.
fn serving(mut setup: Setup) -> Setup {
    setup.prepare.reduce.chains = When::Always;
    setup
}

fn shapes() -> Vec<(&'static str, Graph)> {
    vec![
        ("grid of ties", generate::grid(12, 17, 0.0, 1).unwrap()),
        ("broken grid", generate::grid(20, 20, 0.35, 2).unwrap()),
        ("long path", generate::path(300).unwrap()),
        ("cycle", generate::cycle(101).unwrap()),
        ("chains", crate::common::subdivided::roads(6)),
        ("hub", generate::complete_bipartite(2, 60).unwrap()),
        ("many paths", generate::diamonds(60).unwrap()),
        (
            "many components",
            generate::erdos_renyi(300, 280, 3).unwrap(),
        ),
    ]
}

#[test]
fn any_number_of_lanes_and_any_degree_give_the_scores_of_the_cpu() {
    for (name, graph) in shapes() {
        let expected = Setup::cpu(1).scores(&graph);
        for (lanes, degree, group, fold) in
            [(32, 1, 8, true), (64, 16, 16, false), (96, 4, 7, true)]
        {
            let mut setup = setup(lanes, degree, Precision::F64).fold(fold);
            setup.request.options.numbers.work_group = Some(group);
            let mut setups = vec![setup];
            if group % 4 == 0 {
                setups.push(serving(setups[0].clone()));
            }
            for setup in setups {
                let difference = difference(&setup.scores(&graph), &expected, 1e-3);
                assert!(difference < 1e-10, "{name}, {lanes} lanes: {difference:e}");
            }
        }
    }
}

#[test]
fn scores_in_narrow_precisions_are_close() {
    for (name, graph) in shapes() {
        let expected = Setup::cpu(1).scores(&graph);
        for (precision, bound) in [(Precision::F32, 1e-4), (Precision::Mixed, 5e-6)] {
            for setup in [setup(64, 8, precision), serving(setup(64, 8, precision))] {
                let difference = difference(&setup.scores(&graph), &expected, 1e-1);
                assert!(difference < bound, "{name}, {precision:?}: {difference:e}");
            }
        }
    }
}

#[test]
fn random_graphs_have_the_scores_of_the_definition() {
    let sizes = (
        prop::sample::select(vec![32, 64]),
        prop::sample::select(vec![1, 3, 16]),
    );
    let usual = |&(lanes, degree): &(u32, u32)| setup(lanes, degree, Precision::F64);
    check_random_graphs(case_count(20), sizes.clone(), |_| true, usual);
    let served = |sizes: &(u32, u32)| serving(usual(sizes));
    check_random_graphs(case_count(20), sizes, |_| true, served);
}

#[test]
fn lengths_and_edges_have_the_scores_of_the_definition() {
    let strategy = (random_weighted(4), any::<[bool; 3]>());
    TestRunner::new(config(case_count(40)))
        .run(&strategy, |(weighted, [endpoints, fold, serves])| {
            let graph = weighted.read(WeightOptions::default(), |length| length.to_string());
            let mut setup = setup(32, 3, Precision::F64).fold(fold);
            setup.prepare.endpoints = endpoints;
            if serves {
                setup = serving(setup);
            }
            setup.prepare.edges = true;
            setup.request.options.count_edges = true;
            setup.request.options.weighted = true;
            let expected = definition(weighted.vertices, &weighted.arcs(), endpoints, |_| true);
            let (scores, outcome) = setup.outcome(&graph);
            assert_close(&scores, &expected.scores(&graph), 1e-10);
            let prepared = prepare(&graph, &setup.prepare).unwrap();
            let arcs = outcome.sums.arcs.unwrap();
            let edges = prepared.edge_scores(&graph, &arcs, setup.scale).unwrap();
            assert_close(&edges, &expected.edges(&graph), 1e-10);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_path_count_beyond_the_number_type_is_counted_by_the_cpu() {
    // 2^125 paths are within the range of f32, 2^127 are not.
    let narrow = setup(32, 8, Precision::F32).scores(&diamonds::chain(125));
    assert!(difference(&narrow, &diamonds::scores(125), 1e-1) < 1e-4);
    let (scores, _) = setup(32, 8, Precision::F32).too_many_paths(&diamonds::chain(127));
    assert!(difference(&scores, &diamonds::scores(127), 1e-3) < 1e-4);
}

#[test]
fn a_path_count_beyond_floats_is_counted_in_doubles_by_the_device() {
    for count in [125, 140] {
        let (scores, outcome) = setup(32, 8, Precision::Mixed).outcome(&diamonds::chain(count));
        assert!(difference(&scores, &diamonds::scores(count), 1e-3) < 1e-4);
        assert_eq!(outcome.drivers[0].state, DriverState::Worked);
        assert_eq!(outcome.error_bound() > 0.0, count == 125);
    }
}

#[test]
fn the_plan_has_the_requested_lanes_or_the_reason_for_others() {
    let graph = generate::grid(30, 30, 0.0, 1).unwrap();
    let plan = |lanes, work_group| {
        let mut setup = setup(lanes, 16, Precision::F64).fold(false);
        setup.request.options.numbers.work_group = work_group;
        let (_, outcome) = setup.outcome(&graph);
        outcome.drivers[0].plan.clone().unwrap()
    };
    for lanes in [32, 96, 320] {
        let plan = plan(lanes, None);
        assert_eq!(plan.lanes, lanes as usize);
        assert!(!plan.why.contains("asked for"), "{}", plan.why);
    }
    // A work-group has four lanes for each work-item.
    let raised = plan(64, Some(64));
    assert_eq!((raised.lanes, raised.work_group), (256, 64));
    let note = "256 lanes (whole work-groups of 256 lanes, in place of the 64 asked for)";
    assert!(raised.why.ends_with(note), "{}", raised.why);
}

/// Returns queries of graphs with `n` vertices: all measures but eccentricity for several radii,
/// weights of sources and targets, decay, and sums of distances alone.
fn queries(n: usize) -> Vec<Query> {
    let weights = |modulus: usize| (0..n).map(|v| (v % modulus) as f64 / 2.0).collect();
    let query = |measures: &[Measure]| Query {
        measures: measures.to_vec(),
        ..Query::default()
    };
    vec![
        Query {
            radii: vec![0.0, 3.0, 12.5],
            ..query(&Measure::ALL[..5])
        },
        Query {
            sources: Some(weights(3)),
            targets: Some(weights(5)),
            decay: Some(0.1),
            ..query(&[Measure::Betweenness, Measure::Stress, Measure::Reach])
        },
        query(&[Measure::Closeness, Measure::Harmonic]),
    ]
}

#[test]
fn queries_have_the_sums_of_a_core() {
    any_device();
    let found = find::survey().unwrap().devices.swap_remove(0);
    for (precision, bound) in [(Precision::Mixed, 1e-11), (Precision::F32, 1e-4)] {
        let options = DeviceOptions {
            query: true,
            count_edges: true,
            precision,
            numbers: Numbers {
                degree: Some(3),
                lanes: Some(64),
                ..Numbers::default()
            },
            ..DeviceOptions::default()
        };
        let session = Session::open(
            &found,
            options,
            |options, info| Search::Hierarchy.kernels(options, info),
            &mut Vec::new(),
        );
        let session = session.unwrap();
        // Stress of this graph needs path counts beyond f32.
        let shapes = shapes()
            .into_iter()
            .filter(|(name, _)| *name != "many paths");
        for (name, graph) in shapes {
            for query in queries(graph.vertices()) {
                let options = PrepareOptions {
                    edges: query.measures[0].counts_paths(),
                    ..PrepareOptions::default()
                };
                let prepared = prepare_query(&graph, &options, &query).unwrap();
                let sums = |engine: &mut dyn Engine| {
                    let mut sums = prepared.zero_sums();
                    feed(engine, &prepared.roots, &mut sums).unwrap();
                    sums
                };
                let options = CpuOptions {
                    engine: CpuEngine::Plain,
                    ..CpuOptions::default()
                };
                let plan = cpu::plan(
                    &prepared,
                    &options,
                    WorkerBudget::for_all_roots(&prepared, 1),
                );
                let expected = sums(&mut cpu::engine(&prepared, &plan));
                let mut device = Search::Hierarchy.engine(&session, &prepared).unwrap();
                let found = sums(&mut *device.engine);
                let vertices = difference(&found.vertices, &expected.vertices, 1e-3);
                let arcs = |sums: OwnSums| sums.arcs.unwrap_or_default();
                let arcs = difference(&arcs(found), &arcs(expected), 1e-3);
                let most = vertices.max(arcs);
                assert!(most < bound, "{name}, {precision:?}, {query:?}: {most:e}");
            }
        }
    }
}

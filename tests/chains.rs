//! Contracted chains against the definition and against searches of the graph as it stands, on CPU
//! workers and by strategy `chains` on a device.

mod common;

use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{RootSelection, When, prepare};
use brandes::strategy::Strategy as Search;
use common::subdivided::{roads, subdivided};
use common::{
    Convention, Setup, assert_close, brute_force, diamonds, difference, graph, random_edges,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

const TOLERANCE: f64 = 1e-11;

fn contracted(fold: bool) -> Setup {
    let mut setup = Setup::cpu(1).fold(fold);
    setup.prepare.reduce.chains = When::Always;
    setup
}

/// Strategy `chains` on the first OpenCL device alone.
fn on_device(work_group: usize, precision: Precision, fold: bool) -> Setup {
    let mut setup = Setup::device(16, precision, 0).fold(fold);
    setup.request.strategy = Search::Chains;
    setup.request.options.degree = None;
    setup.request.options.work_group = Some(work_group);
    setup.prepare.reduce.chains = When::Always;
    setup
}

/// Contracted or not, folded or not, whole and in parts.
fn check(graph: &Graph, expected: &[f64]) {
    for fold in [true, false] {
        assert_close(&contracted(fold).scores(graph), expected, TOLERANCE);
    }
}

fn check_by_definition(graph: &Graph) {
    let expected = brute_force(graph, Convention::default(), |_| true);
    check(graph, &expected);
}

/// Few junctions and many chains: loops, parallel chains, cycles, trees, several components.
fn chain_graphs() -> impl Strategy<Value = Graph> {
    (1usize..9).prop_flat_map(|n| {
        let vertex = 0..n as u32;
        let edges = prop::collection::vec((vertex.clone(), vertex), 0..2 * n + 3);
        let length = prop_oneof![Just(1u32), Just(2), 1u32..5, 1u32..14];
        let lengths = prop::collection::vec(length, 0..2 * n + 3);
        (edges, lengths).prop_map(move |(edges, lengths)| subdivided(n, &edges, &lengths))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn scores_equal_the_definition(graph in chain_graphs(), fold: bool, endpoints: bool) {
        let mut setup = contracted(fold);
        setup.prepare.endpoints = endpoints;
        let convention = Convention { endpoints, ..Convention::default() };
        assert_close(&setup.scores(&graph), &brute_force(&graph, convention, |_| true), TOLERANCE);
    }

    #[test]
    fn graphs_without_long_chains_too((n, edges) in random_edges(), fold: bool) {
        let graph = graph(n, &edges, false);
        let expected = brute_force(&graph, Convention::default(), |_| true);
        assert_close(&contracted(fold).scores(&graph), &expected, TOLERANCE);
    }

    #[test]
    fn chosen_roots_give_partial_scores(
        graph in chain_graphs(),
        fold: bool,
        ends: (prop::sample::Index, prop::sample::Index),
    ) {
        let n = graph.vertices();
        let (a, b) = (ends.0.index(n), ends.1.index(n));
        let (first, last) = (a.min(b), a.max(b) + 1);
        let mut setup = contracted(fold);
        setup.prepare.roots = RootSelection::Range { first: first as u64, last: last as u64 };
        let expected = brute_force(&graph, Convention::default(), |s| (first..last).contains(&s));
        assert_close(&setup.scores(&graph), &expected, TOLERANCE);
    }

    #[test]
    fn several_workers_equal_plain_searches(graph in chain_graphs(), sample in 1u64..9) {
        let sample = sample.min(graph.vertices() as u64);
        for roots in [RootSelection::All, RootSelection::Sample(sample)] {
            let mut chains = contracted(true);
            chains.cpu_workers = Some(3);
            let mut plain = Setup::cpu(1);
            (chains.prepare.roots, plain.prepare.roots) = (roots, roots);
            assert_close(&chains.scores(&graph), &plain.scores(&graph), TOLERANCE);
        }
    }
}

#[test]
fn cycles() {
    for n in [3u32, 4, 5, 6, 7, 8, 101, 102] {
        let size = f64::from(n);
        let each = if n % 2 == 1 {
            (size - 1.0) * (size - 3.0) / 8.0
        } else {
            (size - 2.0) * (size - 2.0) / 8.0
        };
        check(&generate::cycle(n).unwrap(), &vec![each; n as usize]);
    }
}

/// The middle of each of k equal chains of length 2 is met by the pair of the ends only; the ends
/// are met by the pairs of middles.
#[test]
fn theta_of_equal_chains() {
    for k in [3u32, 4, 9] {
        let edges: Vec<_> = (0..k).map(|_| (0, 1)).collect();
        let theta = subdivided(2, &edges, &vec![2; k as usize]);
        let k = f64::from(k);
        let mut expected = vec![1.0 / k; theta.vertices()];
        expected[..2].fill(k * (k - 1.0) / 4.0);
        check(&theta, &expected);
    }
}

#[test]
fn thetas_by_definition() {
    for lengths in [
        [1, 2, 3],
        [2, 2, 2],
        [1, 6, 6],
        [4, 4, 7],
        [3, 4, 5],
        [1, 2, 17],
        [5, 9, 9],
    ] {
        check_by_definition(&subdivided(2, &[(0, 1); 3], &lengths));
    }
}

#[test]
fn loops_and_trees_by_definition() {
    // Three loops at one junction; a cycle on which trees hang; two loops joined by a chain.
    check_by_definition(&subdivided(1, &[(0, 0); 3], &[3, 4, 9]));
    check_by_definition(&subdivided(
        4,
        &[(0, 0), (0, 1), (0, 2), (2, 3)],
        &[8, 3, 1, 2],
    ));
    check_by_definition(&subdivided(2, &[(0, 0), (0, 1), (1, 1)], &[5, 7, 6]));
    // Components of each kind.
    check_by_definition(&subdivided(
        6,
        &[(0, 0), (1, 1), (2, 3), (2, 3), (2, 3), (4, 5)],
        &[5, 4, 3, 3, 4, 6],
    ));
}

/// More chains at a junction than fit one signature, so that targets are weighed end by end.
#[test]
fn many_long_chains_at_a_junction() {
    let n = 12u32;
    let spokes = (1..n).map(|v| (0, v));
    let ring = (1..n).map(|v| (v, v % (n - 1) + 1));
    let edges: Vec<_> = spokes.chain(ring).chain([(0, 0)]).collect();
    let lengths: Vec<u32> = (0..edges.len() as u32).map(|i| 2 + i * 7 % 13).collect();
    let wheel = subdivided(n as usize, &edges, &lengths);
    check(&wheel, &Setup::cpu(1).scores(&wheel));
    let mut part = contracted(true);
    let mut plain = Setup::cpu(1);
    part.prepare.roots = RootSelection::Sample(20);
    plain.prepare.roots = RootSelection::Sample(20);
    assert_close(&part.scores(&wheel), &plain.scores(&wheel), TOLERANCE);
}

#[test]
fn a_road_like_grid() {
    let roads = roads(9);
    check(&roads, &Setup::cpu(2).scores(&roads));
}

#[test]
fn path_counts_beyond_numbers_are_an_error() {
    use brandes::engine::{EngineError, Precision};
    use brandes::runner::{CpuWorkers, Devices, RunError, run};

    // Diamonds of 2^1100 paths from end to end: all but the joints are contracted.
    let chain = generate::diamonds(1100).unwrap();
    let setup = contracted(true);
    let devices = Devices::start(setup.request);
    let prepared = std::sync::Arc::new(prepare(&chain, &setup.prepare).unwrap());
    let result = run(&prepared, &devices, CpuWorkers::Count(2), &mut |_| {});
    devices.join();
    assert!(matches!(
        result,
        Err(RunError::Engine(EngineError::PathCount {
            precision: Precision::F64,
            ..
        }))
    ));
    let chain = generate::diamonds(1000).unwrap();
    let scores = contracted(true).scores(&chain);
    assert!(scores.iter().all(|score| score.is_finite()));
}

#[test]
fn device_scores_equal_the_definition() {
    let ends = any::<(prop::sample::Index, prop::sample::Index)>();
    let wide = any::<bool>();
    let config = ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(config)
        .run(
            &(chain_graphs(), any::<bool>(), wide, ends),
            |(graph, fold, wide, ends)| {
                let mut setup = on_device(if wide { 64 } else { 32 }, Precision::F64, fold);
                let n = graph.vertices();
                let all = brute_force(&graph, Convention::default(), |_| true);
                assert_close(&setup.scores(&graph), &all, TOLERANCE);
                let (a, b) = (ends.0.index(n), ends.1.index(n));
                let (first, last) = (a.min(b), a.max(b) + 1);
                setup.prepare.roots = RootSelection::Range {
                    first: first as u64,
                    last: last as u64,
                };
                let part = brute_force(&graph, Convention::default(), |s| {
                    (first..last).contains(&s)
                });
                assert_close(&setup.scores(&graph), &part, TOLERANCE);
                Ok(())
            },
        )
        .unwrap();
}

/// Graphs of all kinds of chains, larger than a work-group.
fn shapes() -> Vec<(&'static str, Graph)> {
    let wheel = |n: u32| {
        let spokes = (1..n).map(|v| (0, v));
        let ring = (1..n).map(|v| (v, v % (n - 1) + 1));
        let edges: Vec<_> = spokes.chain(ring).chain([(0, 0)]).collect();
        let lengths: Vec<u32> = (0..edges.len() as u32).map(|i| 1 + i * 7 % 5).collect();
        subdivided(n as usize, &edges, &lengths)
    };
    let several = [
        (0, 0),
        (1, 1),
        (2, 3),
        (2, 3),
        (2, 3),
        (4, 5),
        (5, 6),
        (6, 4),
    ];
    vec![
        ("roads", roads(14)),
        ("wheel", wheel(80)),
        ("cycle", generate::cycle(101).unwrap()),
        ("many paths", generate::diamonds(40).unwrap()),
        (
            "small world",
            generate::rmat(7, 4, 0.57, 0.19, 0.19, 7).unwrap(),
        ),
        (
            "components",
            subdivided(7, &several, &[5, 4, 3, 3, 4, 6, 6, 7]),
        ),
    ]
}

#[test]
fn device_scores_equal_those_of_the_cpu() {
    for (name, graph) in shapes() {
        for roots in [RootSelection::All, RootSelection::Sample(9)] {
            let mut cpu = Setup::cpu(2);
            cpu.prepare.roots = roots;
            let expected = cpu.scores(&graph);
            for (work_group, precision, tolerance) in [
                (32, Precision::F64, 1e-11),
                (64, Precision::F64, 1e-11),
                (64, Precision::F32, 1e-4),
            ] {
                let mut setup = on_device(work_group, precision, work_group == 64);
                setup.prepare.roots = roots;
                let difference = difference(&setup.scores(&graph), &expected, 1.0);
                assert!(
                    difference < tolerance,
                    "{name}, {roots:?}, {work_group} {precision:?}: {difference:e}"
                );
            }
        }
    }
}

/// Beside CPU workers, who claim clusters too; `auto` searches contracted graphs likewise.
#[test]
fn a_device_and_cpu_workers_share_the_junctions() {
    let roads = roads(20);
    let expected = Setup::cpu(2).scores(&roads);
    for (strategy, workers) in [(Search::Chains, 1), (Search::Auto, 0)] {
        let mut setup = on_device(64, Precision::F64, true);
        setup.request.strategy = strategy;
        setup.cpu_workers = Some(workers);
        let (scores, outcome) = setup.outcome(&roads);
        assert_close(&scores, &expected, TOLERANCE);
        if workers == 0 {
            let plan = outcome.drivers[0].plan.as_ref().unwrap();
            assert_eq!(plan.strategy, Search::Chains);
            // Claims begin small: the device had several.
            assert!(outcome.drivers[0].batches > 2);
        }
    }
}

#[test]
fn a_work_group_of_an_odd_size() {
    let (_, graph) = shapes().swap_remove(0);
    let expected = Setup::cpu(2).scores(&graph);
    for work_group in [1, 7] {
        let setup = on_device(work_group, Precision::F64, true);
        assert_close(&setup.scores(&graph), &expected, TOLERANCE);
    }
}

#[test]
fn devices_refuse_what_they_cannot_search() {
    use brandes::runner::{CpuWorkers, Devices, run};

    let graph = roads(5);
    let message = |strategy, chains| {
        let mut setup = on_device(64, Precision::F64, true);
        setup.request.strategy = strategy;
        setup.prepare.reduce.chains = chains;
        let prepared = std::sync::Arc::new(prepare(&graph, &setup.prepare).unwrap());
        let devices = Devices::start(setup.request);
        let outcome = run(&prepared, &devices, CpuWorkers::Count(0), &mut |_| {}).unwrap();
        devices.join();
        outcome.drivers[0].error.as_ref().unwrap().to_string()
    };
    let text = message(Search::Virtual, When::Always);
    assert!(text.contains("strategy virtual cannot search"), "{text}");
    let text = message(Search::Chains, When::Never);
    assert!(
        text.contains("strategy chains is for graphs with"),
        "{text}"
    );
}

#[test]
fn path_counts_beyond_f32_are_counted_by_the_cpu() {
    let chain = diamonds::chain(150); // 2^150 paths
    let (scores, _) = on_device(64, Precision::F32, true).beyond(&chain);
    assert!(difference(&scores, &diamonds::scores(150), 1e-3) <= 1e-5);
}

//! Compares searches that serve the sources inside chains with the definition and with plain
//! searches, on CPU workers and by strategy `hierarchy` on a device.

use crate::common::definition::definition;
use crate::common::subdivided::{edges, roads, subdivided};
use crate::common::weighted::Weighted;
use crate::common::{any_device, assert_close, case_count, difference, random_edges};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::{Order, PrepareOptions, Reductions, RootSelection, When, prepare};
use brandes::strategy::Strategy as Search;
use brandes::{Betweenness, CpuWorkers, DeviceSelection, Merged, Part, Scale, Scores};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-11;

/// Returns a search for scores of vertices and edges with this many CPU workers.
fn cores(workers: usize) -> Betweenness {
    Betweenness::new()
        .devices(DeviceSelection::None)
        .cpu_workers(CpuWorkers::Count(workers))
        .edges(true)
}

/// Makes a search serve the sources inside chains.
fn serving(search: Betweenness) -> Betweenness {
    search.reduce(Reductions {
        chains: When::Always,
        ..Reductions::default()
    })
}

/// Returns a search that shares neither reductions nor an engine with those that serve chains.
fn plain() -> Betweenness {
    cores(2)
        .reduce(Reductions::NONE)
        .cpu_engine(CpuEngine::Plain)
}

/// Returns a search by strategy `hierarchy` on the first OpenCL device and this many CPU workers.
fn on_device(workers: usize) -> Betweenness {
    serving(cores(workers).devices(any_device())).strategy(Search::Hierarchy)
}

fn serves(scores: &Scores) -> bool {
    scores.record().prepared.chains.is_some()
}

/// Panics if scores of vertices or edges differ from the expected ones. Returns whether the search
/// served chains.
fn serves_and_agrees(search: Betweenness, graph: &Graph, expected: &Scores) -> bool {
    let scores = search.run(graph).unwrap();
    let vertices = difference(scores.vertices(), expected.vertices(), 1.0);
    let edges = difference(scores.edges().unwrap(), expected.edges().unwrap(), 1.0);
    assert!(
        vertices.max(edges) <= TOLERANCE,
        "{vertices:e}, of edges {edges:e}, {} vertices",
        graph.vertices()
    );
    serves(&scores)
}

/// Compares searches that serve chains with a plain one: with and without folding, splitting into
/// blocks and, if blocks are not split, renumbering.
fn check(graph: &Graph) {
    let expected = plain().run(graph).unwrap();
    for (fold, blocks) in [
        (When::Always, When::Always),
        (When::Always, When::Never),
        (When::Never, When::Always),
        (When::Never, When::Never),
    ] {
        let search = cores(1).reduce(Reductions {
            fold,
            blocks,
            reverse: When::Auto,
            chains: When::Always,
            twins: When::Never,
        });
        serves_and_agrees(search.clone(), graph, &expected);
        if blocks == When::Never {
            serves_and_agrees(search.order(Order::None), graph, &expected);
        }
    }
}

/// Returns lengths for the edges of a graph that has none.
fn with_lengths(graph: &Graph, length: impl Fn(usize) -> u32) -> Weighted {
    let edges = edges(graph).into_iter().enumerate();
    Weighted {
        vertices: graph.vertices(),
        edges: edges
            .map(|(i, (u, v))| (u as usize, v as usize, length(i)))
            .collect(),
        directed: false,
    }
}

/// Generates graphs with few junctions and many chains: loops, parallel chains, cycles, trees,
/// several components.
fn chain_graphs() -> impl Strategy<Value = Graph> {
    (1usize..9).prop_flat_map(|n| {
        let vertex = 0..n as u32;
        let edges = prop::collection::vec((vertex.clone(), vertex), 0..2 * n + 3);
        let length = prop_oneof![Just(1u32), Just(2), 1u32..5, 1u32..14];
        let lengths = prop::collection::vec(length, 0..2 * n + 3);
        (edges, lengths).prop_map(move |(edges, lengths)| subdivided(n, &edges, &lengths))
    })
}

/// Generates these graphs with lengths of edges, and graphs with few chains.
fn graphs() -> impl Strategy<Value = Weighted> {
    let few = random_edges().prop_map(|(n, edges)| crate::common::graph(n, &edges, false));
    let graph = prop_oneof![3 => chain_graphs(), 1 => few];
    let ends = prop::sample::select(vec![(1, 1), (1, 2), (1, 5), (0, 2)]);
    (graph, ends, any::<usize>()).prop_map(|(graph, (least, count), seed)| {
        let length = |i: usize| least + (seed / 7 + i * (1 + seed % 91) / 3) as u32 % count;
        with_lengths(&graph, length)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(case_count(300)))]

    #[test]
    fn scores_equal_the_definition(
        weighted in graphs(),
        (fold, blocks, endpoints, ordered) in any::<(bool, bool, bool, bool)>(),
    ) {
        let graph = weighted.graph();
        let when = |yes| if yes { When::Always } else { When::Never };
        let blocks = when(blocks && ordered);
        let reduce = Reductions { blocks, chains: When::Always, ..Reductions::folding(fold) };
        let order = if ordered { Order::default() } else { Order::None };
        let search = cores(1).reduce(reduce).order(order).endpoints(endpoints);
        let scores = search.run(&graph).unwrap();
        let expected = definition(weighted.vertices, &weighted.arcs(), endpoints, |_| true);
        assert_close(scores.vertices(), &expected.scores(&graph), TOLERANCE);
        assert_close(scores.edges().unwrap(), &expected.edges(&graph), TOLERANCE);
    }

    #[test]
    fn chosen_sources_are_all_searched_from(weighted in graphs(), sample in 1u64..9) {
        let graph = weighted.graph();
        let sample = RootSelection::Sample(sample.min(graph.vertices() as u64));
        let expected = plain().roots(sample).run(&graph).unwrap();
        serves_and_agrees(serving(cores(3)).roots(sample), &graph, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(case_count(30)))]

    #[test]
    fn parts_add_up(weighted in graphs(), count in 1u32..5, endpoints: bool) {
        let graph = weighted.graph();
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<_> = (1..=count)
            .map(|number| {
                let search = serving(cores(2)).endpoints(endpoints);
                let scores = search.part(Part::new(number, count).unwrap()).run(&graph).unwrap();
                let path = folder.path().join(format!("{number}.npz"));
                scores.part(&graph).unwrap().write(&path).unwrap();
                path
            })
            .collect();
        let merged = Merged::read(&files).unwrap();
        let expected = plain().endpoints(endpoints).run(&graph).unwrap();
        assert_close(&merged.vertices(Scale::Pairs), expected.vertices(), TOLERANCE);
        let edges: Vec<f64> = merged.edges(Scale::Pairs).unwrap().map(|(_, score)| score).collect();
        assert_close(&edges, expected.edges().unwrap(), TOLERANCE);
    }

    #[test]
    fn devices_and_workers_give_plain_scores(weighted in graphs(), workers in 0usize..2) {
        let graph = weighted.graph();
        serves_and_agrees(on_device(workers), &graph, &plain().run(&graph).unwrap());
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
        let cycle = generate::cycle(n).unwrap();
        let scores = serving(cores(1)).run(&cycle).unwrap();
        assert_close(scores.vertices(), &vec![each; n as usize], TOLERANCE);
        // A cycle of three is a block that needs no search.
        assert_eq!(serves(&scores), n > 3);
    }
}

/// Returns graphs with all kinds of chains.
fn shapes() -> Vec<Graph> {
    // More chains end at the hub of the wheel than a batch has roots.
    let wheel = |n: u32| {
        let spokes = (1..n).map(|v| (0, v));
        let ring = (1..n).map(|v| (v, v % (n - 1) + 1));
        let edges: Vec<_> = spokes.chain(ring).chain([(0, 0)]).collect();
        let lengths: Vec<u32> = (0..edges.len() as u32).map(|i| 1 + i * 7 % 13).collect();
        subdivided(n as usize, &edges, &lengths)
    };
    let rings: Vec<(u32, u32)> = (0..40).map(|v| (v, v)).collect();
    let mixed = [
        (0, 0),
        (1, 1),
        (2, 3),
        (2, 3),
        (2, 3),
        (4, 5),
        (5, 6),
        (6, 4),
        (7, 8),
    ];
    vec![
        roads(14),
        wheel(80),
        generate::cycle(101).unwrap(),
        generate::diamonds(40).unwrap(),
        generate::rmat(7, 4, 0.57, 0.19, 0.19, 7).unwrap(),
        subdivided(9, &mixed, &[5, 4, 3, 3, 4, 6, 6, 7, 9]),
        // Each component is a cycle, with targets equally far from both ends of a chain.
        subdivided(40, &rings, &[8; 40]),
        subdivided(2, &[(0, 1); 1000], &[3; 1000]),
        subdivided(1, &[(0, 0); 3], &[3, 4, 9]),
        subdivided(2, &[(0, 0), (0, 1), (1, 1)], &[500, 3000, 401]),
    ]
}

#[test]
fn shapes_have_plain_scores_on_cores_and_devices() {
    for graph in shapes() {
        check(&graph);
        let lengths = with_lengths(&graph, |i| 1 + (i * i) as u32 % 5).graph();
        for graph in [graph, lengths] {
            let expected = plain().run(&graph).unwrap();
            assert!(serves_and_agrees(serving(cores(3)), &graph, &expected));
            for workers in [0, 2] {
                assert!(serves_and_agrees(on_device(workers), &graph, &expected));
            }
            assert!(serves_and_agrees(on_device(1).verify(3), &graph, &expected));
            let narrow = on_device(0).precision(Precision::F32).run(&graph).unwrap();
            assert!(difference(narrow.vertices(), expected.vertices(), 1.0) < 1e-4);
        }
    }
}

#[test]
fn rounding_errors_make_no_score_negative() {
    let road = |n, seed| generate::road(n, 0.25, 0.7, seed).unwrap().graph;
    let exact = serving(cores(1)).reproducible(true);
    let exact = exact.run(&road(8000, 8)).unwrap();
    let mixed = on_device(0).precision(Precision::Mixed);
    let mixed = mixed.run(&road(3000, 2)).unwrap();
    for (scores, least) in [(exact, 1e-6), (mixed, 0.0)] {
        assert!(serves(&scores));
        let mut all = scores.vertices().iter().chain(scores.edges().unwrap());
        assert!(all.all(|&score| score == 0.0 || score > least));
    }
}

/// Distances along chains of 2^29 and more cannot be doubled, so a graph with such a chain is
/// searched without serving any chain.
#[test]
fn chains_of_any_length() {
    for (each, served) in [(1 << 24, 5), ((1 << 25) - 1, 5), (1 << 25, 0), (1 << 26, 0)] {
        // Two chains of 16 edges, which are cut in two, and one of 2 edges join the junctions. The
        // first edge is shorter, which breaks ties.
        let edges = [(0, 1), (0, 1), (0, 1), (1, 2)];
        let graph = subdivided(3, &edges, &[16, 16, 2, 1]);
        let weighted = with_lengths(&graph, |i| if i == 0 { each - 1 } else { each });
        let graph = weighted.graph();
        let scores = serving(cores(1)).run(&graph).unwrap();
        let chains = scores.record().prepared.chains.as_ref();
        assert_eq!(chains.map_or(0, |chains| chains.count()), served, "{each}");
        check(&graph);
    }
}

#[test]
fn auto_serves_chains_where_that_is_faster() {
    let serves_chains = |graph: &Graph, devices: bool| {
        let reduce = Reductions {
            chains: When::Auto,
            ..Reductions::folding(true)
        };
        let options = PrepareOptions {
            reduce,
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(graph, &options).unwrap();
        brandes::plan::reduce(
            &mut prepared,
            When::Never,
            CpuOptions::default(),
            1,
            devices,
        );
        prepared.chains.is_some()
    };
    assert!(serves_chains(&generate::cycle(50_000).unwrap(), true));
    for devices in [false, true] {
        assert!(!serves_chains(&generate::complete(12).unwrap(), devices));
        assert!(!serves_chains(&generate::path(12).unwrap(), devices));
        let social = generate::rmat(8, 8, 0.57, 0.19, 0.19, 1).unwrap();
        assert!(!serves_chains(&social, devices));
    }
    assert!(serves_chains(&roads(30), false));
}

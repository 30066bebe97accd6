//! Tests path counts at and beyond the limits of number types on OpenCL devices.

use crate::common::{diamonds, difference, graph, on_device, searched, without_devices};
use brandes::graph::Graph;
use brandes::plan::SearchOptions;
use brandes::runner::DriverState;
use brandes::strategy::{ALL, Feature};
use brandes::{Betweenness, Order, Precision, Reductions, RootSelection, Scores, Strategy, When};

/// Returns a search of a folded graph, in this precision.
fn device(strategy: Strategy, precision: Precision) -> SearchOptions {
    let mut options = on_device(strategy);
    options.device.precision = precision;
    options.prepare.reduce = Reductions::folding(true);
    options
}

/// Returns a search by batches of 32 roots.
fn lanes(degree: u32, precision: Precision) -> SearchOptions {
    let mut options = device(Strategy::Lanes, precision);
    options.device.numbers.lanes = Some(32);
    options.device.numbers.degree = Some(degree);
    options
}

fn on_one_core(options: &SearchOptions, graph: &Graph) -> Vec<f64> {
    let search = SearchOptions {
        prepare: options.prepare,
        ..without_devices()
    };
    searched(graph, &search).into_vertices()
}

/// Searches a graph with more paths than the device can count, and checks that the device stops and
/// CPU workers search the remaining roots.
fn left_to_cores(graph: &Graph, options: &SearchOptions) -> Scores {
    let scores = Betweenness::from(options.clone()).run(graph).unwrap();
    let outcome = &scores.record().outcome;
    let driver = &outcome.drivers[0];
    assert_eq!(
        driver.state,
        DriverState::PathCounts,
        "{:?}",
        options.strategy
    );
    assert!(driver.error.is_none() && driver.returned > 0);
    assert!(outcome.workers.iter().any(|worker| worker.roots > 0));
    scores
}

#[test]
fn path_counts_beyond_f32_are_left_to_cores() {
    for (number, &strategy) in ALL.iter().enumerate() {
        let mut options = device(strategy, Precision::F32);
        options.prepare.edges = true;
        // Strategies that visit all edges on every level would take a minute.
        if ![Strategy::Edge, Strategy::EdgeDevice].contains(&strategy) {
            let within = searched(&diamonds::chain(125), &options);
            let off = difference(within.vertices(), &diamonds::scores(125), 1e-1);
            assert!(off < 1e-4, "{strategy:?}: {off:e}");
        }
        // These two stop long before the end of the range.
        let is_early = [Strategy::Lanes, Strategy::Hierarchy].contains(&strategy);
        let count = if is_early { 127 } else { 150 };
        // Kernels for lengths take as long to build again, so every second strategy has some.
        let graph = match strategy.covers(&[Feature::Lengths]) && number.is_multiple_of(2) {
            true => diamonds::weighted(count).graph(),
            false => diamonds::chain(count),
        };
        let scores = left_to_cores(&graph, &options);
        let off = difference(scores.vertices(), &diamonds::scores(count), 1e-3);
        assert!(off < 1e-4, "{strategy:?}: {off:e}");
        // Doubles can count these paths.
        assert_eq!(scores.record().outcome.wide_roots(), 0);
        let edges = scores.edges().unwrap();
        let off = difference(edges, &diamonds::edge_scores(count), 1e-3);
        assert!(off < 1e-4, "{strategy:?}, edges: {off:e}");
    }
}

#[test]
fn a_path_count_beyond_floats_is_counted_in_doubles_by_the_hierarchy() {
    for count in [125, 140] {
        let options = device(Strategy::Hierarchy, Precision::Mixed);
        let scores = searched(&diamonds::chain(count), &options);
        assert!(difference(scores.vertices(), &diamonds::scores(count), 1e-3) < 1e-4);
        let outcome = &scores.record().outcome;
        assert_eq!(outcome.drivers[0].state, DriverState::Worked);
        assert_eq!(outcome.error_bound() > 0.0, count == 125);
    }
}

#[test]
fn path_counts_at_the_limits_of_rows_of_lanes() {
    // 2^24 - 1 is the largest path count of rows of narrow numbers. The widths are factors of the
    // counts.
    let most = [65_537, 257, 17, 5, 3];
    let [widest, wider] = [4, 8].map(|last| [&[64; 170][..], &[last]].concat());
    let cases: [(&str, &[u32]); 12] = [
        ("2^16 - 1", &most[1..]),
        ("2^16", &[2; 16]),
        ("2^24 - 1", &[241, 17, 13, 7, 5, 3, 3]),
        ("2^24", &[2; 24]),
        ("2^24 + 1", &[673, 257, 97]),
        ("2^1022", &widest),
        ("2^32 - 1", &most),
        ("2^32", &[2; 32]),
        ("beyond 2^32", &[5, 31, 67, 643, 644]),
        ("2^53", &[2; 53]),
        ("2^100", &[2; 100]),
        ("beyond doubles", &wider),
    ];
    for (name, widths) in cases {
        let graph = diamonds::stages(widths);
        for twins in [When::Never, When::Always] {
            for precision in [Precision::F64, Precision::Mixed] {
                let mut options = lanes(64, precision);
                options.prepare.reduce = Reductions {
                    twins,
                    ..Reductions::NONE
                };
                options.prepare.roots = RootSelection::Range { first: 0, last: 2 };
                let scores = match (name, twins) {
                    ("beyond doubles", When::Never) => left_to_cores(&graph, &options),
                    ("beyond doubles", _) => continue,
                    _ => searched(&graph, &options),
                };
                let bound = scores.record().outcome.error_bound();
                options.prepare.reduce.twins = When::Never;
                let expected = on_one_core(&options, &graph);
                let off = difference(scores.vertices(), &expected, 1e-3);
                assert!(
                    off < 1e-12 + bound,
                    "{name}, {twins:?}, {precision:?}: {off:e}"
                );
            }
        }
    }
}

#[test]
fn only_batches_of_too_many_paths_are_searched_again() {
    // Batches have 32 roots in the order of the input: few paths, then more than 2^24, then few.
    let world = |first: u32| {
        let edges = (0..70u32).flat_map(|v| [(v, (v + 1) % 70), (v, (v * v + 2) % 70)]);
        edges.map(move |(u, v)| (u + first, v + first))
    };
    let mut edges: Vec<(u32, u32)> = world(0).chain(world(70 + 121)).collect();
    diamonds::stages(&[2; 40]).for_each_edge(|u, v| edges.push((u + 70, v + 70)));
    let graph = graph(70 + 121 + 70, &edges, false);
    for order in [Order::None, Order::Bfs] {
        for precision in [Precision::F64, Precision::Mixed] {
            let mut options = lanes(8, precision);
            options.prepare.order = order;
            let scores = searched(&graph, &options);
            let bound = scores.record().outcome.error_bound();
            let off = difference(scores.vertices(), &on_one_core(&options, &graph), 1e-3);
            assert!(off < 1e-12 + bound, "{order:?}, {precision:?}: {off:e}");
        }
    }
}

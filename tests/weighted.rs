//! Compares scores of weighted graphs with the definition, with and without path ends, and tests
//! exact ties.

use std::sync::Arc;

use crate::common::definition::definition;
use crate::common::weighted::{Weighted, length_type, random_weighted};
use crate::common::{Setup, assert_close, graph};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::graph::{Entries, Format, Graph, ReadOptions, WeightIs, WeightOptions, read_stream};
use brandes::prepare::{PrepareOptions, Reductions, RootSelection, Scale, prepare};
use brandes::runner::{self, CpuRequest, CpuWorkers, Devices};
use proptest::prelude::*;

/// Returns scores of vertices and edges by one CPU worker.
fn searched(
    graph: &Graph,
    options: &PrepareOptions,
    engine: CpuEngine,
    scale: Scale,
) -> (Vec<f64>, Vec<f64>) {
    let devices = Devices::start(Setup::cpu(1).request);
    let options = PrepareOptions {
        edges: true,
        ..*options
    };
    let prepared = Arc::new(prepare(graph, &options).unwrap());
    let request = CpuRequest {
        workers: CpuWorkers::Count(1),
        options: CpuOptions {
            engine,
            ..CpuOptions::default()
        },
    };
    let outcome = runner::run(
        &prepared,
        &devices,
        request,
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )
    .unwrap();
    let arcs = outcome.sums.arcs.unwrap();
    (
        prepared.scores(&outcome.sums.vertices, scale),
        prepared.edge_scores(graph, &arcs, scale).unwrap(),
    )
}

fn engines() -> impl Strategy<Value = CpuEngine> {
    use CpuEngine::{Auto, Clustered, Plain};
    prop::sample::select(vec![Auto, Plain, Clustered])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn lengths_of_one_are_no_lengths(
        weighted in random_weighted(1),
        engine in engines(),
        fold: bool,
    ) {
        let with = weighted.graph();
        let edges: Vec<(u32, u32)> = weighted
            .edges
            .iter()
            .map(|&(tail, head, _)| (tail as u32, head as u32))
            .collect();
        let without = graph(weighted.vertices, &edges, weighted.directed);
        let options = PrepareOptions { reduce: Reductions::folding(fold), ..PrepareOptions::default() };
        let (scores, edges) = searched(&with, &options, engine, Scale::Pairs);
        let (plain_scores, plain_edges) = searched(&without, &options, engine, Scale::Pairs);
        assert_close(&scores, &plain_scores, 1e-12);
        assert_close(&edges, &plain_edges, 1e-12);
        let expected = definition(weighted.vertices, &weighted.arcs(), false, |_| true);
        assert_close(&plain_edges, &expected.edges(&without), 1e-12);
    }

    #[test]
    fn similarities_are_lengths_inverted(weighted in random_weighted(6), engine in engines()) {
        // 60 / w is an integer for every w up to 6.
        let meaning = WeightIs::Similarity;
        let graph = weighted.read(WeightOptions { meaning, ..WeightOptions::default() }, |w| w.to_string());
        let mut inverted = weighted.clone();
        for (_, _, length) in &mut inverted.edges {
            *length = 60 / *length;
        }
        let expected = definition(weighted.vertices, &inverted.arcs(), false, |_| true);
        let (scores, _) = searched(&graph, &PrepareOptions::default(), engine, Scale::Pairs);
        assert_close(&scores, &expected.scores(&graph), 1e-12);
    }
}

/// Returns a square 1 2 3 4 whose two paths from 1 to 3 have the lengths `a` + `b` and `c` + `d`.
fn square([a, b, c, d]: [&str; 4]) -> Graph {
    let text = format!("1 2 {a}\n2 3 {b}\n1 4 {c}\n4 3 {d}\n");
    let options = ReadOptions {
        format: Format::Edgelist,
        directed: false,
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    read_stream(Box::new(text.as_bytes()), "square", &options)
        .unwrap()
        .0
}

/// Returns the scores of 2 and 4 for source 1; each is half a pair if the paths tie.
fn shares(graph: &Graph, tie_tolerance: impl Into<Option<f64>>) -> (f64, f64) {
    let options = PrepareOptions {
        tie_tolerance: tie_tolerance.into(),
        roots: RootSelection::Range { first: 0, last: 1 },
        ..PrepareOptions::default()
    };
    let (scores, _) = searched(graph, &options, CpuEngine::Auto, Scale::Pairs);
    (2.0 * scores[1], 2.0 * scores[3])
}

#[test]
fn decimals_that_tie_on_paper_tie() {
    // As doubles, 0.1 + 0.2 is greater than 0.15 + 0.15.
    let exact = square(["0.1", "0.2", "0.15", "0.15"]);
    assert_eq!(length_type(&exact), "u32");
    assert_eq!(shares(&exact, 0.0), (0.5, 0.5));
    let almost = square(["0.1", "0.2000000001", "0.15", "0.15"]);
    assert_eq!(shares(&almost, None), (0.0, 1.0));
}

/// Two overlay arcs of this graph are together 2^31 long, like an arc that does not exist in one
/// direction.
#[test]
fn sums_of_lengths_may_equal_the_length_of_no_arc() {
    let long = (1 << 29) - 1;
    let long = [(1, 2, long), (2, 3, long), (2, 4, long)];
    let near = [(0, 5), (3, 6), (3, 8), (4, 0), (5, 4), (5, 9)].map(|(v, w)| (v, w, 1));
    let others = [
        (0, 1),
        (0, 8),
        (3, 1),
        (4, 7),
        (4, 8),
        (6, 7),
        (7, 8),
        (9, 10),
        (9, 14),
        (10, 12),
        (11, 10),
        (13, 12),
        (13, 14),
        (15, 12),
        (15, 14),
    ];
    let others = others.map(|(v, w)| (v, w, 2));
    let weighted = Weighted {
        vertices: 16,
        edges: [&long[..], &near, &others].concat(),
        directed: true,
    };
    let graph = weighted.graph();
    let expected = definition(16, &weighted.arcs(), false, |_| true);
    let options = PrepareOptions::default();
    let (scores, edges) = searched(&graph, &options, CpuEngine::Hierarchy, Scale::Pairs);
    assert_close(&scores, &expected.scores(&graph), 1e-12);
    assert_close(&edges, &expected.edges(&graph), 1e-12);
}

#[test]
fn a_requested_tolerance_applies_to_integers_too() {
    for almost in ["0.2000000001", "0.200000000000001"] {
        let graph = square(["0.1", almost, "0.15", "0.15"]);
        assert_ne!(length_type(&graph), "f64");
        assert_eq!(shares(&graph, 0.1), (0.5, 0.5));
        assert_eq!(shares(&graph, 0.0), (0.0, 1.0));
    }
}

#[test]
fn computed_lengths_tie_as_doubles() {
    // Three edges together are as long as the fourth one.
    let third = 1.0 / 3.0;
    let text = format!("0 1 {third}\n1 2 {third}\n2 3 {third}\n0 3 1\n");
    let read = |text: &str, meaning| {
        let options = ReadOptions {
            weights: Some(WeightOptions {
                meaning,
                ..WeightOptions::default()
            }),
            ..ReadOptions::default()
        };
        let read = read_stream(Box::new(text.as_bytes()), "thirds", &options);
        read.unwrap().0
    };
    let edges = || Entries::Pairs {
        tails: vec![0, 1, 2, 0],
        heads: vec![1, 2, 3, 3],
    };
    let array = |weights: [f64; 4], meaning| {
        let weights = Some((weights.to_vec(), meaning));
        Graph::from_arrays(4, edges(), weights, false).unwrap()
    };
    let similar = "0 1 3\n1 2 3\n2 3 3\n0 3 1\n";
    for graph in [
        read(&text, WeightIs::Length),
        read(similar, WeightIs::Similarity),
        array([third, third, third, 1.0], WeightIs::Length),
        array([3.0, 3.0, 3.0, 1.0], WeightIs::Similarity),
        array([1.0, 1.0, 1.0, third], WeightIs::Similarity),
    ] {
        let options = PrepareOptions::default();
        let (scores, _) = searched(&graph, &options, CpuEngine::Auto, Scale::Pairs);
        assert_close(&scores, &[0.0, 1.5, 1.5, 0.0], 1e-12);
    }
}

#[test]
fn doubles_tie_within_the_tolerance() {
    // The last length has too many digits for an integer.
    let digits = "0.1500000000000000000000000000000";
    let floats = square(["0.1", "0.2", "0.15", &format!("{digits}1")]);
    assert_eq!(length_type(&floats), "f64");
    assert_eq!(shares(&floats, 1e-12), (0.5, 0.5));
    assert_eq!(shares(&floats, 0.0), (0.0, 1.0));
    let apart = square(["0.1", "0.2001", "0.15", &format!("{digits}1")]);
    assert_eq!(shares(&apart, 1e-12), (0.0, 1.0));
    assert_eq!(shares(&apart, 1e-3), (0.5, 0.5));
}

#[test]
fn a_length_too_small_to_change_a_distance_is_an_error() {
    let text = "1 2 1e100\n2 3 1.000000000000000000000000001\n3 1 3e100\n";
    let options = ReadOptions {
        format: Format::Edgelist,
        directed: true,
        weights: Some(WeightOptions::default()),
        ..ReadOptions::default()
    };
    let read = read_stream(Box::new(text.as_bytes()), "a", &options);
    let prepared = Arc::new(prepare(&read.unwrap().0, &PrepareOptions::default()).unwrap());
    let devices = Devices::start(Setup::cpu(1).request);
    let outcome = runner::run(
        &prepared,
        &devices,
        CpuWorkers::Count(1),
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    );
    let error = outcome.unwrap_err().to_string();
    assert!(
        error.contains("adding it to a distance does not change the distance"),
        "{error}"
    );
}

/// Checks scores of vertices and edges of an undirected graph, by engines `plain` and `clustered`.
fn check_scores(
    vertices: usize,
    edges: &[(usize, usize, u32)],
    scores: &[f64],
    edge_scores: &[f64],
) {
    let weighted = Weighted {
        vertices,
        edges: edges.to_vec(),
        directed: false,
    };
    for fold in [true, false] {
        for engine in [CpuEngine::Plain, CpuEngine::Clustered] {
            let options = PrepareOptions {
                reduce: Reductions::folding(fold),
                ..PrepareOptions::default()
            };
            let found = searched(&weighted.graph(), &options, engine, Scale::Pairs);
            assert_close(&found.0, scores, 1e-12);
            assert_close(&found.1, edge_scores, 1e-12);
        }
    }
}

#[test]
fn closed_forms() {
    // A path with any lengths.
    check_scores(
        4,
        &[(0, 1, 7), (1, 2, 1), (2, 3, 20)],
        &[0.0, 2.0, 2.0, 0.0],
        &[3.0, 4.0, 3.0],
    );
    // A star.
    check_scores(
        4,
        &[(0, 1, 1), (0, 2, 5), (0, 3, 9)],
        &[3.0, 0.0, 0.0, 0.0],
        &[3.0; 3],
    );
    // A cycle of four: the longest edge ties with the path of the three others between its ends.
    check_scores(
        4,
        &[(0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, 3)],
        &[0.0, 1.5, 1.5, 0.0],
        &[2.5, 0.5, 3.5, 2.5],
    );
    // A triangle in which no shortest path uses the longest edge.
    check_scores(
        3,
        &[(0, 1, 1), (1, 2, 1), (0, 2, 3)],
        &[0.0, 1.0, 0.0],
        &[2.0, 0.0, 2.0],
    );
}

#[test]
fn normalized_edges_are_divided_by_all_pairs() {
    for directed in [false, true] {
        let path = Weighted {
            vertices: 3,
            edges: vec![(0, 1, 2), (1, 2, 3)],
            directed,
        };
        let options = PrepareOptions::default();
        let (_, edges) = searched(&path.graph(), &options, CpuEngine::Auto, Scale::Normalized);
        let pairs = if directed { 2.0 / 6.0 } else { 2.0 / 3.0 };
        assert_close(&edges, &[pairs; 2], 1e-12);
    }
}

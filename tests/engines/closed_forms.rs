//! Tests CPU workers on graphs whose scores have a closed form, and against rustworkx, which shares
//! no code with the definition in `tests/common/`.

use crate::common::{Setup, assert_close, graph, random_edges};
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, Reductions};
use proptest::prelude::*;

#[test]
fn graphs_of_every_size_have_their_closed_form() {
    let mut cases = vec![(generate::complete(12), vec![0.0; 12])];
    for n in [1u32, 2, 3, 4, 17, 100] {
        let through = |i| f64::from(i) * f64::from(n - 1 - i);
        cases.push((generate::path(n), (0..n).map(through).collect()));
    }
    for n in [3u32, 4, 50] {
        let leaves = f64::from(n - 1);
        let mut scores = vec![0.0; n as usize];
        scores[0] = leaves * (leaves - 1.0) / 2.0;
        cases.push((generate::star(n), scores));
    }
    for n in [3u32, 4, 5, 6, 31, 32] {
        let size = f64::from(n);
        let odd = f64::from(n % 2);
        let each = (size - 2.0 + odd) * (size - 2.0 - odd) / 8.0;
        cases.push((generate::cycle(n), vec![each; n as usize]));
    }
    let (a, b) = (4.0, 7.0);
    let mut scores = vec![b * (b - 1.0) / 2.0 / a; 4];
    scores.extend([a * (a - 1.0) / 2.0 / b; 7]);
    cases.push((generate::complete_bipartite(4, 7), scores));
    for (graph, expected) in cases {
        let graph = graph.unwrap();
        for fold in [true, false] {
            let scores = Setup::cpu(2).fold(fold).scores(&graph);
            assert_close(&scores, &expected, 1e-12);
        }
    }
}

#[test]
fn a_tree_needs_no_search() {
    let tree = generate::random_tree(300, 9).unwrap();
    let (scores, outcome) = Setup::cpu(1).outcome(&tree);
    assert!(outcome.workers.is_empty());
    assert_close(&scores, &rustworkx(&tree, false), 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scores_equal_rustworkx((n, edges) in random_edges(), directed: bool, endpoints: bool) {
        let graph = graph(n, &edges, directed);
        let setup = Setup {
            prepare: PrepareOptions {
                reduce: Reductions::folding(true),
                endpoints,
                ..PrepareOptions::default()
            },
            ..Setup::cpu(1)
        };
        assert_close(&setup.scores(&graph), &rustworkx(&graph, endpoints), 1e-12);
    }
}

/// Returns the scores of rustworkx-core on the simplified graph (it would count parallel edges as
/// additional paths).
fn rustworkx(graph: &Graph, endpoints: bool) -> Vec<f64> {
    use rustworkx_core::centrality::betweenness_centrality;
    use rustworkx_core::petgraph::graph::{DiGraph, UnGraph};

    let mut edges = Vec::new();
    graph.for_each_edge(|u, v| edges.push((u, v)));
    let n = graph.vertices();
    let scores = if graph.directed() {
        let mut peer = DiGraph::<(), ()>::from_edges(edges);
        (peer.node_count()..n).for_each(|_| _ = peer.add_node(()));
        betweenness_centrality(&peer, endpoints, false, 1000)
    } else {
        let mut peer = UnGraph::<(), ()>::from_edges(edges);
        (peer.node_count()..n).for_each(|_| _ = peer.add_node(()));
        betweenness_centrality(&peer, endpoints, false, 1000)
    };
    scores
        .into_iter()
        .map(|score| score.unwrap_or(0.0))
        .collect()
}

//! Tests parts and the ends of paths on random graphs, also against rustworkx.

use crate::common::{
    Convention, Setup, assert_close, brute_force, graph, random_edges, random_forest,
};
use brandes::graph::Graph;
use brandes::prepare::{PrepareOptions, Reductions, RootSelection};
use proptest::prelude::*;

fn setup(convention: Convention, roots: RootSelection) -> Setup {
    Setup {
        prepare: PrepareOptions {
            reduce: Reductions::folding(true),
            endpoints: convention.endpoints,
            roots,
            ..PrepareOptions::default()
        },
        ..Setup::cpu(1)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn forests_equal_the_definition_without_any_search((n, edges) in random_forest(), endpoints: bool) {
        let graph = graph(n, &edges, false);
        let convention = Convention { endpoints, ..Convention::default() };
        let (scores, outcome) =
            setup(convention, RootSelection::All).outcome(&graph);
        prop_assert!(outcome.workers.is_empty());
        assert_close(&scores, &brute_force(&graph, convention, |_| true), 1e-12);
    }

    #[test]
    fn parts_add_up((n, edges) in random_edges(), cut: prop::sample::Index) {
        let graph = graph(n, &edges, false);
        let cut = 1 + cut.index(n.max(2) - 1) as u64;
        let part = |first, last| {
            let roots = RootSelection::Range { first, last };
            setup(Convention::default(), roots).scores(&graph)
        };
        if cut < n as u64 {
            let sum: Vec<f64> = part(0, cut)
                .iter()
                .zip(part(cut, n as u64))
                .map(|(a, b)| a + b)
                .collect();
            assert_close(&sum, &Setup::cpu(1).scores(&graph), 1e-12);
        }
    }

    #[test]
    fn scores_equal_rustworkx((n, edges) in random_edges(), directed: bool, endpoints: bool) {
        let graph = graph(n, &edges, directed);
        let convention = Convention { endpoints, ..Convention::default() };
        let scores = setup(convention, RootSelection::All).scores(&graph);
        assert_close(&scores, &rustworkx(&graph, endpoints), 1e-12);
    }
}

/// Returns the scores of rustworkx-core on the simplified graph (it would count parallel edges as
/// additional paths).
fn rustworkx(graph: &Graph, endpoints: bool) -> Vec<f64> {
    use rustworkx_core::centrality::betweenness_centrality;
    use rustworkx_core::petgraph::graph::{DiGraph, UnGraph};

    let arcs = (0..graph.vertices() as u32).flat_map(|v| {
        let heads = graph.csr().neighbours(v).iter();
        heads.map(move |&w| (v, w))
    });
    let scores = if graph.directed() {
        let mut peer = DiGraph::<(), ()>::from_edges(arcs);
        while peer.node_count() < graph.vertices() {
            peer.add_node(());
        }
        betweenness_centrality(&peer, endpoints, false, 1000)
    } else {
        let mut peer = UnGraph::<(), ()>::from_edges(arcs.filter(|(v, w)| v < w));
        while peer.node_count() < graph.vertices() {
            peer.add_node(());
        }
        betweenness_centrality(&peer, endpoints, false, 1000)
    };
    scores
        .into_iter()
        .map(|score| score.unwrap_or(0.0))
        .collect()
}

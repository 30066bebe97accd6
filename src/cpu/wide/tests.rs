//! Compares the engine for wide path counts with the fast ones.

use std::f64::consts::LN_2;

use super::engine;
use crate::cpu::CpuEngine;
use crate::cpu::tests::{close, collected, fast};
use crate::engine::OwnSums;
use crate::graph::{EdgeList, Graph, Labels, Lengths, generate};
use crate::prepare::{PrepareOptions, Reductions, prepare, prepare_query};
use crate::query::{Measure, Query};
use proptest::prelude::*;

/// Converts lengths to a type; `None` for kind 0, graphs without lengths.
fn typed(kind: usize, lengths: impl Iterator<Item = u32>) -> Option<Lengths> {
    match kind {
        0 => None,
        1 => Some(Lengths::U32(lengths.collect())),
        2 => Some(Lengths::U64(lengths.map(u64::from).collect())),
        // Most tenths are not exact as doubles, so ties need the tolerance.
        _ => Some(Lengths::F64(lengths.map(|l| f64::from(l) / 10.0).collect())),
    }
}

fn same(a: &OwnSums, b: &OwnSums) -> bool {
    let [of_a, of_b] = [a, b].map(|sums| sums.arcs.as_deref().unwrap_or_default());
    close(&a.vertices, &b.vertices) && close(of_a, of_b)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sums_are_those_of_the_fast_engine(
        edges in prop::collection::vec((0u32..24, 0u32..24), 0..80),
        (directed, edges_too, endpoints, fold) in any::<(bool, bool, bool, bool)>(),
        kind in 0usize..4,
    ) {
        let mut list = EdgeList::with_capacity(edges.len());
        for (u, v) in edges {
            list.push(u, v);
        }
        let graph = list.build(Labels::consecutive(0, 24), directed).unwrap();
        let options = PrepareOptions {
            edges: edges_too,
            endpoints,
            reduce: Reductions::folding(fold),
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(&graph, &options).unwrap();
        let tails = prepared.graph.tails();
        let arcs = tails.iter().zip(prepared.graph.targets());
        let lengths = arcs.map(|(&v, &w)| 1 + (v.min(w) * 7919 + v.max(w) * 104_729) % 5);
        prepared.lengths = typed(kind, lengths);
        let mut expected = fast(&prepared, CpuEngine::Plain);
        expected.search(&prepared.roots).unwrap();
        let mut wide = engine(&prepared);
        wide.search(&prepared.roots).unwrap();
        let (wide, expected) = (collected(wide, &prepared), collected(expected, &prepared));
        prop_assert!(same(&wide, &expected), "{:?} {:?}", wide, expected);
    }
}

/// Checks the stress of the joints of a chain of diamonds, for sources at its first vertex alone.
/// The factor of decay makes up for path counts at or above the limit of f64.
#[test]
fn decay_makes_up_for_path_counts_above_the_limit() {
    for (count, decay) in [(1022, 0.35), (2000, 0.34)] {
        let chain: Graph = generate::diamonds(count).unwrap();
        let mut sources = vec![0.0; chain.vertices()];
        sources[0] = 1.0;
        let query = Query {
            measures: vec![Measure::Stress],
            decay: Some(decay),
            sources: Some(sources.into()),
            ..Query::default()
        };
        let options = PrepareOptions {
            order: crate::prepare::Order::None,
            ..PrepareOptions::default()
        };
        let prepared = prepare_query(&chain, &options, &query).unwrap();
        let mut wide = engine(&prepared);
        wide.search(&prepared.roots).unwrap();
        let stress = collected(wide, &prepared).vertices;
        // Diamond k leads to two vertices by 2^k paths each, and to a joint by twice as many.
        let paths = |k: u32, hops: u32| (f64::from(k) * LN_2 - decay * f64::from(hops)).exp();
        let mut expected = 0.0;
        for k in (1..count).rev() {
            expected += 2.0 * paths(k, 2 * k + 1) + paths(k + 1, 2 * k + 2);
            let found = stress[3 * k as usize];
            let difference = (found - expected).abs();
            assert!(difference < 1e-10 * expected, "{k}: {found} {expected}");
        }
    }
}

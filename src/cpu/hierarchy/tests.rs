//! Compares sweeps with searches from a root at a time.

use std::sync::Arc;

use proptest::prelude::*;

use super::engine;
use crate::cpu::CpuEngine;
use crate::cpu::lanes::Simd;
use crate::cpu::tests::{close, collected, fast};
use crate::engine::OwnSums;
use crate::graph::{Csr, EdgeList, Graph, Labels, Lengths};
use crate::prepare::hierarchy::Hierarchy;
use crate::prepare::{PrepareOptions, Prepared, Reductions, RootSelection, prepare, prepare_query};
use crate::query::{Measure, Query};

/// Returns, per arc, the sum of both directions of its edge.
fn of_edges(graph: &Csr, arcs: &[f64]) -> Vec<f64> {
    let tails = graph.tails();
    let ends = tails.iter().zip(graph.targets());
    ends.map(|(&v, &w)| arcs[graph.arc(v, w)] + arcs[graph.arc(w, v)])
        .collect()
}

/// Makes a graph of `n` vertices with a path for each of `ends`: its first end, the step from there
/// to its other end, and its number of edges. Inner vertices of paths are added to the `n`.
fn graph(n: u32, ends: &[(u32, u32, u32)], directed: bool) -> Graph {
    let mut list = EdgeList::with_capacity(ends.len());
    let mut vertices = n;
    for &(u, step, edges) in ends {
        let u = u % n;
        let v = (u + 1 + step) % n;
        let mut last = u;
        for _ in 1..edges {
            list.push(last, vertices);
            last = vertices;
            vertices += 1;
        }
        list.push(last, v);
    }
    list.build(Labels::consecutive(0, vertices as usize), directed)
        .unwrap()
}

/// Gives edges lengths from 1 to `longest`.
fn set_lengths(prepared: &mut Prepared, longest: u32) {
    let length = |(&v, &w): (&u32, &u32)| 1 + (v.min(w) * 79 + v.max(w) * 47) % longest;
    let tails = prepared.graph.tails();
    let lengths = tails
        .iter()
        .zip(prepared.graph.targets())
        .map(length)
        .collect();
    let lengths = Lengths::U32(lengths);
    let reverse = prepared.reverse.as_ref();
    let reversed = reverse.map(|reverse| lengths.reversed(&prepared.graph, reverse));
    (prepared.lengths, prepared.reverse_lengths) = (Some(lengths), reversed);
}

/// Searches from all roots with the engine for a root at a time.
fn expected_sums(prepared: &Prepared) -> OwnSums {
    let mut expected = fast(prepared, CpuEngine::Plain);
    expected.search(&prepared.roots).unwrap();
    collected(expected, prepared)
}

/// Returns the number of cases of a property; the environment may set it.
fn cases() -> u32 {
    let asked = std::env::var("BRANDES_TEST_CASES").ok();
    asked.and_then(|cases| cases.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sums_are_those_of_searches(
        n in 1u32..40,
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), 1u32..7), 0..110),
        near in 1u32..40,
        (directed, edges, endpoints, fold) in any::<(bool, bool, bool, bool)>(),
        longest in 1u32..7,
        weighted in any::<bool>(),
        blocks in any::<bool>(),
        few in prop::option::of(1u64..5),
        chains in 1u32..6,
    ) {
        // In some graphs, all edges lead to vertices with near numbers, so that searches are deep,
        // and some edges are replaced by chains.
        let edge = |&(u, step, _): &(u32, u32, u32)| (u, step % near, 1 + step / near % chains);
        let ends: Vec<_> = ends.iter().map(edge).collect();
        let graph = graph(n, &ends, directed);
        let mut reduce = Reductions::folding(fold);
        if blocks {
            reduce.blocks = crate::prepare::When::Always;
        }
        let options = PrepareOptions {
            edges,
            endpoints,
            reduce,
            roots: match few {
                None => RootSelection::All,
                Some(few) => RootSelection::Range { first: 0, last: few.min(n.into()) },
            },
            ..PrepareOptions::default()
        };
        let mut prepared = prepare(&graph, &options).unwrap();
        if weighted {
            set_lengths(&mut prepared, longest);
        }
        let expected = expected_sums(&prepared);
        let hierarchy = Arc::new(Hierarchy::new(&prepared, [usize::MAX; 2]).unwrap());
        for simd in Simd::available() {
            let mut sweeps = engine(&prepared, Arc::clone(&hierarchy), simd);
            sweeps.search(&prepared.roots).unwrap();
            let sums = collected(sweeps, &prepared);
            prop_assert!(
                close(&sums.vertices, &expected.vertices),
                "{:?}\n{:?}\n{:?}", simd, sums.vertices, expected.vertices
            );
            let arcs = |sums: &OwnSums| sums.arcs.clone().unwrap_or_default();
            prop_assert!(close(&arcs(&sums), &arcs(&expected)), "arcs");
        }
        let whole = prepared.clone();
        if let Some(chains) = prepared.find_chains() {
            prepared.serve_chains(chains);
            for simd in Simd::available() {
                let mut sweeps = engine(&prepared, prepared.hierarchy().unwrap(), simd);
                sweeps.search(&prepared.roots).unwrap();
                let mut sums = collected(sweeps, &prepared);
                prepared.complete(&mut sums);
                prop_assert!(
                    close(&sums.vertices, &expected.vertices),
                    "chains, {:?}\n{:?}\n{:?}", simd, sums.vertices, expected.vertices
                );
                if let Some(arcs) = &expected.arcs {
                    let [sums, expected] = [sums.arcs.as_ref().unwrap(), arcs]
                        .map(|arcs| of_edges(&whole.graph, arcs));
                    prop_assert!(close(&sums, &expected), "edges\n{:?}\n{:?}", sums, expected);
                }
            }
        }
    }

    #[test]
    fn sums_of_queries_are_those_of_searches(
        n in 1u32..40,
        ends in prop::collection::vec((any::<u32>(), 0u32..40, 1u32..2), 0..90),
        near in 1u32..40,
        (directed, edges) in any::<(bool, bool)>(),
        longest in 0u32..7,
        measures in 1u32..64,
        radii in prop::collection::btree_set(0u32..14, 0..4),
        decay in prop::option::of(0.0..1.0),
        [sources, targets, demand] in any::<[Option<u32>; 3]>(),
    ) {
        let ends: Vec<_> = ends.iter().map(|&(u, step, _)| (u, step % near, 1)).collect();
        let graph = graph(n, &ends, directed);
        // Some vertices have weight 0.
        let weight = |v: u32, salt: u32| f64::from((v + 3).wrapping_mul(salt | 1) >> 7 & 3) / 2.0;
        let weights = |salt: u32| (0..n).map(|v| weight(v, salt)).collect::<Vec<_>>().into();
        let demand = demand.filter(|_| n > 1 && measures & 3 != 0);
        let trips = |salt: u32| {
            let trip = |v: u32| (v, (v + salt % n) % n, weight(v, salt));
            (0..n).map(trip).chain((0..n / 2).map(|v| (2 * v, v, 1.0))).collect::<Vec<_>>().into()
        };
        let all = (0..).zip(Measure::ALL);
        let all = all.filter(|&(bit, measure)| {
            measures >> bit & 1 == 1 && (demand.is_none() || measure.counts_paths())
        });
        let query = Query {
            measures: all.map(|(_, measure)| measure).collect(),
            radii: radii.into_iter().map(f64::from).collect(),
            decay: decay.filter(|_| measures & 0b010011 != 0),
            sources: sources.filter(|_| demand.is_none()).map(weights),
            targets: targets.filter(|_| demand.is_none()).map(weights),
            demand: demand.map(trips),
            ..Query::default()
        };
        prop_assert!(query.check().is_ok());
        let options = PrepareOptions { edges, ..PrepareOptions::default() };
        let mut prepared = prepare_query(&graph, &options, &query).unwrap();
        if longest > 0 {
            set_lengths(&mut prepared, longest);
        }
        let expected = expected_sums(&prepared);
        let hierarchy = Arc::new(Hierarchy::new(&prepared, [usize::MAX; 2]).unwrap());
        for simd in Simd::available() {
            let mut sweeps = engine(&prepared, Arc::clone(&hierarchy), simd);
            sweeps.search(&prepared.roots).unwrap();
            let sums = collected(sweeps, &prepared);
            prop_assert!(
                close(&sums.vertices, &expected.vertices),
                "{:?}, {:?}\n{:?}\n{:?}", query, simd, sums.vertices, expected.vertices
            );
            let arcs = |sums: &OwnSums| sums.arcs.clone().unwrap_or_default();
            prop_assert!(close(&arcs(&sums), &arcs(&expected)), "arcs");
        }
    }
}

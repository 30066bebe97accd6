//! Compares sweeps with searches from a root at a time.

use std::sync::Arc;

use proptest::prelude::*;

use super::engine;
use crate::cpu::CpuEngine;
use crate::cpu::lanes::Simd;
use crate::cpu::tests::{close, collected, fast, set_lengths};
use crate::graph::{Csr, EdgeList, Graph, Labels};
use crate::prepare::hierarchy::Hierarchy;
use crate::prepare::{PrepareOptions, Prepared, Reductions, RootSelection, When, prepare};

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
        let mut last = u % n;
        for _ in 1..edges {
            list.push(last, vertices);
            (last, vertices) = (vertices, vertices + 1);
        }
        list.push(last, (u % n + 1 + step) % n);
    }
    list.build(Labels::consecutive(0, vertices as usize), directed)
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sums_are_those_of_searches(
        n in 1u32..40,
        ends in prop::collection::vec(any::<[u32; 2]>(), 0..110),
        (near, chains) in (1u32..40, 1u32..6),
        [directed, edges, endpoints, fold, blocks] in any::<[bool; 5]>(),
        longest in 0u32..7,
        few in prop::option::of(1u64..5),
    ) {
        // In some graphs, all edges lead to vertices with near numbers, so that searches are deep,
        // and some edges are replaced by chains.
        let edge = |&[u, step]: &[u32; 2]| (u, step % near, 1 + step / near % chains);
        let ends: Vec<_> = ends.iter().map(edge).collect();
        let graph = graph(n, &ends, directed);
        let mut reduce = Reductions::folding(fold);
        reduce.blocks = if blocks { When::Always } else { reduce.blocks };
        let roots = few.map_or(RootSelection::All, |few| {
            RootSelection::Range { first: 0, last: few.min(n.into()) }
        });
        let whole = PrepareOptions::default();
        let options = PrepareOptions { edges, endpoints, reduce, roots, ..whole };
        let mut prepared = prepare(&graph, &options).unwrap();
        if longest > 0 {
            set_lengths(&mut prepared, longest);
        }
        let mut expected = fast(&prepared, CpuEngine::Plain);
        expected.search(&prepared.roots).unwrap();
        let expected = collected(expected, &prepared);
        let hierarchy = Arc::new(Hierarchy::new(&prepared, [usize::MAX; 2]).unwrap());
        let check = |served: &Prepared, hierarchy: Arc<Hierarchy>, has_chains| {
            for simd in Simd::available() {
                let mut sweeps = engine(served, Arc::clone(&hierarchy), simd);
                sweeps.search(&served.roots).unwrap();
                let mut sums = collected(sweeps, served);
                served.complete(&mut sums);
                assert!(close(&sums.vertices, &expected.vertices), "{simd:?} {sums:?}");
                let Some(expected) = &expected.arcs else { continue };
                let mut arcs = [sums.arcs.as_ref().unwrap(), expected].map(Clone::clone);
                if has_chains {
                    // Chains give the sums of edges.
                    arcs = arcs.map(|arcs| of_edges(&prepared.graph, &arcs));
                }
                assert!(close(&arcs[0], &arcs[1]), "{simd:?} edges {arcs:?}");
            }
        };
        check(&prepared, hierarchy, false);
        if let Some(chains) = prepared.find_chains() {
            let mut served = prepared.clone();
            served.serve_chains(chains);
            check(&served, served.hierarchy().unwrap(), true);
        }
    }
}

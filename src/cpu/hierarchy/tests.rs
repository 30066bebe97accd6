//! Sweeps against searches of a root at a time.

use std::sync::Arc;

use proptest::prelude::*;

use super::engine;
use crate::cpu::lanes::Simd;
use crate::cpu::{CpuEngine, CpuOptions, WorkerBudget, plan};
use crate::engine::{Engine, OwnSums};
use crate::graph::{Csr, EdgeList, Labels, Lengths};
use crate::prepare::hierarchy::Hierarchy;
use crate::prepare::{PrepareOptions, Prepared, Reductions, RootSelection, prepare};

fn collected(mut engine: Box<dyn Engine + '_>, prepared: &Prepared) -> OwnSums {
    let mut sums = prepared.zero_sums();
    engine.collect(&mut sums.lend()).unwrap();
    sums
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * b.abs().max(1.0);
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// Both directions of each edge together.
fn of_edges(graph: &Csr, arcs: &[f64]) -> Vec<f64> {
    let tails = graph.tails();
    let ends = tails.iter().zip(graph.targets());
    ends.map(|(&v, &w)| arcs[graph.arc(v, w)] + arcs[graph.arc(w, v)])
        .collect()
}

/// Cases of a property, many more where the environment asks for them.
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
        let mut list = EdgeList::with_capacity(ends.len());
        let mut vertices = n;
        for &(u, step, _) in &ends {
            let u = u % n;
            // Neighbours are near each other in some graphs, so that searches are deep.
            let v = (u + 1 + step % near) % n;
            // Some edges are chains.
            let inner = step / near % chains;
            let mut last = u;
            for _ in 0..inner {
                list.push(last, vertices);
                last = vertices;
                vertices += 1;
            }
            list.push(last, v);
        }
        let graph = list.build(Labels::consecutive(0, vertices as usize), directed).unwrap();
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
            let length = |(&v, &w): (&u32, &u32)| 1 + (v.min(w) * 79 + v.max(w) * 47) % longest;
            let tails = prepared.graph.tails();
            let lengths = tails.iter().zip(prepared.graph.targets()).map(length).collect();
            let lengths = Lengths::U32(lengths);
            let reverse = prepared.reverse.as_ref();
            let reversed = reverse.map(|reverse| lengths.reversed(&prepared.graph, reverse));
            (prepared.lengths, prepared.reverse_lengths) = (Some(lengths), reversed);
        }
        let plain = CpuOptions { engine: CpuEngine::Plain, ..CpuOptions::default() };
        let plan = plan(&prepared, &plain, WorkerBudget::for_all_roots(&prepared, 1));
        let mut expected = crate::cpu::counting::fast_engine(&prepared, &plan);
        expected.search(&prepared.roots).unwrap();
        let expected = collected(expected, &prepared);
        let hierarchy = Arc::new(Hierarchy::new(&prepared.network(), usize::MAX).unwrap());
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
            prepared.contract(chains);
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
}

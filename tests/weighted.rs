//! Weighted graphs against the definition: every engine, every convention, exact ties.

mod common;

use std::sync::Arc;

use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::graph::{Graph, Lengths, WeightOptions};
use brandes::prepare::{PrepareOptions, Scale, prepare};
use brandes::runner::{self, CpuRequest, CpuWorkers, Devices};
use common::weighted::{definition, random_weighted};
use common::{Setup, assert_close};
use proptest::prelude::*;

/// Scores of vertices and edges by CPU workers.
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
    let outcome = runner::run(&prepared, &devices, request, &mut |_| {}).unwrap();
    let arcs = outcome.arc_sums.unwrap();
    (
        prepared.scores(&outcome.sums, scale),
        prepared.edge_scores(graph, &arcs, scale).unwrap(),
    )
}

fn engines() -> impl Strategy<Value = CpuEngine> {
    prop::sample::select(vec![CpuEngine::Auto, CpuEngine::Plain, CpuEngine::Lanes])
}

/// A length of no edge of a random graph.
const ODD: u32 = 99;

/// A type of lengths, and a way to write lengths that are read as it.
type Text = (&'static str, fn(u32) -> String);

/// Ways to write lengths, and the type that they are read as. [`ODD`] is of another size than the others.
const TEXTS: [Text; 4] = [
    ("u32", |length| length.to_string()),
    ("u32", |length| format!("{}.{}", length / 10, length % 10)),
    ("u64", |length| match length {
        ODD => "0.0000000001".into(),
        _ => length.to_string(),
    }),
    // Tenths are no doubles: ties are up to the tolerance.
    ("f64", |length| match length {
        ODD => "1e-40".into(),
        _ => format!("0.{length}"),
    }),
];

fn kind(graph: &Graph) -> &'static str {
    match graph.lengths().unwrap() {
        Lengths::U32(_) => "u32",
        Lengths::U64(_) => "u64",
        Lengths::F64(_) => "f64",
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn scores_equal_the_definition(
        weighted in random_weighted(4),
        (kind_read, text) in prop::sample::select(TEXTS.to_vec()),
        engine in engines(),
        endpoints: bool,
        fold: bool,
    ) {
        let weighted = weighted.beside(1).beside(ODD);
        let graph = weighted.read(WeightOptions::default(), text);
        prop_assert!(kind(&graph) == kind_read);
        let options = PrepareOptions { fold, endpoints, ..PrepareOptions::default() };
        let expected = definition(weighted.vertices, &weighted.arcs(), endpoints, |_| true);
        let (scores, edges) = searched(&graph, &options, engine, Scale::Pairs);
        assert_close(&scores, &expected.scores(&graph), 1e-12);
        assert_close(&edges, &expected.edges(&graph), 1e-12);
    }
}

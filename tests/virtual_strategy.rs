//! Compares strategies `virtual` and `edge-device` on an OpenCL device with the CPU engine.

use crate::common::{Setup, assert_close, diamonds, difference};
use brandes::engine::Precision;
use brandes::graph::{Graph, generate};
use brandes::prepare::Order;

const DEGREES: [u32; 5] = [1, 2, 4, 16, 1024];
/// Numbers of roots searched together.
const SEARCHES: [u32; 3] = [1, 3, 64];

/// Returns settings for this D and this number of roots searched together.
fn setup(degree: u32, searches: u32, precision: Precision) -> Setup {
    let mut setup = Setup::device(degree, precision, 0);
    setup.request.options.numbers.searches = Some(searches);
    setup
}

/// Returns graphs of several shapes, with their names.
fn shapes() -> Vec<(&'static str, Graph)> {
    vec![
        (
            "small world",
            generate::rmat(9, 8, 0.57, 0.19, 0.19, 7).unwrap(),
        ),
        ("hub", generate::star(300).unwrap()),
        ("deep", generate::grid(3, 70, 0.05, 2).unwrap()),
        ("very deep", generate::cycle(301).unwrap()),
        ("many paths", generate::diamonds(30).unwrap()),
        (
            "many components",
            generate::erdos_renyi(400, 330, 3).unwrap(),
        ),
        ("clique", generate::complete(33).unwrap()),
    ]
}

#[test]
fn every_degree_limit_gives_the_scores_of_the_cpu() {
    for (shape, (name, graph)) in shapes().into_iter().enumerate() {
        let expected = Setup::cpu(2).scores(&graph);
        for (number, degree) in DEGREES.into_iter().enumerate() {
            // All combinations would take too long.
            if (shape + number) % 2 == 1 {
                continue;
            }
            let fold = number % 4 < 2;
            let searches = SEARCHES[(shape + number) / 2 % 3];
            let setup = setup(degree, searches, Precision::F64).fold(fold);
            let difference = difference(&setup.scores(&graph), &expected, 1e-3);
            assert!(
                difference < 1e-10,
                "{name}, D {degree}, {searches} slots, fold {fold}: {difference:e}"
            );
        }
    }
}

#[test]
fn shipped_graphs_with_and_without_ordering() {
    for file in ["karate.txt", "grid-30x30.graph", "florentine.txt"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("bench-graphs")
            .join(file);
        let options = brandes::graph::ReadOptions::default();
        let (graph, _) = brandes::graph::read(&path, &options).unwrap();
        let expected = Setup::cpu(2).scores(&graph);
        for order in [Order::Bfs, Order::None] {
            let mut setup = Setup::device(4, Precision::F64, 0);
            setup.prepare.order = order;
            assert_close(&setup.scores(&graph), &expected, 1e-10);
        }
    }
}

#[test]
fn a_path_count_beyond_f32_is_counted_by_the_cpu() {
    let chain = diamonds::chain(150); // 2^150 paths
    let expected = diamonds::scores(150);
    let (scores, outcome) = Setup::device(16, Precision::F32, 0).too_many_paths(&chain);
    assert!(difference(&scores, &expected, 1e-3) <= 1e-5);
    // Doubles can count these paths.
    assert_eq!(outcome.wide_roots(), 0);
    let f64_scores = Setup::device(16, Precision::F64, 0).scores(&chain);
    assert_close(&f64_scores, &expected, 1e-10);
}

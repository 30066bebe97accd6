//! Tests that all engines compute correct scores of graphs with more shortest paths than doubles
//! can count.

use std::sync::Arc;

use crate::common::program::{brandes, read_json};
use crate::common::{Setup, assert_close, diamonds, difference, graph, plain};
use brandes::cpu::lanes::Simd;
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::engine::Precision;
use brandes::graph::{Graph, Lengths, WeightOptions, generate};
use brandes::prepare::{PrepareOptions, Reductions, RootSelection, Scale, prepare};
use brandes::runner::{CpuRequest, CpuWorkers, Devices, Outcome, run};
use brandes::strategy::Strategy;
use num_bigint::BigUint;
use serde_json::Value;

/// The number of diamonds: there are 2^1100 paths from end to end.
const COUNT: usize = 1100;

/// The number of roots from which there are more than 2^1022 paths to some joint. They are near the
/// two ends of the chain.
const WIDE_ROOTS: usize = 2 * (78 + 2 * 77);

/// Selects only the first vertex.
const FIRST: RootSelection = RootSelection::Range { first: 0, last: 1 };

/// Searches with two CPU workers and without reductions. Returns the scores and the outcome, and
/// checks the sum of the scores of edges.
fn by_cpu(graph: &Graph, roots: RootSelection, engine: CpuOptions) -> (Vec<f64>, Outcome) {
    let options = PrepareOptions {
        reduce: Reductions::NONE,
        roots,
        edges: true,
        ..PrepareOptions::default()
    };
    let prepared = Arc::new(prepare(graph, &options).unwrap());
    let cpu = CpuRequest {
        workers: CpuWorkers::Count(2),
        options: engine,
    };
    let devices = Devices::start(Setup::cpu(2).request);
    let outcome = run(
        &prepared,
        &devices,
        cpu,
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )
    .unwrap();
    let arcs = outcome.sums.arcs.as_ref().unwrap();
    let edges = prepared.edge_scores(graph, arcs, Scale::Pairs).unwrap();
    if roots == RootSelection::All {
        // A path has one more edge than inner vertices.
        let inside: f64 = outcome.sums.vertices.iter().sum::<f64>() / 2.0;
        let n = graph.vertices() as f64;
        let sum: f64 = edges.iter().sum();
        let pairs = n * (n - 1.0) / 2.0;
        assert!((sum - inside - pairs).abs() <= 1e-9 * sum);
    }
    (
        prepared.scores(&outcome.sums.vertices, Scale::Pairs),
        outcome,
    )
}

fn clustered() -> CpuOptions {
    CpuOptions {
        engine: CpuEngine::Clustered,
        ..CpuOptions::default()
    }
}

fn lanes(lanes: usize) -> CpuOptions {
    CpuOptions {
        engine: CpuEngine::Lanes,
        lanes: Some(lanes),
        simd: Some(Simd::best()),
        ..CpuOptions::default()
    }
}

#[test]
fn all_scores_of_chains_of_diamonds() {
    let chains = [diamonds::chain(COUNT), diamonds::weighted(COUNT).graph()];
    let expected = diamonds::scores(COUNT);
    for chain in &chains {
        for engine in [plain(), lanes(64), clustered()] {
            let (scores, outcome) = by_cpu(chain, RootSelection::All, engine);
            assert!(difference(&scores, &expected, 1e-3) <= 1e-9, "{engine:?}");
            assert_eq!(outcome.wide_roots(), WIDE_ROOTS, "{engine:?}");
        }
    }
}

#[test]
fn lengths_of_every_type_have_wide_path_counts() {
    type Text = fn(u32) -> String;
    type IsType = fn(&Lengths) -> bool;
    let texts: [(Text, IsType); 2] = [
        (
            |length| format!("{length}{:010}", 1),
            |l| matches!(l, Lengths::U64(_)),
        ),
        // Doubles cannot represent tenths, so ties depend on the tolerance.
        (
            |length| match length {
                99 => "1e-40".into(),
                _ => format!("0.{length}"),
            },
            |l| matches!(l, Lengths::F64(_)),
        ),
    ];
    for (text, is_type) in texts {
        let chain = diamonds::weighted(COUNT).beside(99);
        let chain = chain.read(WeightOptions::default(), text);
        assert!(is_type(chain.lengths().unwrap()));
        let (mut scores, outcome) = by_cpu(&chain, FIRST, plain());
        // Omits the edge that determines the type of lengths.
        scores.truncate(3 * COUNT + 1);
        assert!(difference(&scores, &diamonds::scores_from_end(COUNT), 1e-3) <= 1e-9);
        assert_eq!(outcome.wide_roots(), 1);
    }
}

#[test]
fn edges_of_a_chain_of_diamonds() {
    let chain = diamonds::chain(COUNT);
    let options = PrepareOptions {
        edges: true,
        ..PrepareOptions::default()
    };
    let prepared = Arc::new(prepare(&chain, &options).unwrap());
    let devices = Devices::start(Setup::cpu(2).request);
    let outcome = run(
        &prepared,
        &devices,
        CpuWorkers::Count(2),
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )
    .unwrap();
    let arcs = outcome.sums.arcs.unwrap();
    let scores = prepared.edge_scores(&chain, &arcs, Scale::Pairs).unwrap();
    assert!(difference(&scores, &diamonds::edge_scores(COUNT), 1e-3) <= 1e-9);
}

#[test]
fn one_path_and_very_many_on_the_same_level() {
    // The first joint of the chain of diamonds also begins a path of the same length without
    // diamonds, to whose vertices there is one shortest path each.
    let chain = diamonds::chain(1200);
    let joints = 3 * 1200 + 1;
    let length = 2 * 1200;
    let mut edges = Vec::new();
    chain.for_each_edge(|tail, head| edges.push((tail, head)));
    edges.push((0, joints));
    edges.extend((joints..joints + length - 1).map(|v| (v, v + 1)));
    let both = graph((joints + length) as usize, &edges, false);
    for engine in [plain(), lanes(8), clustered()] {
        let (scores, outcome) = by_cpu(&both, FIRST, engine);
        let mut expected = diamonds::scores_from_end(1200);
        expected.extend((0..length).rev().map(|after| f64::from(after) / 2.0));
        assert!(difference(&scores, &expected, 1e-3) <= 1e-9, "{engine:?}");
        assert_eq!(outcome.wide_roots(), 1);
    }
}

/// Returns the amount that one root adds to each score, with path counts as integers of any size.
fn by_integers(graph: &Graph, root: usize) -> Vec<f64> {
    let csr = graph.csr();
    let n = graph.vertices();
    let mut level = vec![usize::MAX; n];
    let mut paths = vec![BigUint::ZERO; n];
    (level[root], paths[root]) = (0, BigUint::from(1u32));
    let mut order = vec![root];
    let mut head = 0;
    while head < order.len() {
        let v = order[head];
        head += 1;
        let own_paths = std::mem::take(&mut paths[v]);
        for &w in csr.neighbours(v as u32) {
            let w = w as usize;
            if level[w] == usize::MAX {
                level[w] = level[v] + 1;
                order.push(w);
            }
            if level[w] == level[v] + 1 {
                paths[w] += &own_paths;
            }
        }
        paths[v] = own_paths;
    }
    let mut delta = vec![0.0; n];
    for &v in order[1..].iter().rev() {
        for &w in csr.neighbours(v as u32) {
            let w = w as usize;
            if level[w] == level[v] + 1 {
                // 64 bits of the larger count are enough for a double.
                let shift = paths[w].bits().saturating_sub(64);
                let leading = |count: &BigUint| u64::try_from(count >> shift).unwrap() as f64;
                delta[v] += leading(&paths[v]) / leading(&paths[w]) * (1.0 + delta[w]);
            }
        }
    }
    delta
}

#[test]
fn a_grid_from_its_corner_agrees_with_integers() {
    // Some edges are missing, so that the grid is not symmetric.
    let grid = generate::grid(560, 560, 0.02, 5).unwrap();
    let expected: Vec<f64> = by_integers(&grid, 0).iter().map(|d| d / 2.0).collect();
    assert!(expected.iter().filter(|&&score| score > 1.0).count() > 100_000);
    let (scores, outcome) = by_cpu(&grid, FIRST, plain());
    assert_eq!(outcome.wide_roots(), 1);
    assert!(difference(&scores, &expected, 1e-3) <= 1e-9);
}

/// Returns layers of 4 vertices, each adjacent to all vertices of the next layer, and a vertex
/// adjacent to all of the first layer. From there path counts grow by a factor of 4 per level.
fn layers(count: u32) -> Graph {
    let first = |layer: u32| 1 + 4 * layer;
    let mut edges: Vec<(u32, u32)> = (0..4).map(|i| (0, first(0) + i)).collect();
    for layer in 1..count {
        let pairs = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
        edges.extend(pairs.map(|(i, j)| (first(layer - 1) + i, first(layer) + j)));
    }
    graph(first(count) as usize, &edges, false)
}

#[test]
fn a_device_that_cannot_count_leaves_its_roots_to_the_cpu() {
    let count = 550; // 4^549 paths to the last layer
    let graph = layers(count);
    // The dependencies on later layers are divided evenly.
    let expected: Vec<f64> = (0..graph.vertices() as u32)
        .map(|v| match v {
            0 => 0.0,
            _ => f64::from(count - 1 - (v - 1) / 4) / 2.0,
        })
        .collect();
    // Strategies that process all arcs on each level would take too long here.
    for strategy in [
        Strategy::Virtual,
        Strategy::Lanes,
        Strategy::Vertex,
        Strategy::WorkEfficient,
        Strategy::Hybrid,
        Strategy::Warp,
        Strategy::Local,
    ] {
        let mut setup = Setup::device(16, Precision::F64, 0);
        setup.request.strategy = strategy;
        setup.prepare.roots = FIRST;
        let (scores, outcome) = setup.too_many_paths(&graph);
        assert!(difference(&scores, &expected, 1e-3) <= 1e-9, "{strategy:?}");
        assert_eq!(outcome.wide_roots(), 1, "{strategy:?}");
        assert_eq!(outcome.drivers[0].returned, 1, "{strategy:?}");
    }
}

#[test]
fn a_weighted_device_that_cannot_count_leaves_its_roots_to_the_cpu() {
    let chain = diamonds::weighted(COUNT).graph();
    for strategy in [Strategy::WorkEfficient, Strategy::Warp] {
        let mut setup = Setup::device(16, Precision::F64, 0);
        setup.request.strategy = strategy;
        setup.request.options.weighted = true;
        setup.prepare.roots = FIRST;
        let (scores, outcome) = setup.too_many_paths(&chain);
        assert_close(&scores, &diamonds::scores_from_end(COUNT), 1e-9);
        assert_eq!(outcome.wide_roots(), 1, "{strategy:?}");
    }
}

/// Runs `brandes run` on the chain; returns its scores and its report.
fn program(options: &[&str]) -> (Vec<f64>, Value) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (chain, scores, report_path) =
        (path("chain.txt"), path("scores.json"), path("report.json"));
    let count = COUNT.to_string();
    brandes()
        .args(["generate", "diamonds", "--count", &count, "-o", &chain])
        .assert()
        .success();
    let files = ["--scores", &scores, "--report", &report_path];
    brandes()
        .args(["run", &chain])
        .args(options)
        .args(files)
        .assert()
        .success();
    let run_report = read_json(report_path.as_ref());
    let scores = read_json(scores.as_ref());
    let entries = scores.as_array().unwrap().iter();
    let mut scores: Vec<_> = entries
        .map(|entry| (entry["vertex"].as_u64(), entry["score"].as_f64().unwrap()))
        .collect();
    scores.sort_by_key(|&(vertex, _)| vertex);
    let scores = scores.into_iter().map(|(_, score)| score).collect();
    (scores, run_report)
}

/// Returns whether one of the warnings in a report contains the text.
fn has_warning(report: &Value, what: &str) -> bool {
    let warnings = report["checks"]["warnings"].as_array().unwrap();
    let mut texts = warnings.iter().map(|text| text.as_str().unwrap());
    texts.any(|text| text.contains(what))
}

#[test]
fn sources_inside_chains_with_too_many_paths_are_not_served() {
    for reduce in ["fold", "fold,chains"] {
        let (scores, report) = program(&["--device", "none", "--reduce", reduce]);
        assert!(difference(&scores, &diamonds::scores(COUNT), 1e-3) <= 1e-9);
        assert_eq!(report["checks"]["wide_roots"], WIDE_ROOTS);
        assert!(has_warning(&report, "464 sources have more shortest paths"));
        assert!(report["prepared"]["chains"].is_null());
        let again = has_warning(&report, "without the reduction of chains");
        assert_eq!(again, reduce == "fold,chains");
    }
}

/// Each block of a chain of diamonds is one diamond.
#[test]
fn blocks_have_fewer_paths() {
    let (scores, report) = program(&["--device", "none"]);
    assert!(difference(&scores, &diamonds::scores(COUNT), 1e-3) <= 1e-9);
    assert_eq!(report["checks"]["wide_roots"], 0);
    assert_eq!(report["prepared"]["blocks"], COUNT);
}

#[test]
fn a_device_with_too_many_paths_inside_chains_leaves_them_to_the_cpu() {
    let options = [
        "--device",
        "0",
        "--cpu-workers",
        "0",
        "--reduce",
        "fold,chains",
    ];
    let (scores, report) = program(&options);
    assert!(difference(&scores, &diamonds::scores(COUNT), 1e-3) <= 1e-9);
    assert_eq!(report["checks"]["wide_roots"], WIDE_ROOTS);
    assert_eq!(report["devices"][0]["state"], "path-counts");
    assert!(report["devices"][0]["error"].is_null());
}

#[test]
fn a_named_device_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let chain = folder.path().join("chain.txt");
    brandes()
        .args(["generate", "diamonds", "--count", "1100", "-o"])
        .arg(&chain)
        .assert()
        .success();
    let output = brandes()
        .args(["run", "--device", "no such device"])
        .arg(&chain)
        .assert()
        .failure();
    let text = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(text.contains("no such device"), "{text}");
}

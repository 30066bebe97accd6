//! Tests that all engines compute correct scores of graphs with more shortest paths than doubles
//! can count.

use std::sync::Arc;

use crate::common::program::{Place, expect};
use crate::common::weighted::length_type;
use crate::common::{Setup, diamonds, difference, graph, plain};
use brandes::cpu::lanes::Simd;
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::engine::Precision;
use brandes::graph::{Graph, WeightOptions, generate};
use brandes::prepare::{PrepareOptions, Reductions, RootSelection, Scale, prepare};
use brandes::runner::{CpuRequest, CpuWorkers, Devices, Outcome, RunOptions, run};
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

/// Searches with two CPU workers and without reductions. Returns the scores of vertices and of
/// edges, and the outcome.
fn by_cpu(
    graph: &Graph,
    roots: RootSelection,
    engine: CpuOptions,
) -> (Vec<f64>, Vec<f64>, Outcome) {
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
    let options = RunOptions::default();
    let outcome = run(&prepared, &devices, cpu, options, &mut |_| {}).unwrap();
    let arcs = outcome.sums.arcs.as_ref().unwrap();
    let edges = prepared.edge_scores(graph, arcs, Scale::Pairs).unwrap();
    let scores = prepared.scores(&outcome.sums.vertices, Scale::Pairs);
    (scores, edges, outcome)
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
    for (count, wide) in [(2, 0), (1000, 0), (COUNT, WIDE_ROOTS)] {
        let expected = diamonds::scores(count);
        for chain in [diamonds::chain(count), diamonds::weighted(count).graph()] {
            for engine in [plain(), lanes(64), clustered()] {
                let (scores, edges, outcome) = by_cpu(&chain, RootSelection::All, engine);
                assert!(difference(&scores, &expected, 1e-3) <= 1e-9, "{engine:?}");
                assert!(difference(&edges, &diamonds::edge_scores(count), 1e-3) <= 1e-9);
                assert_eq!(outcome.wide_roots(), wide, "{engine:?}");
            }
        }
    }
}

#[test]
fn lengths_of_every_type_have_wide_path_counts() {
    // Doubles cannot represent tenths, so ties depend on the tolerance.
    type Text = fn(u32) -> String;
    let texts: [(Text, &str); 2] = [
        (|length| format!("{length}{:010}", 1), "u64"),
        (
            |length| format!("0.{length}").replace("0.99", "1e-40"),
            "f64",
        ),
    ];
    for (text, kind) in texts {
        let chain = diamonds::weighted(COUNT).beside(99);
        let chain = chain.read(WeightOptions::default(), text);
        assert_eq!(length_type(&chain), kind);
        let (mut scores, _, outcome) = by_cpu(&chain, FIRST, plain());
        // Omits the edge that determines the type of lengths.
        scores.truncate(3 * COUNT + 1);
        assert!(difference(&scores, &diamonds::scores_from_end(COUNT), 1e-3) <= 1e-9);
        assert_eq!(outcome.wide_roots(), 1);
    }
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
        let (scores, _, outcome) = by_cpu(&both, FIRST, engine);
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
    let (scores, _, outcome) = by_cpu(&grid, FIRST, plain());
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
    let slow = [Strategy::Edge, Strategy::EdgeDevice, Strategy::Hierarchy];
    let strategies = Strategy::all().skip(1).filter(|one| !slow.contains(one));
    let with_lengths = [Strategy::WorkEfficient, Strategy::Warp];
    let chain = diamonds::weighted(COUNT).graph();
    let from_end = diamonds::scores_from_end(COUNT);
    for strategy in strategies {
        for (graph, expected) in [(&graph, &expected), (&chain, &from_end)] {
            let weighted = graph.lengths().is_some();
            if weighted && !with_lengths.contains(&strategy) {
                continue;
            }
            let mut setup = Setup::device(16, Precision::F64, 0);
            setup.request.strategy = strategy;
            setup.request.options.weighted = weighted;
            setup.prepare.roots = FIRST;
            let (scores, outcome) = setup.too_many_paths(graph);
            assert!(difference(&scores, expected, 1e-3) <= 1e-9, "{strategy:?}");
            assert_eq!(outcome.wide_roots(), 1, "{strategy:?}");
            assert_eq!(outcome.drivers[0].returned, 1, "{strategy:?}");
        }
    }
}

/// Runs `brandes run` on the chain, and checks the scores; returns the report.
fn program(options: &str) -> Value {
    let place = Place::new();
    place.run(&format!("generate diamonds --count {COUNT} -o g.txt"));
    place.run(&format!(
        "run g.txt --scores s.npy --report r.json {options}"
    ));
    let bytes = place.bytes("s.npy");
    let expected = diamonds::scores(COUNT);
    let numbers = bytes[bytes.len() - 8 * expected.len()..].chunks(8);
    let numbers = numbers.map(|eight| f64::from_le_bytes(eight.try_into().unwrap()));
    assert!(difference(&numbers.collect::<Vec<_>>(), &expected, 1e-3) <= 1e-9);
    place.json("r.json")
}

#[test]
fn sources_inside_chains_with_too_many_paths_are_not_served() {
    for (options, chains) in [
        ("--device none --reduce fold", false),
        ("--device none --reduce fold,chains", true),
        ("--device 0 --cpu-workers 0 --reduce fold,chains", true),
    ] {
        let report = program(options);
        assert_eq!(report["checks"]["wide_roots"], WIDE_ROOTS);
        assert!(!report["prepared"]["steps"].to_string().contains("chains"));
        let warnings = report["checks"]["warnings"].to_string();
        assert!(
            warnings.contains("464 sources have more shortest paths"),
            "{warnings}"
        );
        assert_eq!(warnings.contains("without the reduction of chains"), chains);
        if options.contains("--device 0") {
            let device = "/devices/0/state = \"path-counts\"\n/devices/0/error = null";
            expect(&report, device);
        }
    }
    // Each block of a chain of diamonds is one diamond.
    let blocks = format!("/checks/wide_roots = 0\n/prepared/blocks = {COUNT}");
    expect(&program("--device none"), &blocks);
}

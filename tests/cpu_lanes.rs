//! Compares the CPU engines `lanes` and `clustered` with the definition and with `plain`, with all
//! kinds of vector instructions of this machine.

use std::sync::Arc;

use crate::common::program::{KARATE, read_json};
use crate::common::{Setup, diamonds, difference, graph, plain};
use assert_cmd::cargo_bin_cmd;
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions, EngineName};
use brandes::graph::{Graph, generate};
use brandes::prepare::{PrepareOptions, Reductions, Scale, prepare};
use brandes::runner::{self, CpuRequest, CpuWorkers, Devices, Outcome};

fn outcome(
    graph: &Graph,
    prepare_options: &PrepareOptions,
    options: CpuOptions,
    workers: usize,
) -> Result<(Vec<f64>, Outcome), brandes::Error> {
    let devices = Devices::start(Setup::cpu(workers).request);
    let prepared = Arc::new(prepare(graph, prepare_options).unwrap());
    let request = CpuRequest {
        workers: CpuWorkers::Count(workers),
        options,
    };
    let outcome = runner::run(
        &prepared,
        &devices,
        request,
        brandes::runner::RunOptions::default(),
        &mut |_| {},
    )?;
    Ok((
        prepared.scores(&outcome.sums.vertices, Scale::Pairs),
        outcome,
    ))
}

fn lanes(lanes: usize, simd: Simd) -> CpuOptions {
    CpuOptions {
        engine: CpuEngine::Lanes,
        lanes: Some(lanes),
        simd: Some(simd),
        ..CpuOptions::default()
    }
}

fn clustered(simd: Simd) -> CpuOptions {
    CpuOptions {
        engine: CpuEngine::Clustered,
        lanes: None,
        simd: Some(simd),
        ..CpuOptions::default()
    }
}

/// Returns both engines with each kind of vector instructions, `lanes` with this many lanes.
fn engines(width: usize) -> Vec<CpuOptions> {
    let simds = Simd::available().into_iter();
    simds
        .flat_map(|simd| [lanes(width, simd), clustered(simd)])
        .collect()
}

#[test]
fn larger_graphs_get_the_scores_of_plain() {
    let two_parts: Vec<(u32, u32)> = (0..700u32)
        .flat_map(|v| {
            let (part, v) = (v % 2 * 700, v / 2);
            [(1, 7), (3, 11), (5, 2)].map(|(a, b)| (part + v, part + (v * a + b) % 350))
        })
        .collect();
    let cases = [
        ("rmat", generate::rmat(9, 8, 0.57, 0.19, 0.19, 1).unwrap()),
        ("grid", generate::grid(20, 24, 0.1, 1).unwrap()),
        ("diamonds", generate::diamonds(60).unwrap()),
        ("star", generate::star(300).unwrap()),
        ("complete", generate::complete(90).unwrap()),
        ("two parts", graph(1400, &two_parts, false)),
        ("two parts, directed", graph(1400, &two_parts, true)),
    ];
    for (name, graph) in cases {
        for fold in [true, false] {
            let options = PrepareOptions {
                reduce: Reductions::folding(fold),
                ..PrepareOptions::default()
            };
            let (expected, record) = outcome(&graph, &options, plain(), 1).unwrap();
            let all_use = |o: &Outcome, e| o.workers.iter().all(|w| w.plan.engine == e);
            assert!(all_use(&record, EngineName::Plain));
            for simd in Simd::available() {
                for width in LANES {
                    let (scores, record) =
                        outcome(&graph, &options, lanes(width, simd), 2).unwrap();
                    assert!(all_use(&record, EngineName::Lanes));
                    assert!(record.workers.iter().all(|w| w.plan.lanes == width));
                    let off = difference(&scores, &expected, 1.0);
                    assert!(off <= 1e-10, "{name}, {width} lanes, {simd:?}: {off:e}");
                }
                let (scores, record) = outcome(&graph, &options, clustered(simd), 2).unwrap();
                assert!(all_use(&record, EngineName::Clustered));
                let off = difference(&scores, &expected, 1.0);
                assert!(off <= 1e-10, "{name}, clustered, {simd:?}: {off:e}");
            }
        }
    }
}

#[test]
fn path_counts_within_and_beyond_doubles() {
    let options = PrepareOptions {
        reduce: Reductions::NONE,
        ..PrepareOptions::default()
    };
    let wide = Simd::available().into_iter().map(|simd| lanes(64, simd));
    let all: Vec<CpuOptions> = engines(8).into_iter().chain(wide).collect();
    // Sums within the range of doubles do not depend on the instructions, so the default is enough.
    let best = vec![lanes(64, Simd::best()), clustered(Simd::best())];
    for (count, engines) in [(1000, best), (1100, all)] {
        let chain = diamonds::chain(count);
        for engine in engines {
            let (scores, _) = outcome(&chain, &options, engine, 1).unwrap();
            assert!(difference(&scores, &diamonds::scores(count), 1e-3) <= 1e-9);
        }
    }
}

fn run(options: &[&str]) -> assert_cmd::assert::Assert {
    cargo_bin_cmd!("brandes")
        .args(["run", KARATE, "--device", "none", "--cpu-workers", "1"])
        .args(options)
        .assert()
}

#[test]
fn the_plan_names_the_engine() {
    let summary = |options: &[&str]| {
        let options = [options, &["--verbose"][..]].concat();
        let output = run(&options).success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let text = summary(&["--cpu-engine", "lanes", "--cpu-lanes", "16"]);
    assert!(text.contains("1 CPU worker (lanes, 16)"), "{text}");
    let text = summary(&["--cpu-engine", "clustered"]);
    assert!(text.contains("1 CPU worker (clustered)"), "{text}");
    let text = summary(&["--cpu-engine", "plain"]);
    assert!(text.contains("1 CPU worker (plain)"), "{text}");
    let text = summary(&["--reduce", "fold,chains"]);
    assert!(text.contains("1 CPU worker (hierarchy)"), "{text}");

    let report = run(&["--cpu-engine", "lanes", "--report", "-", "--quiet"]).success();
    let report: serde_json::Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
    let worker = &report["workers"][0];
    assert_eq!(worker["engine"], "lanes");
    assert!(LANES.iter().any(|&lanes| worker["lanes"] == lanes));
    assert!(worker["simd"].is_string());
    assert!(worker["bytes"].as_u64().unwrap() > 33 * 100);
}

#[test]
fn contradictions_are_refused() {
    for options in [
        &["--cpu-engine", "plain", "--cpu-lanes", "8"][..],
        &["--cpu-lanes", "12"],
        &["--cpu-engine", "clustered", "--cpu-lanes", "8"],
        &["--cpu-engine", "clustered", "--reduce", "fold,chains"],
        &["--cpu-engine", "lanes", "--reduce", "fold,chains"],
        &["--cpu-engine", "plain", "--reduce", "fold,chains"],
        &["--cpu-engine", "fast"],
    ] {
        run(options).code(2);
    }
}

#[test]
fn mixed_precision_rounds_and_stays_within_its_bound() {
    // The inverses of most of these widths are not binary fractions, so that coefficients are
    // inexact.
    let mut stages = Vec::new();
    let mut layer = vec![0u32];
    let mut next = 1;
    for width in [3u32, 7, 11, 5, 3, 1, 9, 3] {
        let wide: Vec<u32> = (next..next + width).collect();
        stages.extend(
            layer
                .iter()
                .flat_map(|&u| wide.iter().map(move |&v| (u, v))),
        );
        (layer, next) = (wide, next + width);
    }
    let cases = [
        ("thirds", graph(next as usize, &stages, false)),
        ("diamonds", generate::diamonds(14).unwrap()),
        ("many paths", generate::diamonds(40).unwrap()),
        ("deep grid", generate::grid(3, 120, 0.0, 1).unwrap()),
        ("too deep", generate::cycle(700).unwrap()),
        ("hubs", generate::barabasi_albert(600, 3, 5).unwrap()),
        ("rmat", generate::rmat(9, 8, 0.57, 0.19, 0.19, 1).unwrap()),
    ];
    let mut largest: f64 = 0.0;
    for (name, graph) in cases {
        let options = PrepareOptions {
            reduce: Reductions::NONE,
            edges: true,
            ..PrepareOptions::default()
        };
        let (expected, plain_record) = outcome(&graph, &options, plain(), 1).unwrap();
        assert_eq!(plain_record.error_bound(), 0.0);
        for simd in Simd::available() {
            for width in LANES {
                let engine = CpuOptions {
                    mixed: true,
                    ..lanes(width, simd)
                };
                let (scores, record) = outcome(&graph, &options, engine, 2).unwrap();
                let is_mixed = record.workers.iter().any(|worker| worker.plan.mixed);
                assert_eq!(is_mixed, simd != Simd::Portable, "{name}");
                let bound = record.error_bound();
                // Deep searches, and rows with many paths, use doubles.
                let is_narrow = is_mixed && !["too deep", "many paths"].contains(&name);
                assert!(!is_narrow || bound > 3e-7, "{name}: {bound:e}");
                assert!(bound < 1e-4, "{name}: {bound:e}");
                let edges = |record: &Outcome| record.sums.arcs.clone().unwrap();
                let differences = [
                    difference(&scores, &expected, 1e-9),
                    difference(&edges(&record), &edges(&plain_record), 1e-9),
                ];
                for difference in differences {
                    assert!(
                        difference <= bound + 1e-12,
                        "{name}, {width} lanes, {simd:?}: {difference:e} beyond {bound:e}"
                    );
                    largest = largest.max(difference);
                }
            }
        }
    }
    let has_vectors = Simd::available().len() > 1;
    assert!(
        !has_vectors || largest > 1e-9,
        "nothing was stored in 32 bits: {largest:e}"
    );
}

#[test]
fn precision_reaches_cores() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let run = |options: &[&str], scores: &str| {
        let (scores, report) = (file(scores), file("report.json"));
        let mut command = cargo_bin_cmd!("brandes");
        command.args([
            "run",
            "bench-graphs/rmat-10.txt.gz",
            "--device",
            "none",
            "--quiet",
        ]);
        command
            .args(["--scores", &scores, "--report", &report])
            .args(options);
        command.assert().success();
        read_json(report.as_ref())["checks"]["error_bound"].clone()
    };
    let mixed = ["--precision", "mixed", "--cpu-engine", "lanes"];
    assert!(run(&["--cpu-engine", "lanes"], "f64.csv").is_null());
    let bound = run(&mixed, "mixed.csv").as_f64().unwrap();
    assert_eq!(bound > 0.0, Simd::available().len() > 1);
    let compare = |tolerance: &str| {
        let (a, b) = (file("f64.csv"), file("mixed.csv"));
        let mut command = cargo_bin_cmd!("brandes");
        command.args(["compare", &a, &b, "--rtol", tolerance]);
        command.assert()
    };
    compare("1e-6").success();
    if Simd::available().len() > 1 {
        compare("1e-12").code(1);
    }
    for refused in [
        ["--precision", "f32", "--cpu-engine", "lanes"],
        ["--precision", "mixed", "--cpu-engine", "plain"],
    ] {
        let mut command = cargo_bin_cmd!("brandes");
        let graph = ["run", "bench-graphs/rmat-10.txt.gz", "--device", "none"];
        command.args(graph).args(refused).assert().code(2);
    }
}

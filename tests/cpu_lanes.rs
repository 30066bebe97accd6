//! Tests options of CPU engines, and errors in mixed precision.

use crate::common::program::{KARATE, RMAT, brandes, read_json, run, stdout};
use crate::common::{diamonds, difference, on_device, searched, without_devices};
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::graph::{Graph, generate};
use brandes::plan::SearchOptions;
use brandes::runner::CpuRequest;
use brandes::{CpuWorkers, Precision, Reductions, Scores, Strategy};

/// Returns a search by an engine without reductions, with scores of edges.
fn engine(engine: CpuEngine, lanes: Option<usize>, simd: Option<Simd>) -> SearchOptions {
    let options = CpuOptions {
        engine,
        lanes,
        simd,
        ..CpuOptions::default()
    };
    let workers = CpuWorkers::Count(2);
    let mut search = without_devices();
    search.cpu = CpuRequest { workers, options };
    search.prepare.reduce = Reductions::NONE;
    search.prepare.edges = true;
    search
}

fn plain() -> SearchOptions {
    engine(CpuEngine::Plain, None, None)
}

/// Returns the larger difference of scores of vertices and of edges.
fn differences(scores: &Scores, expected: &Scores) -> f64 {
    let vertices = difference(scores.vertices(), expected.vertices(), 1e-9);
    let edges = expected.edges().unwrap();
    vertices.max(difference(scores.edges().unwrap(), edges, 1e-9))
}

#[test]
fn path_counts_within_and_beyond_doubles() {
    // Sums within the range of doubles do not depend on the instructions, so the default is enough.
    let best = [Some(Simd::best())].to_vec();
    let all = Simd::available().into_iter().map(Some).collect();
    for (count, simds) in [(1000, best), (1100, all)] {
        let chain = diamonds::chain(count);
        for simd in simds {
            let clustered = engine(CpuEngine::Clustered, None, simd);
            let lanes = [8, 64].map(|lanes| engine(CpuEngine::Lanes, Some(lanes), simd));
            for options in lanes.iter().chain([&clustered]) {
                let scores = searched(&chain, options);
                let off = difference(scores.vertices(), &diamonds::scores(count), 1e-3);
                assert!(off <= 1e-9, "{off:e}");
            }
        }
    }
}

#[test]
fn the_plan_names_the_engine() {
    let alone = ["--cpu-workers", "1"];
    for (options, text) in [
        (
            &["--cpu-engine", "lanes", "--cpu-lanes", "16"][..],
            "lanes, 16",
        ),
        (&["--cpu-engine", "clustered"], "clustered"),
        (&["--cpu-engine", "plain"], "plain"),
        (&["--reduce", "fold,chains"], "hierarchy"),
    ] {
        let summary = stdout(run(KARATE, options).args(alone).arg("--verbose"));
        assert!(
            summary.contains(&format!("1 CPU worker ({text})")),
            "{summary}"
        );
    }
    let options = ["--cpu-engine", "lanes", "--report", "-", "--quiet"];
    let report = stdout(run(KARATE, &options).args(alone));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let worker = &report["workers"][0];
    assert_eq!(worker["engine"], "lanes");
    assert!(LANES.iter().any(|&lanes| worker["lanes"] == lanes));
    assert!(worker["simd"].is_string());
    assert!(worker["bytes"].as_u64().unwrap() > 33 * 100);
}

#[test]
fn contradictions_are_refused() {
    for options in [
        "--cpu-engine plain --cpu-lanes 8",
        "--cpu-lanes 12",
        "--cpu-engine clustered --cpu-lanes 8",
        "--cpu-engine clustered --reduce fold,chains",
        "--cpu-engine lanes --reduce fold,chains",
        "--cpu-engine plain --reduce fold,chains",
        "--cpu-engine fast",
        "--cpu-engine lanes --precision f32",
        "--cpu-engine plain --precision mixed",
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        run(KARATE, &options).assert().code(2);
    }
}

/// Returns graphs whose coefficients are inexact in 32 bits, and whether cores use such numbers for
/// them: searches are not deep, and rows do not have many paths.
fn rounded() -> Vec<(&'static str, Graph, bool)> {
    vec![
        // The inverses of most of these widths are not binary fractions.
        (
            "thirds",
            diamonds::stages(&[3, 7, 11, 13, 3, 5, 3, 7, 9, 11]),
            true,
        ),
        ("few diamonds", generate::diamonds(14).unwrap(), true),
        ("diamonds", generate::diamonds(23).unwrap(), false),
        ("many paths", generate::diamonds(40).unwrap(), false),
        ("deep", generate::grid(3, 120, 0.0, 1).unwrap(), true),
        ("deep grid", generate::grid(12, 13, 0.0, 1).unwrap(), true),
        ("hubs", generate::barabasi_albert(600, 3, 5).unwrap(), true),
        (
            "twins",
            generate::complete_bipartite(2, 400).unwrap(),
            false,
        ),
        (
            "rmat",
            generate::rmat(9, 8, 0.57, 0.19, 0.19, 1).unwrap(),
            true,
        ),
    ]
}

#[test]
fn mixed_precision_of_cores_rounds_and_stays_within_its_bound() {
    let mut largest: f64 = 0.0;
    let too_deep = ("too deep", generate::cycle(700).unwrap(), false);
    for (name, graph, is_narrow) in rounded().into_iter().chain([too_deep]) {
        let expected = searched(&graph, &plain());
        assert_eq!(expected.record().outcome.error_bound(), 0.0);
        for simd in Simd::available() {
            for width in LANES {
                let mut options = engine(CpuEngine::Lanes, Some(width), Some(simd));
                options.device.precision = Precision::Mixed;
                let scores = searched(&graph, &options);
                let outcome = &scores.record().outcome;
                let is_mixed = outcome.workers.iter().any(|worker| worker.plan.mixed);
                assert_eq!(is_mixed, simd != Simd::Portable, "{name}");
                let bound = outcome.error_bound();
                assert!(
                    !(is_mixed && is_narrow) || bound > 3e-7,
                    "{name}: {bound:e}"
                );
                assert!(bound < 1e-4, "{name}: {bound:e}");
                let off = differences(&scores, &expected);
                assert!(
                    off <= bound + 1e-12,
                    "{name}, {width} lanes, {simd:?}: {off:e}"
                );
                largest = largest.max(off);
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
fn mixed_precision_of_devices_rounds_and_stays_within_its_bound() {
    let mut largest: f64 = 0.0;
    for (name, graph, _) in rounded() {
        let expected = searched(&graph, &plain());
        for reduce in [Reductions::NONE, Reductions::default()] {
            let mut options = on_device(Strategy::Lanes);
            options.device.precision = Precision::Mixed;
            options.device.numbers.lanes = Some(64);
            options.device.numbers.degree = Some(8);
            options.prepare.reduce = reduce;
            let scores = searched(&graph, &options);
            let outcome = &scores.record().outcome;
            let bound = outcome.error_bound();
            let is_searched = outcome.drivers[0].roots > 0;
            assert!(
                !is_searched || bound > 3e-7 && bound < 1e-4,
                "{name}: {bound:e}"
            );
            let off = difference(scores.vertices(), expected.vertices(), 1e-9);
            assert!(off <= bound + 1e-12, "{name}: {off:e} beyond {bound:e}");
            largest = largest.max(off);
        }
    }
    assert!(largest > 1e-9, "nothing was stored in 32 bits: {largest:e}");
}

#[test]
fn precision_reaches_cores() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let [exact, rounded, report] = ["f64.csv", "mixed.csv", "report.json"].map(file);
    let bound = |options: &[&str], scores: &str| {
        let files = ["--scores", scores, "--report", &report, "--quiet"];
        let mut run = run(RMAT, &["--cpu-engine", "lanes"]);
        run.args(options).args(files).assert().success();
        read_json(report.as_ref())["checks"]["error_bound"].clone()
    };
    assert!(bound(&[], &exact).is_null());
    let bound = bound(&["--precision", "mixed"], &rounded).as_f64().unwrap();
    let has_vectors = Simd::available().len() > 1;
    assert_eq!(bound > 0.0, has_vectors);
    for (tolerance, is_close) in [("1e-6", true), ("1e-12", !has_vectors)] {
        let mut compare = brandes();
        compare.args(["compare", &exact, &rounded, "--rtol", tolerance]);
        compare.assert().code(if is_close { 0 } else { 1 });
    }
}

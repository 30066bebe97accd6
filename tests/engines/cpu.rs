//! Tests options of CPU engines, and errors in mixed precision on cores and devices.

use crate::common::program::{KARATE, RMAT, brandes, read_json, run, stdout};
use crate::common::{diamonds, difference, on_device, one_way, searched, without_devices};
use brandes::cpu::lanes::{LANES, Simd};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::graph::{Graph, generate};
use brandes::plan::SearchOptions;
use brandes::runner::CpuRequest;
use brandes::{CpuWorkers, Precision, Reductions, Strategy};

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

#[test]
fn larger_graphs_with_twins_have_the_scores_of_plain() {
    let rmat = generate::rmat(9, 8, 0.57, 0.19, 0.19, 1).unwrap();
    for graph in [one_way(&rmat), rmat] {
        let search = |mut search: SearchOptions| {
            search.prepare.reduce = "twins".parse().unwrap();
            search.prepare.edges = false;
            searched(&graph, &search).vertices().to_vec()
        };
        let expected = search(engine(CpuEngine::Plain, None, None));
        for lanes in LANES {
            let scores = search(engine(CpuEngine::Lanes, Some(lanes), None));
            assert!(
                difference(&scores, &expected, 1.0) <= 1e-10,
                "{lanes} lanes"
            );
        }
        let scores = search(engine(CpuEngine::Clustered, None, None));
        assert!(difference(&scores, &expected, 1.0) <= 1e-10);
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
    let seconds = ["busy_seconds", "idle_tail_seconds"].map(|name| worker[name].as_f64().unwrap());
    let search = report["totals"]["search_seconds"].as_f64().unwrap();
    assert!(seconds.iter().sum::<f64>() <= search, "{report}");
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
    // The inverses of most of these widths are not binary fractions.
    let thirds = diamonds::stages(&[3, 7, 11, 13, 3, 5, 3, 7, 9, 11]);
    let all = [
        ("few thirds", Ok(diamonds::stages(&[3, 7, 11, 5, 3])), true),
        ("thirds", Ok(thirds), false),
        ("few diamonds", generate::diamonds(14), true),
        ("diamonds", generate::diamonds(23), false),
        ("many paths", generate::diamonds(40), false),
        ("too deep", generate::cycle(700), false),
        ("deep", generate::grid(3, 120, 0.0, 1), true),
        ("deep grid", generate::grid(12, 13, 0.0, 1), false),
        ("hubs", generate::barabasi_albert(600, 3, 5), true),
        ("rmat", generate::rmat(9, 8, 0.57, 0.19, 0.19, 1), true),
    ];
    let all = all.into_iter();
    all.map(|(name, graph, is_narrow)| (name, graph.unwrap(), is_narrow))
        .collect()
}

/// Returns searches in mixed precision on cores, and whether they have vectors.
fn on_cores() -> Vec<(SearchOptions, bool)> {
    let simds = Simd::available().into_iter();
    let all = simds.flat_map(|simd| LANES.map(|lanes| (lanes, simd)));
    let search = |(lanes, simd)| {
        let options = engine(CpuEngine::Lanes, Some(lanes), Some(simd));
        (options, simd != Simd::Portable)
    };
    all.map(search).collect()
}

fn on_the_device() -> Vec<(SearchOptions, bool)> {
    let search = |reduce| {
        let mut options = on_device(Strategy::Lanes);
        options.device.numbers.lanes = Some(64);
        options.device.numbers.degree = Some(8);
        options.prepare.reduce = reduce;
        options.prepare.edges = true;
        (options, true)
    };
    [Reductions::NONE, Reductions::default()]
        .map(search)
        .to_vec()
}

#[test]
fn mixed_precision_rounds_and_stays_within_its_bound() {
    for searches in [on_cores(), on_the_device()] {
        let mut largest: f64 = 0.0;
        for (name, graph, is_narrow) in rounded() {
            if name == "too deep" && searches[0].0.strategy == Strategy::Lanes {
                continue;
            }
            let expected = searched(&graph, &engine(CpuEngine::Plain, None, None));
            assert_eq!(expected.record().outcome.error_bound(), 0.0);
            for (options, has_vectors) in searches.clone() {
                let mut options = options;
                options.device.precision = Precision::Mixed;
                let scores = searched(&graph, &options);
                let outcome = &scores.record().outcome;
                let workers = &outcome.workers;
                assert!(
                    workers
                        .iter()
                        .all(|worker| worker.plan.mixed == has_vectors),
                    "{name}"
                );
                let is_searched = outcome
                    .drivers
                    .first()
                    .is_none_or(|driver| driver.roots > 0);
                let rounds = has_vectors && is_searched;
                let rounds = rounds && (is_narrow || workers.is_empty());
                let bound = outcome.error_bound();
                assert!(
                    bound < 1e-4 && (!rounds || bound > 3e-7),
                    "{name}: {bound:e}"
                );
                let vertices = difference(scores.vertices(), expected.vertices(), 1e-9);
                let [found, all] = [&scores, &expected].map(|scores| scores.edges().unwrap());
                let off = vertices.max(difference(found, all, 1e-9));
                assert!(off <= bound + 1e-12, "{name}: {off:e} beyond {bound:e}");
                largest = largest.max(off);
            }
        }
        let has_vectors = searches.iter().any(|(_, has_vectors)| *has_vectors);
        assert!(
            !has_vectors || largest > 1e-9,
            "nothing was stored in 32 bits: {largest:e}"
        );
    }
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

//! Tests `brandes bench` as a user sees it.

use std::fs;
use std::path::Path;

use crate::common::program::{KARATE, RMAT, bench, brandes, read_json, rows, stdout};
use assert_cmd::Command;
use brandes::strategy::Strategy;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

#[test]
fn every_strategy_has_a_row_and_scores_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.json");
    let options = ["--device", "0", "--repeat", "2", "--check", "--no-cache"];
    let mut command = bench(&[KARATE]);
    command.args(options);
    let text = stdout(command.arg("--json").arg(&path));
    assert!(text.contains("karate.txt: 34 vertices, 78 edges"), "{text}");
    let report = read_json(&path);
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["kind"], "bench");
    assert_eq!(report["devices"][0]["number"], 0);
    assert!(report["written"].as_str().unwrap().ends_with('Z'));
    assert!(report["host"]["memory_bytes"].as_u64() > Some(1 << 20));
    let graph = &report["graphs"][0];
    let measured = graph["strategies"].as_array().unwrap();
    let strategies: Vec<Strategy> = Strategy::all().collect();
    assert_eq!(measured.len(), strategies.len());
    for strategy in strategies {
        assert!(
            !rows(&text, strategy.name()).is_empty(),
            "{strategy:?}\n{text}"
        );
        let entry = measured.iter().find(|m| m["strategy"] == strategy.name());
        let entry = entry.unwrap();
        if !entry["failure"].is_null() {
            continue; // not every strategy supports every graph
        }
        assert_eq!(entry["seconds"].as_array().unwrap().len(), 2, "{entry}");
        assert_eq!(entry["estimated"], false);
        // Roots of strategy `hierarchy` are junctions, and those of the others classes of twins.
        let roots = if strategy == Strategy::Hierarchy {
            23
        } else {
            29
        };
        assert_eq!(entry["roots_searched"], roots);
        assert_eq!(entry["check"]["reference"], "cpu");
        assert_eq!(entry["check"]["roots"], roots);
        assert_eq!(entry["check"]["passed"], true);
        let (min, max) = (&entry["spread"]["min"], &entry["spread"]["max"]);
        assert!(min.as_f64().unwrap() <= max.as_f64().unwrap());
    }
    assert_eq!(measured.last().unwrap()["strategy"], "auto");
    let chose = graph["auto"]["chose"].as_str().unwrap();
    assert!(text.contains(&format!("auto chose {chose}, ")), "{text}");
}

#[test]
fn several_graphs_have_one_table_and_estimates_are_marked() {
    let options = [
        "--device",
        "0",
        "--repeat",
        "1",
        "--strategy",
        "virtual,cpu,virtual",
        "--limit",
        "0",
        "--style",
        "markdown",
    ];
    let text = stdout(bench(&[RMAT, KARATE]).args(options));
    assert!(text.contains("|----"), "{text}");
    assert!(text.contains("64 sampled"), "{text}");
    assert!(text.contains("an estimate: only a sample"), "{text}");
    let overview: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("| median s"))
        .collect();
    assert!(overview[2].starts_with("| rmat-10.txt.gz | "), "{text}");
    assert!(overview[2].contains('~'), "{text}");
    // The graph has 29 roots, fewer than the smallest sample.
    assert!(overview[3].starts_with("| karate.txt"), "{text}");
    assert!(!overview[3].contains('~'), "{text}");
    assert_eq!(overview[3].matches("**").count(), 2, "{text}");
}

#[test]
fn cpu_workers_can_search_beside_the_device() {
    let mut command = bench(&[
        RMAT,
        "--device",
        "0",
        "--cpu-workers",
        "1",
        "--repeat",
        "1",
        "--strategy",
        "virtual",
    ]);
    // The number of roots of the device depends on whether the device or the worker is ready first.
    let text = stdout(&mut command);
    assert!(
        rows(&text, "virtual")[0].join(" ").contains("1 CPU worker"),
        "{text}"
    );
}

#[test]
fn without_a_device_the_cpu_is_measured() {
    let text = stdout(&mut bench(&[KARATE, "--device", "none"]));
    assert_eq!(rows(&text, "cpu").len(), 1, "{text}");
    let text = stdout(bench(&["-", "--device", "none"]).write_stdin("0 1\n1 2\n"));
    assert!(text.contains("folding leaves nothing to search"), "{text}");
}

/// Runs `command` in an environment without OpenCL drivers.
fn without_opencl(command: &mut Command, empty: &Path) {
    command.env("OCL_ICD_VENDORS", empty);
    command.env("OCL_ICD_FILENAMES", "");
}

#[test]
fn without_opencl_the_engines_of_cpu_workers_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.json");
    let names = [
        "cpu-plain",
        "cpu-lanes",
        "cpu-clustered",
        "cpu-hierarchy",
        "cpu",
    ];
    for device in [&["--device", "none"][..], &[]] {
        let mut command = bench(&[KARATE, "--repeat", "2", "--check"]);
        command.args(device).arg("--json").arg(&path);
        without_opencl(&mut command, folder.path());
        let output = command.assert().success();
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert_eq!(
            stderr.contains("no OpenCL platform"),
            device.is_empty(),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), usize::from(device.is_empty()));
        let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        let report = read_json(&path);
        let measured = report["graphs"][0]["strategies"].as_array().unwrap();
        assert_eq!(measured.len(), names.len());
        for (entry, name) in measured.iter().zip(names) {
            assert_eq!(entry["strategy"], name);
            assert_eq!(rows(&text, name).len(), 1, "{text}");
            assert_eq!(entry["seconds"].as_array().unwrap().len(), 2, "{entry}");
            assert!(entry["check"].is_null() || entry["check"]["passed"] == true);
            let engine = entry["cpu_engine"].as_str().unwrap();
            let expected = name.strip_prefix("cpu-").unwrap_or(engine);
            assert!(engine.starts_with(expected), "{entry}");
        }
        assert!(report["devices"].as_array().unwrap().is_empty());
    }
    // A strategy named by the options is not replaced.
    let mut command = bench(&[KARATE, "--strategy", "lanes"]);
    without_opencl(&mut command, folder.path());
    command
        .assert()
        .code(1)
        .stderr(contains("no OpenCL platform"));
}

#[test]
fn engines_that_cannot_search_a_graph_have_a_dash_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("far.txt");
    fs::write(&graph, "1 2 1\n2 3 1000003\n3 1 1\n3 4 7\n4 1 500\n").unwrap();
    let mut command = bench(&[graph.to_str().unwrap(), "--device", "none", "--weighted"]);
    command.args(["--repeat", "1"]);
    let text = stdout(&mut command);
    assert!(
        text.contains(
            "\n- cpu-clustered: engine clustered cannot search this graph (its rows need"
        ),
        "{text}"
    );
    assert!(!text.contains("cpu-lanes"), "{text}");
    assert!(text.contains("dijkstra"), "{text}");
}

#[test]
fn an_engine_that_cannot_search_merged_twins_has_a_dash_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("twins.txt");
    let edges = (0..20).flat_map(|a| (20..50).map(move |b| format!("{a} {b}\n")));
    fs::write(&graph, edges.collect::<String>()).unwrap();
    let run = |strategy: &[&str]| {
        let mut command = bench(&[graph.to_str().unwrap(), "--device", "none"]);
        command
            .args(["--reduce", "twins", "--repeat", "1"])
            .args(strategy);
        command
    };
    let reason = "engine hierarchy cannot search merged twins";
    let text = stdout(&mut run(&[]));
    assert!(
        text.contains(&format!("\n- cpu-hierarchy, reduce twins: {reason}")),
        "{text}"
    );
    let alone = run(&["--strategy", "cpu-hierarchy"]).assert().code(1);
    alone.stderr(contains(reason));
}

#[test]
fn the_ablation_has_a_row_per_idea_with_the_original_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ablation.json");
    let mut command = bench(&[
        KARATE,
        "bench-graphs/florentine.txt",
        "--device",
        "0",
        "--ablation",
        "--repeat",
        "1",
        "--json",
        path.to_str().unwrap(),
    ]);
    let text = stdout(&mut command);
    for (idea, original) in [
        ("degree-1 folding / none", "-"),
        ("breadth-first order / order of the input", "-3% ± 2%"),
        ("structure of arrays / array of structures", "-12% ± 6%"),
        ("virtual vertices / one work-item a vertex", "-17% ± 11%"),
        ("round-robin arcs / contiguous arcs", "-5% ± 4%"),
        ("reduction kernels / emulated float atomics", "-38% ± 8%"),
    ] {
        let rows: Vec<&str> = text.lines().filter(|l| l.contains(idea)).collect();
        assert_eq!(rows.len(), 2, "one per graph\n{text}");
        assert!(rows.iter().all(|row| row.ends_with(original)), "{text}");
    }
    let report = read_json(&path);
    for graph in report["graphs"].as_array().unwrap() {
        assert_eq!(graph["strategies"].as_array().unwrap().len(), 0);
        let rows = graph["ablation"]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 6);
        assert!(graph["ablation"]["switch"].is_null());
        assert_eq!(graph["ablation"]["reduce"], "fold");
        for row in rows {
            assert_eq!(row["check"]["passed"], true, "{row}");
            assert!(row["switch"].is_string(), "{row}");
            assert!(row["change"].as_f64().is_some(), "{row}");
            assert_eq!(row["seconds"].as_array().unwrap().len(), 1, "{row}");
        }
    }
}

#[test]
fn an_ablation_that_would_take_too_long_has_the_same_sources_in_all_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ablation.json");
    let mut command = bench(&["bench-graphs/rmat-10.txt.gz", "--device", "0", "--ablation"]);
    command.args(["--repeat", "1", "--limit", "0", "--json"]);
    let text = stdout(command.arg(&path));
    assert!(text.contains("the same sources in each row"), "{text}");
    let report = read_json(&path);
    let ablation = &report["graphs"][0]["ablation"];
    let rows = ablation["rows"].as_array().unwrap();
    for row in rows.iter().chain([ablation]) {
        assert_eq!(row["estimated"], false, "{row}");
        assert_eq!(row["roots"], row["roots_searched"], "{row}");
        let most = row["roots"].as_u64().unwrap();
        assert!((1..=64).contains(&most), "{row}");
        assert_ne!(row["check"]["passed"], false, "{row}");
    }
}

#[test]
fn engines_search_the_graph_as_the_reductions_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.json");
    let mut command = bench(&[KARATE, "--device", "none", "--repeat", "1"]);
    command.args(["--strategy", "cpu-hierarchy,cpu", "--reduce", "none"]);
    command.args(["--reduce", "chains", "--json"]).arg(&path);
    stdout(&mut command);
    let report = read_json(&path);
    let rows = report["graphs"][0]["strategies"].as_array().unwrap();
    let roots = |name: &str, reduce: &str| {
        let is = |row: &&Value| row["strategy"] == name && row["reduce"] == reduce;
        rows.iter().find(is).unwrap()["roots"].as_u64().unwrap()
    };
    // As in `run`, either nothing is reduced, or sources inside chains are served.
    assert_eq!(roots("cpu-hierarchy", "none"), 34);
    assert_eq!(roots("cpu", "none"), 34);
    assert!(roots("cpu-hierarchy", "chains") < 34);
    // With chosen sources, no chains are served, and a hierarchy needs unmerged twins.
    let mut command = bench(&[KARATE, "--device", "none", "--repeat", "1"]);
    command.args(["--strategy", "cpu-hierarchy", "--roots", "0..2"]);
    stdout(&mut command);
}

#[test]
fn a_strategy_that_does_not_fit_the_device_has_a_dash_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.txt");
    brandes()
        .args(["generate", "erdos-renyi", "--vertices", "20000"])
        .args(["--edges", "60000", "-o"])
        .arg(&graph)
        .assert()
        .success();
    let measure = |strategies: &str| {
        let mut command = bench(&[graph.to_str().unwrap(), "--device", "0"]);
        command.args(["--device-lanes", "4096", "--roots", "4000", "--repeat", "1"]);
        command.args(["--limit", "0", "--strategy", strategies]);
        command.env("POCL_MEMORY_LIMIT", "1");
        command
    };
    // Only devices of PoCL obey the memory limit; on others nothing fails.
    let kind = stdout(brandes().arg("devices").args(["--json"]));
    if !kind.contains("Portable Computing Language") {
        return;
    }
    let text = stdout(&mut measure("lanes,virtual"));
    assert_eq!(rows(&text, "lanes")[0][1..3], ["4096", "-"], "{text}");
    assert!(text.contains("\n- lanes, lanes 4096: "), "{text}");
    assert!(text.contains("no buffer may exceed"), "{text}");
    assert!(rows(&text, "virtual")[0][2].starts_with('~'), "{text}");
    measure("lanes")
        .assert()
        .code(1)
        .stderr(contains("nothing could be measured: "))
        .stderr(predicate::function(|text: &str| text.lines().count() == 1));
}

#[test]
fn bad_command_lines_are_usage_errors() {
    for (options, message) in [
        (&["--strategy", "fastest"][..], "there are cpu, cpu-plain, "),
        (&["--repeat", "0"], "0"),
        (&["--limit=-1"], "number of at least 0"),
        (&["--limit", "soon"], "number of at least 0"),
        (&["--style", "html"], "html"),
        (&["--device", "none", "--ablation"], "needs a device"),
        (
            &["--device", "none", "--strategy", "virtual"],
            "need a device",
        ),
        (&["--device", "none", "--roots", "99"], "the graph has 34"),
        (
            &["--device", "none", "--precision", "f32,mixed"],
            "--precision f32 is for devices, and no device may search; leave it out",
        ),
        (
            &["--strategy", "vertex,cpu", "--degree", "4,8"],
            "--degree, which is for auto, virtual, lanes and hierarchy; leave it out",
        ),
        (
            &["--strategy", "cpu", "--warp-size", "8"],
            "--warp-size, which is for warp; leave",
        ),
        (
            &["--strategy", "cpu", "--work-group", "64"],
            "--work-group, which is for auto, virtual, ",
        ),
        (
            &[
                "--strategy",
                "warp",
                "--warp-size",
                "8,32",
                "--work-group",
                "12,20",
            ],
            "no value of --warp-size divides one of --work-group",
        ),
        (
            &[
                "--strategy",
                "local,warp",
                "--warp-size",
                "32",
                "--work-group",
                "16",
            ],
            "no value of --warp-size divides one of --work-group",
        ),
        (
            &["--json", "z.csv"],
            "--json writes JSON, not .csv; use .json",
        ),
    ] {
        bench(&[KARATE])
            .args(options)
            .assert()
            .code(2)
            .stderr(contains(message))
            .stdout(is_empty());
    }
    bench(&["-", "-", "--device", "none"])
        .assert()
        .code(2)
        .stderr(contains("read only once"));
    bench(&[]).assert().code(2);
}

#[test]
fn failures_are_one_line_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bench.json");
    let one_line = || predicate::function(|text: &str| text.lines().count() == 1);
    for (graph, device, message) in [
        (KARATE, "no such device", "no OpenCL device matches"),
        ("no-such-graph.txt", "none", "no-such-graph.txt: cannot be"),
    ] {
        bench(&[graph, "--device", device, "--json"])
            .arg(&path)
            .assert()
            .code(1)
            .stderr(starts_with("brandes: ").and(contains(message)))
            .stderr(one_line())
            .stdout(is_empty());
    }
    assert!(!Path::new(&path).exists());
    bench(&[KARATE, "--device", "none", "--json", "-"])
        .assert()
        .success()
        .stdout(starts_with("{"));
}

#[test]
fn cores_are_measured_in_mixed_precision_if_they_support_it() {
    let args = [RMAT, "--device", "none", "--repeat", "2", "--json", "-"];
    let engines = ["--strategy", "cpu-plain,cpu-lanes"];
    let precisions = ["--precision", "f64,mixed"];
    let text = stdout(&mut bench(&[&args[..], &engines, &precisions].concat()));
    let report: Value = serde_json::from_str(&text).unwrap();
    let rows = report["graphs"][0]["strategies"].as_array().unwrap();
    let name = |row: &Value| format!("{} {}", row["strategy"], row["precision"]);
    let names: Vec<String> = rows.iter().map(name).collect();
    let f64s = [r#""cpu-plain" null"#, r#""cpu-lanes" null"#];
    // With vector instructions from before 2013, mixed precision is not faster and not measured.
    if brandes::cpu::lanes::Simd::best() == brandes::cpu::lanes::Simd::Portable {
        assert_eq!(names, f64s);
        return;
    }
    assert_eq!(names[..2], f64s);
    assert_eq!(names[2..], [r#""cpu-lanes" "mixed""#]);
    let difference = rows[2]["check"]["largest_difference"].as_f64().unwrap();
    assert!(difference > 1e-12 && difference < 1e-5, "{difference}");
}

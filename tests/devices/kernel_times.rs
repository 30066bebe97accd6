//! Tests `brandes run --kernel-times` as a user sees it.

use std::fs;

use crate::common::program::{KARATE, brandes, brandes_with, read_json, stdout};
use brandes::device::{DeviceSelection, find};
use predicates::str::{contains, starts_with};
use serde_json::Value;

/// Returns the report, the scores and the summary of a run on the first OpenCL device.
fn run(graph: &str, more: &[&str]) -> (Value, Vec<f64>, String) {
    let folder = tempfile::tempdir().unwrap();
    let [report, scores] = ["report.json", "scores.csv"].map(|name| folder.path().join(name));
    let mut command = brandes_with(&["run", graph, "--device", "0", "--cpu-workers", "0"]);
    command.args(more).arg("--report").arg(&report);
    let summary = stdout(command.arg("--scores").arg(&scores));
    let scores = fs::read_to_string(scores).unwrap();
    let number = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
    (
        read_json(&report),
        scores.lines().skip(1).map(number).collect(),
        summary,
    )
}

/// Compares runs with and without `--kernel-times`, which time kernels of so many queues.
fn check(strategy: &str, kernels: &[&str], queues: usize, more: &[&str]) {
    let options = [&["--strategy", strategy], more].concat();
    let (report, expected, summary) = run(KARATE, &options);
    assert!(report["devices"][0]["profile"].is_null());
    assert!(!summary.contains("--kernel-times"));
    let (report, scores, summary) = run(KARATE, &[&options[..], &["--kernel-times"]].concat());
    // Scores of strategies that add in any order may differ in the last digits.
    for (a, b) in scores.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-9 * b.max(1.0), "{strategy}: {a} {b}");
    }
    let profile = &report["devices"][0]["profile"];
    let rows = profile["kernels"].as_array().unwrap();
    let mut names: Vec<_> = rows.iter().map(|k| k["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, kernels, "{strategy}");
    let all = |field: &str| {
        rows.iter()
            .map(|k| k[field].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    let seconds = all("seconds");
    let (sum, busy) = (
        seconds.iter().sum::<f64>(),
        &report["workers"][0]["busy_seconds"],
    );
    assert!(sum > 0.0 && sum <= busy.as_f64().unwrap() * queues as f64);
    assert!(seconds.is_sorted_by(|a, b| a >= b));
    let transfers = profile["transfers"].as_array().unwrap();
    assert!(transfers.iter().any(|t| t["name"] == "read"));
    assert!(summary.contains(kernels[0]) && summary.contains("timed by"));
}

#[test]
fn kernels_of_one_root_at_a_time() {
    let kernels = [
        "virtual_add_slots",
        "virtual_backward",
        "virtual_backward_reduce",
        "virtual_forward",
        "virtual_forward_reduce",
        "virtual_reset",
    ];
    check("virtual", &kernels, 1, &[]);
    check("warp", &["warp_add_workspaces", "warp_search"], 1, &[]);
}

#[test]
fn kernels_of_lanes_on_two_queues() {
    let kernels = [
        "lanes_backward",
        "lanes_backward_reduce",
        "lanes_clear",
        "lanes_forward",
        "lanes_forward_reduce",
        "lanes_scores",
        "lanes_start",
    ];
    // There are two batches, and the vertices with the most edges are split.
    let options = ["--device-lanes", "32", "--degree", "4", "--reduce", "fold"];
    check("lanes", &kernels, 2, &options);
}

#[test]
fn launches_are_counted_beyond_the_limit_of_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.txt").display().to_string();
    let ring = "generate watts-strogatz --vertices 1500 --neighbours 2 --rewire 0 -o".split(' ');
    brandes_with(&ring.chain([&*path]).collect::<Vec<_>>())
        .assert()
        .success();
    let options = ["--strategy", "virtual", "--roots", "6", "--kernel-times"];
    let (report, ..) = run(&path, &options);
    let kernels = report["devices"][0]["profile"]["kernels"]
        .as_array()
        .unwrap();
    let mut forward = kernels
        .iter()
        .filter(|kernel| kernel["name"] == "virtual_forward");
    // A search of a ring of n has n / 2 levels, and one more to detect the end.
    assert!(forward.next().unwrap()["count"].as_u64().unwrap() >= 6 * 750);
}

#[test]
fn kernel_times_need_a_device() {
    for options in [["--device", "none"], ["--strategy", "cpu"]] {
        let mut command = brandes_with(&["run", KARATE, "--kernel-times"]);
        let assert = command.args(options).assert().code(2);
        assert.stderr(starts_with("brandes: --kernel-times is for devices"));
    }
    // Without a GPU, --device auto has nothing to time.
    let survey = find::survey().unwrap_or_default();
    if survey.select(&DeviceSelection::Auto).is_err() {
        let mut command = brandes();
        let assert = command.args(["run", KARATE, "--kernel-times"]).assert();
        assert
            .success()
            .stderr(contains("the CPU did all the work"));
    }
}

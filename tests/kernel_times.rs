//! Tests `brandes run --kernel-times` as a user sees it.

use std::fs;

use crate::common::program::{brandes, read_json};
use predicates::str::{contains, starts_with};
use serde_json::Value;

/// The outputs of a run on the first OpenCL device.
struct Outputs {
    report: Value,
    scores: String,
    summary: String,
}

fn run(graph: &str, more: &[&str]) -> Outputs {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut command = brandes();
    command.args(["run", graph, "--device", "0", "--cpu-workers", "0"]);
    command.args(more);
    for file in ["report", "scores"] {
        command.arg(format!("--{file}")).arg(path(file));
    }
    let output = command.assert().success().get_output().stdout.clone();
    Outputs {
        report: read_json(&path("report")),
        scores: fs::read_to_string(path("scores")).unwrap(),
        summary: String::from_utf8(output).unwrap(),
    }
}

/// Compares runs with and without `--kernel-times`, which time kernels of so many queues.
fn check(strategy: &str, kernels: &[&str], queues: usize, more: &[&str]) {
    let graph = "bench-graphs/karate.txt";
    let options = [&["--strategy", strategy], more].concat();
    let without = run(graph, &options);
    let with = run(graph, &[&options[..], &["--kernel-times"]].concat());
    // Scores of strategies that add in any order may differ in the last digits.
    let numbers = |text: &str| -> Vec<f64> {
        let scores = text.lines().skip(1).map(|line| line.rsplit(',').next());
        scores
            .map(|score| score.unwrap().parse().unwrap())
            .collect()
    };
    for (a, b) in numbers(&with.scores).iter().zip(numbers(&without.scores)) {
        assert!((a - b).abs() <= 1e-9 * b.max(1.0), "{strategy}: {a} {b}");
    }
    assert!(without.report["devices"][0]["profile"].is_null());
    assert!(!without.summary.contains("--kernel-times"));

    let profile = &with.report["devices"][0]["profile"];
    let rows = profile["kernels"].as_array().unwrap();
    let mut names: Vec<_> = rows.iter().map(|k| k["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, kernels, "{strategy}");
    let sum = |field: &str| rows.iter().map(|k| k[field].as_f64().unwrap()).sum::<f64>();
    let busy = with.report["workers"][0]["busy_seconds"].as_f64().unwrap();
    assert!(sum("seconds") > 0.0 && sum("seconds") <= busy * queues as f64);
    assert!((sum("share") - 1.0).abs() < 1e-9);
    let longest_first = rows.windows(2).all(|w| {
        let seconds = |k: &Value| k["seconds"].as_f64().unwrap();
        seconds(&w[0]) >= seconds(&w[1])
    });
    assert!(longest_first);
    let transfers = profile["transfers"].as_array().unwrap();
    assert!(transfers.iter().any(|t| t["name"] == "read"));
    assert!(with.summary.contains(kernels[0]) && with.summary.contains("timed by"));
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
fn kernels_of_a_work_group_per_root() {
    check("warp", &["warp_add_workspaces", "warp_search"], 1, &[]);
}

#[test]
fn launches_are_counted_beyond_the_limit_of_events() {
    let mut generate = brandes();
    generate.args(["generate", "cycle", "--vertices", "1500", "-o", "-"]);
    let ring = generate.assert().success().get_output().stdout.clone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.txt");
    fs::write(&path, ring).unwrap();
    let graph = path.to_str().unwrap();
    let outputs = run(
        graph,
        &["--strategy", "virtual", "--roots", "6", "--kernel-times"],
    );
    let kernels = outputs.report["devices"][0]["profile"]["kernels"].clone();
    let forward = kernels.as_array().unwrap().iter();
    let forward = forward.map(|k| (&k["name"], k["launches"].as_u64().unwrap()));
    let launches: u64 = forward
        .filter(|(name, _)| *name == "virtual_forward")
        .map(|(_, launches)| launches)
        .sum();
    // A search of a ring of n has n / 2 levels, and one more to detect the end.
    assert!(launches >= 6 * 750, "{launches}");
}

#[test]
fn kernel_times_need_a_device() {
    for options in [["--device", "none"], ["--strategy", "cpu"]] {
        let mut command = brandes();
        command.args(["run", "bench-graphs/karate.txt", "--kernel-times"]);
        command
            .args(options)
            .assert()
            .code(2)
            .stderr(starts_with("brandes: --kernel-times is for devices"));
    }
    // Without a GPU, --device auto has nothing to time.
    let mut command = brandes();
    command.args(["run", "bench-graphs/karate.txt", "--kernel-times"]);
    let survey = brandes::device::find::survey().unwrap_or_default();
    let selection = brandes::device::DeviceSelection::Auto;
    if survey.select(&selection).is_err() {
        let warning = contains("the CPU did all the work");
        command.assert().success().stderr(warning);
    }
}

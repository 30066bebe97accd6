//! Tests `brandes bench --baseline` as a user sees it.

use std::fs;

use crate::common::program::{RMAT, brandes, read_json};
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

/// A number of roots of [`RMAT`] that devices search in several milliseconds. Changes of less than
/// one millisecond are not reported.
const ROOTS_FOR_DEVICES: &str = "30";

/// A number of roots of [`RMAT`] that a core searches in several milliseconds.
const ROOTS_FOR_A_CORE: &str = "800";

fn bench(graphs: &[&str], roots: &str, more: &[&str]) -> Command {
    let mut command = brandes();
    command.arg("bench").args(graphs);
    command.args(["--roots", roots, "--no-cache"]).args(more);
    command
}

/// Multiplies the times of a strategy.
fn scale(report: &mut Value, strategy: &str, factor: f64) {
    scale_if(report, |name| name == strategy, factor);
}

/// Multiplies the times of the strategies and engines that the condition selects.
fn scale_if(report: &mut Value, selected: impl Fn(&str) -> bool, factor: f64) {
    let graphs = report["graphs"].as_array_mut().unwrap();
    for measured in graphs
        .iter_mut()
        .flat_map(|g| g["strategies"].as_array_mut().unwrap())
    {
        if selected(measured["strategy"].as_str().unwrap()) {
            for seconds in measured["seconds"].as_array_mut().unwrap() {
                *seconds = json!(factor * seconds.as_f64().unwrap());
            }
        }
    }
}

/// Returns the words of the last row of a table that starts with these words.
fn row<'t>(text: &'t str, graph: &str, strategy: &str) -> Vec<&'t str> {
    let rows = text.lines().map(|line| line.split_whitespace().collect());
    let mut rows = rows.filter(|words: &Vec<&str>| words.starts_with(&[graph, strategy]));
    rows.next_back()
        .unwrap_or_else(|| panic!("no row {graph} {strategy} in\n{text}"))
}

#[test]
fn verdicts_are_faster_slower_new_and_gone() {
    let folder = tempfile::tempdir().unwrap();
    let (then, now) = (
        folder.path().join("then.json"),
        folder.path().join("now.json"),
    );
    let karate = "bench-graphs/karate.txt";
    let then_options = [
        "--device",
        "0",
        "--strategy",
        "virtual,vertex,warp,lanes",
        "--json",
    ];
    bench(&[RMAT, karate], ROOTS_FOR_DEVICES, &then_options)
        .arg(&then)
        .assert()
        .success();
    let mut report = read_json(&then);
    assert!(report["baseline"].is_null());
    // These factors exceed the variation of times on a busy machine.
    scale(&mut report, "virtual", 0.01);
    scale(&mut report, "vertex", 100.0);
    for times in report["graphs"].as_array_mut().unwrap() {
        times["strategies"][2]["seconds"] = json!([1.0, 1.0]);
    }
    fs::write(&then, report.to_string()).unwrap();

    let now_options = [
        "--device",
        "0",
        "--strategy",
        "virtual,vertex,warp,local",
        "--json",
    ];
    let mut command = bench(&[RMAT], ROOTS_FOR_DEVICES, &now_options);
    command.arg(&now).arg("--baseline").arg(&then);
    let output = command.assert().success().stderr(is_empty());
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let verdict = |strategy| row(&text, "rmat-10.txt.gz", strategy);
    assert_eq!(verdict("virtual").last(), Some(&"slower"));
    assert_eq!(verdict("vertex").last(), Some(&"faster"));
    assert_eq!(verdict("warp").last(), Some(&"faster"));
    assert_eq!(verdict("local").last(), Some(&"new"));
    assert_eq!(verdict("lanes").last(), Some(&"gone"));
    assert!(
        text.contains("not measured now: bench-graphs/karate.txt"),
        "{text}"
    );
    assert!(
        text.contains("ranges of the times do not overlap"),
        "{text}"
    );

    let comparison = &read_json(&now)["baseline"];
    assert_eq!(comparison["path"], then.to_str().unwrap());
    assert_eq!(comparison["warnings"], json!([]));
    assert_eq!(comparison["graphs_gone"], json!([karate]));
    let of = |strategy: &str| {
        let rows = comparison["rows"].as_array().unwrap();
        rows.iter().find(|row| row["strategy"] == strategy).unwrap()
    };
    assert_eq!(of("virtual")["verdict"], "slower");
    assert!(of("virtual")["change"].as_f64() > Some(5.0));
    assert_eq!(of("warp")["verdict"], "faster");
    assert!(of("lanes")["seconds"].is_null());
}

#[test]
fn fail_slower_sets_the_exit_code_and_another_host_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("then.json");
    let cpu = ["--device", "none", "--cpu-workers", "1"];
    bench(&[RMAT], ROOTS_FOR_A_CORE, &cpu)
        .arg("--json")
        .arg(&path)
        .assert()
        .success();
    let mut report = read_json(&path);
    let against = |report: &Value, more: &[&str]| {
        fs::write(&path, report.to_string()).unwrap();
        let mut command = bench(&[RMAT], ROOTS_FOR_A_CORE, &cpu);
        command.arg("--baseline").arg(&path).args(more);
        command
    };
    let one_line = || predicate::function(|text: &str| text.lines().count() == 1);

    scale(&mut report, "cpu", 0.01);
    against(&report, &[])
        .assert()
        .success()
        .stdout(contains("slower"));
    against(&report, &["--fail-slower"])
        .assert()
        .code(1)
        .stderr(contains("slower than in ").and(contains("cpu, workers 1 on rmat-10.txt.gz (+")))
        .stderr(one_line());
    // All times are shorter than those of this baseline, even on a busy machine.
    scale_if(&mut report, |_| true, 10_000.0);
    against(&report, &["--fail-slower", "--style", "markdown"])
        .assert()
        .success()
        .stdout(contains("| faster ").and(contains("|----")))
        .stderr(is_empty());

    report["host"]["cores"] = json!(1000);
    against(&report, &[])
        .assert()
        .success()
        .stderr(contains(
            "warning: the baseline was measured on 1000 cores of ",
        ))
        .stderr(one_line());
    report["kind"] = json!("run");
    against(&report, &[])
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("then.json: cannot be used as a baseline").and(contains("kind is 'run'")))
        .stderr(one_line());
    bench(&[RMAT], ROOTS_FOR_A_CORE, &["--fail-slower"])
        .assert()
        .code(2);
    bench(&[RMAT], ROOTS_FOR_A_CORE, &["--baseline", "/no/file"])
        .assert()
        .code(1)
        .stderr(contains("/no/file: cannot be read"));
}

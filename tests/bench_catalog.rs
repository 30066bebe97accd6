//! Tests `brandes bench --catalog` as a user sees it.

use std::fs;

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

/// Returns `brandes bench` in a folder with a catalog of three graphs, two of which exist.
fn bench(folder: &tempfile::TempDir, args: &[&str]) -> Command {
    let entry = |name: &str, directed: bool| {
        json!({"name": name, "file": format!("{name}.txt"), "directed": directed,
               "title": "what only scripts/fetch-graphs reads"})
    };
    let catalog =
        json!({"graphs": [entry("ring", false), entry("far", false), entry("votes", true)]});
    let downloads = folder.path().join("downloads");
    fs::create_dir_all(&downloads).unwrap();
    fs::write(folder.path().join("catalog.json"), catalog.to_string()).unwrap();
    let edges = "0 1\n1 2\n2 3\n3 0\n1 3\n";
    for name in ["ring.txt", "votes.txt"] {
        fs::write(downloads.join(name), edges).unwrap();
    }
    fs::write(folder.path().join("own.txt"), edges).unwrap();
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(folder.path());
    command
        .args(["bench", "--device", "none", "--repeat", "1"])
        .args(args);
    command
}

fn report(command: &mut Command) -> Value {
    let output = command.args(["--report", "-"]).assert().success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn existing_graphs_are_measured_and_missing_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    bench(&folder, &["--catalog", "catalog.json"])
        .assert()
        .success()
        .stdout(contains("ring.txt: 4 vertices").and(contains("votes.txt: 4 vertices")))
        .stdout(contains(
            "skipped, not in downloads: far; 'scripts/fetch-graphs --catalog catalog.json --into \
             downloads far' gets them\n",
        ));
    let report = report(&mut bench(
        &folder,
        &["own.txt", "--catalog", "catalog.json", "--directed"],
    ));
    let graphs = report["graphs"].as_array().unwrap();
    let shown = |g: &Value| format!("{} {}", g["path"].as_str().unwrap(), g["directed"]);
    assert_eq!(
        graphs.iter().map(shown).collect::<Vec<_>>(),
        [
            "own.txt true",
            "downloads/ring.txt false",
            "downloads/votes.txt true"
        ]
    );
    let skipped = report["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 1);
    assert_eq!(skipped[0]["name"], "far");
    assert_eq!(skipped[0]["path"], "downloads/far.txt");
    assert!(
        skipped[0]["get"]
            .as_str()
            .unwrap()
            .starts_with("scripts/fetch-graphs ")
    );
}

#[test]
fn options_select_graphs_of_the_catalog_and_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let only = ["--catalog", "catalog.json", "--only"];
    let one = report(bench(&folder, &only).arg("votes"));
    assert_eq!(one["graphs"].as_array().unwrap().len(), 1);
    assert_eq!(
        one["graphs"][0]["directed"], false,
        "symmetrised without --directed"
    );
    assert_eq!(one["skipped"], json!([]));
    bench(&folder, &only)
        .args(["ring", "--graphs-dir", "elsewhere"])
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(contains("nothing to measure: ").and(contains("--into elsewhere ring")));
    bench(&folder, &only)
        .arg("ring,voters")
        .assert()
        .code(2)
        .stderr(contains(
            "no graph called 'voters'; it has ring, far, votes",
        ));
}

#[test]
fn wrong_options_and_catalogs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    bench(&folder, &[])
        .assert()
        .code(2)
        .stderr(contains("GRAPH"));
    bench(&folder, &["own.txt", "--only", "ring"])
        .assert()
        .code(2);
    bench(&folder, &["own.txt", "--graphs-dir", "downloads"])
        .assert()
        .code(2);
    bench(&folder, &["--catalog", "own.txt"])
        .assert()
        .code(1)
        .stderr(contains("own.txt: is not a catalog of graphs"));
    bench(&folder, &["--catalog", "none.json"])
        .assert()
        .code(1)
        .stderr(contains("none.json: cannot be read"));
}

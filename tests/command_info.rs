//! Tests `brandes info` as a user sees it.

use crate::common::program::{KARATE, brandes, read_json, stdout};
use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

fn info(graph: &str, more: &[&str]) -> Command {
    let mut command = brandes();
    command.args(["info", graph, "--budget", "0"]).args(more);
    command
}

/// Returns the output of `brandes info --json` with a budget of a tenth of a second for
/// predictions.
fn with_predictions(graph: &str, more: &[&str]) -> Value {
    let mut command = brandes();
    command.args(["info", graph, "--json", "--budget", "0.1"]);
    json_of(command.args(more))
}

fn json_of(command: &mut Command) -> Value {
    serde_json::from_str(&stdout(command)).unwrap()
}

/// Returns the output of `brandes info --json` for a generated graph.
fn generated(family: &[&str], more: &[&str]) -> Value {
    let mut generate = cargo_bin_cmd!("brandes");
    generate.arg("generate").args(family).args(["-o", "-"]);
    let edges = stdout(&mut generate);
    json_of(info("-", &[&["--json"], more].concat()).write_stdin(edges))
}

#[test]
fn each_reduction_has_a_row_of_its_own() {
    let text = stdout(&mut info(KARATE, &[]));
    for row in ["work after fold", "work after blocks", "work after twins"] {
        let rows = text
            .lines()
            .filter(|line| line.trim_start().starts_with(row));
        assert_eq!(rows.count(), 1, "{row}: {text}");
    }
}

#[test]
fn karate_as_json() {
    let info = json_of(&mut info(KARATE, &["--json"]));
    assert_eq!(info["schema_version"], 1);
    assert_eq!(info["program"]["name"], "brandes");
    let input = &info["input"];
    assert_eq!(input["format"], "edgelist");
    assert_eq!(
        (&input["vertices"], &input["edges"]),
        (&json!(34), &json!(78))
    );
    assert_eq!(
        info["components"],
        json!({ "count": 1, "largest": 34, "isolated": 0 })
    );
    let mean = 156.0 / 34.0;
    assert_eq!(
        info["degrees"],
        json!({ "min": 1, "median": 3.0, "mean": mean, "percentile_99": 17, "max": 17 })
    );
    // Vertex 12 has one edge and is folded. Vertex 1 cuts five others from the rest, which makes two
    // blocks. Vertices 15, 16, 19, 21 and 23 are twins with the neighbours 33 and 34.
    let steps = json!([
        { "after": "input", "vertices": 34, "arcs": 156, "roots": 34, "work": 5304.0 },
        { "after": "fold", "vertices": 33, "arcs": 154, "roots": 33, "work": 5082.0 },
        { "after": "blocks", "vertices": 34, "arcs": 154, "roots": 34, "work": 3872.0 },
        { "after": "twins", "vertices": 29, "arcs": 134, "roots": 29, "work": 2742.0 },
    ]);
    assert_eq!(
        info["prepared"],
        json!({
            "vertices": 29, "arcs": 134, "folded": 1, "searches": 29, "blocks": 2, "steps": steps
        })
    );
    assert_eq!(info["depth"]["searches"], 9);
    let depth = |which: &str| info["depth"][which].as_u64().unwrap();
    assert!((3..=5).contains(&depth("deepest")) && depth("median") <= depth("deepest"));
    assert_eq!(info["chains"], Value::Null);
    assert_eq!(
        info["memory"],
        json!({
            "input_bytes": 4 * (35 + 156),
            "graph_bytes": 4 * (30 + 134),
            // 36 bytes for each vertex, and 8 for each edge.
            "cpu_worker_bytes": 36 * 29 + 8 * 67
        })
    );
}

#[test]
fn karate_as_a_table() {
    let text = stdout(&mut info(KARATE, &[]));
    assert!(text.starts_with("bench-graphs/karate.txt: edgelist, undirected\n"));
    let row = |name: &str| {
        let found = text
            .lines()
            .find(|line| line.trim_start().starts_with(name));
        found
            .unwrap_or_else(|| panic!("no {name} in\n{text}"))
            .to_string()
    };
    assert!(row("vertices ").trim_end().ends_with(" 34"));
    assert!(row("edges").trim_end().ends_with(" 78"));
    assert!(row("mean degree").trim_end().ends_with(" 4.59"));
    assert!(row("folded away").contains(" 1 "));
    // Values are right-aligned.
    let end = |name: &str, value: &str| row(name).find(value).unwrap() + value.len();
    assert_eq!(end("vertices ", "34"), end("folded away", "1"));
}

#[test]
fn work_after_folding_and_serving_chains() {
    // A ring is cut into two chains.
    let cycle = generated(&["cycle", "--vertices", "1000"], &[]);
    assert_eq!(
        cycle["chains"],
        json!({
            "searches": 2, "junctions": 2, "chains": 2, "longest_chain": 500,
            "auto_contracts_for_cpu": true, "auto_contracts_for_devices": true
        })
    );
    assert_eq!(
        cycle["depth"],
        json!({ "searches": 9, "median": 500, "deepest": 500 })
    );

    // Folding removes a path completely, unless it is switched off.
    let path = generated(&["path", "--vertices", "50"], &[]);
    assert_eq!(path["prepared"]["searches"], 0);
    assert_eq!(path["depth"], Value::Null);
    assert_eq!(path["chains"], Value::Null);
    let path = generated(&["path", "--vertices", "50"], &["--reduce", "none"]);
    assert_eq!(
        path["prepared"],
        json!({
            "vertices": 50, "arcs": 98, "folded": 0, "searches": 50, "blocks": null,
            "steps": [
                { "after": "input", "vertices": 50, "arcs": 98, "roots": 50, "work": 4900.0 }
            ]
        })
    );

    // A complete graph needs no search, unless splitting into blocks is switched off.
    let complete = &[
        "watts-strogatz",
        "--vertices",
        "31",
        "--neighbours",
        "30",
        "--rewire",
        "0",
    ];
    let complete_in_blocks = generated(complete, &[]);
    assert_eq!(complete_in_blocks["prepared"]["searches"], 0);
    let complete = generated(complete, &["--reduce", "fold"]);
    assert_eq!(
        complete["degrees"],
        json!({ "min": 30, "median": 30.0, "mean": 30.0, "percentile_99": 30, "max": 30 })
    );
    assert_eq!(complete["depth"]["deepest"], 1);
    assert_eq!(complete["chains"], Value::Null);
}

#[test]
fn the_effect_of_chains_is_left_out_if_the_options_decide_on_them() {
    for reduce in ["fold", "none", "chains"] {
        let cycle = generated(&["cycle", "--vertices", "1000"], &["--reduce", reduce]);
        assert_eq!(cycle["chains"], Value::Null, "{reduce}");
    }
}

#[test]
fn predictions_of_serving_chains_agree_with_runs() {
    for family in [
        &["cycle", "--vertices", "60"][..],
        &["grid", "--rows", "15", "--cols", "15", "--drop", "0.3"],
        &["rmat", "--scale", "8"],
    ] {
        let info = generated(family, &[]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.txt");
        let report = folder.path().join("report.json");
        let mut generate = cargo_bin_cmd!("brandes");
        generate.arg("generate").args(family).arg("-o").arg(&path);
        generate.assert().success();
        let mut run = cargo_bin_cmd!("brandes");
        run.arg("run").arg(&path).arg("--report").arg(&report);
        run.args(["--device", "none", "--quiet"]).assert().success();
        let report = read_json(&report);
        let junctions = &report["prepared"]["junctions"];
        let is_announced = info["chains"]["auto_contracts_for_cpu"] == true;
        assert_eq!(is_announced, !junctions.is_null());
        if !junctions.is_null() {
            for field in ["junctions", "chains", "longest_chain"] {
                assert_eq!(info["chains"][field], report["prepared"][field]);
            }
        }
        assert_eq!(info["prepared"]["folded"], report["prepared"]["folded"]);
    }
}

#[test]
fn directed_graphs() {
    let text = "0 1\n0 2\n0 3\n4 4\n0 1\n";
    let value = json_of(info("-", &["--json", "--directed"]).write_stdin(text));
    let input = &value["input"];
    assert_eq!(input["path"], "<stdin>");
    assert_eq!(
        (&input["vertices"], &input["edges"]),
        (&json!(5), &json!(3))
    );
    assert_eq!(
        (&input["loops_dropped"], &input["edges_merged"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        value["components"],
        json!({ "count": 2, "largest": 4, "isolated": 1 })
    );
    assert_eq!(value["degrees"]["max"], 3);
    assert_eq!(value["chains"], Value::Null);
    // Only vertex 0 reaches other vertices.
    assert_eq!(value["prepared"]["searches"], 1);
    // The others are twins. The graph has arcs in both directions.
    assert_eq!(value["memory"]["graph_bytes"], 2 * 4 * (3 + 1));
    let table = stdout(info("-", &["--directed"]).write_stdin(text));
    assert!(table.contains("median out-degree") && !table.contains("junctions"));
}

#[test]
fn predictions_without_devices() {
    let output = with_predictions(KARATE, &["--device", "none"]);
    let predictions = output["predictions"].as_array().unwrap();
    assert_eq!(predictions.len(), 1);
    let run = &predictions[0];
    assert_eq!(
        (&run["who"], &run["strategy"]),
        (&json!("run"), &json!("cpu"))
    );
    // A small graph is searched completely, and the measured time is the prediction.
    assert_eq!(
        (&run["roots"], &run["roots_measured"]),
        (&json!(29), &json!(29))
    );
    let seconds = run["seconds"].as_f64().unwrap();
    assert!(seconds > 0.0 && seconds < 10.0);
    let measured = run["seconds_measured"].as_f64().unwrap();
    assert!((seconds - measured).abs() <= 1e-12 * measured);
    assert_eq!(output["advice"], json!([]));

    let nothing = json_of(&mut info(KARATE, &["--json"]));
    assert_eq!(nothing["predictions"], json!([]));
    // After folding, a path has nothing to search.
    let path = generated(&["path", "--vertices", "50"], &[]);
    assert_eq!(path["predictions"], json!([]));
}

#[test]
fn predictions_are_of_a_device_and_of_all_together() {
    let info = with_predictions("bench-graphs/rmat-10.txt.gz", &["--device", "0"]);
    let predictions = info["predictions"].as_array().unwrap();
    let who =
        |who: &str| -> Vec<&Value> { predictions.iter().filter(|p| p["who"] == who).collect() };
    assert_eq!((who("run").len(), who("cpu").len()), (1, 1));
    let device = who("device");
    let strategies: Vec<_> = device
        .iter()
        .map(|p| p["strategy"].as_str().unwrap())
        .collect();
    assert!(
        ["local", "lanes"].contains(&strategies[0]),
        "{strategies:?}"
    );
    assert_eq!(strategies.len(), 1);
    for prediction in &device {
        assert!(
            prediction["seconds"].as_f64().unwrap() > 0.0,
            "{prediction}"
        );
        assert!(prediction["device_bytes"].as_u64().unwrap() > 1000);
        assert_eq!(
            (&prediction["device"], &prediction["cpu_workers"]),
            (&json!(0), &json!(0))
        );
    }
    // The first prediction is for a run with the device and CPU workers.
    let run = who("run")[0];
    assert_eq!(run["strategy"], device[0]["strategy"]);
    let speed = |p: &Value| 1.0 / p["root_seconds"].as_f64().unwrap();
    assert!(speed(run) >= speed(device[0]) * (1.0 - 1e-9));

    // Chains are served only if the options allow it.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.txt");
    let edges = (0..2000).map(|v| format!("{v} {}\n", (v + 1) % 2000));
    std::fs::write(&path, edges.collect::<String>()).unwrap();
    let roots = |reduce: &str| {
        let options = ["--device", "none", "--reduce", reduce];
        let info = with_predictions(path.to_str().unwrap(), &options);
        info["predictions"][0]["roots"].as_u64().unwrap()
    };
    assert_eq!(roots("fold"), 2000);
    assert!(roots("auto") < 2000);
}

#[test]
fn long_runs_come_with_advice() {
    let mut generate = cargo_bin_cmd!("brandes");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grid.graph");
    generate.args(["generate", "grid", "--rows", "450", "--cols", "450", "-o"]);
    generate.arg(&path).assert().success();
    let path = path.to_str().unwrap();
    let info = with_predictions(path, &["--device", "none"]);
    let run = &info["predictions"][0];
    let seconds = run["seconds"].as_f64().unwrap();
    let advice = info["advice"].as_array().unwrap();
    // Whether this takes an hour depends on the number of cores.
    assert_eq!(seconds >= 3600.0, !advice.is_empty(), "{info}");
    assert!(run["roots_measured"].as_u64().unwrap() >= 1);
    if !advice.is_empty() {
        assert!(
            advice[0]
                .as_str()
                .unwrap()
                .contains("a GPU would be faster")
        );
        assert!(advice[1].as_str().unwrap().contains("--roots"));
        let mut command = cargo_bin_cmd!("brandes");
        command.args(["info", path, "--budget", "0.1", "--device", "none"]);
        let table = stdout(&mut command);
        // On a busy machine a second prediction may differ.
        let run = table
            .lines()
            .find(|line| line.contains("predicted"))
            .unwrap();
        assert!(
            !run.contains(" h ") || table.contains("\nadvice: "),
            "{table}"
        );
    }
}

#[test]
fn devices_that_do_not_exist_and_bad_budgets() {
    let mut command = brandes();
    command.args(["info", KARATE, "--device", "nonexistent"]);
    command.assert().code(1).stderr(contains("no OpenCL"));
    for budget in ["-1", "x", "NaN"] {
        let mut command = cargo_bin_cmd!("brandes");
        command.args(["info", KARATE, &format!("--budget={budget}")]);
        command.assert().code(2);
    }
}

#[test]
fn weights_cause_a_warning_and_errors_are_one_line() {
    info("bench-graphs/watts-strogatz-200.gr", &[])
        .assert()
        .success()
        .stdout(contains("dimacs, undirected"));
    info("-", &["--format", "dimacs"])
        .write_stdin("p sp 2 1\na 1 2 7\n")
        .assert()
        .success()
        .stderr(contains("warning: the input has weights"));
    let one_line = || predicate::function(|text: &str| text.lines().count() == 1);
    for (graph, input) in [("/nonexistent/graph.txt", ""), ("-", "0 1\n2\n")] {
        info(graph, &[])
            .write_stdin(input)
            .assert()
            .code(1)
            .stdout(is_empty())
            .stderr(one_line());
    }
    info(KARATE, &["--format", "xls"]).assert().code(2);
}

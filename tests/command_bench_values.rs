//! Tests `brandes bench` with lists of values, several graphs and their options.

use std::fs;
use std::path::Path;

use crate::common::program::{KARATE, RMAT, bench, brandes, read_json, rows, stdout};
use assert_cmd::Command;
use serde_json::Value;

/// Compares three graphs with four values of D, as a new user would.
#[test]
fn values_are_lists_and_the_best_is_found_in_tables_json_and_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let graphs = [RMAT, KARATE, "bench-graphs/florentine.txt"];
    let mut command = bench(&graphs);
    command.args(["--device", "0", "--strategy", "virtual,cpu"]);
    command.args(["--degree", "4,8,16,32", "--repeat", "3"]);
    command.arg("--json").arg(path("bench.json"));
    command.arg("--csv").arg(path("bench.csv"));
    let text = stdout(&mut command);
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    for name in ["virtual, D 4 ", "virtual, D 32 ", "cpu"] {
        assert!(last.lines().next().unwrap().contains(name), "{text}");
    }
    assert_eq!(last.matches(" *").count(), 3, "{text}");

    let report = read_json(&path("bench.json"));
    for graph in report["graphs"].as_array().unwrap() {
        let rows = graph["strategies"].as_array().unwrap();
        let degrees: Vec<_> = rows.iter().map(|row| row["degree"].as_u64()).collect();
        assert_eq!(degrees, [Some(4), Some(8), Some(16), Some(32), None]);
        assert!(
            rows.iter()
                .all(|row| row["workers"].is_null() && row["reduce"].is_null())
        );
        let median = |row: &Value| row["spread"]["median"].as_f64().unwrap();
        let best: Vec<_> = rows.iter().filter(|row| row["best"] == true).collect();
        assert_eq!(best.len(), 1);
        assert!(rows.iter().all(|row| median(best[0]) <= median(row)));
    }
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/bench-report.schema.json");
    let mut schemas = boon::Schemas::new();
    let compiled = boon::Compiler::new().compile(schema.to_str().unwrap(), &mut schemas);
    schemas.validate(&report, compiled.unwrap()).unwrap();

    let script = format!(
        "import csv\n\
         rows = list(csv.DictReader(open({:?}, newline='')))\n\
         assert len(rows) == 15, len(rows)\n\
         for row in rows:\n\
         \x20   assert int(row['vertices']) and int(row['edges']) and row['graph']\n\
         \x20   assert int(row['repeats']) == 3 and row['failure'] == '' and row['workers'] == ''\n\
         \x20   low, high = float(row['min_seconds']), float(row['max_seconds'])\n\
         \x20   assert low <= float(row['median_seconds']) <= high\n\
         \x20   times = sorted(map(float, row['seconds'].split()))\n\
         \x20   assert [times[0], times[-1], len(times)] == [low, high, 3]\n\
         \x20   assert (row['device'] == '') == (row['strategy'] == 'cpu')\n\
         \x20   assert row['host'] and row['version'] and row['written']\n\
         assert [row['degree'] for row in rows[:5]] == ['4', '8', '16', '32', '']\n\
         assert sum(row['best'] == 'true' for row in rows) == 3\n",
        path("bench.csv")
    );
    let python = Command::new("python3")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert!(
        python.status.success(),
        "{}",
        String::from_utf8_lossy(&python.stderr)
    );
}

#[test]
fn every_combination_that_a_strategy_supports_has_a_row() {
    let args = [KARATE, "--device", "0", "--repeat", "1", "--csv", "-"];
    let mut command = bench(&args);
    command.args([
        "--strategy",
        "lanes,warp,auto,cpu",
        "--device-lanes",
        "auto,64",
    ]);
    command.args([
        "--warp-size",
        "8,32",
        "--work-group",
        "16,64",
        "--cpu-workers",
        "0,1",
    ]);
    command.args(["--reduce", "none", "--reduce", "fold,blocks"]);
    let text = stdout(&mut command);
    let mut table = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = table.next().unwrap();
    let strategy = header.iter().position(|name| *name == "strategy").unwrap();
    let of = |name: &str| table.clone().filter(|row| row[strategy] == name).count();
    // Warps of 32 do not fit into work-groups of 16.
    assert_eq!(
        [of("lanes"), of("warp"), of("auto"), of("cpu")],
        [16, 12, 4, 4]
    );
}

#[test]
fn graphs_are_read_with_the_options_of_run() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("trips.csv");
    fs::write(&graph, "km;to;from\n1;b;a\n2;c;b\n3;a;c\n9;d;a\n9;d;b\n").unwrap();
    let mut command = bench(&[graph.to_str().unwrap(), "--device", "none", "--repeat", "1"]);
    command.args([
        "--strategy",
        "cpu",
        "--format",
        "edgelist",
        "--delimiter",
        "semicolon",
    ]);
    command.args([
        "--header",
        "yes",
        "--columns",
        "source=from,target=to,weight=km",
    ]);
    command.args(["--weighted", "--directed", "--json", "-"]);
    let report: Value = serde_json::from_str(&stdout(&mut command)).unwrap();
    let part = &report["graphs"][0];
    assert_eq!([&part["vertices"], &part["edges"]], [4, 5]);
    assert_eq!([&part["weighted"], &part["directed"]], [true, true]);
}

#[test]
fn values_that_the_device_does_not_support_are_failed_rows() {
    let args = [
        KARATE,
        "--device",
        "0",
        "--repeat",
        "1",
        "--strategy",
        "vertex",
    ];
    let text = stdout(bench(&args).args(["--work-group", "100000,64"]));
    let found = rows(&text, "vertex");
    assert_eq!(found[0][1..3], ["100000", "-"], "{text}");
    assert_eq!(found[1][1], "64", "{text}");
    assert!(text.contains("use --work-group "), "{text}");
    bench(&args)
        .args(["--work-group", "100000"])
        .assert()
        .code(1);
}

#[test]
fn a_note_names_lists_that_auto_ignores() {
    let args = [KARATE, "--device", "0", "--repeat", "1", "--degree", "4,8"];
    for (strategies, notes) in [("auto,virtual", 1), ("virtual", 0)] {
        let output = bench(&args).args(["--strategy", strategies]).assert();
        let stderr = String::from_utf8_lossy(&output.success().get_output().stderr).into_owned();
        let text = "is measured without --degree; give one value";
        assert_eq!(stderr.matches(text).count(), notes, "{stderr}");
    }
}

#[test]
fn folders_distinguish_graphs_with_the_same_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).join("graph.txt");
    for name in ["one", "two"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::copy(KARATE, path(name)).unwrap();
    }
    let mut command = brandes();
    command.arg("bench").args([path("one"), path("two")]);
    command.args(["--device", "none", "--repeat", "1", "--strategy", "cpu"]);
    let text = stdout(&mut command);
    for name in ["one", "two"] {
        let name = &format!("{name}{}graph.txt", std::path::MAIN_SEPARATOR);
        assert!(text.contains(&format!("{name}: 34 vertices")), "{text}");
        assert_eq!(rows(&text, name).len(), 1, "{text}");
    }
}

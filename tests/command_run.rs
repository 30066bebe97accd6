//! Tests `brandes run` on CPU workers as a user sees it.

use std::fs;
use std::path::Path;

use crate::common::program::{KARATE, RMAT, brandes, read_json, run, stdout};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

#[test]
fn the_default_output_is_a_summary_and_the_top_vertices() {
    let text = stdout(brandes().args(["run", KARATE]));
    let lines: Vec<&str> = text.lines().collect();
    let words: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(words, ["rank", "vertex", "score", "degree"], "{text}");
    assert!(lines[1].contains("231.071429"), "{text}");
    // The output is a header, ten vertices, an empty line and a line about the run.
    assert_eq!(lines.len(), 13, "{text}");
    assert!(
        lines[12].starts_with("34 vertices and 78 edges in "),
        "{text}"
    );
    for part in [" CPU worker", "(read ", "prepare ", "search ", "write "] {
        assert!(lines[12].contains(part), "{part} is missing in\n{text}");
    }
    for detail in ["folded", "prepared", "GTEPS", "roots"] {
        assert!(!text.contains(detail), "{detail} is in\n{text}");
    }
}

#[test]
fn progress_is_a_log_without_a_terminal_if_requested() {
    // A search of karate may end before the first line of progress.
    let lines = |options: &[&str]| {
        let assert = run(RMAT, &["--progress", "log"]).args(options).assert();
        let stderr = assert.success().get_output().stderr.clone();
        String::from_utf8(stderr).unwrap()
    };
    let log = lines(&[]);
    let first = "brandes: 0 s, ";
    assert!(
        log.starts_with(first) && log.contains("searches done, "),
        "{log}"
    );
    assert_eq!(lines(&["--quiet"]), "");
    for other in ["auto", "always", "never"] {
        let assert = run(RMAT, &["--progress", other]).assert().success();
        let is_wanted = other == "always";
        assert.stderr(predicate::function(|text: &str| {
            text.starts_with(first) == is_wanted
        }));
    }
}

#[test]
fn near_names_are_suggested() {
    for (args, tip) in [
        (&["rn", "g.txt"][..], "a similar subcommand exists: 'run'"),
        (
            &["run", "g.txt", "--tpo", "3"],
            "a similar argument exists: '--top'",
        ),
        (
            &["run", "g.txt", "--raduis=3"],
            "a similar argument exists: '--radius'",
        ),
        (
            &["tune", "g.txt", "--report", "r.json"],
            "unexpected argument '--report' found\n\nU",
        ),
        (
            &["bench", "g.txt", "--strategies", "cpu"],
            "a similar argument exists: '--strategy'",
        ),
    ] {
        let refused = brandes().args(args).assert().code(2).stderr(contains(tip));
        refused.stderr(contains("as a value").not());
    }
}

#[test]
fn verbose_output_has_details() {
    let text = stdout(&mut run(KARATE, &["--verbose"]));
    for part in [
        "34 vertices and 78 edges in ",
        "karate.txt: 34 vertices, 78 edges, undirected",
        "1 folded away",
        "plan      ",
        "cpu       ",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    run(KARATE, &["-v", "-q"]).assert().code(2);
    // The input has one edge, one repetition of it and one loop.
    let text = stdout(run("-", &["-v", "--top", "0"]).write_stdin("a b\na b\na a\n"));
    assert!(text.starts_with("2 vertices and 1 edge in "), "{text}");
    assert!(
        text.contains("dropped 1 self loop, merged 1 repeated edge\n"),
        "{text}"
    );
}

#[test]
fn graphs_without_vertices_or_edges_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let comments = folder.path().join("comments.txt");
    fs::write(&comments, "# from to\n# no rows\n").unwrap();
    let comments = comments.to_str().unwrap();
    let loops = folder.path().join("loops.txt");
    fs::write(&loops, "1 1\n2 2\n").unwrap();
    let loops = loops.to_str().unwrap();
    let info = |graph: &str| {
        let mut command = brandes();
        command.args(["info", graph, "--json", "--device", "none"]);
        command
    };
    let warned = |text: &str| {
        let one_line = predicate::function(|text: &str| text.lines().count() == 1);
        starts_with("brandes: warning: ")
            .and(contains(text.to_string()))
            .and(one_line)
    };
    for (graph, warning) in [
        (comments, "comments.txt: the graph has no vertices"),
        (loops, "loops.txt: the graph has no edges"),
    ] {
        run(graph, &[]).assert().success().stderr(warned(warning));
        info(graph).assert().success().stderr(warned(warning));
        let mut bench = brandes();
        bench.args(["bench", graph, "--device", "none"]);
        bench.assert().success().stderr(warned(warning));
    }
}

#[test]
fn scores_go_to_standard_output_and_nothing_else_does() {
    let text = stdout(run("-", &["--scores", "-"]).write_stdin("b a\nc b\nb a\n"));
    assert_eq!(text, "vertex,score\nb,1\na,0\nc,0\n");
}

#[test]
fn quiet_runs_print_nothing() {
    run(KARATE, &["--quiet"])
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
}

#[test]
fn top_limits_the_table() {
    let text = stdout(&mut run(KARATE, &["--top", "1"]));
    let best = text.lines().nth(1).unwrap();
    assert_eq!(
        best.split_whitespace().collect::<Vec<_>>(),
        ["1", "1", "231.071429", "16"]
    );
    let directed = stdout(&mut run(KARATE, &["--top", "2", "--directed"]));
    assert!(directed.contains("out-degree"), "{directed}");
    let none = stdout(&mut run(KARATE, &["--top", "0"]));
    assert!(!none.contains("rank"));
}

#[test]
fn conventions() {
    let scores = |options: &[&str]| {
        let options = [options, &["--scores", "-"]].concat();
        stdout(run("-", &options).write_stdin("0 1\n1 2\n2 3\n"))
    };
    assert_eq!(scores(&[]), "vertex,score\n0,0\n1,2\n2,2\n3,0\n");
    assert_eq!(
        scores(&["--endpoints"]),
        "vertex,score\n0,3\n1,5\n2,5\n3,3\n"
    );
    let third = 2.0 / 3.0;
    assert_eq!(
        scores(&["--normalized"]),
        format!("vertex,score\n0,0\n1,{third}\n2,{third}\n3,0\n")
    );
    assert_eq!(
        scores(&["--directed"]),
        "vertex,score\n0,0\n1,2\n2,2\n3,0\n"
    );
    assert_eq!(
        scores(&["--directed", "--endpoints"]),
        "vertex,score\n0,3\n1,5\n2,5\n3,3\n"
    );
    assert_eq!(
        scores(&["--roots", "0..1"]),
        "vertex,score\n0,0\n1,1\n2,0.5\n3,0\n"
    );
}

#[test]
fn every_shipped_format_is_read() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-graphs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_file() && !name.ends_with(".json") && !name.ends_with(".md") {
            run(path.to_str().unwrap(), &["--quiet"]).assert().success();
        }
    }
}

#[test]
fn partial_scores_are_called_partial() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let mut command = run(
        KARATE,
        &["--roots", "5", "--report", path.to_str().unwrap()],
    );
    command
        .assert()
        .success()
        .stdout(contains("partial scores: 5 of 34"));
    let report = read_json(&path);
    assert_eq!(report["prepared"]["partial"], true);
    assert_eq!(report["prepared"]["sources"], 5);
    assert_eq!(report["totals"]["teps"], Value::Null);
}

#[test]
fn contradictions_are_usage_errors() {
    for (options, message) in [
        (
            &["--device", "none", "--strategy", "virtual"][..],
            "needs a device",
        ),
        (
            &["--device", "none", "--cpu-workers", "0"],
            "no worker to search",
        ),
        (
            &["--strategy", "cpu", "--device", "all"],
            "drives no device",
        ),
        (
            &["--scores", "-", "--report", "-"],
            "cannot both be standard output",
        ),
        (&["--degree", "0"], "0"),
        (&["--roots", "9..3"], "is empty"),
        (&["--roots", "99"], "the graph has 34"),
        (&["--cpu-workers", "many"], "neither auto nor a number"),
        (&["--device", "a,,b"], "selector is empty"),
        (&["--precision", "f16"], "f16"),
        (&["--device-lanes", "48"], "multiple of 32"),
        (&["--device-lanes", "0"], "multiple of 32"),
        (&["--warp-size", "5"], "neither auto nor 4, 8, 16 or 32"),
        (
            &["--warp-size", "8"],
            "--strategy auto does not use --warp-size",
        ),
        // The message names no strategy if none can be used.
        (
            &[
                "--device",
                "none",
                "--strategy",
                "warp",
                "--reduce",
                "chains",
            ],
            "remove --device none",
        ),
        (
            &["--strategy", "hybrid", "--edges", "e", "--reduce", "twins"],
            "--edges does not go with --reduce twins",
        ),
        (
            &["--strategy", "edge", "--warp-size", "8"],
            "--strategy edge does not use",
        ),
        (
            &[
                "--strategy",
                "warp",
                "--warp-size",
                "8",
                "--work-group",
                "20",
            ],
            "does not divide",
        ),
        (
            &["--strategy", "virtual", "--device-lanes", "32"],
            "--strategy virtual does not use",
        ),
        (
            &["--strategy", "edge-device", "--degree", "8"],
            "--strategy edge-device does not use",
        ),
        (
            &["--strategy", "cpu", "--degree", "8"],
            "--degree is for devices",
        ),
        (
            &["--device", "none", "--strategy", "lanes"],
            "needs a device",
        ),
        (
            &["--device", "none", "--degree", "8"],
            "--degree is for devices",
        ),
        (
            &["--device", "none", "--device-lanes", "32"],
            "--device-lanes is for devices",
        ),
        (
            &["--strategy", "cpu", "--work-group", "64"],
            "--work-group is for devices",
        ),
        (
            &["--device", "none", "--precision", "f32"],
            "--precision f32 is for devices, and no device may search; leave it out",
        ),
        (
            &["--cpu-workers", "0", "--cpu-engine", "plain"],
            "have no effect with --cpu-workers 0",
        ),
        (
            &["--cpu-workers", "0", "--cpu-lanes", "8"],
            "have no effect with --cpu-workers 0",
        ),
        (&["--reproducible"], "is for cores alone"),
        (
            &["--cpu-engine", "plain", "--reduce", "fold,chains"],
            "--cpu-engine plain does not serve sources inside chains; leave --cpu-engine out",
        ),
    ] {
        let mut command = brandes();
        command.args(["run", KARATE]).args(options);
        let assert = command.assert().code(2).stdout(is_empty());
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(message), "{text}");
        let has_gap = text.starts_with("brandes: ") && text.contains("  ");
        assert!(!has_gap, "{text}");
    }
}

#[test]
fn failures_are_one_line_and_leave_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("scores.csv");
    let bad = folder.path().join("bad.mtx");
    fs::write(
        &bad,
        "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 9\n",
    )
    .unwrap();
    let mut command = run(
        bad.to_str().unwrap(),
        &["--scores", scores.to_str().unwrap()],
    );
    command
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr(starts_with("brandes: ").and(contains("bad.mtx:3: ")))
        .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    assert_eq!(left, [bad]);
}

#[test]
fn an_output_that_cannot_be_written_fails_before_the_work() {
    for path in ["/nonexistent/scores.csv", "/"] {
        run("-", &["--scores", path])
            .assert()
            .code(1)
            .stderr(contains(path));
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_an_output_file_stays_and_device_files_are_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (
        folder.path().join("scores.csv"),
        folder.path().join("link.csv"),
    );
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    run(KARATE, &["--quiet", "--scores", link.to_str().unwrap()])
        .assert()
        .success();
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("vertex,score\n1,")
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    run(KARATE, &["--quiet", "--scores", "/dev/null"])
        .assert()
        .success();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn without_an_opencl_driver_the_cpu_does_the_work() {
    let without = |options: &[&str]| {
        let mut command = brandes();
        command.args(["run", KARATE]).args(options);
        // The OpenCL loader finds no driver there.
        command
            .env("OCL_ICD_VENDORS", "/nonexistent")
            .env("OCL_ICD_FILENAMES", "");
        command
    };
    without(&[])
        .assert()
        .success()
        .stdout(contains("231.071429"))
        .stderr(is_empty());
    without(&["--device", "all"])
        .assert()
        .success()
        .stdout(contains("231.071429"))
        .stderr(contains("the CPU did all the work"));
    without(&["--cpu-workers", "0"])
        .assert()
        .code(1)
        .stderr(contains("no OpenCL"));
}

#[test]
fn without_a_device_workers_search_as_with_device_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let graph = folder.path().join("graph.txt");
    brandes()
        .args([
            "generate",
            "erdos-renyi",
            "--vertices",
            "3000",
            "--edges",
            "24000",
            "--output",
        ])
        .arg(&graph)
        .assert()
        .success();
    let mut command = brandes();
    command.args(["run", graph.to_str().unwrap(), "--cpu-workers", "2", "-v"]);
    command.args(["--report", path.to_str().unwrap()]);
    // The folder has no OpenCL driver.
    command
        .env("OCL_ICD_VENDORS", folder.path())
        .env("OCL_ICD_FILENAMES", "");
    let text = stdout(&mut command);
    let report = read_json(&path);
    let workers = report["workers"].as_array().unwrap();
    assert!(workers.iter().all(|worker| worker["engine"] == "lanes"));
    let roots = workers
        .iter()
        .map(|worker| worker["roots"].as_u64().unwrap());
    assert_eq!(Some(roots.sum()), report["prepared"]["roots"].as_u64());
    let why = report["plan"]["why"].as_str().unwrap();
    assert!(why.contains("2 CPU workers (lanes, 64)"), "{why}");
    assert!(text.contains(why), "{text}");
}

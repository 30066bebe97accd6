//! `brandes run`, as a user sees it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use assert_cmd::{Command, cargo_bin_cmd};
use brandes::opencl::Strategy;
use brandes::opencl::strategy::SOURCES;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::Value;

const KARATE: &str = "bench-graphs/karate.txt";

fn brandes() -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// `brandes run GRAPH --device none` and more.
fn run(graph: &str, more: &[&str]) -> Command {
    let mut command = brandes();
    command.args(["run", graph, "--device", "none"]).args(more);
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn report(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn without_options_it_prints_a_summary_and_the_top_vertices() {
    let text = stdout(brandes().args(["run", KARATE]));
    for part in [
        "34 vertices, 78 edges",
        "seconds",
        "rank",
        "vertex",
        "score",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn scores_go_to_standard_output_and_nothing_else_does() {
    let text = stdout(run("-", &["--scores", "-"]).write_stdin("b a\nc b\nb a\n"));
    assert_eq!(text, "vertex,score\nb,1\na,0\nc,0\n");
}

#[test]
fn quiet_means_quiet() {
    run(KARATE, &["--quiet"])
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
}

#[test]
fn top_limits_the_table() {
    let text = stdout(&mut run(KARATE, &["--top", "1"]));
    let last = text.lines().last().unwrap();
    assert_eq!(
        last.split_whitespace().collect::<Vec<_>>(),
        ["1", "1", "231.071429"]
    );
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
fn the_report_is_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let graph = folder.path().join("graph.txt.gz");
    brandes()
        .args(["generate", "rmat", "--scale", "12", "-o"])
        .arg(&graph)
        .assert()
        .success();
    // PoCL or whatever the first device is, and one CPU worker beside it. The graph comes late, so that
    // a busy machine cannot make the search for devices later than that.
    let mut running = std::process::Command::new(env!("CARGO_BIN_EXE_brandes"))
        .args(["run", "-", "--device", "0", "--cpu-workers", "1"])
        .args(["--quiet", "--report"])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(200));
    let mut input = running.stdin.take().unwrap();
    input.write_all(&fs::read(&graph).unwrap()).unwrap();
    drop(input);
    assert!(running.wait().unwrap().success());
    let report = report(&path);

    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["kind"], "run");
    assert_eq!(report["program"]["name"], "brandes");
    assert_eq!(report["input"]["format"], "edgelist");
    let total = report["totals"]["seconds"].as_f64().unwrap();
    let spans = report["timeline"].as_array().unwrap();
    for span in spans {
        let (start, end) = (
            span["start"].as_f64().unwrap(),
            span["end"].as_f64().unwrap(),
        );
        assert!(0.0 <= start && start <= end && end <= total, "{span}");
    }
    let spread = &report["distributions"];
    let binned = |name: &str| -> u64 {
        let bins = spread[name].as_array().unwrap().iter();
        bins.map(|bin| bin["count"].as_u64().unwrap()).sum()
    };
    let vertices = report["input"]["vertices"].as_u64().unwrap();
    assert_eq!(binned("degree"), vertices);
    let zeros = spread["score_zeros"].as_u64().unwrap();
    assert_eq!(binned("score") + zeros, vertices);
    let last = spread["score"].as_array().unwrap().last().unwrap();
    assert!(last["from"].as_f64() <= report["checks"]["score_max"].as_f64());
    let asked = report["prepared"]["roots"].as_u64().unwrap();
    let workers = report["workers"].as_array().unwrap();
    let done: u64 = workers.iter().map(|w| w["roots"].as_u64().unwrap()).sum();
    assert!(asked > 0);
    assert_eq!(done, asked);

    let span = |track: &str, name: &str| {
        let found = spans
            .iter()
            .find(|s| s["track"] == track && s["name"] == name);
        let found = found.unwrap_or_else(|| panic!("no span {name} of {track}"));
        (
            found["start"].as_f64().unwrap(),
            found["end"].as_f64().unwrap(),
        )
    };
    let (read_start, read_end) = span("main", "read");
    let (find_start, _) = span("devices", "find devices");
    assert!(
        find_start < read_end,
        "devices are looked for while the graph is read"
    );
    assert!(read_start < span("devices", "find devices").1);
    let initialisation = &report["initialisation"];
    let ready = initialisation["ready"].as_f64();
    let graph_ready = initialisation["graph_ready"].as_f64().unwrap();
    let sticks_out = initialisation["sticks_out_seconds"].as_f64().unwrap();
    if let Some(ready) = ready {
        assert!((sticks_out - (ready - graph_ready).max(0.0)).abs() < 1e-9);
    }
}

#[test]
fn the_trace_is_the_timeline_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let (path, trace) = (
        folder.path().join("report.json"),
        folder.path().join("trace.json"),
    );
    brandes()
        .args(["run", "bench-graphs/rmat-10.txt.gz", "--quiet"])
        .args(["--device", "0", "--cpu-workers", "2", "--report"])
        .arg(&path)
        .arg("--trace")
        .arg(&trace)
        .assert()
        .success();
    let (report, trace) = (report(&path), report(&trace));
    let events = trace["traceEvents"].as_array().unwrap();
    let of_phase = |ph: &'static str| events.iter().filter(move |event| event["ph"] == ph);

    let named = |name: &'static str| of_phase("M").filter(move |event| event["name"] == name);
    assert_eq!(named("process_name").count(), 1);
    let track = |event: &Value| {
        let mut names = named("thread_name").filter(|name| name["tid"] == event["tid"]);
        let name = names.next().expect("every track has a name");
        assert!(names.next().is_none(), "{name} is not the only name");
        name["args"]["name"].as_str().unwrap().to_string()
    };
    let mut traced: Vec<(String, String, f64, f64)> = of_phase("X")
        .map(|event| {
            let number = |field: &str| event[field].as_f64().unwrap();
            let name = event["name"].as_str().unwrap().to_string();
            let (start, length) = (number("ts"), number("dur"));
            (track(event), name, start / 1e6, (start + length) / 1e6)
        })
        .collect();
    let mut reported: Vec<(String, String, f64, f64)> = report["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|span| {
            let text = |field: &str| span[field].as_str().unwrap().to_string();
            let number = |field: &str| span[field].as_f64().unwrap();
            (text("track"), text("name"), number("start"), number("end"))
        })
        .collect();
    let order = |a: &(String, String, f64, f64), b: &(String, String, f64, f64)| {
        (&a.0, &a.1).cmp(&(&b.0, &b.1)).then(a.2.total_cmp(&b.2))
    };
    traced.sort_by(order);
    reported.sort_by(order);
    assert_eq!(traced.len(), reported.len());
    assert_eq!(traced.len() + of_phase("M").count(), events.len());
    for (ours, theirs) in traced.iter().zip(&reported) {
        assert_eq!((&ours.0, &ours.1), (&theirs.0, &theirs.1));
        assert!((ours.2 - theirs.2).abs() < 1e-9, "{ours:?} {theirs:?}");
        assert!((ours.3 - theirs.3).abs() < 1e-9, "{ours:?} {theirs:?}");
    }
    for expected in ["main", "devices", "cpu 0", "cpu 1"] {
        assert!(traced.iter().any(|span| span.0 == expected), "{expected}");
    }
}

#[test]
fn a_trace_may_take_standard_output() {
    let text = stdout(&mut run(KARATE, &["--trace", "-"]));
    let trace: Value = serde_json::from_str(&text).unwrap();
    assert!(trace["traceEvents"].is_array());
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
    let report = report(&path);
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
            "nobody to search",
        ),
        (
            &["--strategy", "cpu", "--device", "all"],
            "drives no device",
        ),
        (
            &["--scores", "-", "--report", "-"],
            "cannot both be standard output",
        ),
        (
            &["--trace", "-", "--report", "-"],
            "--report and --trace cannot both be standard output",
        ),
        (
            &["--trace", "-", "--scores", "-"],
            "--scores and --trace cannot both be standard output",
        ),
        (&["--degree", "0"], "0"),
        (&["--roots", "9..3"], "is empty"),
        (&["--roots", "99"], "the graph has 34"),
        (&["--cpu-workers", "many"], "neither a number nor auto"),
        (&["--device", "a,,b"], "selector is empty"),
        (&["--precision", "f16"], "f16"),
        (&["--lanes", "48"], "multiple of 32"),
        (&["--lanes", "0"], "multiple of 32"),
        (&["--warp-size", "5"], "neither auto nor 4, 8, 16 or 32"),
        (&["--warp-size", "8"], "means nothing to --strategy auto"),
        (
            &["--strategy", "edge", "--warp-size", "8"],
            "means nothing to --strategy edge",
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
            &["--strategy", "virtual", "--lanes", "32"],
            "means nothing to --strategy virtual",
        ),
        (
            &["--strategy", "edge-device", "--degree", "8"],
            "means nothing to --strategy edge-device",
        ),
        (
            &["--strategy", "cpu", "--degree", "8"],
            "means nothing to --strategy cpu",
        ),
        (
            &["--device", "none", "--strategy", "lanes"],
            "needs a device",
        ),
    ] {
        let mut command = brandes();
        command.args(["run", KARATE]).args(options);
        command
            .assert()
            .code(2)
            .stderr(contains(message))
            .stdout(is_empty());
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

#[test]
fn an_output_file_is_replaced_through_its_links_and_devices_are_written_to() {
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
fn a_device_that_does_not_exist_is_an_error_that_lists_those_that_do() {
    let mut command = brandes();
    command.args(["run", KARATE, "--device", "no such device"]);
    command.assert().code(1).stderr(contains(
        "no OpenCL device matches 'no such device'; there are: 0 (",
    ));
}

#[test]
fn without_an_opencl_library_the_cpu_does_the_work() {
    let without = |options: &[&str]| {
        let mut command = brandes();
        // A library that is none: opencl3 tries this path first, then the system's.
        command.args(["run", KARATE]).args(options);
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
fn two_devices_share_one_counter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let (scores, reference) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    let graph = folder.path().join("graph.txt");
    brandes()
        .args(["generate", "rmat", "--scale", "12", "-o"])
        .arg(&graph)
        .assert()
        .success();
    let both = |graph: &Path| {
        let mut command = brandes();
        command.arg("run").arg(graph);
        command.args(["--device", "0,1", "--cpu-workers", "0", "--quiet"]);
        command.env("POCL_DEVICES", "pthread pthread");
        command
    };
    // Compiled kernels are kept, so that in the second run both devices are ready at once.
    both(Path::new(KARATE)).assert().success();
    both(&graph)
        .arg("--report")
        .arg(&path)
        .arg("--scores")
        .arg(&scores)
        .assert()
        .success();
    let report = report(&path);
    let workers = report["workers"].as_array().unwrap();
    assert_eq!(workers.len(), 2, "{workers:?}");
    assert!(
        workers
            .iter()
            .all(|w| w["kind"] == "device" && w["roots"].as_u64() > Some(0))
    );

    let reference_path = reference.to_str().unwrap();
    run(
        graph.to_str().unwrap(),
        &["--quiet", "--scores", reference_path],
    )
    .assert()
    .success();
    brandes()
        .arg("compare")
        .arg(&scores)
        .arg(&reference)
        .assert()
        .success();
}

#[test]
fn a_failing_device_is_one_warning_and_right_scores() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    brandes()
        .args([
            "run",
            "bench-graphs/rmat-10.txt.gz",
            "--device",
            "0",
            "--cpu-workers",
            "0",
        ])
        .args(["--fail-device-at", "search:2", "--quiet", "--report"])
        .arg(&path)
        .assert()
        .success()
        .stderr(contains("failed: planned failure at step 'search:2'"))
        .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    let report = report(&path);
    assert_eq!(report["devices"][0]["state"], "failed");
    assert!(report["devices"][0]["returned"].as_u64() > Some(0));
    assert_eq!(report["checks"]["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn built_programs_are_kept_and_a_damaged_cache_is_rebuilt_silently() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, path) = (
        folder.path().join("cache"),
        folder.path().join("report.json"),
    );
    let from_cache = |options: &[&str]| {
        let mut command = brandes();
        command.args([
            "run",
            "bench-graphs/rmat-10.txt.gz",
            "--device",
            "0",
            "--cpu-workers",
            "0",
            // What `auto` builds depends on whether the graph or the device is there first.
            "--strategy",
            "lanes",
        ]);
        command
            .args(["--quiet", "--report"])
            .arg(&path)
            .args(options);
        command.env("BRANDES_CACHE_DIR", &cache);
        command.assert().success().stderr(is_empty());
        report(&path)["devices"][0]["program_from_cache"]
            .as_bool()
            .unwrap()
    };
    let kept = || {
        fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };

    assert!(!from_cache(&["--no-cache"]));
    assert!(!cache.exists());
    assert!(!from_cache(&[]));
    assert!(from_cache(&[]));
    assert!(!from_cache(&["--no-cache"]));
    assert!(
        !from_cache(&["--precision", "f32"]),
        "other options, other programs"
    );
    // In f64 and in f32.
    let programs = SOURCES.iter().filter(|s| s.needed_by(Strategy::Lanes));
    assert_eq!(kept().count(), 2 * programs.count());
    for file in kept() {
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    assert!(!from_cache(&[]));
    assert!(from_cache(&[]));
    for file in kept() {
        fs::write(&file, "").unwrap();
    }
    assert!(!from_cache(&[]));
}

#[test]
fn chains_are_contracted_where_it_pays_and_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let report_of = |more: &[&str]| {
        // A cycle of ten vertices.
        let text: String = (0..10).map(|v| format!("{v} {}\n", (v + 1) % 10)).collect();
        let to = path.to_str().unwrap();
        let mut command = run("-", &["--report", to]);
        command.args(more).write_stdin(text);
        (stdout(&mut command), report(&path)["prepared"].clone())
    };
    let (text, prepared) = report_of(&[]);
    assert!(text.contains("contracted to 1 junctions and 1 chains of up to 10 edges"));
    assert_eq!(prepared["roots"], 1);
    assert_eq!(prepared["junctions"], 1);
    assert_eq!(prepared["longest_chain"], 10);
    let (text, prepared) = report_of(&["--chains", "never"]);
    assert!(!text.contains("contracted"));
    assert_eq!(prepared["roots"], 10);
    assert!(prepared["chains"].is_null());

    let refused = |arguments: &[&str], why: &str| {
        brandes()
            .args(["run", KARATE, "--chains", "always"])
            .args(arguments)
            .assert()
            .failure()
            .stderr(contains(why));
    };
    refused(&["--strategy", "lanes"], "--strategy chains");
    refused(&["--strategy", "cpu", "--directed"], "undirected");
    refused(&["--strategy", "chains", "--directed"], "undirected");
    brandes()
        .args(["run", KARATE, "--strategy", "chains", "--chains", "never"])
        .assert()
        .failure()
        .stderr(contains("--strategy chains contracts chains"));
}

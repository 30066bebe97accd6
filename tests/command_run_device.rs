//! Tests `brandes run` on OpenCL devices as a user sees it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::common::program::{KARATE, brandes, read_json, run};
use predicates::str::{contains, is_empty, starts_with};

#[test]
fn sums_at_the_ends_of_chains_in_mixed_precision_have_no_error_bound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let bound = |reduce: &str| {
        // The graph is a cycle of ten vertices.
        let text: String = (0..10).map(|v| format!("{v} {}\n", (v + 1) % 10)).collect();
        let options = ["--strategy", "hierarchy", "--precision", "mixed"];
        let mut command = brandes();
        command.args(["run", "-"]).args(options);
        command.args(["--device", "0", "--cpu-workers", "0", "--reduce", reduce]);
        command.arg("--report").arg(&path).write_stdin(text);
        command.assert().success();
        read_json(&path)["checks"]["error_bound"].clone()
    };
    assert!(bound("fold").as_f64().unwrap() > 0.0);
    assert!(bound("chains").is_null());
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
    // The run uses the first device and one CPU worker. The graph arrives late, so that even on a
    // busy machine the devices are found before.
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
    let report = read_json(&path);

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
    let roots = report["prepared"]["roots"].as_u64().unwrap();
    let workers = report["workers"].as_array().unwrap();
    let searched: u64 = workers.iter().map(|w| w["roots"].as_u64().unwrap()).sum();
    assert!(roots > 0);
    assert_eq!(searched, roots);

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
fn a_device_is_credited_only_with_what_it_searched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    // The worker finishes this graph long before the device is ready.
    let mut command = brandes();
    command.args(["run", KARATE, "--device", "0", "--cpu-workers", "1"]);
    let output = command.arg("--report").arg(&path).assert().success();
    let messages = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    let report = read_json(&path);
    let workers = report["workers"].as_array().unwrap().iter();
    let searched = workers
        .filter(|worker| worker["kind"] == "device")
        .any(|worker| worker["roots"].as_u64() > Some(0));
    let why = report["plan"]["why"].as_str().unwrap();
    assert_eq!(why.contains(" on "), searched, "{why}");
    let warned = messages.contains("searched nothing") || messages.contains("no device searched");
    assert_eq!(warned, !searched, "{messages}");
    assert_eq!(
        messages.contains("--cpu-workers 0"),
        !searched,
        "{messages}"
    );
}

#[test]
fn the_message_about_a_driver_without_devices_has_the_reason() {
    for command in [&["devices"][..], &["run", KARATE, "--device", "0"]] {
        // This folder cannot be created.
        let output = brandes()
            .args(command)
            .env("POCL_CACHE_DIR", "/proc/none")
            .output()
            .unwrap();
        let messages = String::from_utf8(output.stderr).unwrap();
        if !messages.contains("Portable Computing Language") {
            return; // There are other drivers.
        }
        let failed = command[0] == "run";
        assert!(
            !failed || messages.contains("the CPU did all the work"),
            "{messages}"
        );
        assert!(
            messages.contains("no device found on OpenCL platform 0"),
            "{messages}"
        );
        assert!(
            messages.contains("set POCL_CACHE_DIR to a folder"),
            "{messages}"
        );
    }
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
        command.args(["--strategy", "virtual"]);
        command.env("POCL_DEVICES", "pthread pthread");
        command
    };
    // Compiled kernels are cached, so that in the second run both devices are ready at once.
    both(Path::new(KARATE)).assert().success();
    both(&graph)
        .arg("--report")
        .arg(&path)
        .arg("--scores")
        .arg(&scores)
        .assert()
        .success();
    let report = read_json(&path);
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
fn built_programs_are_cached_and_a_damaged_cache_is_rebuilt_silently() {
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
            // The programs that `auto` builds depend on whether the graph or the device is ready
            // first.
            "--strategy",
            "vertex",
        ]);
        command
            .args(["--quiet", "--report"])
            .arg(&path)
            .args(options);
        command.env("BRANDES_CACHE_DIR", &cache);
        command.assert().success().stderr(is_empty());
        read_json(&path)["devices"][0]["program_from_cache"]
            .as_bool()
            .unwrap()
    };
    let cached = || {
        fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };

    assert!(!from_cache(&["--no-cache"]));
    assert!(!cache.exists());
    // Where a separate process probes the driver, it builds the program first, and caches it.
    from_cache(&[]);
    assert!(from_cache(&[]));
    assert!(!from_cache(&["--no-cache"]));
    assert_eq!(cached().count(), 1);
    assert!(from_cache(&["--precision", "f32"]));
    assert_eq!(cached().count(), 2, "other options need other programs");
    let damage = |change: &dyn Fn(&mut Vec<u8>)| {
        let damaged = cached().map(|file| {
            let mut bytes = fs::read(&file).unwrap();
            change(&mut bytes);
            fs::write(&file, &bytes).unwrap();
            (file, bytes)
        });
        let damaged: Vec<_> = damaged.collect();
        from_cache(&[]);
        let built = |(file, bytes): &&(PathBuf, Vec<u8>)| fs::read(file).unwrap() != *bytes;
        assert_eq!(damaged.iter().filter(built).count(), 1);
    };
    damage(&|bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
    damage(&Vec::clear);
}

#[test]
fn a_device_gives_the_edge_scores_of_the_cpu() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["device.csv", "cpu.csv"].map(|name| folder.path().join(name));
    let path = folder.path().join("report.json");
    for (file, options) in files.iter().zip([
        &["--device", "0", "--cpu-workers", "0"][..],
        &["--device", "none"],
    ]) {
        brandes()
            .args(["run", KARATE, "--quiet", "--edges"])
            .arg(file)
            .arg("--report")
            .arg(&path)
            .args(options)
            .assert()
            .success()
            .stderr(is_empty());
        let by_device = read_json(&path)["workers"][0]["kind"] == "device";
        assert_eq!(by_device, options[1] == "0");
    }
    brandes()
        .arg("compare")
        .args(&files)
        .assert()
        .success()
        .stdout(starts_with("78 scores compared, all agree"));
}

#[test]
fn a_work_group_that_a_named_device_cannot_run_is_an_error() {
    let mut command = brandes();
    command.args(["run", KARATE, "--device", "0", "--work-group", "100000"]);
    let output = command.assert().code(2).stdout(is_empty());
    output.stderr(contains("work-items, not 100000; use --work-group "));
}

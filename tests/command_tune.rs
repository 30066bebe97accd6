//! Tests `brandes tune` as a user sees it.

use std::fs;
use std::path::Path;

use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::common::program::{KARATE, RMAT, read_json, stdout};
use crate::common::tuned::{brandes, cached_profiles, folder, tune, tune_cpu};

#[test]
fn the_result_is_a_command_a_report_and_a_profile() {
    let (cache, folder) = (folder(), folder());
    let graph = folder.path().join("it's a graph.txt");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(KARATE), &graph).unwrap();
    let (report, profile) = (folder.path().join("t.json"), folder.path().join("p.json"));
    let mut command = tune(&cache, &[graph.to_str().unwrap(), "--directed"]);
    command.args(["--strategy", "virtual,cpu", "--budget", "20"]);
    command.args(["--degree", "4,16", "--work-group", "32,64"]);
    command
        .arg("--json")
        .arg(&report)
        .arg("--profile")
        .arg(&profile);
    let text = stdout(&mut command);

    let line = text.lines().last().unwrap();
    let quoted = format!("brandes run \"{}\"", graph.display());
    assert!(line.starts_with(&quoted), "{line}");
    assert!(line.contains("--directed"), "{line}");
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
    let run_report = folder.path().join("run.json");
    let pasted = std::process::Command::new("bash")
        .args(["-ec", &format!("{line} --report {}", run_report.display())])
        .env("PATH", path)
        .env("BRANDES_CACHE_DIR", cache.path())
        .output()
        .unwrap();
    assert!(pasted.status.success(), "{line}\n{pasted:?}");

    let report = read_json(&report);
    assert_eq!(report["kind"], "tune");
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["devices"][0]["number"], 0);
    let (tuned, part) = (&report["tune"], &report["graphs"][0]);
    assert_eq!(part["vertices"], 34);
    assert_eq!(tuned["budget_seconds"], 20.0);
    // On a busy machine, the search that is running when the budget ends may take long.
    assert!(tuned["seconds"].as_f64().unwrap() < 40.0, "{tuned}");
    let settings = part["strategies"].as_array().unwrap();
    let setting = |name: &str| &settings[tuned[name].as_u64().unwrap() as usize];
    assert_eq!(setting("default")["strategy"], "auto");
    for one in settings {
        assert!(one["failure"].is_null(), "{one}");
        assert!(one["spread"]["median"].as_f64().unwrap() > 0.0);
        assert_eq!(one["roots"], part["roots"]);
    }
    let (best, adopted) = (setting("best"), setting("adopted"));
    assert_eq!(best["best"], true);
    assert!([best, setting("default")].contains(&adopted), "{tuned}");
    let dropped = tuned["dropped"].as_array().unwrap();
    assert_eq!(dropped.len(), settings.len() - 1);
    assert!(!dropped.contains(&tuned["best"]));

    // The printed command repeats the measured setting: the device alone, or CPU workers alone.
    let run_report = read_json(&run_report);
    let by_cpu = adopted["strategy"] == "cpu";
    assert_eq!(run_report["checks"]["warnings"], Value::Array(Vec::new()));
    let workers = run_report["workers"].as_array().unwrap();
    let kind = if by_cpu { "cpu" } else { "device" };
    assert!(
        workers.iter().all(|w| w["kind"] == kind),
        "{line}: {run_report}"
    );
    if !by_cpu {
        for field in ["strategy", "degree", "lanes", "work_group", "warp_size"] {
            assert_eq!(run_report["plan"][field], adopted[field], "{line}: {field}");
        }
    }

    let profile = read_json(&profile);
    assert_eq!(
        (&profile["kind"], &profile["schema_version"]),
        (&"profile".into(), &1.into())
    );
    for field in ["strategy", "degree", "lanes", "work_group", "warp_size"] {
        assert_eq!(profile[field], adopted[field], "{field}");
    }
    assert_eq!(profile["device"], report["devices"][0]["name"]);
    assert_eq!(profile["driver"], report["devices"][0]["driver"]);
    assert_eq!(cached_profiles(&cache).len(), 1);
    assert_eq!(
        read_json(&cache.path().join(&cached_profiles(&cache)[0])),
        profile
    );
}

#[test]
fn wrong_options_are_refused_before_measuring() {
    let cache = folder();
    let refused = |args: &[&str], text: &str| {
        let mut command = brandes(&cache);
        command.arg("tune").args(args);
        command
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(contains(text));
    };
    refused(
        &[KARATE, "--device", "none", "--strategy", "lanes"],
        "remove --device none",
    );
    // `tune` refuses the options that `run` refuses.
    refused(
        &[
            KARATE,
            "--device",
            "none",
            "--strategy",
            "cpu-lanes",
            "--reduce",
            "chains",
        ],
        "cpu-lanes cannot be measured: --cpu-engine lanes does not serve sources inside chains",
    );
    refused(
        &[
            KARATE,
            "--device",
            "none",
            "--strategy",
            "cpu-hierarchy",
            "--reduce",
            "twins",
        ],
        "--cpu-engine hierarchy cannot search merged twins",
    );
    refused(
        &[KARATE, "--device", "none", "--degree", "4"],
        "none of these strategies takes the values of --degree",
    );
    refused(&[KARATE, "--strategy", "fast"], "there is no such strategy");
    refused(&[KARATE, "--budget", "0"], "not a number above 0");
    refused(&[KARATE, "--device-lanes", "33"], "multiple of 32");
    refused(
        &[KARATE, "--strategy", "lanes", "--device-lanes", "8"],
        "none of these strategies takes the values of --device-lanes",
    );
    refused(
        &[KARATE, "--warp-size", "5"],
        "neither auto nor 4, 8, 16 or 32",
    );
    refused(
        &[KARATE, "--strategy", "local", "--degree", "4"],
        "none of these strategies takes the values of --degree",
    );
    refused(
        &[KARATE, "--json", "-", "--profile", "-"],
        "cannot both be standard output",
    );
    let mut command = brandes(&cache);
    command.args(["run", KARATE, "--profile", "x", "--no-profile"]);
    command.assert().code(2);
    // A tree needs no searches.
    let mut command = tune(&cache, &["-"]);
    command.write_stdin("0 1\n1 2\n");
    command.assert().code(1).stderr(contains("nothing to tune"));
}

#[test]
fn graphs_with_and_without_merged_twins_are_compared_by_scores_only() {
    let (cache, folder) = (folder(), folder());
    // Merged twins leave two vertices of this graph, but the hierarchy is built on all of them.
    let graph = folder.path().join("bipartite.txt");
    let edges = (0..20).flat_map(|a| (20..50).map(move |b| format!("{a} {b}\n")));
    fs::write(&graph, edges.collect::<String>()).unwrap();
    let mut command = tune_cpu(&cache, &[graph.to_str().unwrap(), "--device", "none"]);
    command.assert().success();
}

#[test]
fn without_opencl_the_engine_of_cpu_workers_is_found() {
    let (cache, folder) = (folder(), folder());
    let (report, profile) = (folder.path().join("t.json"), folder.path().join("p.json"));
    for device in [&["--device", "none"][..], &[]] {
        let mut command = tune_cpu(&cache, &[&[RMAT], device].concat());
        command.arg("--json").arg(&report);
        let output = command.arg("--profile").arg(&profile).assert().success();
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert_eq!(
            stderr.contains("no OpenCL platform"),
            device.is_empty(),
            "{stderr}"
        );
        let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        let line = text.lines().last().unwrap();
        assert!(line.starts_with("brandes run bench-graphs/rmat-10.txt.gz --strategy cpu"));
        let tuned = read_json(&report);
        assert_eq!(tuned["devices"], Value::Array(Vec::new()));
        let candidates = tuned["graphs"][0]["strategies"].as_array().unwrap();
        for name in [
            "cpu",
            "cpu-plain",
            "cpu-lanes",
            "cpu-clustered",
            "cpu-hierarchy",
        ] {
            let is_candidate = candidates
                .iter()
                .any(|candidate| candidate["strategy"] == name);
            assert!(is_candidate, "{name}: {tuned}");
        }
        let found = read_json(&profile);
        assert_eq!(found["strategy"], "cpu");
        assert_eq!(
            read_json(&cache.path().join(&cached_profiles(&cache)[0])),
            found
        );
    }
}

#[test]
fn the_command_for_a_graph_whose_name_begins_with_a_dash_works() {
    let (cache, folder) = (folder(), folder());
    fs::copy(RMAT, folder.path().join("-dash.txt.gz")).unwrap();
    let mut command = brandes(&cache);
    command.args(["tune", "--device", "none", "--budget", "1", "--quiet"]);
    command.args(["--", "-dash.txt.gz"]);
    let text = stdout(command.current_dir(folder.path()));
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words[..3], ["brandes", "run", "./-dash.txt.gz"], "{text}");
    let mut command = brandes(&cache);
    let run = command.current_dir(folder.path()).args(&words[1..]);
    run.assert().success();
}

#[test]
fn lanes_of_cores_are_those_that_run_allows() {
    let cache = folder();
    let mut command = tune_cpu(&cache, &[RMAT, "--device", "none", "--no-cache"]);
    command.args(["--strategy", "cpu-lanes", "--device-lanes", "8,16"]);
    let text = stdout(&mut command);
    for lanes in ["8", "16"] {
        let has = |line: &str| line.split_whitespace().take(2).eq(["cpu-lanes", lanes]);
        assert!(text.lines().any(has), "{text}");
    }
}

#[test]
fn mixed_precision_is_measured_and_repeated_where_cores_have_it() {
    let (cache, folder) = (folder(), folder());
    let profile = folder.path().join("p.json");
    let tune = |strategy: &str| {
        let mut command = tune_cpu(&cache, &[RMAT, "--device", "none", "--precision", "mixed"]);
        command.args(["--strategy", strategy, "--quiet"]);
        stdout(command.arg("--profile").arg(&profile))
    };
    for strategy in ["cpu-lanes", "cpu-plain"] {
        let line = tune(strategy);
        let words: Vec<&str> = line.split_whitespace().collect();
        let plain = line.contains("--cpu-engine plain");
        assert_eq!(line.contains("--precision mixed"), !plain, "{line}");
        let precision = if plain { "f64" } else { "mixed" };
        assert_eq!(read_json(&profile)["precision"], precision, "{line}");
        brandes(&cache).args(&words[1..]).assert().success();
    }
}

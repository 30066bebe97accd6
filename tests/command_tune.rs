//! `brandes tune`, as a user sees it, and what `brandes run` makes of its profiles.

use std::fs;
use std::path::Path;
use std::time::Instant;

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use tempfile::TempDir;

const KARATE: &str = "bench-graphs/karate.txt";
const RMAT: &str = "bench-graphs/rmat-10.txt.gz";

/// A program with a cache folder of its own for profiles. (Kernels are built anew in it: strategies
/// are few where they need not be many.)
fn brandes(cache: &TempDir) -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.env("BRANDES_CACHE_DIR", cache.path());
    command
}

fn tune(cache: &TempDir, args: &[&str]) -> Command {
    let mut command = brandes(cache);
    command.arg("tune").args(args).args(["--device", "0"]);
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn kept(cache: &TempDir) -> Vec<String> {
    let names = fs::read_dir(cache.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("tuned-")).collect()
}

/// The plan of a run's report.
fn plan(command: &mut Command) -> Value {
    let folder = folder();
    let path = folder.path().join("report.json");
    command.arg("--report").arg(&path).assert().success();
    json(&path)["plan"].clone()
}

#[test]
fn what_is_found_is_a_line_to_paste_a_report_and_a_profile() {
    let (cache, folder) = (folder(), folder());
    let graph = folder.path().join("it's a graph.txt");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(KARATE), &graph).unwrap();
    let (report, profile) = (folder.path().join("t.json"), folder.path().join("p.json"));
    let start = Instant::now();
    let mut command = tune(&cache, &[graph.to_str().unwrap(), "--directed"]);
    command.args(["--strategies", "virtual,cpu", "--budget", "20"]);
    command.args(["--degrees", "4,16", "--work-groups", "32,64"]);
    command
        .arg("--report")
        .arg(&report)
        .arg("--profile")
        .arg(&profile);
    let text = stdout(&mut command);
    // Unavoidable: reading, opening the device, its first kernels.
    assert!(start.elapsed().as_secs_f64() < 60.0);

    let line = text.lines().last().unwrap();
    let quoted = format!("brandes run \"{}\"", graph.display());
    assert!(line.starts_with(&quoted), "{line}");
    assert!(line.contains("--directed"), "{line}");
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), std::env::var("PATH").unwrap());
    let pasted = std::process::Command::new("bash")
        .args(["-ec", line])
        .env("PATH", path)
        .env("BRANDES_CACHE_DIR", cache.path())
        .output()
        .unwrap();
    assert!(pasted.status.success(), "{line}\n{pasted:?}");

    let report = json(&report);
    assert_eq!(report["kind"], "tune");
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["input"]["vertices"], 34);
    assert_eq!(report["device"]["number"], 0);
    let tuned = &report["tune"];
    assert_eq!(tuned["budget_seconds"], 20.0);
    assert!(tuned["seconds"].as_f64().unwrap() < 22.0, "{tuned}");
    assert_eq!(tuned["roots"], report["prepared"]["roots"]);
    assert_eq!(tuned["default"], 0);
    let candidates = tuned["candidates"].as_array().unwrap();
    assert_eq!(candidates[0]["strategy"], "auto");
    for candidate in candidates {
        assert!(candidate["failure"].is_null(), "{candidate}");
        for round in candidate["rounds"].as_array().unwrap() {
            assert!(round["median"].as_f64().unwrap() > 0.0);
            assert!(!round["seconds"].as_array().unwrap().is_empty());
        }
    }
    let best = &candidates[tuned["best"].as_u64().unwrap() as usize];
    assert!(best["predicted_seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(best["dropped_after"], Value::Null);
    let check = &tuned["check"];
    let adopted = match check["adopted"].as_str().unwrap() {
        "best" => best,
        "default" => &candidates[0],
        other => panic!("{other}"),
    };
    if check["roots"].as_u64().unwrap() > 0 {
        let count = |side: &str| check[side].as_array().unwrap().len();
        assert_eq!(count("best_seconds"), count("default_seconds"));
        assert!(check["ratio"].as_f64().unwrap() > 0.0);
    } else {
        assert_eq!(tuned["best"], tuned["default"]);
    }

    let profile = json(&profile);
    assert_eq!(
        (&profile["kind"], &profile["schema_version"]),
        (&"profile".into(), &1.into())
    );
    for field in ["strategy", "degree", "lanes", "work_group", "warp_size"] {
        assert_eq!(profile[field], adopted[field], "{field}");
    }
    assert_eq!(profile["device"], report["device"]["name"]);
    assert_eq!(profile["driver"], report["device"]["driver"]);
    assert_eq!(kept(&cache).len(), 1);
    assert_eq!(json(&cache.path().join(&kept(&cache)[0])), profile);
}

#[test]
fn a_sweep_measures_every_combination() {
    let (cache, folder) = (folder(), folder());
    let report = folder.path().join("t.json");
    let mut command = tune(
        &cache,
        &[RMAT, "--sweep", "--budget", "12", "--no-cache", "--quiet"],
    );
    command.args(["--strategies", "virtual", "--degrees", "4,8,16"]);
    let text = stdout(command.arg("--report").arg(&report));
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.starts_with("brandes run bench-graphs/rmat-10.txt.gz "),
        "{text}"
    );
    let tuned = &json(&report)["tune"];
    let degrees: Vec<_> = tuned["candidates"].as_array().unwrap().iter().collect();
    let degrees: Vec<_> = degrees
        .iter()
        .map(|c| (c["strategy"].as_str().unwrap(), c["degree"].as_u64()))
        .collect();
    let expected = [
        ("auto", None),
        ("virtual", Some(4)),
        ("virtual", Some(8)),
        ("virtual", Some(16)),
    ];
    assert_eq!(degrees, expected);
    for candidate in tuned["candidates"].as_array().unwrap() {
        assert!(candidate["dropped_after"].is_null(), "{candidate}");
        assert!(!candidate["rounds"].as_array().unwrap().is_empty());
    }
    assert!(kept(&cache).is_empty(), "--no-cache");
}

/// A profile as `tune` would write it, kept in the cache under the name it has there.
fn keep_profile(cache: &TempDir, change: impl Fn(&mut Value)) -> std::path::PathBuf {
    let mut command = tune(
        cache,
        &[KARATE, "--strategies", "virtual", "--budget", "0.01"],
    );
    command.assert().success();
    let path = cache.path().join(&kept(cache)[0]);
    let mut profile = json(&path);
    change(&mut profile);
    fs::write(&path, profile.to_string()).unwrap();
    path
}

#[test]
fn runs_take_profiles_from_the_cache_and_say_so() {
    let cache = folder();
    let path = keep_profile(&cache, |profile| {
        profile["strategy"] = "virtual".into();
        profile["degree"] = 4.into();
        profile["work_group"] = 32.into();
    });
    let run = |args: &[&str]| {
        let mut command = brandes(&cache);
        command
            .args(["run", KARATE, "--device", "0", "--cpu-workers", "0", "-v"])
            .args(args);
        command
    };
    let text = stdout(&mut run(&[]));
    assert!(
        text.contains(&format!("as tuned: {}", path.display())),
        "{text}"
    );
    assert!(text.contains("virtual (D 4, f64)"), "{text}");
    let taken = plan(&mut run(&[]));
    assert_eq!(taken["profile"], path.to_str().unwrap());
    assert_eq!(taken["strategy"], "virtual");
    assert_eq!(
        (&taken["degree"], &taken["work_group"]),
        (&4.into(), &32.into())
    );
    for options in [
        &["--no-profile"][..],
        &["--no-cache"],
        &["--strategy", "auto"],
        &["--degree", "8"],
        &["--precision", "f32"],
        &["--directed"],
    ] {
        assert_eq!(
            plan(&mut run(options))["profile"],
            Value::Null,
            "{options:?}"
        );
    }
    // The same scores, whatever the profile says.
    let scores = |args: &[&str]| stdout(run(args).args(["--scores", "-"]));
    let lines = |text: String| text.lines().count();
    assert_eq!(lines(scores(&[])), 35);
    assert_eq!(lines(scores(&["--no-profile"])), 35);

    // One that contracts, where auto would not; and back.
    let change = |strategy: &str| {
        let mut profile = json(&path);
        profile["strategy"] = strategy.into();
        profile["degree"] = Value::Null;
        profile["work_group"] = Value::Null;
        fs::write(&path, profile.to_string()).unwrap();
    };
    change("chains");
    let text = stdout(&mut run(&[]));
    assert!(text.contains("contracted to 22 junctions"), "{text}");
    assert!(text.contains("chains ("), "{text}");
    change("cpu");
    let mut command = brandes(&cache);
    command.args(["run", KARATE, "--device", "0"]);
    // A device was named: the profile does not fit, and nobody asked for it.
    assert_eq!(plan(&mut command)["profile"], Value::Null);
}

#[test]
fn profiles_that_auto_would_contract_for_are_not_contracted() {
    let (cache, folder) = (folder(), folder());
    let graph = folder.path().join("ring.txt");
    brandes(&cache)
        .args(["generate", "cycle", "--vertices", "40000", "-o"])
        .arg(&graph)
        .assert()
        .success();
    let graph = graph.to_str().unwrap();
    let args = [graph, "--strategies", "local", "--budget", "0.01"];
    tune(&cache, &args).assert().success();
    let path = cache.path().join(&kept(&cache)[0]);
    let mut profile = json(&path);
    profile["strategy"] = "local".into();
    fs::write(&path, profile.to_string()).unwrap();
    let run = |more: &[&str]| {
        let mut command = brandes(&cache);
        command
            .args([
                "run",
                graph,
                "--device",
                "0",
                "--roots",
                "2",
                "--cpu-workers",
                "0",
                "--verbose",
            ])
            .args(more);
        stdout(&mut command)
    };
    assert!(run(&["--no-profile", "--chains", "always"]).contains("contracted"));
    let text = run(&[]);
    assert!(text.contains("local ("), "{text}");
    assert!(!text.contains("contracted"), "{text}");
}

#[test]
fn a_profile_given_is_used_and_what_differs_is_a_warning() {
    let (cache, folder) = (folder(), folder());
    let path = folder.path().join("p.json");
    keep_profile(&cache, |_| {});
    let mut profile = json(&cache.path().join(&kept(&cache)[0]));
    profile["strategy"] = "virtual".into();
    profile["degree"] = 4.into();
    fs::write(&path, profile.to_string()).unwrap();
    let run = |graph: &str, args: &[&str]| {
        let mut command = brandes(&cache);
        command.args(["run", graph, "--device", "0", "--cpu-workers", "0"]);
        command.arg("--profile").arg(&path).args(args);
        command
    };
    run(KARATE, &[]).assert().success().stderr(is_empty());
    let taken = plan(&mut run(KARATE, &["--degree", "8"]));
    assert_eq!(
        (&taken["strategy"], &taken["degree"]),
        (&"virtual".into(), &8.into())
    );
    let warned = |graph: &str, args: &[&str], text: &str| {
        let line = format!("brandes: warning: {text}\n");
        run(graph, args).assert().success().stderr(line);
    };
    warned(
        "bench-graphs/florentine.txt",
        &[],
        "the profile was tuned for another graph",
    );
    warned(
        KARATE,
        &["--strategy", "local"],
        "the profile is not used: it is of strategy virtual",
    );
    warned(
        KARATE,
        &["--precision", "f32"],
        "the profile was tuned for another --precision",
    );
    let device = profile["device"].as_str().unwrap().to_string();
    profile["driver"] = "0.1".into();
    fs::write(&path, profile.to_string()).unwrap();
    warned(
        KARATE,
        &[],
        &format!("the profile was tuned for {device} (driver 0.1)"),
    );

    let refused = |text: &str, message: &str| {
        fs::write(&path, text).unwrap();
        let assert = run(KARATE, &[]).assert().code(1);
        let one_line = predicate::function(|text: &str| text.lines().count() == 1);
        assert.stderr(contains(message).and(one_line));
    };
    refused("vertex,score\n", "p.json: this is no profile (");
    refused(
        r#"{"schema_version":1,"kind":"tune"}"#,
        "this is no profile, but a tune",
    );
    fs::remove_file(&path).unwrap();
    run(KARATE, &[])
        .assert()
        .code(1)
        .stderr(contains("p.json: No such file"));
}

#[test]
fn what_makes_no_sense_is_said_at_once() {
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
        &[KARATE, "--device", "none", "--strategies", "lanes"],
        "leave --device none out",
    );
    refused(
        &[KARATE, "--device", "none", "--degrees", "4"],
        "--degrees mean nothing to these --strategies",
    );
    refused(
        &[KARATE, "--strategies", "fast"],
        "there is no such strategy",
    );
    refused(
        &[KARATE, "--budget", "0"],
        "not a number of seconds above 0",
    );
    refused(&[KARATE, "--lanes", "33"], "multiple of 32");
    refused(
        &[KARATE, "--warp-sizes", "5"],
        "neither auto nor 4, 8, 16 or 32",
    );
    refused(
        &[KARATE, "--strategies", "local", "--degrees", "4"],
        "--degrees mean nothing to these --strategies",
    );
    refused(
        &[KARATE, "--report", "-", "--profile", "-"],
        "cannot both be standard output",
    );
    let mut command = brandes(&cache);
    command.args(["run", KARATE, "--profile", "x", "--no-profile"]);
    command.assert().code(2);
    // A tree has no searches.
    let mut command = tune(&cache, &["-"]);
    command.write_stdin("0 1\n1 2\n");
    command.assert().code(1).stderr(contains("nothing to tune"));
}

/// `brandes tune` without a device, with or without being asked for that.
fn tune_cpu(cache: &TempDir, args: &[&str]) -> Command {
    let mut command = brandes(cache);
    command.arg("tune").args(args).args(["--budget", "1"]);
    command.env("OCL_ICD_VENDORS", cache.path());
    command.env("OCL_ICD_FILENAMES", "");
    command
}

#[test]
fn without_opencl_the_engine_of_cpu_workers_is_found() {
    let (cache, folder) = (folder(), folder());
    let (report, profile) = (folder.path().join("t.json"), folder.path().join("p.json"));
    for device in [&["--device", "none"][..], &[]] {
        let mut command = tune_cpu(&cache, &[&[RMAT], device].concat());
        command.arg("--report").arg(&report);
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
        let tuned = json(&report);
        assert!(tuned["device"].is_null());
        let candidates = tuned["tune"]["candidates"].as_array().unwrap();
        assert_eq!(candidates[0]["strategy"], "cpu");
        for name in ["cpu-plain", "cpu-lanes", "cpu-clustered", "cpu-chains"] {
            let there = candidates
                .iter()
                .any(|candidate| candidate["strategy"] == name);
            assert!(there, "{name}: {tuned}");
        }
        let found = json(&profile);
        assert_eq!(found["strategy"], "cpu");
        assert_eq!(json(&cache.path().join(&kept(&cache)[0])), found);
    }
}

#[test]
fn runs_take_the_engine_from_a_profile_of_cpu_workers() {
    let (cache, folder) = (folder(), folder());
    let path = folder.path().join("p.json");
    let mut command = tune_cpu(&cache, &[KARATE, "--device", "none"]);
    command.arg("--profile").arg(&path).assert().success();
    let kept = cache.path().join(&kept(&cache)[0]);
    let original = json(&path);
    let set = |engine: Value, lanes: Value| {
        let mut profile = original.clone();
        profile["cpu_engine"] = engine;
        profile["cpu_lanes"] = lanes;
        fs::write(&path, profile.to_string()).unwrap();
        fs::write(&kept, profile.to_string()).unwrap();
    };
    let run = |args: &[&str]| {
        let report = folder.path().join("r.json");
        let mut command = brandes(&cache);
        command.args(["run", KARATE, "--quiet"]).args(args);
        command.env("OCL_ICD_VENDORS", cache.path());
        command.env("OCL_ICD_FILENAMES", "");
        command
            .arg("--report")
            .arg(&report)
            .assert()
            .success()
            .stderr(is_empty());
        let report = json(&report);
        let worker = &report["workers"][0];
        (
            worker["engine"].clone(),
            worker["lanes"].clone(),
            report["plan"]["profile"].clone(),
        )
    };
    let file = path.to_str().unwrap();
    set("lanes".into(), 16.into());
    assert_eq!(
        run(&["--profile", file]),
        ("lanes".into(), 16.into(), file.into())
    );
    let from_cache = kept.to_str().unwrap();
    for device in [&["--device", "none"][..], &[]] {
        assert_eq!(run(device), ("lanes".into(), 16.into(), from_cache.into()));
    }
    for options in [
        &["--no-profile"][..],
        &["--cpu-engine", "plain"],
        &["--chains", "never"],
    ] {
        assert_eq!(run(options).2, Value::Null, "{options:?}");
    }
    assert_eq!(
        run(&["--profile", file, "--cpu-engine", "plain"]).0,
        "plain"
    );
    set("chains".into(), Value::Null);
    assert_eq!(run(&["--profile", file]).0, "chains");
    // Earlier versions wrote no engine.
    let mut old = original.clone();
    old.as_object_mut().unwrap().remove("cpu_engine");
    old.as_object_mut().unwrap().remove("cpu_lanes");
    fs::write(&path, old.to_string()).unwrap();
    assert_eq!(run(&["--profile", file]).2, file);
}

//! Tests how `brandes run` uses profiles of `brandes tune`.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::common::program::{KARATE, read_json, stdout};
use crate::common::tuned::{brandes, cache_profile, cached_profiles, folder, plan, tune, tune_cpu};

#[test]
fn runs_use_profiles_from_the_cache_and_name_them() {
    let cache = folder();
    let path = cache_profile(&cache, |profile| {
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
        text.contains(&format!("tuned profile: {}", path.display())),
        "{text}"
    );
    assert!(
        text.contains("virtual (D 4, 29 slots of 32, f64)"),
        "{text}"
    );
    let tuned = plan(&mut run(&[]));
    assert_eq!(tuned["profile"], path.to_str().unwrap());
    assert_eq!(tuned["strategy"], "virtual");
    assert_eq!(
        (&tuned["degree"], &tuned["work_group"]),
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
    // The scores do not depend on the profile.
    let scores = |args: &[&str]| stdout(run(args).args(["--scores", "-"]));
    let lines = |text: String| text.lines().count();
    assert_eq!(lines(scores(&[])), 35);
    assert_eq!(lines(scores(&["--no-profile"])), 35);

    // The profile serves sources inside chains, although `auto` would not.
    let change = |strategy: &str| {
        let mut profile = read_json(&path);
        profile["strategy"] = strategy.into();
        profile["degree"] = Value::Null;
        profile["work_group"] = Value::Null;
        fs::write(&path, profile.to_string()).unwrap();
    };
    change("hierarchy");
    let text = stdout(&mut run(&[]));
    assert!(text.contains("23 junctions"), "{text}");
    assert!(text.contains("hierarchy ("), "{text}");
    change("cpu");
    let mut command = brandes(&cache);
    command.args(["run", KARATE, "--device", "0"]);
    // The options name a device, so the profile does not fit and is ignored silently.
    assert_eq!(plan(&mut command)["profile"], Value::Null);

    // A build with another version or optimisation has profiles of its own.
    change("virtual");
    assert_ne!(plan(&mut run(&[]))["profile"], Value::Null);
    let mut profile = read_json(&path);
    profile["program_version"] = "0.3.0 with opt-level 0".into();
    fs::write(&path, profile.to_string()).unwrap();
    assert_eq!(plan(&mut run(&[]))["profile"], Value::Null);
}

#[test]
fn a_profile_decides_whether_sources_inside_chains_are_served() {
    let (cache, folder) = (folder(), folder());
    let graph = folder.path().join("ring.txt");
    brandes(&cache)
        .args(["generate", "cycle", "--vertices", "2000", "-o"])
        .arg(&graph)
        .assert()
        .success();
    let graph = graph.to_str().unwrap();
    let args = [graph, "--strategy", "local", "--budget", "0.01"];
    tune(&cache, &args).assert().success();
    let path = cache.path().join(&cached_profiles(&cache)[0]);
    let mut profile = read_json(&path);
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
                "--cpu-workers",
                "0",
                "--verbose",
            ])
            .args(more);
        stdout(&mut command)
    };
    assert!(run(&["--no-profile", "--reduce", "fold,chains"]).contains(" served, "));
    let text = run(&[]);
    assert!(text.contains("local ("), "{text}");
    assert!(!text.contains(" served, "), "{text}");
}

#[test]
fn a_profile_named_by_options_is_used_with_warnings_about_differences() {
    let (cache, folder) = (folder(), folder());
    let path = folder.path().join("p.json");
    cache_profile(&cache, |_| {});
    let mut profile = read_json(&cache.path().join(&cached_profiles(&cache)[0]));
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
    let tuned = plan(&mut run(KARATE, &["--degree", "8"]));
    assert_eq!(
        (&tuned["strategy"], &tuned["degree"]),
        (&"virtual".into(), &8.into())
    );
    let warned = |graph: &str, args: &[&str], text: &str| {
        let line = format!("brandes: warning: {text}\n");
        run(graph, args).assert().success().stderr(line);
    };
    warned(
        "bench-graphs/florentine.txt",
        &[],
        "the profile was tuned for another graph, unlike this run",
    );
    warned(
        KARATE,
        &["--strategy", "local"],
        "the profile is not used: it was tuned for strategy virtual",
    );
    warned(
        KARATE,
        &["--precision", "f32"],
        "the profile was tuned for --precision f64, unlike this run",
    );
    let build = profile["program_version"].clone();
    profile["program_version"] = "0.3.0 with opt-level 0".into();
    fs::write(&path, profile.to_string()).unwrap();
    let other = "the profile was tuned for version 0.3.0 with opt-level 0, unlike this run";
    warned(KARATE, &[], other);
    profile["program_version"] = build;
    let device = profile["device"].as_str().unwrap().to_string();
    profile["driver"] = "0.1".into();
    fs::write(&path, profile.to_string()).unwrap();
    warned(
        KARATE,
        &[],
        &format!("the profile was tuned for {device} (driver 0.1), unlike this run"),
    );

    let refused = |text: &str, message: &str| {
        fs::write(&path, text).unwrap();
        let assert = run(KARATE, &[]).assert().code(1);
        let one_line = predicate::function(|text: &str| text.lines().count() == 1);
        assert.stderr(contains(message).and(one_line));
    };
    refused("vertex,score\n", "p.json: this is not a profile (");
    refused(
        r#"{"schema_version":1,"kind":"tune"}"#,
        "this is not a profile, but a file of kind 'tune'",
    );
    fs::remove_file(&path).unwrap();
    run(KARATE, &[])
        .assert()
        .code(1)
        .stderr(contains("p.json: No such file"));
}

#[test]
fn runs_take_the_engine_from_a_profile_of_cpu_workers() {
    let (cache, folder) = (folder(), folder());
    let path = folder.path().join("p.json");
    let mut command = tune_cpu(&cache, &[KARATE, "--device", "none"]);
    command.arg("--profile").arg(&path).assert().success();
    let cached = cache.path().join(&cached_profiles(&cache)[0]);
    let original = read_json(&path);
    let set = |engine: Value, lanes: Value| {
        let mut profile = original.clone();
        profile["cpu_engine"] = engine;
        profile["cpu_lanes"] = lanes;
        fs::write(&path, profile.to_string()).unwrap();
        fs::write(&cached, profile.to_string()).unwrap();
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
        let report = read_json(&report);
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
    let from_cache = cached.to_str().unwrap();
    for device in [&["--device", "none"][..], &[]] {
        assert_eq!(run(device), ("lanes".into(), 16.into(), from_cache.into()));
    }
    for options in [&["--no-profile"][..], &["--cpu-engine", "plain"]] {
        assert_eq!(run(options).2, Value::Null, "{options:?}");
    }
    for reduce in ["none", "fold", "blocks", "twins"] {
        let expected = ("lanes".into(), 16.into(), file.into());
        assert_eq!(run(&["--profile", file, "--reduce", reduce]), expected);
        assert_eq!(run(&["--reduce", reduce]).2, from_cache, "{reduce}");
    }
    assert_eq!(
        run(&["--profile", file, "--cpu-engine", "plain"]).0,
        "plain"
    );
    set("hierarchy".into(), Value::Null);
    assert_eq!(run(&["--profile", file]).0, "hierarchy");
    // Profiles of earlier versions name no engine.
    let mut old = original.clone();
    old.as_object_mut().unwrap().remove("cpu_engine");
    old.as_object_mut().unwrap().remove("cpu_lanes");
    fs::write(&path, old.to_string()).unwrap();
    assert_eq!(run(&["--profile", file]).2, file);
}

#[test]
fn a_profile_whose_engine_cannot_search_is_not_used() {
    let (cache, folder) = (folder(), folder());
    let path = folder.path().join("p.json");
    let mut command = tune_cpu(&cache, &[KARATE, "--device", "none"]);
    command.arg("--profile").arg(&path).assert().success();
    let mut profile = read_json(&path);
    profile["cpu_engine"] = "lanes".into();
    fs::write(&path, profile.to_string()).unwrap();
    for (options, reason) in [
        (
            ["--weighted", "3"],
            "--cpu-engine lanes is for graphs without weights",
        ),
        (
            ["--reduce", "chains"],
            "--cpu-engine lanes does not serve sources inside chains",
        ),
    ] {
        let mut command = brandes(&cache);
        command.args(["run", "-", "--device", "none", "-v", "--profile"]);
        let run = command
            .arg(&path)
            .args(options)
            .write_stdin("a b 1\nb c 97\na c 101\n");
        let warning = format!("warning: the profile is not used: {reason}");
        let shown = contains("tuned profile").not();
        run.assert()
            .success()
            .stderr(contains(warning))
            .stdout(shown);
    }
}

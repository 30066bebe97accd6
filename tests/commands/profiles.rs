//! Tests how `brandes run` uses profiles of `brandes tune`.

use crate::common::program::{Place, Ran, expect};
use serde_json::{Value, json};

/// Returns a folder with a profile of a graph in `p.json`.
fn tuned(graph: &str, options: &str) -> Place {
    let place = Place::new();
    place.run("generate watts-strogatz --vertices 2000 --neighbours 2 --rewire 0 -o ring.txt");
    place.run(&format!(
        "tune {graph} --budget 0.01 --profile p.json {options}"
    ));
    place
}

/// Writes a profile with other fields.
fn write(place: &Place, original: &Value, fields: Value) {
    let mut profile = original.clone();
    for (name, value) in fields.as_object().unwrap() {
        profile[name] = value.clone();
    }
    place.write("p.json", profile.to_string());
}

/// Runs a search of KARATE; returns its output and the plan in its report.
fn run(place: &Place, options: &str) -> (Ran, Value) {
    let ran = place.run(&format!("run KARATE --report r.json {options}"));
    (ran, place.json("r.json")["plan"].clone())
}

const DEVICE: &str = "--device 0 --cpu-workers 0 -v";

#[test]
fn runs_name_their_profile_and_options_override_it() {
    let place = tuned("KARATE", "--device 0 --strategy virtual");
    let original = place.json("p.json");
    let change = |fields: Value| write(&place, &original, fields);
    let run = |options: &str| run(&place, &format!("{DEVICE} --profile p.json {options}"));
    change(json!({"strategy": "virtual", "degree": 4, "work_group": 32}));
    let (ran, plan) = run("");
    ran.has(&[
        "tuned profile: p.json",
        "virtual (D 4, 29 slots of 32, f64)",
    ]);
    expect(
        &plan,
        "/strategy = \"virtual\"\n/degree = 4\n/work_group = 32\n/profile = \"p.json\"",
    );
    assert_eq!(run("--degree 8").1["degree"], 8);
    // The profile serves sources inside chains, although `auto` would not.
    change(json!({"strategy": "hierarchy", "degree": null, "work_group": null}));
    run("").0.has(&["after chains", "hierarchy ("]);
}

#[test]
fn a_profile_decides_whether_sources_inside_chains_are_served() {
    let place = tuned("ring.txt", "--device 0 --strategy local");
    let original = place.json("p.json");
    write(&place, &original, json!({"strategy": "local"}));
    let run = |more: &str| place.run(&format!("run ring.txt {DEVICE} {more}"));
    run("--reduce fold,chains").has(&["after chains"]);
    run("--profile p.json")
        .has(&["local ("])
        .lacks(&["after chains"]);
}

#[test]
fn a_profile_named_by_options_is_used_with_warnings_about_differences() {
    let place = tuned("KARATE", "--device 0 --strategy virtual");
    let mut original = place.json("p.json");
    (original["strategy"], original["degree"]) = (json!("virtual"), json!(4));
    let change = |fields: Value| write(&place, &original, fields);
    let line = |graph: &str| format!("run {graph} {DEVICE} --profile p.json --report r.json");
    change(json!({}));
    place.run(&line("KARATE")).quiet();
    place.run(&(line("KARATE") + " --degree 8"));
    expect(
        &place.json("r.json"),
        "/plan/strategy = \"virtual\"\n/plan/degree = 8",
    );
    let device = original["device"].as_str().unwrap();
    let other_driver = format!("was tuned for {device} (driver 0.1), unlike this run");
    for (options, fields, warning) in [
        (
            "--strategy local",
            json!({}),
            "is not used: it was tuned for strategy virtual",
        ),
        (
            "--precision f32",
            json!({}),
            "was tuned for --precision f64, unlike this run",
        ),
        (
            "",
            json!({"program_version": "0.3.0 with opt-level 0"}),
            "was tuned for version 0.3.0 with opt-level 0, unlike this run",
        ),
        ("", json!({"driver": "0.1"}), &other_driver),
    ] {
        change(fields);
        let ran = place.run(&format!("{} {options}", line("KARATE")));
        assert_eq!(
            ran.err,
            format!("brandes: warning: the profile {warning}\n")
        );
    }
    change(json!({}));
    let ran = place.run(&line("FLORENTINE"));
    let warning = "brandes: warning: the profile was tuned for another graph, unlike this run\n";
    assert_eq!(ran.err, warning);

    place.write("csv.json", "vertex,score\n");
    place.write("tune.json", r#"{"schema_version":1,"kind":"tune"}"#);
    place.refuse(
        &format!("run KARATE {DEVICE} --profile"),
        "
        1 | csv.json | csv.json: this is not a profile (
        1 | tune.json | tune.json: this is not a profile (missing field
        1 | none.json | none.json: No such file",
    );
}

#[test]
fn runs_take_the_engine_from_a_profile_of_cpu_workers() {
    let place = tuned("KARATE", "--device none").without_opencl();
    let original = place.json("p.json");
    let set = |engine: Value, lanes: Value| {
        write(
            &place,
            &original,
            json!({"cpu_engine": engine, "cpu_lanes": lanes}),
        );
    };
    // Returns the engine, its lanes and the profile.
    let run = |options: &str| {
        let (ran, plan) = run(&place, &format!("--quiet --profile p.json {options}"));
        ran.quiet();
        let worker = &place.json("r.json")["workers"][0];
        json!([worker["engine"], worker["lanes"], plan["profile"]])
    };
    set("lanes".into(), 16.into());
    for reduce in ["auto", "none", "fold", "blocks", "twins"] {
        let expected = json!(["lanes", 16, "p.json"]);
        assert_eq!(run(&format!("--reduce {reduce}")), expected);
    }
    assert_eq!(run("--cpu-engine plain")[0], "plain");
    set("hierarchy".into(), Value::Null);
    assert_eq!(run("")[0], "hierarchy");
    // Profiles of earlier versions name no engine.
    let mut old = original.clone();
    old.as_object_mut()
        .unwrap()
        .retain(|name, _| !name.starts_with("cpu_"));
    place.write("p.json", old.to_string());
    assert_eq!(run("")[2], "p.json");
    set("lanes".into(), 48.into());
    let ran = place.run("run KARATE --device none --profile p.json --quiet");
    ran.warns(&["the profile is not used: engine lanes cannot have 48 lanes"]);
    // A profile whose engine cannot search is not used.
    set("lanes".into(), Value::Null);
    let lengths = "a b 1\nb c 97\na c 101\n";
    for (options, reason) in [
        ("--weighted 3", "is for graphs without weights"),
        ("--reduce chains", "does not serve sources inside chains"),
    ] {
        let line = format!("run - --device none -v --profile p.json {options}");
        let ran = place.pipe(lengths, &line);
        let warning = format!("warning: the profile is not used: --cpu-engine lanes {reason}");
        ran.lacks(&["tuned profile"]).warns(&[&warning]);
    }
}

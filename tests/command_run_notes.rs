//! Tests notes and warnings of `brandes run`.

use crate::common::program::{KARATE, brandes, read_json, run, stdout};
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

#[test]
fn sources_inside_chains_are_served_as_the_options_say() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let report_of = |more: &[&str]| {
        // The graph is a cycle of ten vertices.
        let text: String = (0..10).map(|v| format!("{v} {}\n", (v + 1) % 10)).collect();
        let to = path.to_str().unwrap();
        let mut command = run("-", &["--verbose", "--report", to]);
        command.args(more).write_stdin(text);
        (stdout(&mut command), read_json(&path)["prepared"].clone())
    };
    let served = "sources inside 2 chains of up to 5 edges served, 2 junctions";
    for more in [&[][..], &["--edges", "/dev/null"]] {
        let (text, prepared) = report_of(&[&["--reduce", "chains"], more].concat());
        assert!(text.contains(served), "{text}");
        assert_eq!(prepared["roots"], 2);
        assert_eq!(prepared["junctions"], 2);
        assert_eq!(prepared["longest_chain"], 5);
    }
    let (text, prepared) = report_of(&["--reduce", "fold"]);
    assert!(!text.contains("served"), "{text}");
    assert_eq!(prepared["roots"], 10);
    assert!(prepared["chains"].is_null());

    let refused = |arguments: &[&str], why: &str| {
        brandes()
            .args(["run", KARATE, "--reduce", "fold,chains"])
            .args(arguments)
            .assert()
            .failure()
            .stderr(contains(why));
    };
    refused(&["--strategy", "lanes"], "use strategy hierarchy");
    refused(&["--strategy", "cpu", "--directed"], "undirected");
    refused(&["--strategy", "hierarchy", "--directed"], "undirected");
}

#[test]
fn a_note_says_that_chains_are_not_served_for_few_sources() {
    let roots = |roots: &str| {
        let mut command = run(KARATE, &["--reduce", "chains", "--roots", roots]);
        let output = command.assert().success();
        String::from_utf8_lossy(&output.get_output().stderr).into_owned()
    };
    let text = "the reduction of chains had no effect, since only some vertices are sources";
    assert!(roots("5").contains(text));
    assert_eq!(roots("34"), "");
}

#[test]
fn hints_name_only_options_that_were_given() {
    let lengths = "a b 0.1234567890123456789012345\nb c 0.2\na c 0.3\n";
    let strategy = ["--strategy", "hierarchy"];
    let engine = ["--cpu-engine", "hierarchy"];
    let both = [strategy, engine].concat();
    for (options, hint) in [
        (&strategy[..], "; leave --strategy hierarchy out\n"),
        (&engine, "; leave --cpu-engine hierarchy out\n"),
        (
            &both,
            "; leave --strategy hierarchy and --cpu-engine hierarchy out\n",
        ),
    ] {
        let mut command = brandes();
        command.args(["run", "-", "--weighted"]).args(options);
        command.write_stdin(lengths);
        command.assert().code(2).stderr(contains(hint));
    }
}

#[test]
fn a_graph_in_place_of_a_command_is_an_error_with_a_hint() {
    for graph in [KARATE, "missing.txt", "some/graph"] {
        let message =
            format!("brandes: '{graph}' is not a command; did you mean: brandes run {graph}\n");
        let mut command = brandes();
        let assert = command.args([graph, "--top", "3"]).assert().code(2);
        assert.stdout(is_empty()).stderr(message);
    }
    let mut command = brandes();
    let assert = command.arg("comprae").assert().code(2);
    assert.stderr(contains("compare").and(contains("did you mean").not()));
}

#[test]
fn options_without_effect_are_a_note() {
    // There is no device, and the options name none.
    let mut command = brandes();
    command.args([
        "run",
        KARATE,
        "--quiet",
        "--degree",
        "8",
        "--precision",
        "f32",
    ]);
    command
        .env("OCL_ICD_VENDORS", "/nonexistent")
        .env("OCL_ICD_FILENAMES", "");
    let assert = command.assert().success();
    assert.stderr(
        contains("--degree had no effect: no device searched").and(contains(
            "--precision f32 had no effect: no device searched",
        )),
    );
}

#[test]
fn warnings_of_the_reader_are_printed_always_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let text = "the first row, 'person' 'friend', was read as a header";
    let mut command = run("-", &["--quiet", "--report", path.to_str().unwrap()]);
    let assert = command.write_stdin("person,friend\na,b\nb,c\n").assert();
    assert
        .success()
        .stderr(contains(format!("warning: <stdin>: {text}")));
    let warnings = read_json(&path)["checks"]["warnings"].to_string();
    assert!(warnings.contains(text), "{warnings}");
    // The program is quiet about what is certain.
    let mut command = run("-", &["--quiet"]);
    let table = "id,from_stop,to_stop\n7,1,2\n8,2,3\n9,3,1\n";
    command
        .write_stdin(table)
        .assert()
        .success()
        .stderr(is_empty());
    let convert = ["convert", "-", "-", "--to", "csv"];
    let assert = brandes()
        .args(convert)
        .write_stdin("person,friend\na,b\nb,c\n")
        .assert();
    assert.success().stderr(contains(text));
}

//! Tests `--weighted` and `--edges` as a user sees them.

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, is_match};
use serde_json::Value;

/// A graph with two paths from a to c, both of length 0.3.
const TIE: &str = "a b 0.1\nb c 0.2\na c 0.3\n";

fn run(options: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.args(["run", "-", "--device", "none"]).args(options);
    command
}

fn stdout(input: &str, options: &[&str]) -> String {
    let assert = run(options).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn scores_of_vertices_and_edges() {
    assert_eq!(
        stdout(TIE, &["--weighted", "--scores", "-"]),
        "vertex,score\na,0\nb,0.5\nc,0\n"
    );
    assert_eq!(
        stdout(TIE, &["--weighted", "--edges", "-"]),
        "source,target,score\na,b,1.5\na,c,0.5\nb,c,1.5\n"
    );
    assert_eq!(
        stdout("c b\nb \"\"\"a,1\"\n", &["--edges", "-", "--directed"]),
        "source,target,score\nc,b,2\nb,\"\"\"a,1\",2\n"
    );
    assert_eq!(
        stdout("7 3\n3 5\n", &["--edges", "-"]),
        "source,target,score\n3,7,2\n3,5,2\n"
    );
    assert_eq!(
        stdout("1 2\n2 3\n", &["--edges", "-", "--normalized"]),
        format!("source,target,score\n1,2,{0}\n2,3,{0}\n", 2.0 / 3.0)
    );
}

/// The way from a to d over b and c has as long as that over e, but an edge of length 0 more.
const ZEROS: &str = "a b 1\nb c 0\nc d 1\na e 1\ne d 1\nb f 0\n";

#[test]
fn edges_of_length_zero_are_infinitesimally_short() {
    let options = ["--weighted", "--quiet", "--scores", "-"];
    run(&options)
        .write_stdin(ZEROS)
        .assert()
        .success()
        .stdout("vertex,score\na,2\nb,5\nc,2\nd,1\ne,1\nf,0\n")
        .stderr(contains("warning: some edges have length 0 and count as"));
    // At a distance of 0 there are no closeness and no sum of inverses.
    let measures = ["--measures", "closeness,harmonic,reach", "--radius", "0"];
    let zero = stdout("a b 0\nb c 1\n", &[&options[..], &measures].concat());
    assert_eq!(
        zero,
        "vertex,closeness_0,harmonic_0,reach_0\na,0,0,1\nb,0,0,1\nc,0,0,0\n"
    );
    run(&[&options[..], &["--tie-tolerance", "0.1"]].concat())
        .write_stdin(ZEROS)
        .assert()
        .code(2)
        .stderr(contains(
            "--tie-tolerance does not go with edges of length 0",
        ));
    run(&options)
        .write_stdin("a b 0\nb c 0.3333333333333333\n")
        .assert()
        .code(1)
        .stderr(
            "brandes: <stdin>: lengths of 0 (1 of them) need others that are multiples of a common \
             unit, with sums far below 2^63 units (round the lengths to fewer digits)\n",
        );
}

#[test]
fn the_report_describes_the_weights() {
    let report = |input: &str, options: &[&str]| -> Value {
        let options = [&["--weighted", "--report", "-"], options].concat();
        serde_json::from_str(&stdout(input, &options)).unwrap()
    };
    let weights = report(TIE, &[])["weights"].clone();
    assert_eq!(weights["kind"], "integers");
    assert_eq!(
        (&weights["unit"], &weights["ties"]),
        (&0.1.into(), &"exact".into())
    );
    let similarity = ["--weight-is", "similarity", "--tie-tolerance", "0"];
    let primes = "a b 4294967291\nb c 4294967279\nc d 4294967231\n";
    let weights = report(primes, &similarity)["weights"].clone();
    assert_eq!(
        (&weights["kind"], &weights["meaning"]),
        (&"floats".into(), &"similarity".into())
    );
    assert_eq!(weights["ties"]["tolerance"], 0.0);
    // Options of the user apply, whatever the lengths are.
    let weights = report(TIE, &["--tie-tolerance", "0.01"])["weights"].clone();
    assert_eq!(
        (&weights["kind"], &weights["unit"]),
        (&"floats".into(), &Value::Null)
    );
    assert_eq!(weights["ties"]["tolerance"], 0.01);
    let weights = report(TIE, &["--tie-tolerance", "0"])["weights"].clone();
    assert_eq!(weights["ties"], "exact");
    let thirds = "a b 0.3333333333333333\nb c 1\n";
    let weights = report(thirds, &[])["weights"].clone();
    assert_eq!(weights["kind"], "floats");
    assert_eq!(weights["ties"]["tolerance"], 1e-12);
}

#[test]
fn unused_weights_are_a_warning() {
    run(&["--quiet"])
        .write_stdin(TIE)
        .assert()
        .success()
        .stderr(contains("without --weighted they are not used"));
    run(&["--quiet", "--weighted"])
        .write_stdin(TIE)
        .assert()
        .success()
        .stderr(is_empty());
}

#[test]
fn devices_search_weighted_graphs() {
    for options in [
        &["--strategy", "warp", "--warp-size", "4"][..],
        &["--strategy", "vertex"],
        &["--edges", "-"],
    ] {
        let output = if options.contains(&"--edges") {
            "source,target,score\na,b,1.5\na,c,0.5\nb,c,1.5\n"
        } else {
            "vertex,score\na,0\nb,0.5\nc,0\n"
        };
        let scores = ["--scores", "-"];
        cargo_bin_cmd!("brandes")
            .args(["run", "-", "--weighted", "--device", "0", "--quiet"])
            .args(["--cpu-workers", "0"])
            .args(options)
            .args(&scores[..if options.contains(&"--edges") { 0 } else { 2 }])
            .write_stdin(TIE)
            .assert()
            .success()
            .stdout(output)
            .stderr(is_empty());
    }
}

#[test]
fn bench_measures_strategies_for_weighted_graphs() {
    let bench = |options: &[&str]| {
        let mut command = cargo_bin_cmd!("brandes");
        command
            .args(["bench", "-", "--weighted", "--device", "0", "--repeat", "1"])
            .args(options)
            .write_stdin(TIE);
        command.assert()
    };
    bench(&["--check"])
        .success()
        .stdout(contains("work-efficient").and(is_match("(?m)^ *lanes ").unwrap().not()));
    bench(&["--strategy", "lanes"])
        .code(2)
        .stderr(contains("for graphs without weights"));
    bench(&["--ablation"])
        .code(2)
        .stderr(contains("--ablation"));
}

#[test]
fn tune_finds_a_setting_for_weighted_graphs() {
    let cache = tempfile::tempdir().unwrap();
    let tune = |options: &[&str]| {
        let mut command = cargo_bin_cmd!("brandes");
        command.args([
            "tune",
            "-",
            "--weighted",
            "--directed",
            "--device",
            "0",
            "--quiet",
        ]);
        command.args(["--budget", "0.1", "--columns", "source=1,target=2,weight=3"]);
        command.env("BRANDES_CACHE_DIR", cache.path()).args(options);
        command.write_stdin(TIE).assert()
    };
    let line = tune(&["--strategy", "warp", "--weight-is", "similarity"]).success();
    let line = String::from_utf8_lossy(&line.get_output().stdout).into_owned();
    for option in [
        "--weighted auto",
        "--weight-is similarity",
        "--directed",
        "--columns 'source=1,target=2,weight=3'",
    ] {
        assert!(line.contains(option), "{line}");
    }
    // The command can be pasted into a shell. The cache gets no profile, since only runs without
    // weights would use it.
    let program = cargo_bin_cmd!("brandes");
    let program = program.get_program().to_str().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &line.replacen("brandes", program, 1)]);
    shell.write_stdin(TIE).assert().success();
    let cached = std::fs::read_dir(cache.path()).unwrap().flatten();
    assert!(
        cached
            .into_iter()
            .all(|file| !file.file_name().to_string_lossy().starts_with("tuned-"))
    );
    tune(&["--strategy", "lanes"])
        .code(2)
        .stderr(contains("for graphs without weights"));
}

#[test]
fn contradictory_options_are_refused() {
    for (options, code, message) in [
        (&["--weight-is", "similarity"][..], 2, "--weighted"),
        (&["--tie-tolerance", "0"], 2, "--weighted"),
        (&["--weighted", "2"], 2, "columns 1 and 2 are the vertices"),
        (
            &["--weighted", "graph.txt"],
            1,
            "there is no column 'graph.txt' (name a number from 1 to 3)",
        ),
        (
            &["--weighted", "--tie-tolerance", "1"],
            2,
            "not a number from 0 to below 1",
        ),
        (
            &["--weighted", "--reduce", "fold,twins"],
            2,
            "does not go with --reduce twins",
        ),
        (
            &["--edges", "/dev/null", "--reduce", "fold,twins"],
            2,
            "does not go with --reduce twins",
        ),
        (
            &["--edges", "-", "--scores", "-"],
            2,
            "cannot both be standard output",
        ),
        (&["--weighted", "4"], 1, "<stdin>:1: there is no column 4"),
        (
            &["--weighted", "--cpu-engine", "lanes", "--reduce", "none"],
            2,
            "--cpu-engine lanes is for graphs without weights",
        ),
        (
            &["--weighted", "--cpu-lanes", "8", "--reduce", "none"],
            2,
            "--cpu-lanes is for graphs without weights",
        ),
    ] {
        run(options)
            .write_stdin("a b 1\nb c 97\na c 101\n")
            .assert()
            .code(code)
            .stderr(contains(message));
    }
    cargo_bin_cmd!("brandes")
        .args(["run", "-", "--weighted", "--strategy", "lanes"])
        .write_stdin(TIE)
        .assert()
        .code(2)
        .stderr(contains("--strategy lanes is for graphs without weights"));
}

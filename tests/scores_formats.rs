//! Files of scores in every format, as a user sees them.

use std::fs;
use std::path::Path;

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

fn brandes(args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command
}

/// Scores of the Florentine families, in a file of this name.
fn written(folder: &Path, name: &str, more: &[&str]) -> String {
    let path = folder.join(name).to_str().unwrap().to_string();
    let run = [
        "run",
        "bench-graphs/florentine.txt",
        "--device",
        "none",
        "--quiet",
        "--scores",
    ];
    brandes(&run).arg(&path).args(more).assert().success();
    path
}

#[test]
fn formats_by_suffix_agree_with_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "scores.csv", &[]);
    for name in ["a", "a.csv.gz", "a.tsv", "a.tsv.zst", "a.json", "a.json.gz"] {
        let other = written(folder.path(), name, &[]);
        brandes(&["compare", &csv, &other])
            .assert()
            .success()
            .stdout(contains("15 scores compared, all agree"));
    }
    let (array, packed) = (
        written(folder.path(), "a.npy", &[]),
        written(folder.path(), "b.npy.zst", &[]),
    );
    brandes(&["compare", &array, &packed]).assert().success();
    for pair in [[&array, &csv], [&csv, &array]] {
        brandes(&["compare", pair[0], pair[1]])
            .assert()
            .code(1)
            .stderr(contains("a.npy: is an array without names"))
            .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    }
    let gzip = fs::read(folder.path().join("a.csv.gz")).unwrap();
    assert!(gzip.starts_with(b"\x1f\x8b"));
    let json: Value =
        serde_json::from_slice(&fs::read(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 15);
    assert_eq!(json[1], json!({"vertex": "Medici", "score": 47.5}));
}

#[test]
fn the_option_goes_before_the_suffix() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "scores.csv", &["--format-out", "json"]);
    assert!(
        fs::read_to_string(path)
            .unwrap()
            .starts_with("[\n{\"vertex\": ")
    );
    let run = [
        "run",
        "-",
        "--device",
        "none",
        "--scores",
        "-",
        "--format-out",
    ];
    brandes(&run)
        .arg("tsv")
        .write_stdin("b a\nc b\n")
        .assert()
        .success()
        .stdout("vertex\tscore\nb\t1\na\t0\nc\t0\n");
    let npy = brandes(&run)
        .arg("npy")
        .write_stdin("b a\nc b\n")
        .assert()
        .success();
    let bytes = &npy.get_output().stdout;
    let scores: Vec<f64> = bytes[bytes.len() - 24..]
        .chunks(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(scores, [1.0, 0.0, 0.0]);
    assert!(bytes.starts_with(b"\x93NUMPY"));
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "-", "--device", "none", "--quiet"];
    brandes(&run)
        .args(["--format-out", "tsv"])
        .write_stdin("a b\n")
        .assert()
        .code(2)
        .stderr(contains("--scores"));
    let path = folder.path().join("scores.json");
    brandes(&run)
        .arg("--scores")
        .arg(&path)
        .write_stdin(&b"a b\xff\nb\xff c\n"[..])
        .assert()
        .code(1)
        .stderr(contains(
            "name of vertex b\\xff, which is not UTF-8; use --format-out csv",
        ));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    brandes(&run)
        .args(["--scores", "/dev/full", "--format-out", "json"])
        .write_stdin("a b\nb c\n")
        .assert()
        .code(1);
}

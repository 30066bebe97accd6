//! Tests files of scores in every format as a user sees them.

use std::fs;
use std::path::Path;

use crate::common::program::{brandes_with, read_json};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

/// Writes the scores of the Florentine families to a file of this name; returns its path.
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
    brandes_with(&run).arg(&path).args(more).assert().success();
    path
}

#[test]
fn formats_by_suffix_agree_with_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let csv = written(folder.path(), "scores.csv", &[]);
    for name in [
        "a",
        "a.csv.gz",
        "a.tsv",
        "a.tsv.zst",
        "a.json",
        "a.json.gz",
        "b.csv.bz2",
        "b.tsv.xz",
    ] {
        let other = written(folder.path(), name, &[]);
        brandes_with(&["compare", &csv, &other])
            .assert()
            .success()
            .stdout(contains("15 scores compared, all agree"));
    }
    let (array, packed) = (
        written(folder.path(), "a.npy", &[]),
        written(folder.path(), "b.npy.zst", &[]),
    );
    brandes_with(&["compare", &array, &packed])
        .assert()
        .success();
    for pair in [[&array, &csv], [&csv, &array]] {
        brandes_with(&["compare", pair[0], pair[1]])
            .assert()
            .code(1)
            .stderr(contains("a.npy: is an array without names"))
            .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    }
    let gzip = fs::read(folder.path().join("a.csv.gz")).unwrap();
    assert!(gzip.starts_with(b"\x1f\x8b"));
    let json = read_json(&folder.path().join("a.json"));
    assert_eq!(json.as_array().unwrap().len(), 15);
    assert_eq!(json[1], json!({"vertex": "Medici", "score": 47.5}));
}

#[test]
fn the_option_overrides_the_suffix() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "scores.csv", &["--score-format", "json"]);
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
        "--score-format",
    ];
    brandes_with(&run)
        .arg("tsv")
        .write_stdin("b a\nc b\n")
        .assert()
        .success()
        .stdout("vertex\tscore\nb\t1\na\t0\nc\t0\n");
    let npy = brandes_with(&run)
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
fn scores_that_a_format_cannot_hold_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "-", "--device", "none", "--quiet"];
    brandes_with(&run)
        .args(["--score-format", "tsv"])
        .write_stdin("a b\n")
        .assert()
        .code(2)
        .stderr(contains("--scores"));
    let path = folder.path().join("scores.json");
    brandes_with(&run)
        .arg("--scores")
        .arg(&path)
        .write_stdin(&b"a b\xff\nb\xff c\n"[..])
        .assert()
        .code(1)
        .stderr(contains(
            "name of vertex b\\xff, which is not UTF-8; use --score-format csv",
        ));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    brandes_with(&run)
        .args(["--scores", "/dev/full", "--score-format", "json"])
        .write_stdin("a b\nb c\n")
        .assert()
        .code(1);
}

#[test]
fn unknown_suffixes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let karate = "bench-graphs/karate.txt";
    let refused = |args: &[&str], why: &str| {
        brandes_with(args).assert().code(2).stderr(contains(why));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    };
    for name in ["r.html.gz", "r.csv"] {
        let why = "--report writes JSON, not .";
        refused(&["run", karate, "--report", &at(name)], why);
    }
    for name in ["scores.xlsx", "scores.txt", "scores.xlsx.gz"] {
        let path = at(name);
        refused(&["run", karate, "--scores", &path], "use .csv, .tsv, .json");
    }
    let nothing = at("missing.json");
    let page = ["report", &nothing, "-o", &at("page.pdf")];
    refused(&page, "-o writes HTML, not .pdf; use .html");
    for (name, options) in [
        ("a.npy", &["--sort"][..]),
        ("a.gexf", &["--score-columns", "rank"]),
    ] {
        let path = at(name);
        let args = [&["run", karate, "--scores", &path][..], options].concat();
        refused(&args, "are for CSV, TSV and JSON");
    }
    let path = written(folder.path(), "scores.xlsx", &["--score-format", "csv"]);
    assert!(
        fs::read_to_string(path)
            .unwrap()
            .starts_with("vertex,score")
    );
}

#[test]
fn columns_have_the_requested_order_and_compare_finds_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plain = written(folder.path(), "plain.csv", &[]);
    let all = "rank,degree,in-degree,out-degree,normalized";
    for name in ["a.csv", "a.tsv", "a.json"] {
        let path = written(folder.path(), name, &["--sort", "--score-columns", all]);
        let compare = brandes_with(&["compare", &plain, &path]).assert().success();
        compare.stdout(contains("15 scores compared, all agree"));
    }
    let scores = |options: &[&str]| {
        let run = ["run", "-", "--device", "none", "--scores", "-"];
        let mut command = brandes_with(&run);
        command.args(options).write_stdin("0 1\n1 2\n2 3\n4 3\n");
        let output = command.assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(
        scores(&["--score-columns", "degree,rank,normalized"]),
        "vertex,score,degree,rank,normalized\n0,0,1,4,0\n1,3,2,2,0.5\n2,4,2,1,0.6666666666666666\n\
         3,3,2,2,0.5\n4,0,1,4,0\n"
    );
    assert_eq!(
        scores(&["--sort", "--score-format", "tsv"]),
        "vertex\tscore\n2\t4\n1\t3\n3\t3\n0\t0\n4\t0\n"
    );
    assert_eq!(
        scores(&[
            "--directed",
            "--score-columns",
            "degree,in-degree,out-degree"
        ]),
        "vertex,score,degree,in-degree,out-degree\n0,0,1,0,1\n1,2,1,1,1\n2,2,1,1,1\n3,0,0,2,0\n\
         4,0,1,0,1\n"
    );
}

#[test]
fn graphs_with_scores_are_xml_with_every_name_and_edge() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for name in ["a.graphml", "a.gexf"] {
        let path = at(name);
        let run = [
            "run",
            "-",
            "--device",
            "none",
            "--quiet",
            "--weighted",
            "--scores",
            &path,
        ];
        let mut command = brandes_with(&run);
        command
            .write_stdin("\"<a>&\"\"'\" b\u{e9} 0.5\nb\u{e9} c 2\n")
            .assert()
            .success();
        let text = fs::read_to_string(&path).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let all = |tag: &str| {
            let all = document.descendants().filter(|n| n.has_tag_name(tag));
            all.collect::<Vec<_>>()
        };
        assert_eq!((all("node").len(), all("edge").len()), (3, 2));
        let words: Vec<&str> = document
            .descendants()
            .flat_map(|n| n.attributes().map(|a| a.value()).chain(n.text()))
            .collect();
        for word in [
            "<a>&\"'",
            "b\u{e9}",
            "betweenness",
            "double",
            "1",
            "0.5",
            "2",
            "undirected",
        ] {
            assert!(words.contains(&word), "{word} is missing in\n{text}");
        }
    }
}

#[test]
fn every_output_is_compressed_if_its_name_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let outputs = [
        at("edges.csv.gz"),
        at("report.json.zst"),
        at("scores.json.xz"),
    ];
    let [edges, report, scores] = &outputs;
    let karate = "bench-graphs/karate.txt";
    let run = [
        "run", karate, "--device", "none", "--quiet", "--edges", edges,
    ];
    let mut command = brandes_with(&run);
    command
        .args(["--report", report, "--scores", scores])
        .assert()
        .success();
    let starts: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ"];
    for (path, start) in outputs.iter().zip(starts) {
        assert!(fs::read(path).unwrap().starts_with(start), "{path}");
    }
    brandes_with(&["compare", edges, edges]).assert().success();
    let page = at("page.html.gz");
    brandes_with(&["report", report, "-o", &page])
        .assert()
        .success();
    assert!(fs::read(page).unwrap().starts_with(b"\x1f\x8b"));
}

#[test]
fn names_that_need_quotes_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let files: Vec<String> = ["a.csv", "a.tsv", "a.json"].map(at).into();
    for path in &files {
        let run = ["run", "-", "--device", "none", "--quiet", "--scores", path];
        let mut command = brandes_with(&run);
        command
            .write_stdin("\"a,b\" \"\"\"c\"\"\"\n\"\"\"c\"\"\" d'e\n")
            .assert()
            .success();
    }
    for pair in files.windows(2) {
        let compare = brandes_with(&["compare", &pair[0], &pair[1]]).assert();
        compare
            .success()
            .stdout(contains("3 scores compared, all agree"));
    }
}

#[test]
fn graphs_with_scores_keep_lengths_whose_sums_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (graph, again) = (file("g.txt"), file("again.csv"));
    fs::write(&graph, "a b 0.1\nb c 0.2\na c 0.3\n").unwrap();
    let run = ["--weighted", "--device", "none", "--quiet", "--scores"];
    for name in ["g.graphml", "g.gexf"] {
        let path = file(name);
        brandes_with(&["run", &graph])
            .args(run)
            .arg(&path)
            .assert()
            .success();
        brandes_with(&["run", &path])
            .args(run)
            .arg(&again)
            .assert()
            .success();
        // The path through the second vertex is as long as the edge.
        assert!(fs::read_to_string(&again).unwrap().contains("b,0.5\n"));
    }
}

#[test]
fn rows_of_other_columns_than_the_header_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name).to_str().unwrap().to_string();
        fs::write(&path, text).unwrap();
        path
    };
    let semicolons = file("a.csv", "vertex;score\n1;1,5\n");
    let [b, c] = [
        ("b.csv", "vertex,score\n1,1.5\n"),
        ("c.csv", "vertex,score\n2,1.5\n"),
    ]
    .map(|(name, text)| file(name, text));
    brandes_with(&["compare", &semicolons, &b])
        .assert()
        .code(1)
        .stderr(contains("a.csv:2: expected 'vertex,score'"));
    brandes_with(&["compare", &b, &c])
        .assert()
        .code(1)
        .stdout(contains("the files have no vertex in common"));
}

#[test]
fn columns_of_the_same_name_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("a.csv", "vertex,betweenness,reach_2\nx,1,2\ny,3,4\n");
    file(
        "b.json",
        r#"[{"vertex":"y","reach_2":4,"stress":1},{"vertex":"x","reach_2":2,"stress":1}]"#,
    );
    file("c.csv", "vertex,score\nx,1\ny,3.5\n");
    file("d.csv", "vertex,reach_3\nx,1\ny,3\n");
    let compare = |a: &str, b: &str| {
        let mut command = brandes_with(&["compare", a, b]);
        command.current_dir(&folder).assert()
    };
    compare("a.csv", "b.json").success().stdout(
        "2 scores compared, all agree (largest difference 0, relative 0)\n\
         only in a.csv, not compared: betweenness\nonly in b.json, not compared: stress\n",
    );
    compare("a.csv", "c.csv").code(1).stdout(
        "1 of 2 scores differs; the largest difference is 0.5 (relative 0.14) at vertex y: 3 and \
         3.5\nonly in a.csv, not compared: reach_2\n",
    );
    compare("a.csv", "a.csv").success().stdout(
        "betweenness: 2 scores compared, all agree (largest difference 0, relative 0)\n\
         reach_2: 2 scores compared, all agree (largest difference 0, relative 0)\n",
    );
    compare("a.csv", "d.csv").code(1).stderr(
        "brandes: the files have no column in common: a.csv has betweenness, reach_2, and \
         d.csv has reach_3\n",
    );
}

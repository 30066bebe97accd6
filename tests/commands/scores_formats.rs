//! Tests files of scores in every format as a user sees them.

use crate::common::program::{Place, expect};

/// Writes the scores of the Florentine families to a file.
fn write(place: &Place, file: &str) {
    let line = format!("run FLORENTINE --device none --quiet --scores {file}");
    place.run(&line);
}

#[test]
fn formats_by_suffix_agree_with_each_other() {
    let place = Place::new();
    for file in ["s.csv", "a.npy", "b.npy.zst"] {
        write(&place, file);
    }
    for name in [
        "a",
        "a.csv.gz",
        "a.tsv",
        "a.tsv.zst",
        "a.json",
        "a.json.gz",
        "b.csv.bz2",
        "b.tsv.xz",
        "c.csv --sort",
        "c.tsv --sort",
        "c.json --sort",
        "a.xlsx --score-format csv",
    ] {
        write(&place, name);
        let file = name.split(' ').next().unwrap();
        let ran = place.run(&format!("compare s.csv {file}"));
        ran.has(&["15 scores compared, all agree"]);
    }
    place.run("compare a.npy b.npy.zst");
    // An array has no names of vertices.
    let assert = place.command("compare a.npy s.csv").assert().code(1);
    assert.stdout(predicates::str::starts_with(
        "the files have no vertex in common",
    ));
    let json = place.json("a.json");
    expect(&json, "/1 = {\"vertex\": \"Medici\", \"score\": 47.5}");
    assert_eq!(json.as_array().unwrap().len(), 15);
    assert!(place.read("a.xlsx").starts_with("vertex,score"));
}

#[test]
fn every_output_is_compressed_if_its_name_says_so() {
    let place = Place::new();
    let outputs = "--edges e.csv.gz --report r.json.zst --scores s.json.xz";
    place.run(&format!("run KARATE --device none --quiet {outputs}"));
    place.run("compare e.csv.gz e.csv.gz");
    place.run("report r.json.zst -o page.html.gz");
    let starts: [(&str, &[u8]); 4] = [
        ("e.csv.gz", b"\x1f\x8b"),
        ("r.json.zst", b"\x28\xb5\x2f\xfd"),
        ("s.json.xz", b"\xfd7zXZ"),
        ("page.html.gz", b"\x1f\x8b"),
    ];
    for (name, start) in starts {
        assert!(place.bytes(name).starts_with(start), "{name}");
    }
}

#[test]
fn options_choose_the_format_and_the_order() {
    let place = Place::new();
    let path = "0 1\n1 2\n2 3\n4 3\n";
    for (input, options, scores) in [
        (
            "b a\nc b\n",
            "--score-format tsv",
            "vertex\tscore b\t1 a\t0 c\t0",
        ),
        (
            "b a\nc b\n",
            "--score-format json",
            "[ {\"vertex\": \"b\", \"score\": 1}, {\"vertex\": \"a\", \"score\": 0}, \
             {\"vertex\": \"c\", \"score\": 0} ]",
        ),
        (
            path,
            "--sort --score-format tsv",
            "vertex\tscore 2\t4 1\t3 3\t3 0\t0 4\t0",
        ),
    ] {
        let line = format!("run - --device none --scores - {options}");
        assert_eq!(place.pipe(input, &line).lines(), scores, "{options}");
    }
    let npy = "run - --device none --quiet --scores s.csv --score-format npy";
    place.pipe("b a\nc b\n", npy);
    let numbers = [1f64, 0.0, 0.0].map(f64::to_le_bytes).concat();
    let bytes = place.bytes("s.csv");
    assert!(bytes.starts_with(b"\x93NUMPY") && bytes.ends_with(&numbers));
}

#[test]
fn scores_and_suffixes_that_a_format_cannot_hold_are_refused() {
    let place = Place::new();
    place.write("bytes.txt", b"a b\xff\nb\xff c\n");
    place.refuse(
        "run bytes.txt --device none --quiet",
        "
        1 | --scores s.json | name of vertex b\\xff, which is not UTF-8; use --score-format csv
        2 | --score-format tsv | --scores
        2 | --scores s.xlsx | use .csv, .tsv, .json
        2 | --scores s.txt | use .csv, .tsv, .json
        2 | --scores s.xlsx.gz | use .csv, .tsv, .json
        2 | --scores a.npy --sort | is for CSV, TSV and JSON
        2 | --scores a.gexf --sort | is for CSV, TSV and JSON",
    );
}

#[test]
fn names_that_need_quotes_are_read_again() {
    let place = Place::new();
    let names = "\"a,b\" \"\"\"c\"\"\"\n\"\"\"c\"\"\" d'e\n";
    for file in ["a.csv", "a.tsv", "a.json"] {
        let line = format!("run - --device none --quiet --scores {file}");
        place.pipe(names, &line);
        let ran = place.run(&format!("compare a.csv {file}"));
        ran.has(&["3 scores compared, all agree"]);
    }
}

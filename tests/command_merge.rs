//! Tests `brandes run --part` and `brandes merge`.

use std::fs;
use std::path::Path;

use crate::common::program::{KARATE, brandes, read_json, stdout};
use predicates::str::contains;

/// Searches a part of the graph. Returns the path of the file in `folder` that holds its sums.
fn search(folder: &Path, part: &str, more: &[&str]) -> String {
    let sums = folder.join(format!("{}.npz", part.replace('/', "-")));
    let sums = sums.to_str().unwrap().to_string();
    let run = [
        "run", KARATE, "--device", "none", "--part", part, "--sums", &sums,
    ];
    stdout(brandes().args(run).args(more));
    sums
}

#[test]
fn merged_files_equal_those_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let parts: Vec<_> = (1..=3)
        .map(|number| search(folder.path(), &format!("{number}/3"), &["--sum-edges"]))
        .collect();
    for (name, more) in [
        ("s.csv", &[][..]),
        ("s.tsv", &["--normalized"]),
        ("s.json", &["--sort", "--score-columns", "rank,normalized"]),
        ("s.npy", &[]),
    ] {
        let (merged, whole) = (path(&format!("merged-{name}")), path(name));
        let edges = (path("merged-edges.csv"), path("edges.csv"));
        let mut merge = brandes();
        merge.arg("merge").args(parts.iter().rev());
        merge
            .args(["--scores", &merged, "--edges", &edges.0])
            .args(more);
        assert!(stdout(&mut merge).ends_with("34 vertices from 3 parts\n"));
        let mut run = brandes();
        run.args(["run", KARATE, "--device", "none", "--scores", &whole]);
        stdout(run.args(["--edges", &edges.1]).args(more));
        for (merged, whole) in [(&merged, &whole), (&edges.0, &edges.1)] {
            stdout(brandes().args(["compare", merged, whole]));
        }
        let first_line = |path: &str| {
            let text = fs::read_to_string(path).unwrap_or_default();
            text.lines().next().map(str::to_string)
        };
        assert_eq!(first_line(&merged), first_line(&whole));
    }
    let table = stdout(brandes().arg("merge").args(&parts).args(["--top", "2"]));
    assert!(table.contains("\n    1       1  231.071429\n"), "{table}");
}

#[test]
fn the_output_names_the_part() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report.json");
    let sums = folder.path().join("s.npz");
    let mut run = brandes();
    run.args([
        "run", KARATE, "--device", "none", "--part", "2/3", "--report",
    ]);
    let text = stdout(run.arg(&out).arg("--sums").arg(&sums));
    assert!(
        text.contains("part 2/3 of the search; 'brandes merge' adds up"),
        "{text}"
    );
    assert!(!text.contains("rank"), "{text}");
    let report = read_json(&out);
    assert_eq!(report["prepared"]["part"], "2/3");
    assert_eq!(report["prepared"]["partial"], true);
    assert_eq!(report["results"]["top"].as_array().unwrap().len(), 0);
}

#[test]
fn wrong_options_and_parts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let part = search(folder.path(), "1/2", &[]);
    let other = search(folder.path(), "2/2", &[]);
    let before = fs::read(&part).unwrap();
    let (run, both) = (
        format!("run {KARATE} --part 1/2"),
        format!("{part} {other}"),
    );
    for (args, code, text) in [
        (run.clone(), 2, "--sums"),
        (format!("run {KARATE} --sums s.npz"), 2, "--part"),
        (
            format!("run {KARATE} --part 3/2 --sums s.npz"),
            2,
            "is not K/N",
        ),
        (format!("{run} --sums s.npz --scores s.csv"), 2, "--scores"),
        (
            format!("{run} --sums s.npz --normalized"),
            2,
            "--normalized",
        ),
        (
            format!("{run} --sums s.csv"),
            2,
            "use a name that ends in .npz",
        ),
        (
            format!("{run} --sums s.npz.gz"),
            2,
            "use a name that ends in .npz",
        ),
        (
            format!("{run} --sums {KARATE}"),
            2,
            "would overwrite the graph",
        ),
        ("merge".into(), 2, "<PART>"),
        (format!("merge {part}"), 1, "these parts are missing: 2/2"),
        (format!("merge {both} {part}"), 1, "part 1/2 is there twice"),
        (
            format!("merge {both} --scores {part}"),
            2,
            "would overwrite a part",
        ),
        (
            format!("merge {both} --edges -"),
            1,
            "search them with --sum-edges",
        ),
        (format!("merge {both} --scores s.gexf"), 2, "need the graph"),
        (
            format!("merge {both} --scores s.csv --score-columns degree"),
            2,
            "degrees need the graph",
        ),
        (format!("merge {KARATE}"), 1, "holds no sums"),
    ] {
        let mut command = brandes();
        let command = command.args(args.split(' ')).assert().code(code);
        command.stderr(contains(text));
    }
    assert_eq!(fs::read(&part).unwrap(), before);
    assert!(!Path::new("s.npz").exists() && !Path::new("s.csv").exists());
}

//! Tests estimates of `brandes run`: score files, the report, the summary and refused options.

use std::fs;

use crate::common::program::{KARATE, RMAT, read_json, run as program, stdout};
use predicates::str::contains;

#[test]
fn score_files_have_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let run = |scores: &str, more: &[&str]| {
        let usual = ["--epsilon", "0.05", "--draws", "sources", "--quiet"];
        let mut command = program(RMAT, &usual);
        stdout(
            command
                .args(["--cpu-workers", "1", "--scores", scores])
                .args(more),
        )
    };
    let csv = run("-", &[]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("vertex,score,lower,upper"));
    for line in lines {
        let numbers = line.split(',').skip(1).map(|text| text.parse().unwrap());
        let [score, low, high]: [f64; 3] = numbers.collect::<Vec<_>>().try_into().unwrap();
        assert!(low <= score && score <= high && high - low <= 0.1, "{line}");
    }
    for name in ["s.json", "s.npy", "s.graphml", "s.gexf", "s.tsv"] {
        run(&file(name), &[]);
        let bytes = fs::read(file(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let part = match name {
            "s.json" => "\"lower\": ",
            "s.npy" => "(818, 3",
            "s.tsv" => "vertex\tscore\tlower\tupper\n",
            _ => "\"upper\"",
        };
        assert!(text.contains(part), "{name}: {}", text.len());
    }
    // Estimates are normalised with and without the option.
    assert_eq!(run("-", &["--normalized"]), csv);
    assert_ne!(run("-", &["--seed", "2"]), csv);
}

#[test]
fn the_report_and_the_summary_describe_an_estimate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.json");
    let file = path.to_str().unwrap();
    let more = [
        "--epsilon",
        "0.1",
        "--confidence",
        "0.8",
        "--seed",
        "5",
        "--top",
        "2",
        "--draws",
        "sources",
    ];
    let text = stdout(program(RMAT, &more).args(["--report", file]));
    let header: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(
        header,
        ["rank", "vertex", "score", "lower", "upper", "degree"]
    );
    assert!(text.contains("normalised scores within "), "{text}");
    assert!(
        text.contains("of the truth with a probability of at least 0.8 ("),
        "{text}"
    );
    let json = read_json(&path);
    let estimate = &json["estimate"];
    for (name, value) in [
        ("epsilon", 0.1),
        ("confidence", 0.8),
        ("seed", 5.0),
        ("top", 2.0),
    ] {
        assert_eq!(estimate[name].as_f64(), Some(value), "{estimate}");
    }
    assert!(
        estimate["seconds"].is_null() && json["query"].is_null(),
        "{estimate}"
    );
    assert!(
        estimate["draws"].as_u64() < estimate["sources"].as_u64(),
        "{estimate}"
    );
    let workers = json["workers"].as_array().unwrap().iter();
    let searched: u64 = workers
        .map(|worker| worker["roots"].as_u64().unwrap())
        .sum();
    assert_eq!(json["prepared"]["roots"], searched);
    assert_eq!(estimate["searches"], searched);
    assert_eq!(
        json["results"]["top"][0]["interval"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // Three of the scores of this graph are equal.
    let more = ["--top", "20", "--confidence", "0.9"];
    let text = stdout(&mut program(KARATE, &more));
    let ranks: Vec<&str> = (text.lines().skip(1).take(20))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!((ranks[0], ranks.len()), ("1", 20), "{text}");
    let more = ["--epsilon", "0.1", "--draws", "paths"];
    let text = stdout(&mut program(RMAT, &more));
    assert!(text.contains(" on CPU threads (read "), "{text}");
    assert!(text.contains(" random shortest paths, seed 1)\n"), "{text}");
    // This graph is so small that all its vertices are drawn as sources.
    let text = stdout(&mut program(KARATE, &["--time", "1m", "--verbose"]));
    assert!(
        text.contains("all sources were searched, so the normalised scores are exact\n"),
        "{text}"
    );
    assert!(!text.contains("without reductions"), "{text}");
    // The sum 231.071429 is divided by 528 pairs.
    assert!(text.lines().nth(1).unwrap().contains("0.437635"), "{text}");
}

#[test]
fn a_sample_on_the_command_line_is_rescaled() {
    let scores = |more: &[&str]| {
        let usual = ["--quiet", "--cpu-workers", "1", "--scores", "-"];
        stdout(program(KARATE, &usual).args(more))
    };
    let all = scores(&["--roots", "34", "--rescale"]);
    assert_eq!(all, scores(&[]));
    let some = |seed| scores(&["--roots", "5", "--rescale", "--seed", seed]);
    assert_eq!(some("1"), scores(&["--roots", "5", "--rescale"]));
    assert_ne!(some("1"), some("2"));
    let text = stdout(&mut program(KARATE, &["--roots", "5", "--rescale"]));
    let words = "\nscores from 5 of 34 vertices drawn at random, without a guarantee;";
    assert!(text.contains(words), "{text}");
}

#[test]
fn options_that_contradict_estimates_are_usage_errors() {
    for (options, text) in [
        ("--confidence 0.9", "--epsilon"),
        ("--top 0 --confidence 0.9", "epsilon"),
        ("--draws paths", "--epsilon"),
        (
            "--epsilon 0.1 --draws paths --cpu-engine plain",
            "--cpu-engine does not go with --draws paths; leave one out",
        ),
        ("--seed 3", "--epsilon"),
        ("--epsilon 1.5", "'1.5' is not a number between 0 and 1"),
        (
            "--time soon",
            "'soon' is not a time above 0, such as 60, 60s, 5m or 1h",
        ),
        ("--epsilon 0.1 --rescale", "cannot be used with"),
        ("--rescale", "give its size with --roots K"),
        ("--rescale --roots 0..5", "give its size with --roots K"),
        (
            "--rescale --roots 5 --measures stress",
            "--rescale does not go with --measures",
        ),
        (
            "--epsilon 0.1 --measures stress",
            "--measures does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --radius 2",
            "--radius does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --edges e.csv",
            "--edges does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --endpoints",
            "--endpoints does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --roots 5",
            "--roots does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --reduce blocks",
            "--reduce blocks does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --checkpoint c",
            "--checkpoint does not go with estimates; leave it out",
        ),
        (
            "--epsilon 0.1 --part 1/2 --sums s.npz",
            "--part does not go with estimates; leave it out",
        ),
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let assert = program(KARATE, &options).assert().code(2);
        assert.stderr(contains(text));
    }
}

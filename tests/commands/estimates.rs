//! Tests estimates of `brandes run`: score files, the report, the summary and refused options.

use crate::common::program::{Place, expect};

#[test]
fn score_files_have_intervals() {
    let place = Place::new();
    let run = |more: &str| {
        let estimate = "--epsilon 0.05 --draws sources --cpu-workers 1";
        let line = format!("run RMAT --device none --quiet {estimate} --scores {more}");
        place.run(&line).out
    };
    let csv = run("-");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("vertex,score,lower,upper"));
    for line in lines {
        let numbers = line.split(',').skip(1).map(|text| text.parse().unwrap());
        let [score, low, high]: [f64; 3] = numbers.collect::<Vec<_>>().try_into().unwrap();
        assert!(low <= score && score <= high && high - low <= 0.1, "{line}");
    }
    for (name, part) in [
        ("s.json", "\"lower\": "),
        ("s.npy", "(818, 3"),
        ("s.graphml", "\"upper\""),
        ("s.gexf", "\"upper\""),
        ("s.tsv", "vertex\tscore\tlower\tupper\n"),
    ] {
        run(name);
        let bytes = place.bytes(name);
        assert!(String::from_utf8_lossy(&bytes).contains(part), "{name}");
    }
    // Estimates are normalised with and without the option.
    assert_eq!(run("- --normalized"), csv);
    assert_ne!(run("- --seed 2"), csv);
}

#[test]
fn the_report_and_the_summary_describe_an_estimate() {
    let place = Place::new();
    let options = "--epsilon 0.1 --confidence 0.8 --seed 5 --top 2 --draws sources";
    let ran = place.run(&format!("run RMAT --device none {options} --report r.json"));
    let header: Vec<&str> = ran.out.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(
        header,
        ["rank", "vertex", "score", "lower", "upper", "degree"]
    );
    ran.has(&[
        "normalised scores within ",
        "of the truth with a probability of at least 0.8 (",
    ]);
    let report = place.json("r.json");
    expect(
        &report,
        "
        /estimate/epsilon = 0.1
        /estimate/confidence = 0.8
        /estimate/seed = 5
        /estimate/top = 2
        /estimate/seconds = null
        /query = null",
    );
    let estimate = &report["estimate"];
    assert!(
        estimate["draws"].as_u64() < estimate["sources"].as_u64(),
        "{estimate}"
    );
    let workers = report["workers"].as_array().unwrap().iter();
    let searched: u64 = workers
        .map(|worker| worker["roots"].as_u64().unwrap())
        .sum();
    assert_eq!(
        [&report["prepared"]["roots"], &estimate["searches"]],
        [searched; 2]
    );
    assert!(report["results"]["top"][0]["interval"][1].is_f64());

    let run = |graph: &str, more: &str| place.run(&format!("run {graph} --device none {more}"));
    // Three of the scores of this graph are equal.
    let ran = run("KARATE", "--top 20 --confidence 0.9");
    let ranks = ran.out.lines().skip(1).take(20);
    let ranks: Vec<_> = ranks.map(|line| line.split_whitespace().next()).collect();
    assert_eq!((ranks[0], ranks.len()), (Some("1"), 20), "{}", ran.out);
    let paths = run("RMAT", "--epsilon 0.1 --draws paths");
    paths.has(&[
        " on CPU threads (read ",
        " random shortest paths, seed 1)\n",
    ]);
    // This graph is so small that all its vertices are drawn as sources.
    let all = run("KARATE", "--time 1m --verbose");
    all.has(&["all sources were searched, so the normalised scores are exact\n"]);
    all.lacks(&["without reductions"]);
    // The sum 231.071429 is divided by 528 pairs.
    assert!(
        all.out.lines().nth(1).unwrap().contains("0.437635"),
        "{}",
        all.out
    );
}

#[test]
fn a_sample_on_the_command_line_is_rescaled() {
    let scores = |more: &str| {
        let usual = "--device none --quiet --cpu-workers 1 --scores -";
        Place::new().run(&format!("run KARATE {usual} {more}")).out
    };
    assert_eq!(scores("--roots 34 --rescale"), scores(""));
    let some = |seed| scores(&format!("--roots 5 --rescale --seed {seed}"));
    assert_eq!(some(1), scores("--roots 5 --rescale"));
    assert_ne!(some(1), some(2));
    let ran = Place::new().run("run KARATE --device none --roots 5 --rescale");
    ran.has(&["\nscores from 5 of 34 vertices drawn at random, without a guarantee;"]);
}

#[test]
fn options_that_contradict_estimates_are_usage_errors() {
    Place::new().refuse(
        "run KARATE --device none",
        "
        2 | --confidence 0.9 | --epsilon
        2 | --top 0 --confidence 0.9 | epsilon
        2 | --draws paths | --epsilon
        2 | --seed 3 | --epsilon
        2 | --time soon | 'soon' is not a time above 0, such as 60, 60s, 5m or 1h
        2 | --rescale | give its size with --roots K
        2 | --rescale --roots 0..5 | give its size with --roots K
        2 | --rescale --roots 5 --measures stress | --rescale does not go with --measures
        2 | --epsilon 1.5 | '1.5' is not a number between 0 and 1
        2 | --epsilon 0.1 --rescale | cannot be used with",
    );
    Place::new().refuse(
        "run KARATE --device none --epsilon 0.1",
        "
        2 | --draws paths --cpu-engine plain | --cpu-engine does not go with --draws paths; leave one
        2 | --measures stress | --measures does not go with estimates; leave it out
        2 | --radius 2 | --radius does not go with estimates; leave it out
        2 | --edges e.csv | --edges does not go with estimates; leave it out
        2 | --endpoints | --endpoints does not go with estimates; leave it out
        2 | --roots 5 | --roots does not go with estimates; leave it out
        2 | --reduce blocks | --reduce blocks does not go with estimates; leave it out
        2 | --checkpoint c | --checkpoint does not go with estimates; leave it out
        2 | --part 1/2 --sums s.npz | --part does not go with estimates; leave it out",
    );
}

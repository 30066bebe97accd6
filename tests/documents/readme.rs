//! Tests that every `brandes` command of the documents works exactly as written, in the written
//! order, and has the written output.

use std::fs;
use std::path::Path;

use crate::common::program::Place;

/// Documents, and the minimum number of commands in each, which detects a defect of the extraction.
const DOCUMENTS: [(&str, usize); 14] = [
    ("README.md", 8),
    ("bench-graphs/README.md", 6),
    ("docs/bench.md", 4),
    ("docs/devices.md", 4),
    ("docs/estimates.md", 2),
    ("docs/formats.md", 8),
    ("docs/many-machines.md", 4),
    ("docs/measures.md", 3),
    ("docs/page.md", 3),
    ("docs/removal.md", 5),
    ("docs/report.md", 2),
    ("docs/scores.md", 7),
    ("docs/strategies.md", 5),
    ("docs/tune.md", 2),
];

/// In these, the comment below a `printf` command is its output: scores, or an error.
const SHOW_OUTPUT: [&str; 2] = ["docs/formats.md", "docs/measures.md"];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the indented lines of a document that run the program, each with the line below it. A
/// line with a graph called GRAPH is a pattern, not a command.
fn commands(document: &str) -> Vec<(String, Option<String>)> {
    let text = fs::read_to_string(project().join(document)).unwrap();
    let lines = text.lines().map(|line| line.strip_prefix("    "));
    let indented: Vec<Option<String>> = lines.map(|line| line.map(String::from)).collect();
    let is_command = |line: &String| {
        let starts = ["brandes ", "printf ", "! printf ", "zcat "];
        let begins = starts.iter().any(|start| line.starts_with(start));
        begins && line.contains("brandes ") && !line.contains(" GRAPH")
    };
    let below = indented.iter().skip(1).cloned().chain([None]);
    let pairs = indented.iter().cloned().zip(below);
    let commands = pairs.filter_map(|(line, below)| Some((line.filter(is_command)?, below)));
    commands.collect()
}

#[test]
fn every_command_works() {
    for (document, fewest) in DOCUMENTS {
        let commands = commands(document);
        assert!(commands.len() >= fewest, "{document}: {commands:?}");
        // Commands run beside a copy of the inputs, so that they write no outputs into the project.
        let place = Place::new();
        fs::create_dir(place.at("bench-graphs")).unwrap();
        for entry in fs::read_dir(project().join("bench-graphs")).unwrap() {
            let entry = entry.unwrap();
            if entry.path().is_file() {
                let copy = place.at("bench-graphs").join(entry.file_name());
                fs::copy(entry.path(), copy).unwrap();
            }
        }
        for (command, below) in commands {
            // In bash, an exclamation mark inverts the exit status.
            let ran = place.bash(&command);
            if SHOW_OUTPUT.contains(&document) && command.contains("printf ") {
                let written = if command.starts_with('!') {
                    ran.err
                } else {
                    ran.out
                };
                let written = written.lines().collect::<Vec<_>>().join(" ");
                assert_eq!(below, Some(format!("# {written}")), "{document}: {command}");
            }
        }
    }
}

/// Options that the test adds to commands of the tutorial, which name no device.
const ADDED_OPTIONS: [(&str, &str); 4] = [
    ("brandes info ", "--device 0 --budget 1 "),
    ("brandes tune ", "--device 0 --budget 3 "),
    ("brandes bench ", "--device 0 --repeat 2 "),
    ("brandes run ", "--device 0 "),
];

#[test]
fn every_command_of_the_tutorial_works_on_small_graphs() {
    let commands = commands("docs/tutorial.md");
    for name in ["info", "run", "tune", "bench", "report"] {
        let start = format!("brandes {name} ");
        assert!(
            commands.iter().any(|(line, _)| line.starts_with(&start)),
            "{name}"
        );
    }
    // The folder holds small graphs with the names of those that the tutorial downloads.
    let place = Place::new();
    fs::create_dir_all(place.at("bench-graphs/downloads")).unwrap();
    for (from, to) in [
        ("rmat-10.txt.gz", "facebook_combined.txt.gz"),
        ("diamonds-20.mtx", "luxembourg_osm.mtx.gz"),
    ] {
        let copy = place.at("bench-graphs/downloads").join(to);
        fs::copy(project().join("bench-graphs").join(from), copy).unwrap();
    }
    for (mut line, _) in commands {
        for (start, options) in ADDED_OPTIONS {
            line = line.replace(start, &format!("{start}{options}"));
        }
        place.bash(&line);
    }
    let page = place.read("report.html");
    assert!(page.contains("\"kind\": \"tune\"") && page.contains("</html>"));
}

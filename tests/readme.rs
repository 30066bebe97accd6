//! Tests that every `brandes` command of the documents works exactly as written, in the written
//! order, and has the written output.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A document whose commands are run.
struct Document {
    path: &'static str,
    /// The minimum number of commands, which detects a defect of the extraction.
    fewest: usize,
    /// Whether the comment below a `printf` command is its output: scores, or an error.
    shows_output: bool,
}

const DOCUMENTS: [Document; 14] = [
    document("README.md", 8, false),
    document("bench-graphs/README.md", 6, false),
    document("docs/bench.md", 4, false),
    document("docs/devices.md", 4, false),
    document("docs/estimates.md", 2, false),
    document("docs/formats.md", 8, true),
    document("docs/many-machines.md", 4, false),
    document("docs/measures.md", 3, true),
    document("docs/page.md", 3, false),
    document("docs/removal.md", 5, false),
    document("docs/report.md", 2, false),
    document("docs/scores.md", 7, false),
    document("docs/strategies.md", 5, false),
    document("docs/tune.md", 2, false),
];

const fn document(path: &'static str, fewest: usize, shows_output: bool) -> Document {
    Document {
        path,
        fewest,
        shows_output,
    }
}

/// Returns the indented lines of a document that run the program, each with the line below it. A
/// line with a graph called GRAPH is a pattern, not a command.
fn commands(text: &str) -> Vec<(&str, Option<&str>)> {
    let indented: Vec<Option<&str>> = text.lines().map(|line| line.strip_prefix("    ")).collect();
    let is_command = |line: &str| {
        let starts = ["brandes ", "printf ", "! printf ", "zcat "];
        starts.iter().any(|start| line.starts_with(start))
            && line.contains("brandes ")
            && !line.contains(" GRAPH")
    };
    let with_next = (0..indented.len()).filter_map(|index| {
        let line = indented[index].filter(|line| is_command(line))?;
        Some((line, indented.get(index + 1).copied().flatten()))
    });
    with_next.collect()
}

#[test]
fn every_command_works() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = Path::new(env!("CARGO_BIN_EXE_brandes")).parent().unwrap();
    let path = format!("{}:{}", built.display(), env::var("PATH").unwrap());
    for document in &DOCUMENTS {
        let text = fs::read_to_string(project.join(document.path)).unwrap();
        let commands = commands(&text);
        assert!(
            commands.len() >= document.fewest,
            "{}: {commands:?}",
            document.path
        );

        // Commands run beside a copy of the inputs, so that they write no outputs into the project.
        let folder = tempfile::tempdir().unwrap();
        let graphs = folder.path().join("bench-graphs");
        fs::create_dir(&graphs).unwrap();
        for entry in fs::read_dir(project.join("bench-graphs")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, graphs.join(path.file_name().unwrap())).unwrap();
            }
        }
        for (command, next) in commands {
            let mut bash = Command::new("bash");
            bash.args(["-euo", "pipefail", "-c", command])
                .current_dir(folder.path())
                .env("PATH", &path);
            if document.path == "docs/tune.md" {
                // The profile must not affect later tests.
                bash.env("BRANDES_CACHE_DIR", folder.path().join("cache"));
            }
            let output = bash.output().unwrap();
            let stdout = String::from_utf8_lossy(&output.stdout);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let shown = format!("{}: {command}\n{stdout}{stderr}", document.path);
            // In bash, an exclamation mark inverts the exit status.
            assert!(output.status.success(), "{shown}");
            if document.shows_output && command.contains("printf ") {
                let comment = next.and_then(|line| line.strip_prefix("# "));
                let written = if command.starts_with('!') {
                    stderr
                } else {
                    stdout
                };
                let written: Vec<&str> = written.lines().collect();
                assert_eq!(comment, Some(&written.join(" ")[..]), "{shown}");
            }
        }
    }
}

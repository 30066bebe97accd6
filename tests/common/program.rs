//! Runs the program as a user does.

use std::fs;
use std::path::Path;

use assert_cmd::{Command, cargo_bin_cmd};
use serde_json::Value;

pub const KARATE: &str = "bench-graphs/karate.txt";
pub const RMAT: &str = "bench-graphs/rmat-10.txt.gz";

/// Returns `brandes` in the folder of the project.
pub fn brandes() -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Returns `brandes` in the folder of the project, with arguments.
pub fn brandes_with(args: &[&str]) -> Command {
    let mut command = brandes();
    command.args(args);
    command
}

/// Returns `brandes bench` with arguments.
pub fn bench(args: &[&str]) -> Command {
    let mut command = brandes();
    command.arg("bench").args(args);
    command
}

/// Returns `brandes run GRAPH --device none` with more arguments.
pub fn run(graph: &str, more: &[&str]) -> Command {
    let mut command = brandes();
    command.args(["run", graph, "--device", "none"]).args(more);
    command
}

/// Returns the output of a command, which must succeed.
pub fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// Returns the words of the lines of `text` whose first word is `name`.
pub fn rows<'t>(text: &'t str, name: &str) -> Vec<Vec<&'t str>> {
    text.lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.first() == Some(&name))
        .collect()
}

/// Reads a JSON file.
pub fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns the names of the files in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Sends a signal to a child that was not waited for yet.
#[cfg(unix)]
pub fn send(child: &std::process::Child, signal: i32) {
    // SAFETY: `kill` only sends the signal.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

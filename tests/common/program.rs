//! Runs the program as a user does.

use std::fs;
use std::path::Path;

use assert_cmd::{Command, cargo_bin_cmd};
use serde_json::Value;

pub const KARATE: &str = "bench-graphs/karate.txt";

/// Returns `brandes` in the folder of the project.
pub fn brandes() -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
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

/// Reads a JSON file.
pub fn read_json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

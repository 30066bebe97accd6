//! Tests the messages of the program when it gets no more memory or threads.

use crate::common::program::{KARATE, brandes};
use assert_cmd::Command;
use predicates::function::function;
use predicates::str::{contains, is_empty};
use regex::Regex;

/// Returns the program with an address space of this many kilobytes.
fn limited(kilobytes: usize) -> Command {
    let program = brandes().get_program().to_owned();
    let mut shell = Command::new("sh");
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    shell.current_dir(env!("CARGO_MANIFEST_DIR"));
    shell.args(["-c", &script]).arg(program);
    shell
}

/// Returns whether a text is one line, a message of this pattern.
fn is_message(text: &str, pattern: &str) -> bool {
    let line = Regex::new(&format!(r"\Abrandes: {pattern}\n\z")).unwrap();
    line.is_match(text)
}

#[test]
fn a_failed_allocation_is_one_line_and_no_abort() {
    // The edges of this graph need 16 gigabytes.
    let mut command = limited(2_000_000);
    command.args([
        "generate",
        "grid",
        "--rows",
        "1",
        "--cols",
        "2000000000",
        "-o",
        "-",
    ]);
    let assert = command.assert().code(1).stdout(is_empty());
    let why = r"out of memory: an allocation of [0-9]+ bytes failed \(use .*\)";
    assert.stderr(function(|text| is_message(text, why)));
}

#[test]
fn threads_that_cannot_be_started_are_one_line() {
    // Each stack has two megabytes.
    let mut command = limited(1_000_000);
    command.args(["run", KARATE, "--device", "none", "--reduce", "none"]);
    command.args(["--cpu-workers", "1000"]);
    let assert = command.assert().code(1).stdout(is_empty());
    let why =
        r"thread 1 of 1000 for CPU workers .*has room for [0-9]+ more threads \(ask for fewer.*";
    assert.stderr(function(|text| is_message(text, why)));
}

#[test]
fn absurdly_many_workers_are_a_usage_error() {
    for count in ["100000", "18446744073709551615"] {
        let mut command = brandes();
        command.args(["run", KARATE, "--cpu-workers", count]);
        let assert = command.assert().code(2);
        assert.stderr(contains("a number of at most "));
    }
}

#[test]
fn sizes_in_headers_of_arrays_allocate_no_memory() {
    let mut command = limited(1_000_000);
    let graph = "tests/data/inputs/npz/header-of-a-gigabyte.npz";
    command.args(["run", graph, "--device", "none", "--cpu-workers", "1"]);
    let assert = command.assert().code(1).stdout(is_empty());
    assert.stderr(contains("is not a NumPy array"));
}

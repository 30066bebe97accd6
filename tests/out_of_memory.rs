//! What the program says when it gets no more memory.

mod common;

use assert_cmd::Command;
use common::program::brandes;
use predicates::str::{is_empty, is_match};

#[test]
fn a_failed_allocation_is_one_line_and_no_abort() {
    let program = brandes().get_program().to_owned();
    let mut shell = Command::new("sh");
    // Two gigabytes of address space, and a graph that needs eight.
    shell.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""]);
    shell.arg(program);
    shell.args(["generate", "path", "--vertices", "2000000000", "-o", "-"]);
    shell.assert().code(1).stdout(is_empty()).stderr(
        is_match(r"\Abrandes: out of memory: an allocation of \d+ bytes failed \(use .*\)\n\z")
            .unwrap(),
    );
}

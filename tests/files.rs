//! Tests files, pipes and names of files as on every system.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::program::{KARATE, brandes, names, run, stdout};
use predicates::str::{contains, is_empty};

#[test]
fn an_output_that_is_the_input_or_another_output_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(at("g.txt"), "0 1\n1 2\n").unwrap();
    let graph = at("g.txt");
    let refused = |args: &[&str], why: &str| {
        let mut command = brandes();
        let assert = command.args(args).assert();
        assert.code(2).stdout(is_empty()).stderr(contains(why));
        assert_eq!(fs::read_to_string(at("g.txt")).unwrap(), "0 1\n1 2\n");
        assert_eq!(names(folder.path()), ["g.txt"]);
    };
    let new = at("new");
    for option in ["--scores", "--edges", "--report"] {
        let why = "would overwrite the graph; give another name";
        refused(&["run", &graph, option, &graph], why);
    }
    let two = ["run", &graph, "--scores", &new, "--report", &new];
    refused(&two, "--scores and --report are the same file");
    refused(
        &["bench", &graph, "--json", &graph],
        "would overwrite the graph",
    );
    let two = ["tune", &graph, "--profile", &new, "--json", &new];
    refused(&two, "--json and --profile are the same file");
}

#[test]
fn a_closed_pipe_is_a_success_without_messages() {
    let mut command = Command::new(brandes().get_program());
    command
        .args(["generate", "path", "--vertices", "300000", "-o", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut few = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut few).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}

#[test]
fn lines_end_with_lf_whatever_ends_those_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let [graph, scores] = ["g.csv", "s.csv"].map(|name| folder.path().join(name));
    fs::write(&graph, "source,target\r\na,b\r\nb,c\r\n").unwrap();
    let [graph, scores] = [&graph, &scores].map(|path| path.to_str().unwrap());
    run(graph, &["--quiet", "--scores", scores])
        .assert()
        .success();
    let expected = "vertex,score\na,0\nb,1\nc,0\n";
    assert_eq!(fs::read_to_string(scores).unwrap(), expected);
    let graph = fs::read(graph).unwrap();
    let piped = run("-", &["--quiet", "--scores", "-"])
        .write_stdin(graph)
        .output();
    assert_eq!(String::from_utf8(piped.unwrap().stdout).unwrap(), expected);
    let converted = stdout(brandes().args(["convert", KARATE, "-", "--to", "csv"]));
    assert!(!converted.contains('\r'));
}

#[test]
fn files_with_long_paths_and_foreign_letters_are_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    // Windows limits paths to 260 letters where a program does not ask for more.
    let deep = folder.path().join("Größe λ".repeat(12));
    fs::create_dir_all(&deep).unwrap();
    let [graph, scores, checkpoint] =
        ["straßen", "werte", "zustand"].map(|name| deep.join(name.repeat(24)));
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(KARATE), &graph).unwrap();
    for _ in 0..2 {
        let mut command = brandes();
        command.arg("run").arg(&graph).arg("--scores").arg(&scores);
        command.arg("--checkpoint").arg(&checkpoint);
        command.args(["--score-format", "csv", "--device", "none", "--quiet"]);
        command.assert().success().stderr(is_empty());
        assert_eq!(names(&deep).len(), 2);
    }
    let text = fs::read_to_string(&scores).unwrap();
    assert!(text.starts_with("vertex,score\n1,231.07"), "{text}");
}

/// Another program, such as a spreadsheet, may forbid that a file is replaced while it is open.
#[cfg(windows)]
#[test]
fn a_file_that_is_open_elsewhere_is_named() {
    use std::os::windows::fs::OpenOptionsExt;

    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("scores.csv");
    fs::write(&scores, "old").unwrap();
    /// Others may read and write, but not delete or replace.
    const READ_AND_WRITE: u32 = 3;
    for shared in [0, READ_AND_WRITE] {
        let open = fs::File::options()
            .read(true)
            .share_mode(shared)
            .open(&scores);
        let mut command = run(KARATE, &["--quiet", "--scores", scores.to_str().unwrap()]);
        let assert = command.assert().code(1);
        assert.stderr(contains("programs that have the file open"));
        drop(open.unwrap());
        assert_eq!(names(folder.path()), ["scores.csv"]);
        assert_eq!(fs::read_to_string(&scores).unwrap(), "old");
    }
}

#[cfg(windows)]
#[test]
fn the_device_nul_takes_outputs() {
    run(KARATE, &["--quiet", "--scores", "NUL", "--report", "NUL"])
        .assert()
        .success();
}

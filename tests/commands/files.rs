//! Tests files, pipes and names of files as on every system.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::program::{Place, brandes, names};
use predicates::str::is_empty;

#[test]
fn an_output_that_is_the_input_or_another_output_is_refused() {
    let place = Place::with(&[("g.txt", "0 1\n1 2\n")]);
    place.refuse(
        "",
        "
        2 | run g.txt --scores g.txt | would overwrite the graph; give another name
        2 | run g.txt --edges g.txt | would overwrite the graph; give another name
        2 | run g.txt --report g.txt | would overwrite the graph; give another name
        2 | run g.txt --scores new --report new | --scores and --report are the same file
        2 | run g.txt --edges e.tsv | --edges writes CSV
        2 | run g.txt --report r.html.gz | --report writes JSON, not .
        2 | run g.txt --report r.csv | --report writes JSON, not .
        2 | bench g.txt --json g.txt | would overwrite the graph
        2 | tune g.txt --profile new --json new | --json and --profile are the same file",
    );
    assert_eq!(place.read("g.txt"), "0 1\n1 2\n");
}

#[test]
fn a_closed_pipe_is_a_success_without_messages() {
    let mut command = Command::new(brandes().get_program());
    command.args("generate grid --rows 1 --cols 300000 -o -".split(' '));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut few = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut few).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

#[test]
fn lines_end_with_lf_whatever_ends_those_of_the_input() {
    let graph = "source,target\r\na,b\r\nb,c\r\n";
    let place = Place::with(&[("g.csv", graph)]);
    place.run("run g.csv --device none --quiet --scores s.csv");
    let expected = "vertex,score\na,0\nb,1\nc,0\n";
    assert_eq!(place.read("s.csv"), expected);
    let piped = place.pipe(graph, "run - --device none --quiet --scores -");
    assert_eq!(piped.out, expected);
    place.run("convert KARATE - --to csv").lacks(&["\r"]);
}

#[test]
fn files_with_long_paths_and_foreign_letters_are_read_and_written() {
    let place = Place::new();
    // Windows limits paths to 260 letters where a program does not ask for more.
    let deep = place.at(&"Größe λ".repeat(12));
    fs::create_dir_all(&deep).unwrap();
    let [graph, scores, checkpoint] =
        ["straßen", "werte", "zustand"].map(|name| deep.join(name.repeat(24)));
    let edges = place.run("convert KARATE - --to csv").out;
    fs::write(&graph, edges).unwrap();
    for _ in 0..2 {
        let mut command = place.command("run --score-format csv --device none --quiet");
        command.arg(&graph).arg("--scores").arg(&scores);
        command.arg("--checkpoint").arg(&checkpoint);
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

    let place = Place::with(&[("scores.csv", "old")]);
    /// Others may read and write, but not delete or replace.
    const READ_AND_WRITE: u32 = 3;
    for shared in [0, READ_AND_WRITE] {
        let mut options = fs::File::options();
        let options = options.read(true).share_mode(shared);
        let open = options.open(place.at("scores.csv")).unwrap();
        let row = "1 | --scores scores.csv | close it in other programs";
        place.refuse("run KARATE --device none --quiet", row);
        drop(open);
        assert_eq!(place.read("scores.csv"), "old");
    }
}

#[cfg(windows)]
#[test]
fn the_device_nul_takes_outputs() {
    Place::new().run("run KARATE --device none --quiet --scores NUL --report NUL");
}

//! Tests output files of failing and interrupted runs on Unix as a user sees them.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::program::{Place, brandes, send};

/// Starts a run that waits for its graph on standard input. Signals have their default actions,
/// except the `ignored` one.
fn start_waiting_run(place: &Place, options: &str, ignored: Option<i32>) -> Child {
    let mut command = Command::new(brandes().get_program());
    command
        .args(format!("run - --device none --quiet {options}").split_whitespace())
        .current_dir(place.at(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let prepare = move || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM] {
            let action = match ignored == Some(signal) {
                true => libc::SIG_IGN,
                false => libc::SIG_DFL,
            };
            // SAFETY: the arguments are a signal and one of the two constants.
            unsafe { libc::signal(signal, action) };
        }
        Ok(())
    };
    // SAFETY: `signal` may be called between fork and exec.
    let child = unsafe { command.pre_exec(prepare) }.spawn().unwrap();
    while !catches(child.id(), libc::SIGTERM) {
        sleep(Duration::from_millis(1));
    }
    child
}

/// Returns whether a process has a handler for the signal.
fn catches(process: u32, signal: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
    mask & (1 << (signal - 1)) != 0
}

/// Waits for the end of the process. Returns its exit code and its standard error.
fn exit_code_and_messages(mut child: Child) -> (Option<i32>, String) {
    // `wait` would close stdin, which would end the input.
    let stdin = child.stdin.take();
    let status = child.wait().unwrap();
    drop(stdin);
    let mut messages = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut messages).unwrap();
    (status.code(), messages)
}

#[test]
fn a_signal_ends_a_run_with_its_code_and_leaves_no_files() {
    for (signal, name) in [
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGTERM, "SIGTERM"),
    ] {
        let place = Place::with(&[("old.csv", "old")]);
        let outputs = "--scores old.csv --report report.json";
        for (options, files, end) in [("", 1, ""), (outputs, 3, "; nothing was written")] {
            let child = start_waiting_run(&place, options, None);
            while place.names().len() < files {
                sleep(Duration::from_millis(1));
            }
            send(&child, signal);
            let messages = format!("brandes: stopped by {name}{end}\n");
            assert_eq!(
                exit_code_and_messages(child),
                (Some(128 + signal), messages)
            );
            assert_eq!(place.names(), ["old.csv"]);
            assert_eq!(place.read("old.csv"), "old");
        }
    }
    // The run has read its input.
    let place = Place::new();
    let mut child = start_waiting_run(&place, "--scores scores.csv --cpu-workers 1", None);
    let grid = Place::new()
        .run("generate grid --rows 500 --cols 500 -o -")
        .out;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(grid.as_bytes()).unwrap();
    drop(stdin);
    send(&child, libc::SIGTERM);
    assert_eq!(exit_code_and_messages(child).0, Some(128 + libc::SIGTERM));
    assert_eq!(place.names().len(), 0);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let mut child = start_waiting_run(&Place::new(), "", Some(libc::SIGHUP));
    assert!(!catches(child.id(), libc::SIGHUP));
    send(&child, libc::SIGHUP);
    child.stdin.take().unwrap().write_all(b"0 1\n").unwrap();
    assert_eq!(exit_code_and_messages(child), (Some(0), String::new()));
}

#[test]
fn an_output_that_links_to_the_input_is_refused() {
    let place = Place::with(&[("g.txt", "0 1\n1 2\n")]);
    symlink("g.txt", place.at("link")).unwrap();
    place.refuse(
        "",
        "
        2 | run g.txt --scores link | would overwrite the graph; give another name
        2 | run g.txt --edges link | would overwrite the graph; give another name
        2 | run g.txt --report link | would overwrite the graph; give another name
        2 | tune g.txt --profile link | would overwrite the graph
        2 | report g.txt -o link | would overwrite a report",
    );
    let mut command = Command::new(brandes().get_program());
    command.args(["run", "-", "--scores", "g.txt"]);
    command.current_dir(place.at(""));
    command.stdin(fs::File::open(place.at("g.txt")).unwrap());
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    assert_eq!(place.read("g.txt"), "0 1\n1 2\n");
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let place = Place::with(&[("scores.csv", "old")]);
    let path = place.at("scores.csv");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    place.run("run KARATE --device none --quiet --scores scores.csv");
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(place.read("scores.csv").starts_with("vertex,score\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_gives_one_message_that_names_the_output() {
    let full = "/dev/full: cannot be written: no space left on device (free some space, make";
    let rows = [
        "--scores",
        "--edges",
        "--report",
        "--score-format json --scores",
    ];
    for option in rows {
        let row = format!("1 | {option} /dev/full | {full}");
        Place::new().refuse("run KARATE --device none --quiet", &row);
    }
    let row = format!("1 | -o /dev/full | {full}");
    Place::new().refuse("generate grid --rows 1 --cols 9", &row);
    Place::new().refuse("remove KARATE --device none", &row);
    let full = "brandes: standard output: cannot be written: no space left on device";
    let karate = crate::common::program::KARATE;
    for command in ["info", "run", "man", "devices"] {
        let mut shell = Command::new("sh");
        shell.current_dir(env!("CARGO_MANIFEST_DIR"));
        shell.args(["-c", "exec \"$0\" \"$@\" >/dev/full"]);
        shell.arg(brandes().get_program()).arg(command);
        if ["info", "run"].contains(&command) {
            shell.args([karate, "--device", "none"]);
        }
        let assert = assert_cmd::Command::from_std(shell).assert();
        assert.code(1).stderr(predicates::str::contains(full));
    }
}

#[test]
fn a_file_that_may_not_grow_gives_one_message_and_is_removed() {
    for name in ["path.txt", "path.txt.gz"] {
        let place = Place::new();
        let mut command = Command::new(brandes().get_program());
        let line = format!("generate grid --rows 1 --cols 300000 -o {name}");
        command.args(line.split(' ')).current_dir(place.at(""));
        let limit = || {
            let limit = libc::rlimit {
                rlim_cur: 4096,
                rlim_max: 4096,
            };
            // SAFETY: the call only reads `limit`.
            match unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        };
        // SAFETY: `setrlimit` may be called between fork and exec.
        let output = unsafe { command.pre_exec(limit) }.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let expected = format!(
            "brandes: {name}: cannot be written: file too large (free some space, make the file \
             writable, close it in other programs, or write elsewhere)\n"
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(place.names().len(), 0);
    }
}

//! Tests output files of failing and interrupted runs on Unix as a user sees them.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::program::{KARATE, brandes, names, run, send};
use predicates::str::{contains, is_empty};

/// Starts a run that waits for its graph on standard input. Signals have their default actions,
/// except the `ignored` one.
fn start_waiting_run(options: &[&str], ignored: Option<i32>) -> Child {
    let mut command = Command::new(brandes().get_program());
    command
        .args(["run", "-", "--device", "none", "--quiet"])
        .args(options)
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
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut messages)
        .unwrap();
    (status.code(), messages)
}

#[test]
fn a_signal_ends_a_run_with_its_code_and_leaves_no_files() {
    let signals = [
        (libc::SIGHUP, "SIGHUP"),
        (libc::SIGINT, "SIGINT"),
        (libc::SIGTERM, "SIGTERM"),
    ];
    for (signal, name) in signals {
        let child = start_waiting_run(&[], None);
        send(&child, signal);
        let messages = format!("brandes: stopped by {name}\n");
        assert_eq!(
            exit_code_and_messages(child),
            (Some(128 + signal), messages)
        );

        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        fs::write(at("old.csv"), "old").unwrap();
        let (scores, report) = (at("old.csv"), at("report.json"));
        let child = start_waiting_run(&["--scores", &scores, "--report", &report], None);
        while names(folder.path()).len() < 3 {
            sleep(Duration::from_millis(1));
        }
        send(&child, signal);
        let messages = format!("brandes: stopped by {name}; nothing was written\n");
        assert_eq!(
            exit_code_and_messages(child),
            (Some(128 + signal), messages)
        );
        assert_eq!(names(folder.path()), ["old.csv"]);
        assert_eq!(fs::read_to_string(scores).unwrap(), "old");
    }
}

#[test]
fn a_signal_ends_a_run_that_has_read_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("scores.csv");
    let options = ["--scores", scores.to_str().unwrap(), "--cpu-workers", "1"];
    let mut child = start_waiting_run(&options, None);
    let grid = brandes()
        .args([
            "generate", "grid", "--rows", "500", "--cols", "500", "-o", "-",
        ])
        .assert()
        .success();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&grid.get_output().stdout).unwrap();
    drop(stdin);
    send(&child, libc::SIGTERM);
    assert_eq!(exit_code_and_messages(child).0, Some(128 + libc::SIGTERM));
    assert_eq!(names(folder.path()).len(), 0);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let mut child = start_waiting_run(&[], Some(libc::SIGHUP));
    assert!(!catches(child.id(), libc::SIGHUP));
    send(&child, libc::SIGHUP);
    child.stdin.take().unwrap().write_all(b"0 1\n").unwrap();
    assert_eq!(exit_code_and_messages(child), (Some(0), String::new()));
}

#[test]
fn an_output_that_links_to_the_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(at("g.txt"), "0 1\n1 2\n").unwrap();
    symlink("g.txt", at("link")).unwrap();
    let (graph, link) = (at("g.txt"), at("link"));
    let refused = |args: &[&str], why: &str| {
        let mut command = brandes();
        let assert = command.args(args).assert();
        assert.code(2).stdout(is_empty()).stderr(contains(why));
        assert_eq!(fs::read_to_string(at("g.txt")).unwrap(), "0 1\n1 2\n");
        assert_eq!(names(folder.path()), ["g.txt", "link"]);
    };
    for option in ["--scores", "--edges", "--report"] {
        let why = "would overwrite the graph; give another name";
        refused(&["run", &graph, option, &link], why);
    }
    refused(
        &["tune", &graph, "--profile", &link],
        "would overwrite the graph",
    );
    refused(&["report", &graph, "-o", &link], "would overwrite a report");
    let output = Command::new(brandes().get_program())
        .args(["run", "-", "--scores", &graph])
        .stdin(fs::File::open(&graph).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let null = ["--scores", "/dev/null", "--report", "/dev/null", "--quiet"];
    run(KARATE, &null).assert().success();
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scores.csv");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let scores = ["--quiet", "--scores", path.to_str().unwrap()];
    run(KARATE, &scores).assert().success();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("vertex,score\n")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_gives_one_message_that_names_the_output() {
    use predicates::prelude::*;

    let full = "/dev/full: cannot be written: no space left on device (free some space, or write";
    let one_line = || predicate::function(|text: &str| text.lines().count() == 1);
    for option in ["--scores", "--edges", "--report"] {
        let mut command = run(KARATE, &["--quiet", option, "/dev/full"]);
        command
            .assert()
            .code(1)
            .stderr(contains(full).and(one_line()));
    }
    let mut command = brandes();
    command.args(["generate", "path", "--vertices", "9", "-o", "/dev/full"]);
    command
        .assert()
        .code(1)
        .stderr(contains(full).and(one_line()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_is_full_is_named() {
    let full = "brandes: standard output: cannot be written: no space left on device";
    for command in [
        "info GRAPH --device none",
        "run GRAPH --device none",
        "man",
        "devices",
    ] {
        let args = command.split(' ').map(|word| match word {
            "GRAPH" => KARATE,
            word => word,
        });
        let mut shell = Command::new("sh");
        shell.current_dir(env!("CARGO_MANIFEST_DIR"));
        shell.args(["-c", "exec \"$0\" \"$@\" >/dev/full"]);
        shell.arg(brandes().get_program()).args(args);
        assert_cmd::Command::from_std(shell)
            .assert()
            .code(1)
            .stderr(contains(full));
    }
}

#[test]
fn a_file_that_may_not_grow_gives_one_message_and_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["path.txt", "path.txt.gz"] {
        let path = folder.path().join(name);
        let mut command = Command::new(brandes().get_program());
        command
            .args(["generate", "path", "--vertices", "300000", "-o"])
            .arg(&path);
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
            "brandes: {}: cannot be written: the file is larger than the system allows (raise the \
             limit of the process: ulimit -f, or write elsewhere)\n",
            path.display()
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
        assert_eq!(names(folder.path()).len(), 0);
    }
}

//! Tests checkpoints: runs that are stopped, and runs that resume.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use crate::common::program::send;
use crate::common::{any_device, difference};
use brandes::graph::{Graph, generate};
use brandes::{
    Betweenness, CancelToken, CpuWorkers, DeviceSelection, Error, Reductions, Scores, When,
};

/// Returns the scores of a search by CPU workers without interruptions.
fn uninterrupted(graph: &Graph) -> Vec<f64> {
    let cpu = Betweenness::new().devices(DeviceSelection::None);
    cpu.run(graph).unwrap().into_vertices()
}

/// Repeats the search until it finishes, and cancels it whenever more roots are done than before.
pub fn in_pieces(graph: &Graph, settings: impl Fn(usize) -> Betweenness, path: &Path) -> Scores {
    let mut known = 0;
    for round in 0.. {
        let cancel = CancelToken::default();
        let token = cancel.clone();
        let search = settings(round).cancel(&cancel).on_progress(move |so_far| {
            if so_far.done > known {
                token.cancel();
            }
        });
        match search
            .checkpoint(path, Duration::from_secs(1000))
            .run(graph)
        {
            Ok(scores) => return scores,
            Err(Error::CancelledSaved { done, roots, .. }) => {
                assert!(done > known && done <= roots);
                known = done;
            }
            Err(error) => panic!("{error}"),
        }
    }
    unreachable!()
}

#[test]
fn pieces_of_a_search_make_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let graph = generate::rmat(11, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let road = generate::grid(20, 60, 0.3, 1).unwrap();
    // This graph has too many paths for serving sources inside chains.
    let diamonds = crate::common::diamonds::chain(1100);
    let directed = crate::common::one_way(&graph);
    for (name, graph, chains) in [
        ("diamonds", &diamonds, When::Always),
        ("social", &graph, When::Auto),
        ("directed", &directed, When::Auto),
        ("road", &road, When::Auto),
        ("chains", &road, When::Always),
    ] {
        let path = folder.path().join(name);
        let settings = |round: usize| {
            let devices = match round % 2 {
                0 => DeviceSelection::None,
                _ => any_device(),
            };
            Betweenness::new()
                .devices(devices)
                .cpu_workers(CpuWorkers::Count(1 + round % 3))
                .reduce(Reductions {
                    chains,
                    ..Reductions::default()
                })
        };
        let scores = in_pieces(graph, settings, &path);
        let off = difference(scores.vertices(), &uninterrupted(graph), 1e-3);
        assert!(off < 1e-9, "{name}");
    }
}

#[test]
fn a_finished_search_is_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let graph = generate::grid(12, 12, 0.0, 1).unwrap();
    let run = || {
        let search = Betweenness::new()
            .devices(DeviceSelection::None)
            .checkpoint(folder.path().join("c"), Duration::from_secs(1000));
        let scores = search.run(&graph).unwrap();
        let workers = scores.record().outcome.workers.iter();
        let searched: usize = workers.map(|worker| worker.roots).sum();
        (scores.into_vertices(), searched)
    };
    let (first, second) = (run(), run());
    assert!(first.1 > 0 && second.1 == 0);
    assert_eq!(first.0, second.0);
}

/// Returns a folder with a graph that takes some time to search.
fn with_graph() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.txt");
    let graph = generate::rmat(13, 8, 0.57, 0.19, 0.19, 11).unwrap();
    let mut text = String::new();
    graph.for_each_edge(|u, v| text += &format!("{u} {v}\n"));
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// Returns a run of the graph that writes `s.csv`.
fn run(folder: &Path, graph: &Path, more: &str) -> Command {
    let usual = "--device none --cpu-workers 1 --cpu-engine plain --scores s.csv";
    let every = "--checkpoint-every 0.01";
    let mut command = Command::new(env!("CARGO_BIN_EXE_brandes"));
    command.current_dir(folder).arg("run").arg(graph);
    command.args(format!("{usual} {every} {more}").split_whitespace());
    command.env("BRANDES_CACHE_DIR", folder.join("cache"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Returns a run that saves its checkpoints in `c`.
fn command(folder: &Path, graph: &Path) -> Command {
    run(folder, graph, "--quiet --checkpoint c")
}

/// Returns the scores of the vertices in a file.
fn scores(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    let last = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
    text.lines().skip(1).map(last).collect()
}

#[cfg(unix)]
#[test]
fn long_runs_save_checkpoints_by_default() {
    use std::io::{BufRead, BufReader, Read};

    let (folder, graph) = with_graph();
    let at = folder.path();
    let run = |after: &str| run(at, &graph, &format!("--checkpoint-after {after}"));
    let files = || fs::read_dir(at.join("cache/checkpoints")).map_or(0, Iterator::count);
    // A run that seems short saves no checkpoint.
    assert!(run("100000").output().unwrap().status.success());
    assert_eq!(files(), 0);
    let whole = scores(&at.join("s.csv"));
    let mut child = run("0.001").spawn().unwrap();
    // After the line that says where progress is saved, a signal makes the run save it.
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut messages = String::new();
    let saved = "progress is saved in";
    while lines.read_line(&mut messages).unwrap() > 0 && !messages.contains(saved) {}
    send(&child, libc::SIGINT);
    lines.read_to_string(&mut messages).unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        return; // The run ended before the signal.
    }
    assert_eq!(output.status.code(), Some(130), "{messages}");
    assert!(
        messages.contains("run the same command again"),
        "{messages}"
    );
    assert_eq!(files(), 1);
    let output = run("0.001").output().unwrap();
    assert!(output.status.success());
    assert!(
        text(&output).contains("brandes: resumed from"),
        "{}",
        text(&output)
    );
    assert_eq!(files(), 0);
    assert!(difference(&scores(&at.join("s.csv")), &whole, 1e-3) < 1e-9);
}

/// Waits until the file at `path` exists with other bytes than `before`, or until the child ends.
fn wait_for_change(child: &mut Child, path: &Path, before: Option<&[u8]>) {
    while child.try_wait().unwrap().is_none() {
        if fs::read(path).is_ok_and(|bytes| before != Some(&bytes)) {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Stops runs repeatedly, by a signal that they handle if `code` is their exit code then, and checks
/// the scores of the run that finishes.
fn stopped_by(stop: impl Fn(&mut Child), code: Option<i32>) {
    let (folder, graph) = with_graph();
    let at = folder.path();
    let (checkpoint, file) = (at.join("c"), at.join("s.csv"));
    let (mut stopped, mut missed, mut resumes) = (0, 0, code.is_none());
    loop {
        let before = fs::read(&checkpoint).ok();
        let mut child = command(at, &graph).spawn().unwrap();
        // The run may end after several stops.
        if stopped < 4 {
            wait_for_change(&mut child, &checkpoint, before.as_deref());
            // `timeout` sends a signal to the process, and again to its group.
            for _ in 0..2 {
                stop(&mut child);
            }
        }
        let output = child.wait_with_output().unwrap();
        if output.status.success() && stopped == 0 && missed < 20 {
            // On a busy machine the signal may come too late.
            missed += 1;
            fs::remove_file(&file).unwrap();
            continue;
        }
        if output.status.success() {
            break;
        }
        if code.is_some() {
            assert_eq!(output.status.code(), code, "{}", text(&output));
            let text = text(&output);
            // A line about the resumed checkpoint may precede the last one.
            let last = text.lines().next_back().unwrap_or_default();
            assert!(last.starts_with("brandes: stopped by "), "{text:?}");
            // The last line has no checkpoint if all roots were searched before the signal.
            resumes |= last.ends_with("resume from c");
        }
        if file.exists() && missed < 20 {
            // The signal came after all files were written.
            missed += 1;
            fs::remove_file(&file).unwrap();
            continue;
        }
        stopped += 1;
    }
    assert!(stopped > 0 && resumes && !checkpoint.exists());
    let read = brandes::graph::read(&graph, &brandes::graph::ReadOptions::default());
    assert!(difference(&scores(&file), &uninterrupted(&read.unwrap().0), 1e-3) < 1e-9);
    let left = fs::read_dir(at).unwrap().count();
    // A killed process may leave a temporary file.
    assert!(left == 2 || code.is_none(), "{left} files");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_resumes() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        stopped_by(|child| send(child, signal), Some(128 + signal));
    }
}

#[test]
fn a_killed_run_resumes() {
    // The run may have ended before.
    stopped_by(|child| _ = child.kill(), None);
}

#[cfg(unix)]
#[test]
fn a_linked_checkpoint_is_removed_and_the_link_stays() {
    let (folder, graph) = with_graph();
    let [link, real] = ["c", "real"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink("real", &link).unwrap();
    let output = command(folder.path(), &graph).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert!(fs::symlink_metadata(&link).is_ok() && !real.exists());
}

#[test]
fn a_write_that_fails_is_reported_during_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("place");
    fs::create_dir(&place).unwrap();
    let graph = generate::rmat(16, 16, 0.57, 0.19, 0.19, 11).unwrap();
    let cancel = CancelToken::default();
    let (token, path) = (cancel.clone(), place.join("c"));
    let search = Betweenness::new().devices(DeviceSelection::None);
    let search = search.cancel(&cancel).on_progress(move |so_far| {
        // The folder existed when the search began.
        let _ = fs::remove_dir_all(&place);
        if let Some(failure) = so_far.checkpoint_failure {
            assert!(failure.contains("there is no such folder"), "{failure}");
            token.cancel();
        }
    });
    let search = search.checkpoint(path, Duration::from_millis(1));
    let error = search.run(&graph).err().unwrap();
    assert!(matches!(error, Error::CancelledUnsaved(_)), "{error}");
}

#[test]
fn wrong_checkpoints_are_refused() {
    let (folder, graph) = with_graph();
    let at = folder.path();
    let check = |mut command: Command, message: &str| {
        let output = command.output().unwrap();
        let text = text(&output);
        assert_eq!(
            (output.status.code(), text.lines().count()),
            (Some(1), 1),
            "{text}"
        );
        assert!(text.contains(message), "{text}");
    };
    fs::write(at.join("c"), "something else").unwrap();
    let message = "the checkpoint c holds no sums, or not all of them (remove it";
    check(command(at, &graph), message);
    fs::remove_file(at.join("c")).unwrap();
    let search = Betweenness::new().devices(DeviceSelection::None);
    let search = search.checkpoint(at.join("c"), Duration::from_secs(9));
    search.run(&generate::cycle(50).unwrap()).unwrap();
    check(command(at, &graph), "is of another graph");
    let missing = run(at, &graph, "--quiet --checkpoint /no/such/folder/c");
    check(missing, "there is no such folder");
}

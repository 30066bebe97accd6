//! Tests `brandes run` on CPU workers as a user sees it.

use std::fs;
use std::path::Path;

use crate::common::program::{Place, brandes_with, expect};

/// Returns a ring of ten vertices.
fn ring() -> String {
    (0..10).map(|v| format!("{v} {}\n", (v + 1) % 10)).collect()
}

#[test]
fn the_default_output_is_a_summary_and_the_top_vertices() {
    let place = Place::new();
    let ran = place.run("run KARATE");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(ran.rows("rank"), [["rank", "vertex", "score", "degree"]]);
    assert_eq!(ran.rows("1")[0], ["1", "1", "231.071429", "16"]);
    // The output is a header, ten vertices, an empty line and a line about the run.
    assert_eq!(lines.len(), 13, "{}", ran.out);
    assert!(lines[12].starts_with("34 vertices and 78 edges in "));
    ran.has(&[" CPU worker", "(read ", "prepare ", "search ", "write "]);
    ran.lacks(&["folded", "prepared", "GTEPS", "roots"]);
    let run = |more: &str| place.run(&format!("run KARATE --device none {more}"));
    run("--verbose").has(&[
        "34 vertices and 78 edges in ",
        "karate.txt: 34 vertices, 78 edges, undirected",
        "1 folded away",
        "plan      ",
        "cpu       ",
    ]);
    let none = run("--quiet");
    assert_eq!((none.out, none.err), Default::default());
    assert_eq!(run("--top 1").out.lines().count(), 4);
    run("--top 2 --directed").has(&["out-degree"]);
    run("--top 0").lacks(&["rank"]);
    // The input has one edge, one repetition of it and one loop.
    let ran = place.pipe("a b\na b\na a\n", "run - --device none -v --top 0");
    assert!(ran.out.starts_with("2 vertices and 1 edge in "));
    ran.has(&["dropped 1 self loop, merged 1 repeated edge\n"]);
}

#[test]
fn progress_is_a_log_without_a_terminal_if_requested() {
    // A search of karate may end before the first line of progress.
    let log = |options: &str| {
        let line = format!("run RMAT --device none --progress {options}");
        Place::new().run(&line).err
    };
    let first = "brandes: 0 s, ";
    let lines = log("log");
    assert!(
        lines.starts_with(first) && lines.contains("searches done, "),
        "{lines}"
    );
    assert_eq!(log("log --quiet"), "");
    for other in ["auto", "always", "never"] {
        assert_eq!(log(other).starts_with(first), other == "always");
    }
}

#[test]
fn near_names_are_suggested() {
    Place::new().refuse(
        "",
        "
        2 | mrege g.txt | 'merge'
        2 | run g.txt --raduis=3 | a similar argument exists: '--radius'
        2 | bench g.txt --strategies cpu | a similar argument exists: '--strategy'
        2 | KARATE --top 3 | karate.txt' is not a command; did you mean: brandes run
        2 | missing.txt | 'missing.txt' is not a command; did you mean: brandes run missing.txt
        2 | some/graph | 'some/graph' is not a command; did you mean: brandes run some/graph
        2 | comprae | compare",
    );
}

#[test]
fn graphs_without_vertices_or_edges_are_warned_of() {
    let place = Place::with(&[("c.txt", "# from to\n# no rows\n"), ("l.txt", "1 1\n2 2\n")]);
    for (graph, what) in [("c.txt", "vertices"), ("l.txt", "edges")] {
        for command in ["run", "info", "bench"] {
            let ran = place.run(&format!("{command} {graph} --device none"));
            ran.warns(&[&format!(
                "brandes: warning: {graph}: the graph has no {what}"
            )]);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        }
    }
}

#[test]
fn conventions() {
    let place = Place::new();
    let third = 2.0 / 3.0;
    let path = "0 1\n1 2\n2 3\n";
    for (input, options, scores) in [
        ("b a\nc b\nb a\n", "", "vertex,score\nb,1\na,0\nc,0\n"),
        (path, "", "vertex,score\n0,0\n1,2\n2,2\n3,0\n"),
        (path, "--endpoints", "vertex,score\n0,3\n1,5\n2,5\n3,3\n"),
        (path, "--directed", "vertex,score\n0,0\n1,2\n2,2\n3,0\n"),
        (
            path,
            "--directed --endpoints",
            "vertex,score\n0,3\n1,5\n2,5\n3,3\n",
        ),
        (path, "--roots 0..1", "vertex,score\n0,0\n1,1\n2,0.5\n3,0\n"),
        (
            path,
            "--normalized",
            &format!("vertex,score\n0,0\n1,{third}\n2,{third}\n3,0\n"),
        ),
    ] {
        let line = format!("run - --device none --scores - {options}");
        assert_eq!(place.pipe(input, &line).out, scores, "{options}");
    }
    let options = "--device none --roots 5 --report r.json";
    place
        .run(&format!("run KARATE {options}"))
        .has(&["partial scores: 5 of 34"]);
    let partial = "/prepared/partial = true\n/prepared/sources = 5\n/totals/teps = null";
    expect(&place.json("r.json"), partial);
}

#[test]
fn every_shipped_format_is_read() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-graphs")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_file() && !name.ends_with(".json") && !name.ends_with(".md") {
            let graph = path.to_str().unwrap();
            let mut command = brandes_with(&["run", graph, "--device", "none", "--quiet"]);
            command.assert().success();
        }
    }
}

#[test]
fn contradictions_and_wrong_files_are_refused() {
    let head = "%%MatrixMarket matrix coordinate pattern general\n";
    let place = Place::with(&[("bad.mtx", &format!("{head}3 3 1\n1 9\n"))]);
    place.refuse(
        "run",
        "
        1 | bad.mtx --scores s.csv | bad.mtx:3:
        1 | - --scores /nonexistent/scores.csv | /nonexistent/scores.csv
        1 | - --scores / | /",
    );
    // The message names no strategy if none can be used.
    place.refuse(
        "run KARATE --device none",
        "
        2 | --strategy virtual | needs a device
        2 | --strategy lanes | needs a device
        2 | --strategy warp --reduce chains | remove --device none
        2 | --cpu-workers 0 | no worker to search
        2 | --degree 8 | --degree is for devices
        2 | --device-lanes 32 | --device-lanes is for devices
        2 | --precision f32 | --precision f32 is for devices, and no device may search; leave it out",
    );
    place.refuse(
        "run KARATE",
        "
        2 | --strategy cpu --device all | drives no device
        2 | --strategy cpu --degree 8 | --degree is for devices
        2 | --strategy cpu --work-group 64 | --work-group is for devices
        2 | --scores - --report - | cannot both be standard output
        2 | -v -q | cannot be used with
        2 | --degree 0 | 0
        2 | --roots 9..3 | is empty
        2 | --roots 99 | the graph has 34
        2 | --cpu-workers many | neither auto nor a number
        2 | --device a,,b | selector is empty
        2 | --precision f16 | f16
        2 | --device-lanes 48 | multiple of 32
        2 | --device-lanes 0 | multiple of 32
        2 | --warp-size 5 | neither auto nor 4, 8, 16 or 32
        2 | --warp-size 8 | --strategy auto does not use --warp-size
        2 | --strategy edge --warp-size 8 | --strategy edge does not use
        2 | --strategy warp --warp-size 8 --work-group 20 | does not divide
        2 | --strategy virtual --device-lanes 32 | --strategy virtual does not use
        2 | --strategy edge-device --degree 8 | --strategy edge-device does not use
        2 | --strategy hybrid --edges e --reduce twins | --edges does not go with --reduce twins
        2 | --cpu-workers 0 --cpu-engine plain | have no effect with --cpu-workers 0
        2 | --cpu-workers 0 --cpu-lanes 8 | have no effect with --cpu-workers 0
        2 | --reproducible | is for cores alone
        2 | --cpu-engine plain --reduce fold,chains | does not serve sources inside chains; leave --cpu
        2 | --reduce fold,chains --strategy lanes | use strategy hierarchy
        2 | --reduce fold,chains --strategy cpu --directed | undirected
        2 | --reduce fold,chains --strategy hierarchy --directed | undirected",
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_an_output_file_stays_and_device_files_are_written_to() {
    let place = Place::with(&[("scores.csv", "old")]);
    std::os::unix::fs::symlink("scores.csv", place.at("link.csv")).unwrap();
    place.run("run KARATE --device none --quiet --scores link.csv");
    assert!(place.read("scores.csv").starts_with("vertex,score\n1,"));
    assert!(
        fs::symlink_metadata(place.at("link.csv"))
            .unwrap()
            .is_symlink()
    );
    place.run("run KARATE --device none --quiet --scores /dev/null --report /dev/null");
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn without_an_opencl_driver_the_cpu_does_the_work() {
    let place = Place::new().without_opencl();
    place.run("run KARATE").quiet().has(&["231.071429"]);
    let all = place.run("run KARATE --device all");
    all.has(&["231.071429"])
        .warns(&["the CPU did all the work"]);
    place.refuse("run KARATE", "1 | --cpu-workers 0 | no OpenCL");
    // The options name no device.
    place
        .run("run KARATE --quiet --degree 8 --precision f32")
        .warns(&[
            "--degree had no effect: no device searched",
            "--precision f32 had no effect: no device searched",
        ]);
    // Workers search as with `--device none`.
    place.run("generate barabasi-albert --vertices 3000 --edges-per-vertex 8 -o g.txt");
    let ran = place.run("run g.txt --cpu-workers 2 -v --report r.json");
    let report = place.json("r.json");
    let workers = report["workers"].as_array().unwrap();
    assert!(workers.iter().all(|worker| worker["engine"] == "lanes"));
    let roots = workers
        .iter()
        .map(|worker| worker["roots"].as_u64().unwrap());
    assert_eq!(report["prepared"]["roots"], roots.sum::<u64>());
    let why = report["plan"]["why"].as_str().unwrap();
    assert!(why.contains("2 CPU workers (lanes, 64)"), "{why}");
    ran.has(&[why]);
}

#[test]
fn sources_inside_chains_are_served_as_the_options_say() {
    let place = Place::new();
    let run = |options: &str| {
        let line = format!("run - --device none -v --report r.json --reduce {options}");
        place.pipe(ring(), &line)
    };
    for options in ["chains", "chains --edges e.csv"] {
        run(options).has(&["20.0% of the work after chains"]);
        expect(&place.json("r.json"), "/prepared/roots = 2");
    }
    run("fold").lacks(&["after chains"]);
    expect(&place.json("r.json"), "/prepared/roots = 10");
    let note = "the reduction of chains had no effect, since only some vertices are sources";
    let some = |roots| format!("run KARATE --device none --reduce chains --roots {roots}");
    place.run(&some(5)).warns(&[note]);
    place.run(&some(34)).quiet();
}

#[test]
fn hints_name_only_options_that_were_given() {
    let lengths = "a b 0.1234567890123456789012345\nb c 0.2\na c 0.3\n";
    Place::with(&[("g.txt", lengths)]).refuse(
        "run g.txt --weighted",
        "
        2 | --strategy hierarchy | ; leave --strategy hierarchy out
        2 | --cpu-engine hierarchy | ; leave --cpu-engine hierarchy out
        2 | --strategy hierarchy --cpu-engine hierarchy | hierarchy and --cpu-engine hierarchy out",
    );
}

#[test]
fn warnings_of_the_reader_are_printed_always_and_reported() {
    let place = Place::new();
    let text = "the first row, 'person' 'friend', was read as a header";
    let table = "person,friend\na,b\nb,c\n";
    let ran = place.pipe(table, "run - --device none --quiet --report r.json");
    ran.warns(&[&format!("warning: <stdin>: {text}")]);
    let warnings = place.json("r.json")["checks"]["warnings"].to_string();
    assert!(warnings.contains(text), "{warnings}");
    place.pipe(table, "convert - - --to csv").warns(&[text]);
    // The program is quiet about what is certain.
    let certain = "id,from_stop,to_stop\n7,1,2\n8,2,3\n9,3,1\n";
    place.pipe(certain, "run - --device none --quiet").quiet();
}

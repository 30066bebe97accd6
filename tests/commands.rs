//! Tests the smaller commands as a user sees them.

use std::fs;

use crate::common::program::brandes;
use predicates::str::{contains, is_empty};

#[test]
fn help_has_examples() {
    for command in [
        "run",
        "bench",
        "report",
        "info",
        "devices",
        "compare",
        "generate",
        "completions",
        "man",
    ] {
        brandes()
            .args([command, "--help"])
            .assert()
            .success()
            .stdout(contains("Examples:"));
    }
    brandes().assert().code(2);
    brandes().arg("frobnicate").assert().code(2);
    brandes()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_of_large_commands_has_headings_and_its_short_form_fits_a_screen() {
    let help = |command, form| {
        let output = brandes().args([command, form]).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    for command in ["run", "bench", "tune", "info", "convert"] {
        let short = help(command, "-h");
        assert!(short.lines().count() <= 50, "{command}: {short}");
        let last = format!("'brandes {command} --help' lists all options, with examples.");
        assert_eq!(short.lines().last(), Some(&*last));
        let long = help(command, "--help");
        let titles = long.lines().filter_map(|line| line.strip_suffix(':'));
        let titles = titles.filter(|line| !line.starts_with(' '));
        let titles: Vec<&str> = titles.skip_while(|title| *title != "Options").collect();
        let all = [
            "Options",
            "Input",
            "Output",
            "What to compute",
            "Processors",
            "Advanced",
            "Examples",
        ];
        let is_present = |title: &&str| titles.contains(title);
        let expected: Vec<&str> = all.into_iter().filter(is_present).collect();
        if command != "bench" {
            assert_eq!(titles, expected, "{command}");
        }
        // Only -h has no heading.
        let options = long.lines().skip_while(|line| *line != "Options:");
        let options = options.take_while(|line| *line != "Input:");
        let options = options.filter(|line| line.trim_start().starts_with('-'));
        assert_eq!(options.count(), 1, "{command}: {long}");
    }
}

#[test]
fn devices_are_listed_as_table_and_json() {
    brandes()
        .arg("devices")
        .assert()
        .success()
        .stdout(contains("platform"));
    let output = brandes().args(["devices", "--json"]).assert().success();
    let json: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let devices = json.as_array().unwrap();
    assert!(
        !devices.is_empty(),
        "this test needs an OpenCL device (scripts/test installs PoCL)"
    );
    assert_eq!(devices[0]["number"], 0);
    assert!(devices[0]["memory"].as_u64() > Some(0));
}

#[test]
fn devices_without_opencl_are_an_empty_list() {
    brandes()
        .args(["devices", "--json"])
        .env("OCL_ICD_VENDORS", "/nonexistent")
        .assert()
        .success()
        .stdout("[]\n")
        .stderr(contains("no OpenCL"));
}

#[test]
fn compare_reports_agreement_differences_and_malformed_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let a = file("a.csv", "vertex,score\nx,1\ny,2000000000\n");
    let reordered = file("b.csv", "vertex,score\ny,2000000000.5\nx,1\n");
    let other = file("c.csv", "vertex,score\nx,1.1\ny,2000000000\n");
    let missing = file("d.csv", "vertex,score\nx,1\n");
    let nonsense = file("e.csv", "vertex,score\nx,1\ny\n");
    let not_a_number = file("f.csv", "vertex,score\nx,NaN\ny,2000000000\n");
    let twice = file("g.csv", "vertex,score\nx,1\nx,1\n");
    let empty = file("h.csv", "");

    let compare = |b: &std::path::Path| {
        let mut command = brandes();
        command.arg("compare").arg(&a).arg(b);
        command
    };
    compare(&reordered)
        .assert()
        .success()
        .stdout("2 scores compared, all agree (largest difference 0.5, relative 2.5e-10)\n");
    compare(&other)
        .assert()
        .code(1)
        .stdout("1 of 2 scores differs; the largest difference is 0.1 (relative 0.091) at vertex x: 1 and 1.1\n");
    compare(&other).args(["--rtol", "0.2"]).assert().success();
    let dash = std::path::Path::new("-");
    compare(dash)
        .write_stdin("vertex,score\nx,1\ny,2e9\n")
        .assert()
        .success();
    brandes().args(["compare", "-", "-"]).assert().code(2);
    compare(&missing)
        .assert()
        .code(1)
        .stdout(contains("1 score only in"));
    compare(&nonsense)
        .assert()
        .code(1)
        .stderr(contains("e.csv:3: expected 'vertex,score'"));
    compare(&not_a_number).assert().code(1).stdout(contains(
        "1 of 2 scores differs; the largest difference is not a number at vertex x",
    ));
    let infinite = file("i.csv", "vertex,score\nx,inf\ny,2000000000\n");
    compare(&infinite).assert().code(1).stdout(contains(
        "the largest difference is infinite at vertex x: 1 and inf",
    ));
    brandes()
        .arg("compare")
        .args([&infinite, &infinite])
        .args(["--rtol", "0"])
        .assert()
        .success();
    brandes()
        .arg("compare")
        .arg(&twice)
        .arg(&a)
        .assert()
        .code(1)
        .stderr(contains("appears twice"));
    compare(&twice)
        .assert()
        .code(1)
        .stderr(contains("appears twice"));
    compare(&empty).assert().code(1).stderr(contains("empty"));
    compare(folder.path()).assert().code(1);
    compare(&a).args(["--rtol", "-1"]).assert().code(2);
}

#[test]
fn generated_graphs_can_be_read_and_are_repeatable() {
    let folder = tempfile::tempdir().unwrap();
    let families: [(&str, &[&str]); 10] = [
        ("rmat", &["--scale", "7"]),
        ("erdos-renyi", &["--vertices", "50", "--edges", "80"]),
        (
            "barabasi-albert",
            &["--vertices", "50", "--edges-per-vertex", "2"],
        ),
        ("watts-strogatz", &["--vertices", "50", "--neighbours", "4"]),
        ("grid", &["--rows", "5", "--cols", "7", "--drop", "0.2"]),
        ("path", &["--vertices", "9"]),
        ("cycle", &["--vertices", "9"]),
        ("random-tree", &["--vertices", "30"]),
        ("road", &["--vertices", "90", "--bends", "2"]),
        ("diamonds", &["--count", "5"]),
    ];
    for (family, options) in families {
        let mut files = Vec::new();
        for suffix in ["mtx", "mtx", "graph", "gr", "txt.gz"] {
            let path = folder
                .path()
                .join(format!("{family}-{}.{suffix}", files.len()));
            brandes()
                .args(["generate", family])
                .args(options)
                .arg("-o")
                .arg(&path)
                .assert()
                .success()
                .stdout(is_empty());
            brandes()
                .arg("run")
                .arg(&path)
                .args(["--device", "none", "--quiet"])
                .assert()
                .success();
            files.push(path);
        }
        assert_eq!(
            fs::read(&files[0]).unwrap(),
            fs::read(&files[1]).unwrap(),
            "{family}"
        );
    }
    brandes()
        .args(["generate", "path", "--vertices", "3", "-o", "-"])
        .assert()
        .success()
        .stdout(contains("0 1\n1 2\n"));
    brandes()
        .args(["generate", "path", "--vertices", "3"])
        .assert()
        .code(2);
    brandes()
        .args([
            "generate", "grid", "--rows", "3", "--cols", "3", "--drop", "2", "-o", "-",
        ])
        .assert()
        .code(2)
        .stderr(contains("drop"));
}

#[test]
fn positions_of_roads_have_the_numbers_of_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let road = |graph: &str, positions: &str| {
        let mut command = brandes();
        command.args(["generate", "road", "--vertices", "9", "-o"]);
        command.arg(folder.path().join(graph));
        let positions = folder.path().join(positions);
        command
            .arg("--coordinates")
            .arg(&positions)
            .assert()
            .code(0);
        let text = fs::read_to_string(positions).unwrap();
        text.lines().map(String::from).collect::<Vec<_>>()
    };
    let (named, numbered) = (road("a.csv", "p.csv"), road("a.gr", "p.co"));
    assert_eq!(named[0], "vertex,x,y");
    assert_eq!(numbered[0], "p aux sp co 9");
    for (v, (named, numbered)) in named[1..].iter().zip(&numbered[1..]).enumerate() {
        let (at, from_one) = (named.split_once(',').unwrap(), v + 1);
        assert_eq!(at.0, v.to_string());
        assert_eq!(
            *numbered,
            format!("v {from_one} {}", at.1.replace(',', " "))
        );
    }
    assert_eq!(road("b.gr", "p.csv")[1][..2], *"1,");
    let file = folder.path().join("c.csv");
    brandes()
        .args(["generate", "road", "--vertices", "9", "-o"])
        .args([&file, std::path::Path::new("--coordinates"), &file])
        .assert()
        .code(2)
        .stderr(contains("--coordinates"));
    assert!(!file.exists());
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        brandes()
            .args(["completions", shell])
            .assert()
            .success()
            .stdout(contains("brandes"));
    }
}

/// Without MPI, each process would search everything and write the same files.
#[test]
fn processes_that_are_started_together_are_refused_without_mpi() {
    for (rank, message) in [
        ("0", "brandes: 2 processes were started together"),
        ("1", ""),
    ] {
        let mut command = brandes();
        command.args(["run", "bench-graphs/karate.txt", "--device", "none"]);
        command
            .env("OMPI_COMM_WORLD_RANK", rank)
            .env("OMPI_COMM_WORLD_SIZE", "2");
        let output = command.assert().code(2).get_output().clone();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            text.starts_with(message) && text.is_empty() == message.is_empty(),
            "{text}"
        );
        assert!(
            message.is_empty() || text.contains("built without MPI"),
            "{text}"
        );
        assert!(output.stdout.is_empty());
    }
    // A single process is allowed.
    let mut command = brandes();
    command.args(["run", "bench-graphs/karate.txt", "--device", "none"]);
    command
        .env("OMPI_COMM_WORLD_RANK", "0")
        .env("OMPI_COMM_WORLD_SIZE", "1");
    command.assert().success();
}

#[test]
fn impossible_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).display().to_string();
    let graph = "bench-graphs/karate.txt";
    let rows: &[(&[&str], &str)] = &[
        (
            &["run", graph, "--edges", &out("e.tsv")],
            "--edges writes CSV",
        ),
        (
            &[
                "run",
                graph,
                "--part",
                "1/2",
                "--sums",
                &out("a.npz"),
                "--sort",
            ],
            "'--part <K/N>' cannot be used with '--sort'",
        ),
        (
            &["bench", graph, "--device", "none", "--device-lanes", "128"],
            "none of these strategies takes the values of --device-lanes",
        ),
        (
            &["convert", graph, &out("k.tsv")],
            "k.tsv: cannot be written: graphs are not written as .tsv (write one of .txt, .csv, ",
        ),
        (
            &["convert", graph, &out("k.foo.gz")],
            "graphs are not written as .foo (write one of .txt, .csv, ",
        ),
        (
            &["generate", "path", "--vertices", "-5", "-o", &out("p.txt")],
            "invalid value '-5'",
        ),
    ];
    for (args, words) in rows {
        let output = brandes().args(*args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn names_that_a_row_cannot_hold_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let from = folder.path().join("n.graphml");
    let text = "<graphml><graph edgedefault=\"undirected\"><node id=\"a&#10;b\"/><node id=\"c\"/>\
                <edge source=\"a&#10;b\" target=\"c\"/></graph></graphml>";
    std::fs::write(&from, text).unwrap();
    let to = folder.path().join("n.csv");
    brandes()
        .arg("convert")
        .args([&from, &to])
        .assert()
        .code(1)
        .stderr(contains("which has a line end"));
    assert!(!to.exists());
}

#[test]
fn unused_directions_are_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.csv");
    let [arcs, matrix] = ["arcs.net", "matrix.txt"].map(|name| folder.path().join(name));
    std::fs::write(&arcs, "*Vertices 3\n*Arcs\n1 2\n2 3\n").unwrap();
    std::fs::write(&matrix, "0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0 0 0\n").unwrap();
    let [arcs, matrix] = [&arcs, &matrix].map(|path| path.to_str().unwrap());
    let run = ["run", arcs, "--device", "none", "--quiet"];
    let run_matrix = ["run", matrix, "--device", "none", "--quiet"];
    let info = ["info", arcs, "--budget", "0"];
    let convert = ["convert", arcs, out.to_str().unwrap()];
    for args in [&run[..], &run_matrix, &info, &convert] {
        let warnings = |more: &[&str]| {
            let output = brandes().args(args).args(more).output().unwrap();
            assert!(output.status.success(), "{args:?}");
            let text = String::from_utf8(output.stderr).unwrap();
            let warns = |line: &&str| line.contains("warning: the input has directed edges");
            text.lines()
                .filter(warns)
                .filter(|line| line.contains("--directed"))
                .count()
        };
        assert_eq!(warnings(&[]), 1, "{args:?}");
        assert_eq!(warnings(&["--directed"]), 0, "{args:?}");
    }
}

#[test]
fn a_hint_says_that_weighted_took_the_graph_for_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("my graph.txt");
    fs::write(&graph, "a b 1\nb c 2\n").unwrap();
    let path = graph.to_str().unwrap();
    let more = ["--device", "none", "--quiet", "--scores", "-"];
    let output = brandes()
        .args(["run", "--weighted", path])
        .args(more)
        .assert()
        .code(2);
    let text = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    let expected = format!(
        "brandes: --weighted took '{path}' for the name of a column; put the graph in front of \
         --weighted\n"
    );
    assert_eq!(text, expected);
    brandes()
        .args(["run", path])
        .args(more)
        .arg("--weighted")
        .assert()
        .success()
        .stdout("vertex,score\na,0\nb,1\nc,0\n");
    // The value is not a file, so it is a column, and the graph is missing.
    brandes()
        .args(["run", "--weighted", "km"])
        .assert()
        .code(2)
        .stderr(contains("required arguments"));
}

#[test]
fn edge_lists_have_several_format_names() {
    for name in ["csv", "tsv", "snap", "konect", "edgelist"] {
        brandes()
            .args(["run", "-", "--format", name, "--device", "none"])
            .args(["--quiet", "--scores", "-"])
            .write_stdin("1\t2\n2\t3\n")
            .assert()
            .success()
            .stdout("vertex,score\n1,0\n2,1\n3,0\n");
    }
}

#[test]
fn gexf_is_written_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gexf");
    brandes()
        .args(["convert", "-", path.to_str().unwrap(), "--weighted"])
        .write_stdin("ada ben 0.1\nben cyd 0.2\nada cyd 0.3\n")
        .assert()
        .success();
    brandes()
        .args(["run", path.to_str().unwrap(), "--weighted"])
        .args(["--device", "none", "--quiet", "--scores", "-"])
        .assert()
        .success()
        .stdout("vertex,score\nada,0\nben,0.5\ncyd,0\n");
}

//! Tests measures, radii and weights of pairs in `brandes run` as a user sees them. The expected
//! values follow from the definitions.

use std::fs;
use std::path::Path;

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::str::contains;
use serde_json::{Value, json};

/// A path from a through b and c to d, with lengths.
const PATH: &str = "source,target,weight\na,b,0.1\nb,c,0.2\nc,d,0.3\n";

fn brandes(folder: &Path, args: &str) -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(folder).args(args.split_whitespace());
    command
}

/// Returns a folder with the graph [`PATH`], and with files of these names and texts.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.iter().chain([&("path.csv", PATH)]) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Returns the scores that `brandes run` prints for the graph [`PATH`].
fn scores(folder: &Path, args: &str) -> String {
    let all = format!("run path.csv --device none --quiet --scores - {args}");
    let output = brandes(folder, &all)
        .assert()
        .success()
        .get_output()
        .clone();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_table_has_the_columns_that_fit() {
    let folder = folder(&[]);
    let header = |args: &str| {
        let command = format!("run path.csv --device none {args}");
        let output = brandes(folder.path(), &command).assert().success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        let words = text.lines().next().unwrap().split_whitespace();
        (words.skip(2).collect::<Vec<_>>().join(" "), text)
    };
    let (columns, text) = header("--radius 1,2 --measures reach,betweenness --top 1");
    assert_eq!(
        columns,
        "betweenness_1 betweenness_2 reach_1 reach_2 degree"
    );
    let first: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(
        first[1..],
        ["a", "0.000000", "0.000000", "1.000000", "2.000000", "1"]
    );
    let (columns, text) = header("--radius 1,2,3,4,5,6,7");
    let five = (1..=5).map(|radius| format!("betweenness_{radius} "));
    assert_eq!(columns, five.collect::<String>() + "degree");
    let note = "\n--scores FILE writes 2 other columns too\n\n4 vertices";
    assert!(text.contains(note), "{text}");
}

#[test]
fn each_measure_and_radius_is_a_column() {
    let folder = folder(&[]);
    let run = |args: &str| scores(folder.path(), args);
    assert_eq!(run(""), "vertex,score\na,0\nb,2\nc,2\nd,0\n");
    let radii = "vertex,betweenness_1,betweenness_2,betweenness_3\na,0,0,0\nb,0,1,2\nc,0,1,2\n\
                 d,0,0,0\n";
    assert_eq!(run("--radius 3,1,2,2"), radii);
    let four = run("--measures eccentricity,reach,harmonic,stress --radius 2 --score-columns rank");
    let expected = "vertex,stress_2,harmonic_2,reach_2,eccentricity_2,rank\na,0,1.5,2,2,3\n\
                    b,1,2.5,3,2,1\nc,1,2.5,3,2,1\nd,0,1.5,2,2,3\n";
    assert_eq!(four, expected);
    let closeness = "--measures closeness --radius 1 --closeness-scaling";
    // Within the radius 1, the ends reach one of three vertices, at distance 1.
    let improved = run(&format!("{closeness} improved"));
    assert!(improved.starts_with("vertex,closeness_1\na,0.333333333333333"));
    let component = run(&format!("{closeness} component"));
    assert_eq!(component, "vertex,closeness_1\na,1\nb,1\nc,1\nd,1\n");
    // Lengths and radii are decimals: a and c are 0.1 + 0.2 apart.
    let lengths = run("--weighted --radius 0.3,0.5 --score-format tsv");
    let expected = "vertex\tbetweenness_0.3\tbetweenness_0.5\na\t0\t0\nb\t1\t1\nc\t0\t1\nd\t0\t0\n";
    assert_eq!(lengths, expected);
    let decayed = run("--decay 0.5 --sort --normalized");
    let pairs = ((-1f64).exp() + (-1.5f64).exp()) / 3.0;
    let first = decayed.lines().nth(1).unwrap();
    let (vertex, score) = first.split_once(',').unwrap();
    assert_eq!(vertex, "b");
    assert!(
        (score.parse::<f64>().unwrap() - pairs).abs() < 1e-12,
        "{first}"
    );
}

#[test]
fn other_formats_have_all_columns() {
    let folder = folder(&[]);
    let run = |args: &str| {
        scores(
            folder.path(),
            &format!("--measures betweenness,reach {args}"),
        )
    };
    let json: Value = serde_json::from_str(&run("--score-format json")).unwrap();
    assert_eq!(
        json[1],
        json!({"vertex": "b", "betweenness": 2.0, "reach": 3.0})
    );
    let gexf = run("--score-format gexf --radius 2 --edges edges.csv");
    let node =
        "<attvalue for=\"betweenness_2\" value=\"1\"/><attvalue for=\"reach_2\" value=\"3\"/>";
    assert!(gexf.contains(node), "{gexf}");
    assert!(
        gexf.contains("<attvalue for=\"edge-betweenness_2\" value=\"3\"/>"),
        "{gexf}"
    );
    run("--radius 2,3 --measures betweenness,stress,reach --edges edges.csv");
    let edges = fs::read_to_string(folder.path().join("edges.csv")).unwrap();
    let expected = "source,target,betweenness_2,betweenness_3,stress_2,stress_3\n\
                    a,b,2,3,2,3\nb,c,3,4,3,4\nc,d,2,3,2,3\n";
    assert_eq!(edges, expected);
    let array = "run path.csv --device none --measures betweenness,reach --quiet --scores two.npy";
    brandes(folder.path(), array).assert().success();
    let bytes = fs::read(folder.path().join("two.npy")).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("'shape': (4, 2"));
    let numbers = [0f64, 3.0, 2.0, 3.0, 2.0, 3.0, 0.0, 3.0].map(f64::to_le_bytes);
    assert!(bytes.ends_with(&numbers.concat()));
}

#[test]
fn files_name_the_pairs_that_count() {
    let folder = folder(&[
        ("some.csv", "vertex,weight\na,2\nb,0\n"),
        ("d.txt", "d\n"),
        (
            "trips.tsv",
            "source\ttarget\ttrips\na\td\t2.5\nc\tc\t9\nd\tb\t1\n",
        ),
        (
            "path.graphml",
            "<graphml><key id='k' for='node' attr.name='people' attr.type='int'/><graph>\
             <node id='a'><data key='k'>2</data></node><node id='b'><data key='k'>3</data></node>\
             <node id='c'><data key='k'>5</data></node><edge source='a' target='b'/>\
             <edge source='b' target='c'/></graph></graphml>",
        ),
    ]);
    let run = |args: &str| scores(folder.path(), args);
    // In undirected graphs each ordered pair counts one half. Only the pair a to d has weights.
    let subset = run("--sources some.csv --targets d.txt");
    assert_eq!(subset, "vertex,score\na,0\nb,1\nc,1\nd,0\n");
    let directed = run("--sources some.csv --targets d.txt --directed");
    assert_eq!(directed, "vertex,score\na,0\nb,2\nc,2\nd,0\n");
    let demand = run("--demand trips.tsv");
    assert_eq!(demand, "vertex,score\na,0\nb,2.5\nc,3.5\nd,0\n");
    let reach = run("--vertex-weights some.csv --measures reach");
    assert_eq!(reach, "vertex,reach\na,0\nb,2\nc,2\nd,2\n");
    let weights = "run path.graphml --device none --vertex-weights people --quiet --scores";
    let csv = brandes(folder.path(), &format!("{weights} -"))
        .assert()
        .success();
    // The pairs (a, c) and (c, a) have the weight 2 * 5 each, and their sum is halved.
    csv.stdout("vertex,score\na,0\nb,10\nc,0\n");
    brandes(folder.path(), &format!("{weights} s.graphml"))
        .assert()
        .success();
    let copy = fs::read_to_string(folder.path().join("s.graphml")).unwrap();
    assert!(
        copy.contains("<data key='k'>3</data><data key=\"betweenness\">10</data>"),
        "{copy}"
    );
    // Sources are read from standard input.
    let piped = "run path.csv --device none --quiet --scores - --sources - --measures reach";
    let piped = brandes(folder.path(), piped)
        .write_stdin("d 3\n")
        .assert()
        .success();
    piped.stdout("vertex,reach\na,3\nb,3\nc,3\nd,0\n");
}

#[test]
fn the_report_says_what_was_computed() {
    let folder = folder(&[("two.txt", "a\nb\n")]);
    let run = "run path.csv --device none --measures closeness,eccentricity,betweenness --verbose";
    brandes(folder.path(), &format!("{run} --report r.json"))
        .assert()
        .success()
        .stdout(contains(
            "rank  vertex  betweenness  closeness  eccentricity  degree",
        ))
        .stdout(contains(
            "betweenness, closeness, eccentricity\n\
             diameter 3, radius 2, mean distance 1.66666666667\n",
        ))
        .stdout(contains("without reductions"));
    let text = fs::read_to_string(folder.path().join("r.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    let columns = json!(["betweenness", "closeness", "eccentricity"]);
    assert_eq!(report["query"]["columns"], columns);
    assert_eq!(report["query"]["diameter"], 3.0);
    assert_eq!(report["prepared"]["partial"], false);
    // Eccentricities of some vertices do not give the diameter.
    let some = "run path.csv --device none --measures eccentricity,closeness --sources two.txt";
    brandes(folder.path(), some)
        .assert()
        .success()
        .stdout(contains("\nmean distance 1.6"));
    let words = "run path.csv --device none --radius 2,1.5 --decay 0.1 --sources two.txt";
    brandes(folder.path(), words)
        .assert()
        .success()
        .stdout(contains(
            "\nbetweenness within 1.5, 2; decay 0.1; 2 sources\n",
        ));
    brandes(
        folder.path(),
        "run path.csv --device none --report plain.json",
    )
    .assert()
    .success();
    let text = fs::read_to_string(folder.path().join("plain.json")).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["query"], Value::Null);
}

#[test]
fn wrong_queries_are_refused() {
    let folder = folder(&[
        ("bad.csv", "vertex,weight\na,1\nx,2\n"),
        ("negative.csv", "a -1\n"),
        ("d.txt", "d\n"),
    ]);
    for (args, code, message) in [
        (
            "--sources bad.csv",
            1,
            "bad.csv:3: the graph has no vertex 'x'",
        ),
        (
            "--targets negative.csv",
            1,
            "negative.csv:1: the weight '-1' is not",
        ),
        (
            "--demand d.txt",
            1,
            "d.txt:1: there is no vertex in column 2",
        ),
        ("--sources none.csv", 1, "none.csv: no such file"),
        ("--vertex-weights none.csv", 1, "none.csv: no such file"),
        (
            "--vertex-weights people",
            1,
            "vertices have no attributes in this format",
        ),
        (
            "--measures load",
            2,
            "'load' is not a measure; use some of betweenness",
        ),
        ("--radius -1", 2, "'-1' is not a number of at least 0"),
        ("--decay x", 2, "'x' is not a number of at least 0"),
        ("--sources d.txt --demand d.txt", 2, "cannot be used with"),
        (
            "--demand d.txt --measures reach",
            2,
            "leave --measures reach out",
        ),
        (
            "--demand d.txt --cpu-engine lanes",
            2,
            "--cpu-engine lanes does not compute --demand; leave --cpu-engine out",
        ),
        (
            "--radius 2 --endpoints",
            2,
            "--endpoints does not go with --radius",
        ),
        (
            "--radius 2 --reduce fold",
            2,
            "--reduce fold does not go with --radius; leave one of them out",
        ),
        (
            "--measures reach --edges e.csv",
            2,
            "edges have betweenness and stress only",
        ),
        (
            "--measures closeness --roots 0..2",
            2,
            "leave --roots out, or name the sources in a file with --sources",
        ),
        (
            "--measures closeness --decay 1",
            2,
            "--decay changes only betweenness, stress and reach; leave it out",
        ),
        (
            "--closeness-scaling component",
            2,
            "--closeness-scaling changes only closeness; leave it out",
        ),
        (
            "--measures reach --normalized",
            2,
            "--normalized changes only betweenness and stress; leave it out",
        ),
        (
            "--measures reach --directed --targets d.txt",
            2,
            "in a directed graph --targets changes only betweenness and stress",
        ),
        (
            "--sources - --targets -",
            2,
            "not for --sources and --targets",
        ),
        ("--sources d.txt --scores d.txt", 2, "d.txt"),
        (
            "--measures reach --scores s.csv --score-columns normalized",
            2,
            "--score-columns normalized is for betweenness and stress",
        ),
    ] {
        let run = format!("run path.csv --device none --quiet {args}");
        let assert = brandes(folder.path(), &run).assert().code(code);
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(message), "{args}: {text}");
    }
}

#[test]
fn queries_that_no_strategy_computes_need_one_correction() {
    let folder = folder(&[("trips.csv", "a,d\n")]);
    let run = |args: &str| {
        let all = format!("run path.csv --quiet --scores - {args}");
        brandes(folder.path(), &all).assert()
    };
    for query in ["--demand trips.csv", "--measures eccentricity"] {
        for options in ["--device 0", "--cpu-workers 0", "--strategy lanes"] {
            let refused = run(&format!("{query} {options}")).code(2);
            refused.stderr(contains(
                "leave --device, --strategy and --cpu-workers 0 out",
            ));
        }
        run(query).success();
    }
}

//! Tests `brandes info` as a user sees it.

use crate::common::program::{Place, expect, list, number};
use serde_json::Value;

/// Returns the output of `brandes info --json` for a generated graph.
fn generated(family: &str, options: &str) -> Value {
    let place = Place::new();
    let graph = place.run(&format!("generate {family} -o -")).out;
    let line = format!("info - --json --budget 0 {options}");
    place.pipe(graph, &line).json()
}

/// Returns the output for a graph with a tenth of a second for predictions.
fn predicted(place: &Place, options: &str) -> Value {
    let line = format!("info --json --budget 0.1 {options}");
    place.run(&line).json()
}

#[test]
fn karate_as_json() {
    let info = Place::new().run("info KARATE --budget 0 --json").json();
    // Vertex 12 has one edge and is folded. Vertex 1 cuts five others from the rest, which makes two
    // blocks. Vertices 15, 16, 19, 21 and 23 are twins with the neighbours 33 and 34. A worker needs
    // 36 bytes for each vertex, and 8 for each edge.
    expect(
        &info,
        r#"
        /schema_version = 2
        /program/name = "brandes"
        /input/format = "edgelist"
        /input/vertices = 34
        /input/edges = 78
        /components = { "count": 1, "largest": 34, "isolated": 0 }
        /degrees/min = 1
        /degrees/median = 3.0
        /degrees/percentile_99 = 17
        /degrees/max = 17
        /prepared/vertices = 29
        /prepared/arcs = 134
        /prepared/folded = 1
        /prepared/searches = 29
        /prepared/blocks = 2
        /prepared/steps/0 = {"after":"input","vertices":34,"arcs":156,"roots":34,"work":5304.0}
        /prepared/steps/1 = {"after":"fold","vertices":33,"arcs":154,"roots":33,"work":5082.0}
        /prepared/steps/2 = {"after":"blocks","vertices":34,"arcs":154,"roots":34,"work":3872.0}
        /prepared/steps/3 = {"after":"twins","vertices":29,"arcs":134,"roots":29,"work":2742.0}
        /depth/searches = 9
        /predictions = []
        /memory = {"input_bytes": 764, "graph_bytes": 656, "cpu_worker_bytes": 1580}
        "#,
    );
    assert_eq!(info["degrees"]["mean"], 156.0 / 34.0);
    let depth = |which: &str| info["depth"][which].as_u64().unwrap();
    assert!((3..=5).contains(&depth("deepest")) && depth("median") <= depth("deepest"));
}

#[test]
fn karate_as_a_table() {
    let ran = Place::new().run("info KARATE --budget 0");
    ran.has(&["karate.txt: edgelist, undirected\n"]);
    let row = |name: &str| {
        let rows = ran.out.lines().filter(|line| line.trim().starts_with(name));
        let rows: Vec<&str> = rows.collect();
        assert_eq!(rows.len(), 1, "{name} in\n{}", ran.out);
        rows[0].trim_end()
    };
    for name in ["work after fold", "work after blocks", "work after twins"] {
        row(name);
    }
    assert!(row("vertices  ").ends_with(" 34") && row("edges").ends_with(" 78"));
    assert!(row("mean degree").ends_with(" 4.59") && row("folded away").contains(" 1 "));
    // Values are right-aligned.
    let end = |name: &str, value: &str| row(name).find(value).unwrap() + value.len();
    assert_eq!(end("vertices  ", "34"), end("folded away", "1"));
}

#[test]
fn work_after_folding_and_serving_chains() {
    let complete = "watts-strogatz --vertices 31 --neighbours 30 --rewire 0";
    let path = "grid --rows 1 --cols 50";
    let ring = "watts-strogatz --vertices 1000 --neighbours 2 --rewire 0";
    // A ring is cut into two chains. Folding removes a path completely, unless it is switched off.
    // A complete graph needs no search, unless splitting into blocks is switched off.
    for (family, options, parts) in [
        (
            ring,
            "",
            r#"/prepared/searches = 2
            /prepared/steps/1/after = "chains"
            /depth/deepest = 500"#,
        ),
        (path, "", "/prepared/searches = 0\n/depth = null"),
        (
            path,
            "--reduce none",
            r#"/prepared/searches = 50
            /prepared/blocks = null
            /prepared/steps/0 = {"after":"input","vertices":50,"arcs":98,"roots":50,"work":4900.0}"#,
        ),
        (complete, "", "/prepared/searches = 0"),
        (
            complete,
            "--reduce fold",
            "/degrees = {\"min\":30,\"median\":30.0,\"mean\":30.0,\"percentile_99\":30,\"max\":30}
            /depth/deepest = 1",
        ),
        // The options decide on chains.
        (ring, "--reduce fold", "/prepared/searches = 1000"),
        (ring, "--reduce none", "/prepared/searches = 1000"),
        (ring, "--reduce chains", "/prepared/searches = 2"),
    ] {
        expect(&generated(family, options), parts);
    }
}

#[test]
fn graphs_are_prepared_as_in_runs() {
    let grid = "grid --rows 15 --cols 15 --drop 0.3";
    let ring = "watts-strogatz --vertices 60 --neighbours 2 --rewire 0";
    for family in [ring, grid, "rmat --scale 8"] {
        let info = generated(family, "--device none");
        let place = Place::new();
        place.run(&format!("generate {family} -o g.txt"));
        place.run("run g.txt --report r.json --device none --quiet");
        let run = &place.json("r.json")["prepared"];
        assert_eq!(info["prepared"]["searches"], run["roots"]);
        assert_eq!(info["prepared"]["steps"], run["steps"]);
    }
}

#[test]
fn directed_graphs() {
    let text = "0 1\n0 2\n0 3\n4 4\n0 1\n";
    let info = |more: &str| Place::new().pipe(text, &format!("info - --directed {more}"));
    // Only vertex 0 reaches other vertices. The others are twins. The graph has arcs in both
    // directions.
    expect(
        &info("--json").json(),
        r#"
        /input/path = "<stdin>"
        /input/vertices = 5
        /input/edges = 3
        /input/loops_dropped = 1
        /input/edges_merged = 1
        /components = { "count": 2, "largest": 4, "isolated": 1 }
        /degrees/max = 3
        /prepared/searches = 1
        /memory/graph_bytes = 32
        "#,
    );
    info("").has(&["median out-degree"]);
}

#[test]
fn predictions_without_devices() {
    let place = Place::new();
    let output = predicted(&place, "KARATE --device none");
    assert_eq!(list(&output, "/predictions").len(), 1);
    expect(
        &output,
        r#"
        /predictions/0/who = "run"
        /predictions/0/at_most = false
        "#,
    );
    assert!(number(&output, "/predictions/0/seconds") > 0.0);
}

#[test]
fn predictions_are_of_a_device_and_of_all_together() {
    let info = predicted(&Place::new(), "RMAT --device 0");
    let of = |who: &str| {
        let all = list(&info, "/predictions").iter();
        let mut found = all.filter(|prediction| prediction["who"] == who);
        let first = found.next().unwrap();
        assert!(found.next().is_none(), "{who} is there twice");
        first
    };
    let (run, device) = (of("run"), of("device"));
    of("cpu");
    let how = device["how"].as_str().unwrap();
    let is_known = ["local on ", "lanes on "]
        .iter()
        .any(|strategy| how.starts_with(strategy));
    assert!(is_known, "{how}");
    assert!(number(device, "/seconds") > 0.0 && number(device, "/device_bytes") > 1000.0);
    expect(device, "/device = 0");
    // The prediction for a run is for the device and CPU workers.
    assert!(run["how"].as_str().unwrap().starts_with(how));
    assert!(number(run, "/seconds") <= number(device, "/seconds") * (1.0 + 1e-9));
}

#[test]
fn weights_cause_a_warning_and_wrong_inputs_are_refused() {
    let place = Place::with(&[("bad.txt", "0 1\n2\n")]);
    let weights = place.pipe("p sp 2 1\na 1 2 7\n", "info - --format dimacs --budget 0");
    weights.warns(&["warning: the input has weights"]);
    weights.has(&["dimacs, undirected"]);
    place.refuse(
        "info",
        "
        1 | no.txt | no.txt: no such file
        1 | bad.txt | bad.txt:2:
        1 | KARATE --device nonexistent | no OpenCL
        2 | KARATE --format xls | xls
        2 | KARATE --budget=-1 | '-1'
        2 | KARATE --budget=x | 'x'
        2 | KARATE --budget=NaN | 'NaN'",
    );
}

//! Tests `brandes bench` as a user sees it.

use std::collections::HashMap;
use std::fs;

use crate::common::program::{Place, Ran, expect, list, number, stdout};
use brandes::cpu::lanes::Simd;
use brandes::strategy::Strategy;
use predicates::str::contains;
use serde_json::Value;

/// The rows of the first graph in a report.
const ROWS: &str = "/graphs/0/strategies";

#[test]
fn every_strategy_has_a_row_and_scores_are_compared() {
    let place = Place::new();
    let options = "--device 0 --repeat 2 --check --no-cache --json b.json";
    let ran = place.run(&format!("bench KARATE {options}"));
    let report = place.json("b.json");
    expect(&report, "/kind = \"bench\"\n/devices/0/number = 0");
    assert!(report["written"].as_str().unwrap().ends_with('Z'));
    assert!(number(&report, "/host/memory_bytes") > 1e6);
    assert_eq!(list(&report, ROWS).len(), Strategy::all().count());
    for (row, strategy) in list(&report, ROWS).iter().zip(Strategy::all()) {
        assert!(!ran.rows(strategy.name()).is_empty(), "{}", ran.out);
        if !row["failure"].is_null() {
            continue; // not every strategy supports every graph
        }
        assert_eq!(list(row, "/seconds").len(), 2);
        expect(
            row,
            "/estimated = false\n/check/reference = \"cpu\"\n/check/passed = true",
        );
        // Roots of strategy `hierarchy` are junctions, and those of the others classes of twins.
        let roots = if row["strategy"] == "hierarchy" {
            23
        } else {
            29
        };
        expect(
            row,
            &format!("/roots_searched = {roots}\n/check/roots = {roots}"),
        );
        assert!(number(row, "/spread/min") <= number(row, "/spread/max"));
    }
    let auto = list(&report, ROWS).last().unwrap();
    assert_eq!(auto["strategy"], "auto");
    let chosen = auto["plan"]["strategy"].as_str().unwrap();
    ran.has(&["karate.txt: 34 vertices, 78 edges"]);
    assert!(
        ran.rows("auto")[0]
            .iter()
            .any(|word| word.starts_with(chosen))
    );
}

#[test]
fn each_graph_has_a_table_and_estimates_are_marked() {
    let options = "--device 0 --repeat 1 --strategy virtual,cpu,virtual --limit 0";
    let ran = Place::new().run(&format!("bench RMAT KARATE {options}"));
    ran.has(&["64 sampled", "an estimate: only a sample"]);
    let (rmat, karate) = ran.out.split_once("karate.txt: ").unwrap();
    assert!(rmat.contains("rmat-10.txt.gz: ") && rmat.contains('~'));
    // The graph has 29 roots, fewer than the smallest sample.
    assert!(!karate.contains('~') && karate.contains(" *"));
    // The number of roots of the device depends on whether the device or the worker is ready first.
    let options = "--device 0 --cpu-workers 1 --repeat 1 --strategy virtual";
    let beside = Place::new().run(&format!("bench RMAT {options}"));
    assert!(beside.rows("virtual")[0].join(" ").contains("1 CPU worker"));
}

#[test]
fn without_opencl_the_engines_of_cpu_workers_are_compared() {
    let place = Place::new().without_opencl();
    let names = "cpu-plain cpu-lanes cpu-clustered cpu-hierarchy cpu";
    for device in ["--device none", ""] {
        let options = format!("--repeat 2 --check --json b.json {device}");
        let ran = place.run(&format!("bench KARATE {options}"));
        let warned = usize::from(device.is_empty());
        assert_eq!(ran.err.matches("no OpenCL platform").count(), warned);
        assert_eq!(ran.err.lines().count(), warned);
        let report = place.json("b.json");
        expect(&report, "/devices = []");
        let rows = list(&report, ROWS);
        assert!(rows.iter().map(|row| &row["strategy"]).eq(names.split(' ')));
        for row in rows {
            let name = row["strategy"].as_str().unwrap();
            assert_eq!((list(row, "/seconds").len(), ran.rows(name).len()), (2, 1));
            assert!(row["check"].is_null() || row["check"]["passed"] == true);
            let engine = row["cpu_engine"].as_str().unwrap();
            let expected = name.strip_prefix("cpu-").unwrap_or(engine);
            assert!(engine.starts_with(expected), "{row}");
        }
    }
    // A strategy named by the options is not replaced.
    place.refuse("bench KARATE", "1 | --strategy lanes | no OpenCL platform");
    let ran = place.pipe("0 1\n1 2\n", "bench - --device none");
    ran.has(&["folding leaves nothing to search"]);
}

#[test]
fn rows_that_cannot_be_measured_have_a_dash_and_a_reason() {
    let twins = (0..20).flat_map(|a| (20..50).map(move |b| format!("{a} {b}\n")));
    let place = Place::with(&[
        ("far.txt", "1 2 1\n2 3 1000003\n3 1 1\n3 4 7\n4 1 500\n"),
        ("twins.txt", &twins.collect::<String>()),
    ]);
    let far = place.run("bench far.txt --device none --weighted --repeat 1");
    far.has(&["\n- cpu-clustered: engine clustered cannot search this graph (its rows need"]);
    far.has(&["cpu-plain"]).lacks(&["cpu-lanes"]);
    let merged = "bench twins.txt --device none --reduce twins --repeat 1";
    let reason = "engine hierarchy cannot search merged twins";
    let row = format!("\n- cpu-hierarchy, reduce twins: {reason}");
    place.run(merged).has(&[&row]);
    let mut command = place.command(&format!("{merged} --strategy cpu-hierarchy"));
    let output = command.assert().code(1).get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains(reason));
    let groups = "bench KARATE --device 0 --repeat 1 --strategy vertex --work-group";
    let ran = place.run(&format!("{groups} 100000,64"));
    ran.has(&["use --work-group "]);
    assert_eq!(ran.rows("vertex")[0][1..3], ["100000", "-"]);
    assert_eq!(ran.rows("vertex")[1][1], "64");
    let output = place.command(&format!("{groups} 100000")).assert().code(1);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("nothing could be measured: "), "{text}");
}

#[test]
fn a_strategy_that_does_not_fit_the_device_has_a_dash_and_a_reason() {
    let place = Place::new();
    place.run("generate barabasi-albert --vertices 20000 --edges-per-vertex 3 -o g.txt");
    // Only devices of PoCL obey the memory limit; on others nothing fails.
    let devices = place.run("devices --json").out;
    if !devices.contains("Portable Computing Language") {
        return;
    }
    let measure = |strategies: &str| {
        let options = "--device-lanes 4096 --roots 4000 --repeat 1 --limit 0 --strategy";
        let line = format!("bench g.txt --device 0 {options} {strategies}");
        let mut command = place.command(&line);
        command.env("POCL_MEMORY_LIMIT", "1");
        command
    };
    let ran = Ran {
        out: stdout(&mut measure("lanes,virtual")),
        err: String::new(),
    };
    assert_eq!(ran.rows("lanes")[0][1..3], ["4096", "-"]);
    ran.has(&["\n- lanes, lanes 4096: ", "no buffer may exceed"]);
    assert!(ran.rows("virtual")[0][2].starts_with('~'));
    let message = contains("nothing could be measured: ");
    measure("lanes").assert().code(1).stderr(message);
}

#[test]
fn the_ablation_has_a_row_per_idea_with_the_original_figures() {
    let place = Place::new();
    let ablation = "--device 0 --ablation --repeat 1 --json a.json";
    let ran = place.run(&format!("bench KARATE FLORENTINE {ablation}"));
    for (idea, original) in [
        ("degree-1 folding / none", "-"),
        ("breadth-first order / order of the input", "-3% ± 2%"),
        ("structure of arrays / array of structures", "-12% ± 6%"),
        ("virtual vertices / one work-item a vertex", "-17% ± 11%"),
        ("round-robin arcs / contiguous arcs", "-5% ± 4%"),
        ("reduction kernels / emulated float atomics", "-38% ± 8%"),
    ] {
        let rows = ran.out.lines().filter(|line| line.contains(idea));
        let rows = rows.filter(|row| row.ends_with(original));
        assert_eq!(rows.count(), 2, "one per graph\n{}", ran.out);
    }
    for graph in list(&place.json("a.json"), "/graphs") {
        expect(
            graph,
            "/strategies = []\n/ablation/switch = null\n/ablation/reduce = \"fold\"",
        );
        assert_eq!(list(graph, "/ablation/rows").len(), 6);
        for row in list(graph, "/ablation/rows") {
            expect(row, "/check/passed = true");
            assert_eq!(list(row, "/seconds").len(), 1);
            assert!(row["switch"].is_string() && row["change"].is_f64(), "{row}");
        }
    }
    // An ablation that would take too long has the same sources in all rows.
    let ran = place.run(&format!("bench RMAT {ablation} --limit 0"));
    ran.has(&["the same sources in each row"]);
    let ablation = &place.json("a.json")["graphs"][0]["ablation"];
    for row in list(ablation, "/rows").iter().chain([ablation]) {
        assert_eq!(row["estimated"], false, "{row}");
        assert_eq!(row["roots"], row["roots_searched"], "{row}");
        assert!((1.0..=64.0).contains(&number(row, "/roots")), "{row}");
        assert_ne!(row["check"]["passed"], false, "{row}");
    }
}

#[test]
fn engines_search_the_graph_as_the_reductions_say() {
    let place = Place::new();
    let cores = "bench KARATE --device none --repeat 1 --strategy cpu-hierarchy";
    let line = format!("{cores},cpu --reduce none --reduce chains --json -");
    let report = place.run(&line).json();
    let rows = list(&report, ROWS).iter();
    let found = rows.map(|row| (&row["reduce"], number(row, "/roots")));
    // As in `run`, either nothing is reduced, or sources inside chains are served.
    let (whole, served): (Vec<_>, Vec<_>) = found.partition(|(reduce, _)| *reduce == "none");
    assert!(whole.len() == 2 && whole.iter().all(|(_, roots)| *roots == 34.0));
    assert!(served.iter().any(|(_, roots)| *roots < 34.0), "{served:?}");
    // With chosen sources, no chains are served, and a hierarchy needs unmerged twins.
    place.run(&format!("{cores} --roots 0..2"));
}

#[test]
fn wrong_command_lines_and_inputs_are_refused() {
    let place = Place::new();
    place.refuse(
        "bench",
        "
        2 | - - --device none | read only once
        2 |  | required
        1 | no-such-graph.txt --device none --json b.json | no-such-graph.txt: cannot be
        1 | KARATE --device no-such-device --json b.json | no OpenCL device matches",
    );
    place.refuse(
        "bench KARATE",
        "
        2 | --strategy fastest | there are cpu, cpu-plain,
        2 | --repeat 0 | 0
        2 | --limit=-1 | number of at least 0
        2 | --limit soon | number of at least 0
        2 | --json z.csv | --json writes JSON, not .csv; use .json
        2 | --device none --ablation | needs a device
        2 | --ablation --precision f64,f32 | --ablation measures strategy virtual on the device alone
        2 | --ablation --degree 4,8 | with one value of each option
        2 | --ablation --cpu-workers 2 | without --cpu-workers and --reduce
        2 | --ablation --reduce none | without --cpu-workers and --reduce
        2 | --device none --strategy virtual | need a device
        2 | --device none --roots 99 | the graph has 34
        2 | --device none --precision f32,mixed | f32 is for devices, and no device may search; leave
        2 | --device none --device-lanes 128 | none of these strategies takes these values of --device
        2 | --strategy vertex,cpu --degree 4,8 | one of these with --strategy: auto, virtual, lanes and hierarchy
        2 | --strategy cpu --warp-size 8 | with --strategy: warp
        2 | --strategy cpu --work-group 64 | with --strategy: auto, virtual,
        2 | --strategy warp --warp-size 8,32 --work-group 12,20 | no value of --warp-size divides one
        2 | --strategy local,warp --warp-size 32 --work-group 16 | no value of --warp-size divides one",
    );
}

#[test]
fn cores_are_measured_in_mixed_precision_if_they_support_it() {
    let options = "--strategy cpu-plain,cpu-lanes --precision f64,mixed --json -";
    let line = format!("bench RMAT --device none --repeat 2 {options}");
    let report = Place::new().run(&line).json();
    let rows = list(&report, ROWS);
    let name = |row: &Value| format!("{} {}", row["strategy"], row["precision"]);
    let names: Vec<String> = rows.iter().map(name).collect();
    assert_eq!(names[..2], ["\"cpu-plain\" null", "\"cpu-lanes\" null"]);
    // With vector instructions from before 2013, mixed precision is not faster and not measured.
    if Simd::best() == Simd::Portable {
        assert_eq!(names.len(), 2);
        return;
    }
    assert_eq!(names[2..], ["\"cpu-lanes\" \"mixed\""]);
    let difference = number(&rows[2], "/check/largest_difference");
    assert!(difference > 1e-12 && difference < 1e-5, "{difference}");
}

/// Compares three graphs with four values of D, as a new user would.
#[test]
fn values_are_lists_and_the_best_is_found_in_tables_json_and_csv() {
    let place = Place::new();
    let options = "--strategy virtual,cpu --degree 4,8,16,32 --repeat 3 --json b.json --csv b.csv";
    let line = format!("bench RMAT KARATE FLORENTINE --device 0 {options}");
    let ran = place.run(&line);
    let rows = |name| ran.rows(name).len();
    assert_eq!([rows("virtual"), rows("cpu")], [12, 3], "{}", ran.out);
    for graph in list(&place.json("b.json"), "/graphs") {
        let rows = list(graph, "/strategies");
        let degrees: Vec<_> = rows.iter().map(|row| row["degree"].as_u64()).collect();
        assert_eq!(degrees, [Some(4), Some(8), Some(16), Some(32), None]);
        let best: Vec<_> = rows.iter().filter(|row| row["best"] == true).collect();
        assert_eq!(best.len(), 1);
        for row in rows {
            expect(row, "/workers = null\n/reduce = null");
            assert!(number(best[0], "/spread/median") <= number(row, "/spread/median"));
        }
    }
    let mut table = csv::Reader::from_path(place.at("b.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> = table.deserialize().map(Result::unwrap).collect();
    for row in &rows {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        assert!(number("vertices") * number("edges") > 0.0);
        let times = row["seconds"].split(' ').map(|time| time.parse().unwrap());
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        assert_eq!(
            times,
            ["min_seconds", "median_seconds", "max_seconds"].map(number)
        );
        assert_eq!(row["device"].is_empty(), row["strategy"] == "cpu");
        assert_eq!(
            [&row["repeats"], &row["failure"], &row["workers"]],
            ["3", "", ""]
        );
        for name in ["graph", "host", "version", "written"] {
            assert!(!row[name].is_empty(), "{name}");
        }
    }
    let degrees: Vec<&str> = rows.iter().map(|row| &*row["degree"]).collect();
    assert_eq!(degrees, ["4", "8", "16", "32", ""].repeat(3));
    assert_eq!(rows.iter().filter(|row| row["best"] == "true").count(), 3);

    // Every combination that a strategy supports has a row. Warps of 32 do not fit into work-groups
    // of 16.
    place.run(
        "bench KARATE --device 0 --repeat 1 --csv b.csv --strategy lanes,warp,auto,cpu \
         --device-lanes auto,64 --warp-size 8,32 --work-group 16,64 --cpu-workers 0,1 \
         --reduce none --reduce fold,blocks",
    );
    let mut table = csv::Reader::from_path(place.at("b.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> = table.deserialize().map(Result::unwrap).collect();
    let of = |name: &str| rows.iter().filter(|row| row["strategy"] == name).count();
    assert_eq!(["lanes", "warp", "auto", "cpu"].map(of), [16, 12, 4, 4]);
    // A note names lists that `auto` ignores.
    for (strategies, notes) in [("auto,virtual", 1), ("virtual", 0)] {
        let options = format!("--degree 4,8 --strategy {strategies}");
        let ran = place.run(&format!("bench KARATE --device 0 --repeat 1 {options}"));
        let text = "is measured without --degree; give one value";
        assert_eq!(ran.err.matches(text).count(), notes, "{}", ran.err);
    }
}

#[test]
fn graphs_are_read_with_the_options_of_run_and_named_by_their_paths() {
    let trips = "km;to;from\n1;b;a\n2;c;b\n3;a;c\n9;d;a\n9;d;b\n";
    let place = Place::with(&[("trips.csv", trips)]);
    let report = place.run(
        "bench trips.csv --device none --repeat 1 --strategy cpu --format edgelist --delimiter \
         semicolon --header yes --columns source=from,target=to,weight=km --weighted --directed \
         --json -",
    );
    let graph = &report.json()["graphs"][0];
    expect(
        graph,
        "/vertices = 4\n/edges = 5\n/weighted = true\n/directed = true",
    );
    for name in ["one", "two"] {
        fs::create_dir(place.at(name)).unwrap();
        place.write(&format!("{name}/graph.txt"), "1 2\n2 3\n1 3\n3 4\n");
    }
    let options = "--device none --repeat 1 --strategy cpu --reduce none";
    let ran = place.run(&format!("bench one/graph.txt two/graph.txt {options}"));
    for name in ["one/graph.txt", "two/graph.txt"] {
        ran.has(&[&format!("{name}: 4 vertices")]);
    }
}

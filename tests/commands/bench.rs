//! Tests `brandes bench` as a user sees it.

use std::fs;
use std::process::Command;

use crate::common::program::{Place, Ran};
use brandes::cpu::lanes::Simd;
use brandes::strategy::Strategy;
use predicates::str::contains;
use serde_json::Value;

/// Returns the rows of the first graph in a report.
fn measured(report: &Value) -> &Vec<Value> {
    report["graphs"][0]["strategies"].as_array().unwrap()
}

/// Returns the number of seconds in a row.
fn repeats(row: &Value) -> usize {
    row["seconds"].as_array().unwrap().len()
}

#[test]
fn every_strategy_has_a_row_and_scores_are_compared() {
    let place = Place::new();
    let options = "--device 0 --repeat 2 --check --no-cache --json b.json";
    let ran = place.run(&format!("bench KARATE {options}"));
    let report = place.json("b.json");
    assert_eq!(report["kind"], "bench");
    assert_eq!(report["devices"][0]["number"], 0);
    assert!(report["written"].as_str().unwrap().ends_with('Z'));
    assert!(report["host"]["memory_bytes"].as_u64() > Some(1 << 20));
    assert_eq!(measured(&report).len(), Strategy::all().count());
    for (entry, strategy) in measured(&report).iter().zip(Strategy::all()) {
        let name = entry["strategy"].as_str().unwrap();
        assert!(!ran.rows(strategy.name()).is_empty(), "{}", ran.out);
        if !entry["failure"].is_null() {
            continue; // not every strategy supports every graph
        }
        // Roots of strategy `hierarchy` are junctions, and those of the others classes of twins.
        let roots = if name == "hierarchy" { 23 } else { 29 };
        assert_eq!(
            (repeats(entry), &entry["roots_searched"]),
            (2, &roots.into())
        );
        assert_eq!(entry["estimated"], false);
        let check = &entry["check"];
        assert_eq!(
            [&check["reference"], &check["roots"]],
            [&Value::from("cpu"), &roots.into()]
        );
        assert_eq!(check["passed"], true);
        let (min, max) = (&entry["spread"]["min"], &entry["spread"]["max"]);
        assert!(min.as_f64().unwrap() <= max.as_f64().unwrap());
    }
    assert_eq!(measured(&report).last().unwrap()["strategy"], "auto");
    let chose = report["graphs"][0]["auto"]["chose"].as_str().unwrap();
    ran.has(&[
        "karate.txt: 34 vertices, 78 edges",
        &format!("auto chose {chose}, "),
    ]);
}

#[test]
fn several_graphs_have_one_table_and_estimates_are_marked() {
    let options = "--device 0 --repeat 1 --strategy virtual,cpu,virtual --limit 0";
    let ran = Place::new().run(&format!("bench RMAT KARATE {options} --style markdown"));
    ran.has(&["|----", "64 sampled", "an estimate: only a sample"]);
    let lines = ran.out.lines();
    let overview: Vec<&str> = lines
        .skip_while(|line| !line.starts_with("| median s"))
        .collect();
    assert!(overview[2].starts_with("| rmat-10.txt.gz | ") && overview[2].contains('~'));
    // The graph has 29 roots, fewer than the smallest sample.
    assert!(overview[3].starts_with("| karate.txt") && !overview[3].contains('~'));
    assert_eq!(overview[3].matches("**").count(), 2);
    // The number of roots of the device depends on whether the device or the worker is ready first.
    let options = "--device 0 --cpu-workers 1 --repeat 1 --strategy virtual";
    let beside = Place::new().run(&format!("bench RMAT {options}"));
    assert!(beside.rows("virtual")[0].join(" ").contains("1 CPU worker"));
}

#[test]
fn without_opencl_the_engines_of_cpu_workers_are_compared() {
    let place = Place::new().without_opencl();
    let names = [
        "cpu-plain",
        "cpu-lanes",
        "cpu-clustered",
        "cpu-hierarchy",
        "cpu",
    ];
    for device in ["--device none", ""] {
        let ran = place.run(&format!(
            "bench KARATE --repeat 2 --check --json b.json {device}"
        ));
        assert_eq!(
            ran.err.contains("no OpenCL platform"),
            device.is_empty(),
            "{}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), usize::from(device.is_empty()));
        let report = place.json("b.json");
        assert_eq!(measured(&report).len(), names.len());
        for (entry, name) in measured(&report).iter().zip(names) {
            assert_eq!((&entry["strategy"], repeats(entry)), (&name.into(), 2));
            assert_eq!(ran.rows(name).len(), 1, "{}", ran.out);
            assert!(entry["check"].is_null() || entry["check"]["passed"] == true);
            let engine = entry["cpu_engine"].as_str().unwrap();
            assert!(
                engine.starts_with(name.strip_prefix("cpu-").unwrap_or(engine)),
                "{entry}"
            );
        }
        assert!(report["devices"].as_array().unwrap().is_empty());
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
    let reason = "engine clustered cannot search this graph (its rows need";
    far.has(&[&format!("\n- cpu-clustered: {reason}"), "dijkstra"])
        .lacks(&["cpu-lanes"]);
    let merged = "bench twins.txt --device none --reduce twins --repeat 1";
    let reason = "engine hierarchy cannot search merged twins";
    place
        .run(merged)
        .has(&[&format!("\n- cpu-hierarchy, reduce twins: {reason}")]);
    place.refuse(merged, &format!("1 | --strategy cpu-hierarchy | {reason}"));
    let groups = "bench KARATE --device 0 --repeat 1 --strategy vertex --work-group";
    let ran = place.run(&format!("{groups} 100000,64"));
    ran.has(&["use --work-group "]);
    assert_eq!(ran.rows("vertex")[0][1..3], ["100000", "-"]);
    assert_eq!(ran.rows("vertex")[1][1], "64");
    place.refuse(groups, "1 | 100000 | nothing could be measured: ");
}

#[test]
fn a_strategy_that_does_not_fit_the_device_has_a_dash_and_a_reason() {
    let place = Place::new();
    place.run("generate erdos-renyi --vertices 20000 --edges 60000 -o g.txt");
    // Only devices of PoCL obey the memory limit; on others nothing fails.
    if !place
        .run("devices --json")
        .out
        .contains("Portable Computing Language")
    {
        return;
    }
    let measure = |strategies: &str| {
        let options = "--device-lanes 4096 --roots 4000 --repeat 1 --limit 0 --strategy";
        let line = format!("bench g.txt --device 0 {options} {strategies}");
        let mut command = place.command(&line);
        command.env("POCL_MEMORY_LIMIT", "1");
        command.assert()
    };
    let out = measure("lanes,virtual")
        .success()
        .get_output()
        .stdout
        .clone();
    let ran = Ran {
        out: String::from_utf8(out).unwrap(),
        err: String::new(),
    };
    assert_eq!(ran.rows("lanes")[0][1..3], ["4096", "-"], "{}", ran.out);
    ran.has(&["\n- lanes, lanes 4096: ", "no buffer may exceed"]);
    assert!(ran.rows("virtual")[0][2].starts_with('~'), "{}", ran.out);
    measure("lanes")
        .code(1)
        .stderr(contains("nothing could be measured: "));
}

#[test]
fn the_ablation_has_a_row_per_idea_with_the_original_figures() {
    let place = Place::new();
    let options = "--device 0 --ablation --repeat 1 --json a.json";
    let ran = place.run(&format!("bench KARATE FLORENTINE {options}"));
    for (idea, original) in [
        ("degree-1 folding / none", "-"),
        ("breadth-first order / order of the input", "-3% ± 2%"),
        ("structure of arrays / array of structures", "-12% ± 6%"),
        ("virtual vertices / one work-item a vertex", "-17% ± 11%"),
        ("round-robin arcs / contiguous arcs", "-5% ± 4%"),
        ("reduction kernels / emulated float atomics", "-38% ± 8%"),
    ] {
        let rows: Vec<&str> = ran.out.lines().filter(|l| l.contains(idea)).collect();
        assert_eq!(rows.len(), 2, "one per graph\n{}", ran.out);
        assert!(
            rows.iter().all(|row| row.ends_with(original)),
            "{}",
            ran.out
        );
    }
    for graph in place.json("a.json")["graphs"].as_array().unwrap() {
        assert_eq!(graph["strategies"].as_array().unwrap().len(), 0);
        let rows = graph["ablation"]["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 6);
        assert!(graph["ablation"]["switch"].is_null());
        assert_eq!(graph["ablation"]["reduce"], "fold");
        for row in rows {
            assert_eq!(
                (&row["check"]["passed"], repeats(row)),
                (&true.into(), 1),
                "{row}"
            );
            assert!(row["switch"].is_string() && row["change"].is_f64(), "{row}");
        }
    }
    // An ablation that would take too long has the same sources in all rows.
    let options = "--device 0 --ablation --repeat 1 --limit 0 --json a.json";
    let ran = place.run(&format!("bench RMAT {options}"));
    ran.has(&["the same sources in each row"]);
    let ablation = &place.json("a.json")["graphs"][0]["ablation"];
    for row in ablation["rows"]
        .as_array()
        .unwrap()
        .iter()
        .chain([ablation])
    {
        assert_eq!(row["estimated"], false, "{row}");
        assert_eq!(row["roots"], row["roots_searched"], "{row}");
        assert!((1..=64).contains(&row["roots"].as_u64().unwrap()), "{row}");
        assert_ne!(row["check"]["passed"], false, "{row}");
    }
}

#[test]
fn engines_search_the_graph_as_the_reductions_say() {
    let place = Place::new();
    let cores = "bench KARATE --device none --repeat 1 --strategy";
    let reduce = "--reduce none --reduce chains --json -";
    let report = place
        .run(&format!("{cores} cpu-hierarchy,cpu {reduce}"))
        .json();
    let roots = |name: &str, reduce: &str| {
        let is = |row: &&Value| row["strategy"] == name && row["reduce"] == reduce;
        measured(&report).iter().find(is).unwrap()["roots"]
            .as_u64()
            .unwrap()
    };
    // As in `run`, either nothing is reduced, or sources inside chains are served.
    assert_eq!(
        [roots("cpu-hierarchy", "none"), roots("cpu", "none")],
        [34, 34]
    );
    assert!(roots("cpu-hierarchy", "chains") < 34);
    // With chosen sources, no chains are served, and a hierarchy needs unmerged twins.
    place.run(&format!("{cores} cpu-hierarchy --roots 0..2"));
}

#[test]
fn wrong_command_lines_and_inputs_are_refused() {
    let place = Place::new();
    place.refuse(
        "bench",
        "
        2 | - - --device none | read only once
        2 |  |
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
        2 | --style html | html
        2 | --json z.csv | --json writes JSON, not .csv; use .json
        2 | --device none --ablation | needs a device
        2 | --device none --strategy virtual | need a device
        2 | --device none --roots 99 | the graph has 34
        2 | --device none --precision f32,mixed | f32 is for devices, and no device may search; leave
        2 | --device none --device-lanes 128 | none of these strategies takes the values of --device
        2 | --strategy vertex,cpu --degree 4,8 | which is for auto, virtual, lanes and hierarchy; leave
        2 | --strategy cpu --warp-size 8 | --warp-size, which is for warp; leave
        2 | --strategy cpu --work-group 64 | --work-group, which is for auto, virtual,
        2 | --strategy warp --warp-size 8,32 --work-group 12,20 | no value of --warp-size divides one
        2 | --strategy local,warp --warp-size 32 --work-group 16 | no value of --warp-size divides one",
    );
}

#[test]
fn cores_are_measured_in_mixed_precision_if_they_support_it() {
    let options = "--strategy cpu-plain,cpu-lanes --precision f64,mixed --json -";
    let line = format!("bench RMAT --device none --repeat 2 {options}");
    let report = Place::new().run(&line).json();
    let rows = measured(&report);
    let name = |row: &Value| format!("{} {}", row["strategy"], row["precision"]);
    let names: Vec<String> = rows.iter().map(name).collect();
    let expected = [
        r#""cpu-plain" null"#,
        r#""cpu-lanes" null"#,
        r#""cpu-lanes" "mixed""#,
    ];
    // With vector instructions from before 2013, mixed precision is not faster and not measured.
    if Simd::best() == Simd::Portable {
        assert_eq!(names, expected[..2]);
        return;
    }
    assert_eq!(names, expected);
    let difference = rows[2]["check"]["largest_difference"].as_f64().unwrap();
    assert!(difference > 1e-12 && difference < 1e-5, "{difference}");
}

/// Compares three graphs with four values of D, as a new user would.
#[test]
fn values_are_lists_and_the_best_is_found_in_tables_json_and_csv() {
    let place = Place::new();
    let options = "--strategy virtual,cpu --degree 4,8,16,32 --repeat 3 --json b.json --csv b.csv";
    let ran = place.run(&format!(
        "bench RMAT KARATE FLORENTINE --device 0 {options}"
    ));
    let last = ran.out.trim_end().rsplit("\n\n").next().unwrap();
    for name in ["virtual, D 4 ", "virtual, D 32 ", "cpu"] {
        assert!(last.lines().next().unwrap().contains(name), "{}", ran.out);
    }
    assert_eq!(last.matches(" *").count(), 3, "{}", ran.out);
    for graph in place.json("b.json")["graphs"].as_array().unwrap() {
        let rows = graph["strategies"].as_array().unwrap();
        let degrees: Vec<_> = rows.iter().map(|row| row["degree"].as_u64()).collect();
        assert_eq!(degrees, [Some(4), Some(8), Some(16), Some(32), None]);
        assert!(
            rows.iter()
                .all(|row| row["workers"].is_null() && row["reduce"].is_null())
        );
        let median = |row: &Value| row["spread"]["median"].as_f64().unwrap();
        let best: Vec<_> = rows.iter().filter(|row| row["best"] == true).collect();
        assert_eq!(best.len(), 1);
        assert!(rows.iter().all(|row| median(best[0]) <= median(row)));
    }
    let script = "
import csv
rows = list(csv.DictReader(open('b.csv', newline='')))
assert len(rows) == 15, len(rows)
for row in rows:
    assert int(row['vertices']) and int(row['edges']) and row['graph']
    assert int(row['repeats']) == 3 and row['failure'] == '' and row['workers'] == ''
    low, high = float(row['min_seconds']), float(row['max_seconds'])
    assert low <= float(row['median_seconds']) <= high
    times = sorted(map(float, row['seconds'].split()))
    assert [times[0], times[-1], len(times)] == [low, high, 3]
    assert (row['device'] == '') == (row['strategy'] == 'cpu')
    assert row['host'] and row['version'] and row['written']
assert [row['degree'] for row in rows[:5]] == ['4', '8', '16', '32', '']
assert sum(row['best'] == 'true' for row in rows) == 3
";
    let mut python = Command::new("python3");
    let output = python
        .args(["-c", script])
        .current_dir(place.at(""))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_combination_that_a_strategy_supports_has_a_row() {
    let place = Place::new();
    let ran = place.run(
        "bench KARATE --device 0 --repeat 1 --csv - --strategy lanes,warp,auto,cpu \
         --device-lanes auto,64 --warp-size 8,32 --work-group 16,64 --cpu-workers 0,1 \
         --reduce none --reduce fold,blocks",
    );
    let mut table = ran
        .out
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let header = table.next().unwrap();
    let strategy = header.iter().position(|name| *name == "strategy").unwrap();
    let of = |name: &str| table.clone().filter(|row| row[strategy] == name).count();
    // Warps of 32 do not fit into work-groups of 16.
    assert_eq!(
        [of("lanes"), of("warp"), of("auto"), of("cpu")],
        [16, 12, 4, 4]
    );
    // A note names lists that `auto` ignores.
    for (strategies, notes) in [("auto,virtual", 1), ("virtual", 0)] {
        let options = format!("--degree 4,8 --strategy {strategies}");
        let ran = place.run(&format!("bench KARATE --device 0 --repeat 1 {options}"));
        let text = "is measured without --degree; give one value";
        assert_eq!(ran.err.matches(text).count(), notes, "{}", ran.err);
    }
}

#[test]
fn graphs_are_read_with_the_options_of_run_and_named_by_their_folders() {
    let place = Place::with(&[(
        "trips.csv",
        "km;to;from\n1;b;a\n2;c;b\n3;a;c\n9;d;a\n9;d;b\n",
    )]);
    let report = place.run(
        "bench trips.csv --device none --repeat 1 --strategy cpu --format edgelist --delimiter \
         semicolon --header yes --columns source=from,target=to,weight=km --weighted --directed \
         --json -",
    );
    let part = &report.json()["graphs"][0];
    assert_eq!([&part["vertices"], &part["edges"]], [4, 5]);
    assert_eq!([&part["weighted"], &part["directed"]], [true, true]);

    for name in ["one", "two"] {
        fs::create_dir(place.at(name)).unwrap();
        place.write(&format!("{name}/graph.txt"), "1 2\n2 3\n1 3\n3 4\n");
    }
    let options = "--device none --repeat 1 --strategy cpu --reduce none";
    let ran = place.run(&format!("bench one/graph.txt two/graph.txt {options}"));
    for name in ["one/graph.txt", "two/graph.txt"] {
        ran.has(&[&format!("{name}: 4 vertices")]);
        assert_eq!(ran.rows(name).len(), 1, "{}", ran.out);
    }
}

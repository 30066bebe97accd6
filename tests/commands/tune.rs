//! Tests `brandes tune` as a user sees it.

use crate::common::program::{Place, expect};
use serde_json::Value;

/// Fields of a profile that come from the adopted setting.
const FIELDS: [&str; 5] = ["strategy", "degree", "lanes", "work_group", "warp_size"];

#[test]
fn the_result_is_options_a_report_and_a_profile() {
    let place = Place::new();
    let graph = place.at("it's a graph.txt");
    let edges = place.run("convert KARATE - --to csv").out;
    place.write("it's a graph.txt", edges);
    let options = "--directed --device 0 --strategy virtual,cpu --budget 20";
    let numbers = "--degree 4,16 --work-group 32,64 --json t.json --profile p.json";
    let mut command = place.command("tune");
    command.arg(&graph).args(options.split(' '));
    command.args(numbers.split(' '));
    let output = command.assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let line = text.lines().last().unwrap();
    let options = line
        .rsplit_once(" with ")
        .map_or("", |(_, options)| options);
    let is_cpu = options.contains("--strategy cpu");
    let device = if is_cpu { "" } else { "--device 0" };
    let options = format!("--directed {device} {options} --report r.json");
    place.bash(&format!("brandes run \"it's a graph.txt\" {options}"));

    let report = place.json("t.json");
    expect(
        &report,
        "
        /kind = \"tune\"
        /schema_version = 2
        /devices/0/number = 0
        /graphs/0/vertices = 34
        /tune/budget_seconds = 20.0",
    );
    let (tuned, part) = (&report["tune"], &report["graphs"][0]);
    let settings = part["strategies"].as_array().unwrap();
    let setting = |name: &str| &settings[tuned[name].as_u64().unwrap() as usize];
    assert_eq!(setting("default")["strategy"], "auto");
    for one in settings {
        assert!(
            one["failure"].is_null() && one["roots"] == part["roots"],
            "{one}"
        );
        assert!(one["spread"]["median"].as_f64() > Some(0.0));
    }
    let (best, adopted) = (setting("best"), setting("adopted"));
    assert_eq!(best["best"], true);
    assert!([best, setting("default")].contains(&adopted), "{tuned}");
    let dropped = tuned["dropped"].as_array().unwrap();
    assert_eq!(dropped.len(), settings.len() - 1);
    assert!(!dropped.contains(&tuned["best"]));

    // The printed options repeat the measured setting: the device alone, or CPU workers alone.
    let run = place.json("r.json");
    assert_eq!(run["checks"]["warnings"], Value::Array(Vec::new()));
    let by_cpu = adopted["strategy"] == "cpu";
    let kind = if by_cpu { "cpu" } else { "device" };
    let workers = run["workers"].as_array().unwrap();
    assert!(workers.iter().all(|w| w["kind"] == kind), "{line}: {run}");
    let profile = place.json("p.json");
    for field in FIELDS {
        assert_eq!(profile[field], adopted[field], "{field}");
        assert!(
            by_cpu || run["plan"][field] == adopted[field],
            "{line}: {field}"
        );
    }
    expect(&profile, "/kind = \"profile\"\n/schema_version = 1");
    assert_eq!(profile["device"], report["devices"][0]["name"]);
    assert_eq!(profile["driver"], report["devices"][0]["driver"]);
}

#[test]
fn wrong_options_are_refused_before_measuring() {
    let place = Place::new();
    // `tune` refuses the options that `run` refuses.
    place.refuse(
        "tune KARATE",
        "
        2 | --device none --strategy lanes | remove --device none
        2 | --device none --strategy cpu-lanes --reduce chains | cpu-lanes cannot be measured: --cpu-en
        2 | --device none --strategy cpu-lanes --reduce chains | lanes does not serve sources inside
        2 | --device none --strategy cpu-hierarchy --reduce twins | hierarchy cannot search merged twin
        2 | --device none --degree 4 | none of these strategies takes these values of --degree
        2 | --strategy local --degree 4 | none of these strategies takes these values of --degree
        2 | --strategy lanes --device-lanes 8 | none of these strategies takes these values of --device
        2 | --device-lanes 33 | multiple of 32
        2 | --strategy fast | there is no such strategy
        2 | --budget 0 | not a number above 0
        2 | --warp-size 5 | neither auto nor 4, 8, 16 or 32
        2 | --json - --profile - | cannot both be standard output",
    );
    // A tree needs no searches.
    place.write("tree.txt", "0 1\n1 2\n");
    place.refuse("tune tree.txt", "1 | --device none | nothing to tune");
}

#[test]
fn without_opencl_the_engine_of_cpu_workers_is_found() {
    let place = Place::new().without_opencl();
    let names = [
        "cpu",
        "cpu-plain",
        "cpu-lanes",
        "cpu-clustered",
        "cpu-hierarchy",
    ];
    for device in ["--device none", ""] {
        let options = format!("--budget 1 --json t.json --profile p.json {device}");
        let ran = place.run(&format!("tune RMAT {options}"));
        assert_eq!(ran.err.contains("no OpenCL platform"), device.is_empty());
        let line = ran.out.lines().last().unwrap();
        assert!(
            line.ends_with("with --strategy cpu") || line.contains("--cpu-engine"),
            "{line}"
        );
        let tuned = place.json("t.json");
        expect(&tuned, "/devices = []");
        let candidates = tuned["graphs"][0]["strategies"].as_array().unwrap();
        for name in names {
            assert!(
                candidates.iter().any(|one| one["strategy"] == name),
                "{name}: {tuned}"
            );
        }
        let found = place.json("p.json");
        assert_eq!(found["strategy"], "cpu");
    }
    // Lanes of cores are those that `run` allows.
    let lanes = "--no-cache --strategy cpu-lanes --device-lanes 8,16";
    let ran = place.run(&format!("tune RMAT --device none --budget 1 {lanes}"));
    let rows = ran.rows("cpu-lanes");
    for lanes in ["8", "16"] {
        assert!(rows.iter().any(|row| row[1] == lanes), "{}", ran.out);
    }
    // Merged twins leave two vertices of this graph, but the hierarchy is built on all of them.
    let edges = (0..20).flat_map(|a| (20..50).map(move |b| format!("{a} {b}\n")));
    place.write("bipartite.txt", edges.collect::<String>());
    place.run("tune bipartite.txt --device none --budget 1");
}

#[test]
fn mixed_precision_is_measured_and_repeated_where_cores_have_it() {
    let place = Place::new();
    for strategy in ["cpu-lanes", "cpu-plain"] {
        let options = "--device none --precision mixed --budget 1 --quiet --profile p.json";
        let line = place
            .run(&format!("tune RMAT {options} --strategy {strategy}"))
            .out;
        let plain = line.contains("--cpu-engine plain");
        let precision = if plain { "f64" } else { "mixed" };
        assert_eq!(place.json("p.json")["precision"], precision, "{line}");
    }
}

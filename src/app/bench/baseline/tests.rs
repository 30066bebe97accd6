//! Tests of the comparison of two reports.

use serde_json::{Value, json};

use super::*;

/// Returns the fields of a report that a comparison needs: the times of strategies on one graph.
fn report(strategies: &[(&str, &[f64])]) -> Value {
    let strategies: Vec<Value> = strategies
        .iter()
        .map(|(name, seconds)| {
            json!({"strategy": name, "seconds": seconds, "estimated": false,
                   "roots_searched": 33, "roots": 33, "device_roots": 0, "cpu_workers": 0,
                   "best": false})
        })
        .collect();
    json!({
        "schema_version": 1, "kind": "bench", "written": "2026-01-31T12:00:00Z",
        "program": {"name": "brandes", "version": "0.3.0", "commit": null},
        "command": [],
        "host": {"cores": 8, "cpu": "some CPU"},
        "devices": [{"number": 0, "name": "some GPU", "driver": "1.2", "kind": "gpu",
                     "platform": "some platform", "platform_version": "3", "compute_units": 1,
                     "max_work_group": 64, "local_memory": 0, "memory": 0, "max_buffer": 0,
                     "fp64": true, "int64_atomics": true}],
        "options": {"repeat": 5, "limit_seconds": 60.0, "roots": "all"},
        "graphs": [{"path": "graphs/karate.txt", "directed": false, "weighted": false,
                    "vertices": 34, "edges": 78, "prepared_vertices": 33, "prepared_arcs": 154,
                    "roots": 33, "strategies": strategies}],
    })
}

fn compared(then: Value, now: Value) -> Comparison {
    let read = |report| parse(report).unwrap();
    compare("then.json", &read(then), &read(now))
}

fn verdicts(then: &[(&str, &[f64])], now: &[(&str, &[f64])]) -> Vec<(String, Verdict)> {
    let rows = compared(report(then), report(now)).rows;
    rows.into_iter()
        .map(|r| (r.setting.strategy, r.verdict))
        .collect()
}

const TIMES: [f64; 5] = [1.00, 1.02, 0.99, 1.01, 1.03];

fn times(factor: f64) -> Vec<f64> {
    TIMES.iter().map(|seconds| seconds * factor).collect()
}

#[test]
fn a_planted_slowdown_is_found_and_equal_reports_have_none() {
    let verdict = |factor: f64| verdicts(&[("lanes", &TIMES)], &[("lanes", &times(factor))])[0].1;
    assert_eq!(verdict(1.0), Verdict::WithinNoise);
    assert_eq!(verdict(1.04), Verdict::WithinNoise);
    assert_eq!(verdict(1.2), Verdict::Slower);
    assert_eq!(verdict(1.0 / 1.2), Verdict::Faster);
    let rows = compared(
        report(&[("lanes", &TIMES)]),
        report(&[("lanes", &times(1.2))]),
    )
    .rows;
    assert!((rows[0].change.unwrap() - 0.2).abs() < 1e-9);
}

#[test]
fn times_whose_ranges_overlap_are_within_noise() {
    let now = [1.5, 1.6, 1.02, 1.7, 1.6];
    let rows = verdicts(&[("lanes", &TIMES)], &[("lanes", &now)]);
    assert_eq!(rows[0].1, Verdict::WithinNoise);
    let rows = verdicts(&[("lanes", &TIMES)], &[("lanes", &now[3..])]);
    assert_eq!(rows[0].1, Verdict::Slower);
}

#[test]
fn changes_of_less_than_a_millisecond_are_noise() {
    let verdict = |scale: f64, factor: f64| {
        let (then, now) = (times(scale), times(scale * factor));
        verdicts(&[("lanes", &then)], &[("lanes", &now)])[0].1
    };
    assert_eq!(verdict(1e-4, 3.0), Verdict::WithinNoise);
    assert_eq!(verdict(1e-4, 0.1), Verdict::WithinNoise);
    assert_eq!(verdict(1e-3, 3.0), Verdict::Slower);
    assert_eq!(verdict(3e-3, 1.0 / 3.0), Verdict::Faster);
}

#[test]
fn strategies_come_and_go_and_fail() {
    let then: &[(&str, &[f64])] = &[("virtual", &TIMES), ("edge", &TIMES), ("local", &[])];
    let now: &[(&str, &[f64])] = &[("local", &TIMES), ("virtual", &[]), ("lanes", &TIMES)];
    let found = verdicts(then, now);
    let expected = [
        ("local", Verdict::New),
        ("virtual", Verdict::Failed),
        ("lanes", Verdict::New),
        ("edge", Verdict::Gone),
    ];
    let expected = expected.map(|(name, verdict)| (name.to_string(), verdict));
    assert_eq!(found, expected);
    assert!(Verdict::Failed.is_worse() && !Verdict::Gone.is_worse());
    assert_eq!(verdicts(&[("edge", &[])], &[("edge", &[])]), []);
}

#[test]
fn graphs_are_found_by_path_or_file_name_and_have_to_be_the_same() {
    let lanes: &[(&str, &[f64])] = &[("lanes", &TIMES)];
    let with = |field: &str, value: Value| {
        let mut then = report(lanes);
        then["graphs"][0][field] = value;
        compared(then, report(lanes))
    };
    let moved = with("path", json!("elsewhere/karate.txt"));
    assert_eq!(moved.rows[0].verdict, Verdict::WithinNoise);
    assert!(moved.graphs_gone.is_empty());
    let other = with("path", json!("graphs/davis.txt"));
    assert_eq!(other.rows[0].verdict, Verdict::New);
    assert_eq!(other.graphs_gone, ["graphs/davis.txt"]);
    for (field, value) in [
        ("edges", json!(77)),
        ("directed", json!(true)),
        ("vertices", json!(35)),
    ] {
        assert_eq!(with(field, value).rows[0].verdict, Verdict::NotComparable);
    }
}

#[test]
fn estimates_are_compared_with_estimates_from_as_many_roots() {
    let lanes: &[(&str, &[f64])] = &[("lanes", &TIMES)];
    let verdict = |then_sampled: Option<u64>, now_sampled: Option<u64>| {
        let with = |sampled: Option<u64>| {
            let mut report = report(lanes);
            let times = &mut report["graphs"][0]["strategies"][0];
            times["estimated"] = json!(sampled.is_some());
            times["roots_searched"] = json!(sampled.unwrap_or(33));
            report
        };
        compared(with(then_sampled), with(now_sampled)).rows[0].verdict
    };
    assert_eq!(verdict(Some(16), Some(16)), Verdict::WithinNoise);
    assert_eq!(verdict(Some(16), Some(8)), Verdict::NotComparable);
    assert_eq!(verdict(Some(16), None), Verdict::NotComparable);
    assert_eq!(verdict(None, Some(16)), Verdict::NotComparable);
}

#[test]
fn the_values_of_a_strategy_are_part_of_what_is_compared() {
    let lanes: &[(&str, &[f64])] = &[("lanes", &TIMES)];
    let with = |field: &str, value: Value| {
        let mut report = report(lanes);
        report["graphs"][0]["strategies"][0][field] = value;
        report
    };
    for (field, value) in [
        ("precision", json!("f32")),
        ("degree", json!(8)),
        ("lanes", json!(64)),
        ("warp_size", json!(8)),
        ("work_group", json!(64)),
        ("workers", json!(2)),
        ("reduce", json!("none")),
    ] {
        let verdict = |then: Value, now: Value| -> Vec<Verdict> {
            let rows = compared(then, now).rows;
            rows.into_iter().map(|row| row.verdict).collect()
        };
        let now = || with(field, value.clone());
        assert_eq!(verdict(now(), now()), [Verdict::WithinNoise], "{field}");
        let both = [Verdict::New, Verdict::Gone];
        assert_eq!(verdict(report(lanes), now()), both, "{field}");
    }
}

#[test]
fn each_changed_circumstance_gives_one_warning() {
    let lanes: &[(&str, &[f64])] = &[("lanes", &TIMES)];
    let same = compared(report(lanes), report(lanes));
    assert!(same.warnings.is_empty(), "{:?}", same.warnings);
    for (path, value, text) in [
        (
            "/host/cores",
            json!(64),
            "on 64 cores of some CPU, this on 8",
        ),
        (
            "/devices/0/driver",
            json!("2"),
            "on some GPU (driver 2), this on",
        ),
        ("/devices", json!([]), "on no device, this on some GPU"),
        (
            "/options/roots",
            json!("9"),
            "with --roots 9, this with --roots all",
        ),
    ] {
        let mut then = report(lanes);
        *then.pointer_mut(path).unwrap() = value;
        let comparison = compared(then, report(lanes));
        let [warning] = &comparison.warnings[..] else {
            panic!("{path}: {:?}", comparison.warnings)
        };
        assert!(warning.contains(text), "{warning}");
        let comparable = comparison.rows[0].verdict != Verdict::NotComparable;
        assert_eq!(comparable, path != "/options/roots");
    }
}

#[test]
fn other_files_are_refused() {
    let message = |report: Value| parse(report).unwrap_err().to_string();
    let head = |kind: &str, version: u32| json!({"kind": kind, "schema_version": version});
    assert!(message(head("bench", 1)).contains("missing field"));
    assert!(message(head("run", 1)).contains("kind is 'run'"));
    assert!(message(head("bench", 2)).contains("schema_version 2 is not known"));
}

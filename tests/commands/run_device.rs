//! Tests `brandes run` on OpenCL devices as a user sees it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::program::{Place, expect};
use serde_json::Value;

/// Returns the sum of the numbers of roots of all workers in a report.
fn searched(report: &Value) -> u64 {
    let workers = report["workers"].as_array().unwrap().iter();
    workers
        .map(|worker| worker["roots"].as_u64().unwrap())
        .sum()
}

#[test]
fn sums_at_the_ends_of_chains_in_mixed_precision_have_no_error_bound() {
    let place = Place::new();
    place.run("generate watts-strogatz --vertices 10 --neighbours 2 --rewire 0 -o g.txt");
    let bound = |reduce: &str| {
        let options = "--strategy hierarchy --precision mixed --device 0 --cpu-workers 0";
        place.run(&format!(
            "run g.txt {options} --reduce {reduce} --report r.json"
        ));
        place.json("r.json")["checks"]["error_bound"].clone()
    };
    assert!(bound("fold").as_f64() > Some(0.0));
    assert!(bound("chains").is_null());
}

#[test]
fn the_report_is_consistent() {
    let place = Place::new();
    place.run("generate rmat --scale 12 -o g.txt.gz");
    // The run uses the first device and one CPU worker. The graph arrives late, so that even on a
    // busy machine the devices are found before.
    let options = "run - --device 0 --cpu-workers 1 --quiet --report r.json";
    let mut running = Command::new(env!("CARGO_BIN_EXE_brandes"))
        .args(options.split(' '))
        .current_dir(place.at(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(200));
    let mut input = running.stdin.take().unwrap();
    input.write_all(&place.bytes("g.txt.gz")).unwrap();
    drop(input);
    assert!(running.wait().unwrap().success());
    let report = place.json("r.json");
    expect(
        &report,
        "/schema_version = 2\n/kind = \"run\"\n/input/format = \"edgelist\"",
    );
    let total = report["totals"]["seconds"].as_f64().unwrap();
    let spans = report["timeline"].as_array().unwrap();
    let times = |span: &Value| ["start", "end"].map(|name| span[name].as_f64().unwrap());
    for span in spans {
        let [start, end] = times(span);
        assert!(0.0 <= start && start <= end && end <= total, "{span}");
    }
    let spread = &report["distributions"];
    let binned = |bins: &Value| -> u64 {
        let bins = bins.as_array().unwrap().iter();
        bins.map(|bin| bin["count"].as_u64().unwrap()).sum()
    };
    let zeros = spread["score_zeros"].as_u64().unwrap();
    let vertices = report["input"]["vertices"].as_u64().unwrap();
    assert_eq!(binned(&report["results"]["by_degree"]), vertices);
    assert_eq!(binned(&spread["score"]) + zeros, vertices);
    let last = spread["score"].as_array().unwrap().last().unwrap();
    assert!(last["from"].as_f64() <= report["checks"]["score_max"].as_f64());
    assert!(searched(&report) > 0);
    assert_eq!(report["prepared"]["roots"], searched(&report));
    let span = |track: &str, name: &str| {
        let mut spans = spans.iter();
        let found = spans.find(|s| s["track"] == track && s["name"] == name);
        times(found.unwrap_or_else(|| panic!("no span {name} of {track}")))
    };
    // Devices are looked for while the graph is read.
    let ([read, read_end], [find, find_end]) =
        (span("main", "read"), span("devices", "find devices"));
    assert!(find < read_end && read < find_end);
}

#[test]
fn a_device_is_credited_only_with_what_it_searched() {
    let place = Place::new();
    // The worker finishes this graph long before the device is ready.
    let ran = place.run("run KARATE --device 0 --cpu-workers 1 --report r.json");
    let report = place.json("r.json");
    let mut workers = report["workers"].as_array().unwrap().iter();
    let by_device = workers.any(|w| w["kind"] == "device" && w["roots"].as_u64() > Some(0));
    assert_eq!(
        report["plan"]["why"].as_str().unwrap().contains(" on "),
        by_device
    );
    let has = |text: &str| ran.err.contains(text);
    let warned = has("searched nothing") || has("no device searched");
    assert_eq!(
        [warned, has("--cpu-workers 0")],
        [!by_device; 2],
        "{}",
        ran.err
    );
}

#[test]
fn wrong_devices_are_refused_with_the_reason() {
    let place = Place::new();
    place.refuse(
        "run KARATE --device",
        "
        1 | none-such | no OpenCL device matches 'none-such'; there are: 0 (
        2 | 0 --work-group 100000 | work-items, not 100000; use --work-group",
    );
    for line in ["devices", "run KARATE --device 0"] {
        // This folder cannot be created.
        let mut command = place.command(line);
        let output = command.env("POCL_CACHE_DIR", "/proc/none").output();
        let messages = String::from_utf8(output.unwrap().stderr).unwrap();
        if !messages.contains("Portable Computing Language") {
            return; // There are other drivers.
        }
        let failed = line != "devices";
        assert!(
            !failed || messages.contains("the CPU did all the work"),
            "{messages}"
        );
        for part in [
            "no device found on OpenCL platform 0",
            "set POCL_CACHE_DIR to a folder",
        ] {
            assert!(messages.contains(part), "{messages}");
        }
    }
}

#[test]
fn two_devices_share_one_counter() {
    let place = Place::new();
    // A search that ends before the second device is ready is repeated on a larger graph.
    let both_work = (11..18).any(|scale| {
        place.run(&format!("generate rmat --scale {scale} -o g.txt"));
        let options = "--device 0,1 --cpu-workers 0 --quiet --strategy virtual";
        let line = format!("run g.txt {options} --report r.json --scores a.csv");
        let mut command = place.command(&line);
        command.env("POCL_DEVICES", "pthread pthread");
        command.assert().success();
        let report = place.json("r.json");
        let workers = report["workers"].as_array().unwrap();
        let works = |w: &Value| w["kind"] == "device" && w["roots"].as_u64() > Some(0);
        workers.len() == 2 && workers.iter().all(works)
    });
    assert!(both_work);
    place.run("run g.txt --device none --quiet --scores b.csv");
    place.run("compare a.csv b.csv");
}

#[test]
fn built_programs_are_cached_and_a_damaged_cache_is_rebuilt_silently() {
    let mut place = Place::new();
    place.set("BRANDES_CACHE_DIR", "cache");
    let from_cache = |options: &str| {
        // The programs that `auto` builds depend on whether the graph or the device is ready first.
        let usual = "--device 0 --cpu-workers 0 --strategy vertex --quiet --report r.json";
        place.run(&format!("run RMAT {usual} {options}")).quiet();
        place.json("r.json")["devices"][0]["program_from_cache"] == true
    };
    let cached = || {
        fs::read_dir(place.at("cache"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    assert!(!from_cache("--no-cache") && !place.at("cache").exists());
    // Where a separate process probes the driver, it builds the program first, and caches it.
    from_cache("");
    assert!(from_cache("") && !from_cache("--no-cache"));
    assert_eq!(cached().count(), 1);
    assert!(from_cache("--precision f32"));
    assert_eq!(cached().count(), 2, "other options need other programs");
    let damages: [fn(&mut Vec<u8>); 2] = [
        |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        },
        Vec::clear,
    ];
    for change in damages {
        let damaged = cached().map(|file| {
            let mut bytes = fs::read(&file).unwrap();
            change(&mut bytes);
            fs::write(&file, &bytes).unwrap();
            (file, bytes)
        });
        let damaged: Vec<_> = damaged.collect();
        from_cache("");
        let built = |(file, bytes): &&(PathBuf, Vec<u8>)| fs::read(file).unwrap() != *bytes;
        assert_eq!(damaged.iter().filter(built).count(), 1);
    }
}

#[test]
fn a_device_gives_the_edge_scores_of_the_cpu() {
    let place = Place::new();
    for (kind, options) in [
        ("device", "--device 0 --cpu-workers 0"),
        ("cpu", "--device none"),
    ] {
        let files = format!("--edges {kind}.csv --report r.json");
        place
            .run(&format!("run KARATE --quiet {files} {options}"))
            .quiet();
        assert_eq!(place.json("r.json")["workers"][0]["kind"], kind);
    }
    place
        .run("compare device.csv cpu.csv")
        .has(&["78 scores compared, all agree"]);
}

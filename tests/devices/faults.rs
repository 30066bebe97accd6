//! Tests runs on a device whose OpenCL library fails at selected entry points and calls.
//! `scripts/check-faults` tests all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::difference;
use crate::common::program::{brandes, read_json, stdout};
use predicates::str::{contains, ends_with, is_empty};
use serde_json::Value;

/// Returns the library of `tests/faulty-opencl`, and builds it in the first call.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty-opencl");
        let built = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["build", "--quiet", "--locked", "--offline"])
            .args(["-p", "faulty-opencl", "--target-dir"])
            .arg(&target)
            .status()
            .unwrap();
        assert!(built.success(), "tests/faulty-opencl does not build");
        target.join("debug/libfaulty_opencl.so")
    })
}

/// A folder with a graph and a cache of built programs, and the scores of the CPU.
struct Fixture {
    folder: tempfile::TempDir,
    expected: Vec<f64>,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let graph = folder.path().join("graph.txt");
        brandes()
            .args(["generate", "rmat", "--scale", "8", "-o"])
            .arg(&graph)
            .assert()
            .success();
        let mut fixture = Fixture {
            folder,
            expected: Vec::new(),
        };
        fixture.command(&["--device", "none"]).assert().success();
        fixture.expected = fixture.scores();
        fixture
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, more: &[&str]) -> assert_cmd::Command {
        let mut command = self.on_graph("run", more);
        command.arg("--scores").arg(self.path("scores.csv"));
        command
    }

    fn on_graph(&self, name: &str, more: &[&str]) -> assert_cmd::Command {
        let mut command = brandes();
        command.arg(name).arg(self.path("graph.txt")).args(more);
        command.env("BRANDES_CACHE_DIR", self.folder.path());
        command
    }

    fn scores(&self) -> Vec<f64> {
        let text = fs::read_to_string(self.path("scores.csv")).unwrap();
        let last = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
        text.lines().skip(1).map(last).collect()
    }

    /// Checks that a run with `faults` succeeds, prints the expected warnings and has the scores of
    /// the CPU. All of the faults must have happened.
    fn check(&self, faults: &str, warns: bool, more: &[&str], set: &[(&str, &str)]) {
        let mut more: Vec<String> = more.iter().map(ToString::to_string).collect();
        let limit = more.iter().position(|option| option == "--device-timeout");
        // On a busy machine the time-out may end before the call that is to fail. The next attempt
        // has a longer time-out.
        while !self.attempt(faults, warns, &more, set) {
            let limit = limit.unwrap_or_else(|| panic!("{faults} did not happen"));
            let seconds: u32 = more[limit + 1].parse().unwrap();
            assert!(seconds < 20, "{faults} did not happen");
            more[limit + 1] = (3 * seconds).to_string();
        }
    }

    /// As [`Fixture::check`], but returns whether all of the faults happened.
    fn attempt(&self, faults: &str, warns: bool, more: &[String], set: &[(&str, &str)]) -> bool {
        let log = self.path("log");
        let _ = fs::remove_file(&log);
        let _ = fs::remove_file(self.path("scores.csv"));
        // Without workers, the device searches all roots. A run that finds no device needs a worker
        // to continue.
        let finding = ["clGetPlatform", "clGetDevice"];
        let workers = usize::from(finding.iter().any(|entry| faults.starts_with(entry)));
        let run = self
            .command(&["--device", "0", "--cpu-workers", &workers.to_string()])
            .args(more)
            .envs(set.iter().copied())
            .env("OPENCL_DYLIB_PATH", library())
            .env("FAULTY_OPENCL", faults)
            .env("FAULTY_OPENCL_LOG", &log)
            .timeout(Duration::from_secs(60))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{faults}: {text}");
        assert!(!text.contains("panicked"), "{faults}: {text}");
        let off = difference(&self.scores(), &self.expected, 1.0);
        assert!(off <= 1e-9, "{faults}: scores are off by {off:e}");
        let happened = fs::read_to_string(&log).unwrap_or_default();
        let has_happened = |fault: &str| {
            let (call, _) = fault.rsplit_once(':').unwrap();
            let call = call.trim_end_matches('+');
            happened.lines().any(|line| line == call)
        };
        if !faults.split(',').all(has_happened) {
            return false;
        }
        // A worker may search everything before a working device is ready.
        let is_late = |line: &str| workers > 0 && line.contains("finished all roots before");
        let warnings = text
            .lines()
            .filter(|line| line.contains("warning: ") && !is_late(line))
            // Options of a device that failed had no effect.
            .filter(|line| !line.contains("had no effect"))
            .count();
        assert_eq!(warnings, usize::from(warns), "{faults}: {text}");
        true
    }
}

/// Gives a command a device without 64-bit floats.
fn narrow(mut command: assert_cmd::Command) -> assert_cmd::Command {
    command.env("OPENCL_DYLIB_PATH", library());
    command.env("FAULTY_OPENCL", "clGetDeviceInfo:1+:narrow");
    command
}

/// Options of a run on the first device alone.
const ALONE: &[&str] = &["--device", "0", "--cpu-workers", "0", "--quiet"];

/// Faults, whether the run prints one warning, and options of the run.
const ROWS: &str = "
# The first row also fills the cache of built programs.
clFlush:1:delay none
# Faults while the program finds the device.
clGetPlatformIDs:1:error warning
clGetDeviceIDs:1:error warning
clGetDeviceIDs:1:delay none
clGetDeviceInfo:3:error warning
# Faults while the device gets ready.
clCreateContext:1:error warning
clCreateCommandQueue:1:error warning
clCreateProgramWithBinary:1:error none
clCreateKernel:1:error warning
clCreateKernel:2:lost warning
# If a cached binary fails, the program is built from source. If that fails too, both are released.
clBuildProgram:1:error none
clBuildProgram:1+:error,clReleaseProgram:1:error warning
# Faults during the search.
clCreateBuffer:3:error warning
clCreateBuffer:5:lost warning
# If an allocation fails, the engine tries half as much memory, repeatedly. A named strategy makes 15
# buffers for its warm-up, whether or not the graph was read by then.
clCreateBuffer:18:memory none --strategy warp
clCreateBuffer:18:memory,clCreateBuffer:19:memory none --strategy warp
clCreateBuffer:1+:memory warning
clSetKernelArg:9:error warning
clEnqueueWriteBuffer:2:error warning
clEnqueueFillBuffer:2:lost warning
clEnqueueNDRangeKernel:5:error warning
clEnqueueNDRangeKernel:30:lost warning --strategy virtual
clEnqueueNDRangeKernel:5:delay none
clEnqueueReadBuffer:1:error warning
clEnqueueReadBuffer:4:lost warning
clEnqueueReadBuffer:2:delay none
clFlush:1:error warning
clFlush:4:lost warning
clGetEventInfo:1:error warning
clGetEventInfo:9:lost warning
# Both the status query of a read and waiting for it fail.
clGetEventInfo:1+:error,clWaitForEvents:1:error warning
# The device does not answer, and is discarded soon.
clGetDeviceIDs:1:hang warning --device-timeout 1
clCreateContext:1:hang warning --device-timeout 1
clEnqueueNDRangeKernel:5:hang warning --device-timeout 1
clEnqueueReadBuffer:4:hang warning --device-timeout 1
# The device does not answer while it is compared with a core.
clEnqueueWriteBuffer:7:hang warning --device-timeout 1 --verify 2
# The device returns impossible data.
clEnqueueReadBuffer:4+:zero warning
clEnqueueReadBuffer:4+:nan warning
clEnqueueReadBuffer:4+:negative warning
clEnqueueReadBuffer:4+:zero warning --strategy warp
clEnqueueReadBuffer:4+:scale warning --verify 1
# A failed release has no effect on the run.
clReleaseEvent:1+:error none
clReleaseMemObject:1+:error none
clReleaseKernel:1+:error none
";

#[test]
fn a_failed_opencl_call_is_a_warning_and_scores_stay_correct() {
    let fixture = Fixture::new();
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in ROWS.lines().filter(is_row) {
        let words: Vec<&str> = line.split(' ').collect();
        fixture.check(words[0], words[1] == "warning", &words[2..], &[]);
    }
}

#[test]
fn a_device_that_fails_in_the_search_is_in_the_report() {
    let fixture = Fixture::new();
    let report = fixture.path("report.json");
    let more = "--strategy virtual --device-searches 1 --kernel-times --quiet --report";
    let more: Vec<&str> = more.split(' ').chain([report.to_str().unwrap()]).collect();
    // The self-test launches fewer kernels.
    fixture.check("clEnqueueNDRangeKernel:5000:error", true, &more, &[]);
    let report = read_json(&report);
    let device = &report["devices"][0];
    assert_eq!(device["state"], "failed");
    assert!(device["returned"].as_u64() > Some(0) && device["profile"].is_null());
}

#[test]
fn a_device_without_64_bit_floats_computes_in_32_bits_with_a_warning() {
    let fixture = Fixture::new();
    let run = |options: &[&str]| narrow(fixture.command(ALONE)).args(options).assert();
    for options in [&[][..], &["--strategy", "lanes"], &["--precision", "auto"]] {
        let warning = "has no 64-bit floats and computed in 32 bits, which gives about six digits";
        run(options).code(0).stderr(contains(warning));
        let off = difference(&fixture.scores(), &fixture.expected, 1.0);
        assert!(0.0 < off && off < 1e-4, "{options:?}: {off:e}");
    }
    run(&["--precision", "f32"]).code(0).stderr(is_empty());
    let refusal = "has no 64-bit floats; use --precision f32";
    run(&["--precision", "f64"]).stderr(contains(refusal));
    let refusal = "32-bit ones would lose the scores at the ends of chains; use --precision f32";
    let chains = ["--strategy", "hierarchy", "--reduce", "chains"];
    run(&chains).stderr(contains(refusal));
}

#[test]
fn files_of_sums_have_32_bits_only_if_these_are_named() {
    let fixture = Fixture::new();
    let [sums, saved] = ["sums.npz", "saved"].map(|name| fixture.path(name));
    let part = ["--part", "1/2", "--sums", sums.to_str().unwrap()];
    for option in [&part[..], &["--checkpoint", saved.to_str().unwrap()]] {
        let run = |more: &[&str]| {
            let mut run = narrow(fixture.on_graph("run", ALONE));
            run.args(option).args(more).assert()
        };
        run(&[]).stderr(contains("has no 64-bit floats; use --precision f32"));
        run(&["--precision", "f32"]).success();
    }
}

#[test]
fn a_run_without_cpu_workers_that_finds_no_device_fails() {
    let fixture = Fixture::new();
    let mut run = fixture.command(&["--device", "auto", "--cpu-workers", "0"]);
    run.env("OPENCL_DYLIB_PATH", library());
    run.env("FAULTY_OPENCL", "clGetPlatformIDs:1:error");
    run.assert().code(1);
}

#[test]
fn a_driver_that_crashes_is_a_warning() {
    let fixture = Fixture::new();
    let crash = "clBuildProgram:1:crash";
    // The crash ends only the separate process that tests the driver.
    fixture.check(crash, true, &[], &[]);
    fixture.check(crash, true, &["--no-cache"], &[]);
    // A driver that passes this test is used.
    let fixture = Fixture::new();
    fixture.check("clBuildProgram:1:delay", false, &[], &[]);
}

#[test]
fn devices_test_runs_the_self_test() {
    for (faults, code, expected) in [
        ("", 0, ": warp passes\n"),
        (
            "clEnqueueReadBuffer:1+:zero",
            1,
            "self-test gave wrong scores",
        ),
    ] {
        let mut command = devices(faults, &["--test", "0", "--strategy", "warp"]);
        let assert = command.env("POCL_DEVICES", "pthread").assert();
        assert.code(code).stdout(contains(expected));
    }
}

/// Returns `brandes devices` with two devices of PoCL.
fn devices(faults: &str, more: &[&str]) -> assert_cmd::Command {
    let mut command = brandes();
    command.arg("devices").args(more);
    command.env("OPENCL_DYLIB_PATH", library());
    command.env("POCL_DEVICES", "pthread pthread");
    command.env("FAULTY_OPENCL", faults);
    command
}

/// A fault in which a query of the properties of the second device fails.
const SECOND_FAILS: &str = "clGetDeviceInfo:20:error";

#[test]
fn a_device_that_cannot_be_described_does_not_hide_another() {
    let text = stdout(&mut devices(SECOND_FAILS, &[]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[1].starts_with(" 0 "), "{text}");
    assert!(
        lines[2].starts_with("OpenCL device 1 of OpenCL platform 0 ("),
        "{text}"
    );
    let why = "is left out: querying its properties failed: CL_OUT_OF_RESOURCES (-5)";
    assert!(lines[2].ends_with(why), "{text}");
    let list = stdout(&mut devices(SECOND_FAILS, &["--json"]));
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert!(list[0]["number"] == 0 && list[1]["error"] == lines[2]);
    // If the first device is left out, the other one keeps its number.
    let text = stdout(&mut devices("clGetDeviceInfo:1:error", &[]));
    assert!(text.lines().nth(1).unwrap().starts_with(" 1 "), "{text}");
    // Without any device, the first failure is the error.
    let assert = devices("clGetDeviceIDs:1:error", &[]).assert().failure();
    let why = "is left out: listing its devices failed: CL_OUT_OF_RESOURCES (-5)\n";
    assert.stderr(ends_with(why));
}

#[test]
fn a_run_on_one_device_warns_of_another_that_was_left_out() {
    let fixture = Fixture::new();
    let pocl = ("POCL_DEVICES", "pthread pthread");
    fixture.check(SECOND_FAILS, true, &[], &[pocl]);
    // The first device is left out, and the options name it, so workers search everything.
    fixture.check("clGetDeviceInfo:1:error", true, &[], &[pocl]);
}

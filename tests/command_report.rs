//! Tests `brandes report`: the files that it reads, and how it embeds them in the page.
//! `scripts/check-page` checks what the page's script draws.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program::{KARATE, brandes, read_json, stdout};
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use serde_json::{Value, json};
use tempfile::TempDir;

const TUNE: &str = include_str!("data/tune.json");
const HOSTILE: &str = "</script><script>alert('x')</script><!--&\"]]>\u{1}\u{2028}.txt";

fn report(files: &[&Path], options: &[&str]) -> Command {
    let mut command = brandes();
    command.arg("report").args(files).args(options);
    command
}

/// A folder with a report of each kind.
struct Reports {
    folder: TempDir,
}

impl Reports {
    fn new() -> Reports {
        let reports = Reports {
            folder: tempfile::tempdir().unwrap(),
        };
        let cpu = ["--device", "none"];
        let mut run = brandes();
        run.args(["run", KARATE, "--quiet", "--cpu-workers", "2"]);
        run.args(cpu)
            .arg("--report")
            .arg(reports.path("run.json"))
            .assert()
            .success();
        let mut bench = brandes();
        bench.args(["bench", KARATE, "--repeat", "3"]);
        bench
            .args(cpu)
            .arg("--json")
            .arg(reports.path("bench.json"))
            .assert()
            .success();
        fs::write(reports.path("tune.json"), TUNE).unwrap();
        reports
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn json(&self, name: &str) -> Value {
        read_json(&self.path(name))
    }

    /// Writes a changed copy of a report.
    fn changed(&self, from: &str, to: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
        let mut value = self.json(from);
        change(&mut value);
        fs::write(self.path(to), value.to_string()).unwrap();
        self.path(to)
    }
}

/// Returns the files in a page as its script reads them: `name`, `kind` and `report` of each.
fn embedded(html: &str) -> Vec<Value> {
    let start = "<script id=\"reports\" type=\"application/json\">";
    let (_, json) = html.split_once(start).expect("the reports are there");
    let (json, _) = json.split_once("</script>").expect("the element ends");
    serde_json::from_str(json).expect("valid JSON")
}

#[test]
fn each_kind_is_recognised_and_embedded_whole() {
    let reports = Reports::new();
    let page = reports.path("report.html");
    let names = ["run.json", "bench.json", "tune.json"];
    let files = names.map(|name| reports.path(name));
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    report(&files, &["-o", page.to_str().unwrap()])
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
    let found = embedded(&fs::read_to_string(page).unwrap());
    assert_eq!(found.len(), 3);
    for (file, name) in found.iter().zip(names) {
        assert_eq!(file["name"], name);
        assert_eq!(file["kind"], file["report"]["kind"]);
        assert_eq!(file["report"], reports.json(name));
    }
}

#[test]
fn the_page_is_the_same_each_time_and_loads_nothing() {
    let reports = Reports::new();
    let files = ["run.json", "bench.json", "tune.json"].map(|name| reports.path(name));
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let html = stdout(&mut report(&files, &["-o", "-"]));
    assert_eq!(html, stdout(&mut report(&files, &["-o", "-"])));
    assert!(html.contains("default-src 'none'"));
    // The namespace of SVG is not an address that the page loads.
    let html = html.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http:", "https:", "src=\"", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn hostile_names_do_not_end_an_element() {
    let reports = Reports::new();
    let run = reports.changed("run.json", "<i>.json", |report| {
        report["input"]["path"] = json!(HOSTILE);
    });
    let html = stdout(&mut report(&[&run], &["-o", "-"]));
    assert_eq!(
        html.matches("</script>").count(),
        2,
        "only the scripts of the page"
    );
    assert!(!html.contains("<i>") && !html.contains("<!--"));
    let found = embedded(&html);
    assert_eq!(found[0]["name"], "<i>.json");
    assert_eq!(found[0]["report"]["input"]["path"], HOSTILE);
}

#[test]
fn a_file_that_is_no_report_is_one_line_and_leaves_no_page() {
    let reports = Reports::new();
    let page = reports.path("report.html");
    let newer = reports.changed("run.json", "newer.json", |report| {
        report["schema_version"] = json!(7);
    });
    let half = reports.changed("bench.json", "half.json", |report| {
        report.as_object_mut().unwrap().remove("host");
    });
    for (file, message) in [
        (reports.path("none.json"), "none.json: cannot be read"),
        (KARATE.into(), "karate.txt: not JSON"),
        (newer, "newer.json: schema_version 7 is not known, only 1"),
        (half, "half.json: not a complete report of 'brandes bench'"),
    ] {
        let mut command = report(&[&reports.path("tune.json"), &file], &["-o"]);
        command
            .arg(&page)
            .assert()
            .code(1)
            .stdout(is_empty())
            .stderr(starts_with("brandes: ").and(contains(message)))
            .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    }
    assert!(!page.exists());
}

#[test]
fn bad_command_lines_are_usage_errors() {
    let reports = Reports::new();
    let run = reports.path("run.html");
    fs::copy(reports.path("run.json"), &run).unwrap();
    let before = fs::read(&run).unwrap();
    report(&[&run], &["-o"])
        .arg(&run)
        .assert()
        .code(2)
        .stderr(contains("would overwrite a report"));
    assert_eq!(fs::read(&run).unwrap(), before);
    report(&[&run], &[]).assert().code(2);
    report(&[], &["-o", "-"]).assert().code(2);
    report(&[Path::new("-"), Path::new("-")], &["-o", "-"])
        .assert()
        .code(2)
        .stderr(contains("only once"));
    let html = stdout(report(&[Path::new("-")], &["-o", "-"]).write_stdin(before));
    assert_eq!(embedded(&html)[0]["name"], "<stdin>");
}

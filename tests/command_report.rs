//! `brandes report`, as a user sees it. What needs a browser is in `scripts/check-page`.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::{Command, cargo_bin_cmd};
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use roxmltree::Document;
use serde_json::{Value, json};
use tempfile::TempDir;

const KARATE: &str = "bench-graphs/karate.txt";
const TUNE: &str = include_str!("data/tune.json");
const HOSTILE: &str = "<script>alert('x')</script>&\"]]>\u{1}.txt";

fn brandes() -> Command {
    let mut command = cargo_bin_cmd!("brandes");
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn report(files: &[&Path], options: &[&str]) -> Command {
    let mut command = brandes();
    command.arg("report").args(files).args(options);
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
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
        let cpu = ["--device", "none", "--report"];
        let mut run = brandes();
        run.args(["run", KARATE, "--quiet", "--cpu-workers", "2"]);
        run.args(cpu)
            .arg(reports.path("run.json"))
            .assert()
            .success();
        let mut bench = brandes();
        bench.args(["bench", KARATE, "--repeat", "3"]);
        bench
            .args(cpu)
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
        serde_json::from_str(&fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }

    /// A changed copy of a report.
    fn changed(&self, from: &str, to: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
        let mut value = self.json(from);
        change(&mut value);
        fs::write(self.path(to), value.to_string()).unwrap();
        self.path(to)
    }
}

/// Parses all charts of a page, as XML is parsed: one wrong character is an error.
fn charts(html: &str) -> usize {
    let mut count = 0;
    for part in html.split("<svg ").skip(1) {
        let (svg, _) = part.split_once("</svg>").expect("every chart ends");
        let svg = format!("<svg {svg}</svg>");
        let parsed = Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
        let root = parsed.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        assert!(!root.attribute("aria-label").unwrap().is_empty());
        for node in parsed.descendants().filter(roxmltree::Node::is_element) {
            for attribute in node.attributes() {
                let number = ["x", "y", "width", "height", "x1", "y2", "cx", "r"];
                if number.contains(&attribute.name()) {
                    let value: f64 = attribute.value().parse().unwrap();
                    assert!(value.is_finite(), "{attribute:?}");
                }
            }
        }
        count += 1;
    }
    count
}

/// The section of a page.
fn section<'h>(html: &'h str, id: &str) -> &'h str {
    let start = html.find(&format!("<section id=\"{id}\">"));
    let start = start.unwrap_or_else(|| panic!("there is no section {id}"));
    let length = html[start..].find("</section>").unwrap();
    &html[start..start + length]
}

/// All numbers of the tables of a section, with all their digits.
fn numbers(html: &str) -> Vec<f64> {
    let cells = html.split("data-value=\"").skip(1);
    cells
        .filter_map(|cell| cell.split('"').next()?.parse().ok())
        .collect()
}

fn demand(html: &str, id: &str, value: &Value) {
    let value = value.as_f64().unwrap();
    let found = numbers(section(html, id));
    assert!(found.contains(&value), "{id}: {value} is not in {found:?}");
}

#[test]
fn each_kind_is_recognised_and_its_numbers_are_in_the_tables() {
    let reports = Reports::new();
    let page = reports.path("report.html");
    let files = ["run.json", "bench.json", "tune.json"].map(|name| reports.path(name));
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    report(&files, &["-o", page.to_str().unwrap()])
        .assert()
        .success()
        .stdout(is_empty())
        .stderr(is_empty());
    let html = fs::read_to_string(page).unwrap();
    assert!(charts(&html) >= 9, "{}", charts(&html));

    let run = reports.json("run.json");
    demand(&html, "phases", &run["totals"]["seconds"]);
    for worker in run["workers"].as_array().unwrap() {
        demand(&html, "workers", &worker["roots"]);
        demand(&html, "workers", &worker["busy_seconds"]);
    }
    for span in run["timeline"].as_array().unwrap() {
        demand(&html, "timeline", &span["start"]);
        demand(&html, "timeline", &span["end"]);
    }
    for bin in run["distributions"]["degree"].as_array().unwrap() {
        demand(&html, "score-by-degree", &bin["count"]);
    }
    demand(
        &html,
        "score-distribution",
        &run["distributions"]["score_zeros"],
    );
    // Results come first: the highest scores, and how scores go with degrees.
    assert!(html.find("<section id=") == html.find("<section id=\"top\">"));
    let results = &run["results"];
    assert_eq!(results["top"].as_array().unwrap().len(), 10);
    for top in results["top"].as_array().unwrap() {
        demand(&html, "top", &top["score"]);
        demand(&html, "top", &top["degree"]);
    }
    for bin in results["by_degree"].as_array().unwrap() {
        demand(&html, "score-by-degree", &bin["mean"]);
        demand(&html, "score-by-degree", &bin["max"]);
    }
    for measured in reports.json("bench.json")["graphs"][0]["strategies"]
        .as_array()
        .unwrap()
    {
        for name in ["median", "min", "max"] {
            demand(&html, "strategies", &measured["spread"][name]);
        }
    }
    for candidate in reports.json("tune.json")["tune"]["candidates"]
        .as_array()
        .unwrap()
    {
        if !candidate["predicted_seconds"].is_null() {
            demand(&html, "tuning", &candidate["predicted_seconds"]);
            if !candidate["degree"].is_null() {
                demand(&html, "degree", &candidate["predicted_seconds"]);
            }
        }
    }
    assert!(section(&html, "tuning").contains("the graph has no chains"));
    assert!(section(&html, "tuning").contains("Adopted: best."));
    assert!(section(&html, "files").contains("<code>"));
    assert!(!html.contains("<section id=\"ablation\">"));
}

#[test]
fn reports_without_a_device_are_read() {
    let reports = Reports::new();
    let tuned = reports.changed("tune.json", "cores.json", |report| {
        report["device"] = Value::Null;
    });
    let html = stdout(&mut report(&[&tuned], &["-o", "-"]));
    assert!(section(&html, "tuning").contains(" on CPU workers"));
}

#[test]
fn reports_from_before_there_were_kinds_are_read() {
    let reports = Reports::new();
    for name in ["run.json", "bench.json"] {
        let old = reports.changed(name, "old.json", |report| {
            let fields = report.as_object_mut().unwrap();
            fields.remove("kind");
            fields.remove("distributions");
            fields.remove("results");
        });
        let html = stdout(&mut report(&[&old], &["-o", "-"]));
        assert!(!html.contains("<section id=\"score-distribution\">"));
        assert!(!html.contains("<section id=\"top\">"));
        assert!(charts(&html) > 0);
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
    for foreign in ["http:", "https:", "src=\"", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn names_from_outside_stay_text() {
    let reports = Reports::new();
    let run = reports.changed("run.json", "<i>.json", |report| {
        report["input"]["path"] = json!(HOSTILE);
        report["plan"]["why"] = json!(HOSTILE);
        report["timeline"][0]["name"] = json!(HOSTILE);
        report["timeline"][0]["track"] = json!(HOSTILE);
        report["command"] = json!(["brandes", HOSTILE]);
    });
    let bench = reports.changed("bench.json", "b.json", |report| {
        report["graphs"][0]["path"] = json!(HOSTILE);
        report["graphs"][0]["strategies"][0]["strategy"] = json!(HOSTILE);
        report["graphs"][0]["strategies"][0]["failure"] = json!(HOSTILE);
    });
    let tune = reports.changed("tune.json", "t.json", |report| {
        report["device"]["name"] = json!(HOSTILE);
        report["tune"]["candidates"][0]["strategy"] = json!(HOSTILE);
    });
    let html = stdout(&mut report(&[&run, &bench, &tune], &["-o", "-"]));
    charts(&html);
    assert_eq!(html.matches("<script>").count(), 1, "only our own");
    assert!(!html.contains("<i>") && !html.contains('\u{1}'));
    assert!(html.contains("&lt;script&gt;alert(&apos;x&apos;)"));
}

#[test]
fn numbers_that_make_no_sense_make_no_wrong_charts() {
    let reports = Reports::new();
    let run = reports.changed("run.json", "r.json", |report| {
        report["totals"]["seconds"] = json!(0.0);
        report["timeline"][0]["end"] = json!(1e308);
        report["timeline"][1]["start"] = json!(-5.0);
        report["workers"][0]["roots"] = json!(u64::MAX / 4);
        report["distributions"]["score"] = json!([{"from": 0.0, "to": 0.0, "count": 3}]);
    });
    let bench = reports.changed("bench.json", "b.json", |report| {
        let spread = json!({"median": 0.0, "min": -1.0, "max": 1e300});
        report["graphs"][0]["strategies"][0]["spread"] = spread;
    });
    let tune = reports.changed("tune.json", "t.json", |report| {
        report["tune"]["best"] = json!(99);
        report["tune"]["candidates"][0]["degree"] = json!(0);
        report["tune"]["candidates"][1]["predicted_seconds"] = json!(1e-320);
    });
    charts(&stdout(&mut report(&[&run, &bench, &tune], &["-o", "-"])));
}

#[test]
fn one_chart_is_an_svg_file_of_its_own() {
    let reports = Reports::new();
    let tune = reports.path("tune.json");
    let out = reports.path("curve.svg");
    let out = out.to_str().unwrap();
    report(&[&tune], &["--chart", "degree", "-o", out])
        .assert()
        .success();
    let svg = fs::read_to_string(out).unwrap();
    let parsed = Document::parse(&svg).unwrap();
    let root = parsed.root_element();
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://www.w3.org/2000/svg")
    );
    assert!(svg.contains("prefers-color-scheme: dark"));
    assert!(svg.contains("D, arcs") && svg.contains("virtual, D 32: "));
    // There is no such chart, or more than one.
    report(&[&tune], &["--chart", "ablation", "-o", "-"])
        .assert()
        .code(1)
        .stdout(is_empty())
        .stderr("brandes: the files hold nothing for chart 'ablation'; there is degree, tuning\n");
    report(&[&tune, &tune], &["--chart", "degree", "-o", "-"])
        .assert()
        .code(1)
        .stderr(contains("is there 2 times in these files; give fewer"));
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
        (half, "half.json: not a whole report of 'brandes bench'"),
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
        .stderr(contains("would overwrite what it is made of"));
    assert_eq!(fs::read(&run).unwrap(), before);
    report(&[&run], &[]).assert().code(2);
    report(&[], &["-o", "-"]).assert().code(2);
    report(&[&run], &["-o", "-", "--chart", "pie"])
        .assert()
        .code(2);
    report(&[Path::new("-"), Path::new("-")], &["-o", "-"])
        .assert()
        .code(2)
        .stderr(contains("only once"));
    let html = stdout(report(&[Path::new("-")], &["-o", "-"]).write_stdin(before));
    assert!(html.contains("&lt;stdin&gt;"));
}

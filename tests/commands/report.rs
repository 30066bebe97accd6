//! Tests `brandes report`: the files that it reads, and how it embeds them in the page.
//! `scripts/check-page` checks what the page's script draws.

use std::fs;

use crate::common::program::Place;
use serde_json::{Value, json};

const HOSTILE: &str = "</script><script>alert('x')</script><!--&\"]]>\u{1}\u{2028}.txt";

/// Returns a folder with a report of each kind.
fn reports() -> Place {
    let place = Place::with(&[("tune.json", include_str!("../data/tune.json"))]);
    place.run("run KARATE --quiet --cpu-workers 2 --device none --report run.json");
    place.run("bench KARATE --repeat 3 --device none --json bench.json");
    place
}

/// Writes a changed copy of a report.
fn change(place: &Place, from: &str, to: &str, change: impl FnOnce(&mut Value)) {
    let mut value = place.json(from);
    change(&mut value);
    place.write(to, value.to_string());
}

/// Returns the files in a page as its script reads them: `name`, `kind` and `report` of each.
fn embedded(html: &str) -> Vec<Value> {
    let start = "<script id=\"reports\" type=\"application/json\">";
    let (_, json) = html.split_once(start).expect("the reports are there");
    let (json, _) = json.split_once("</script>").expect("the element ends");
    serde_json::from_str(json).expect("valid JSON")
}

#[test]
fn each_kind_is_embedded_whole_in_a_page_that_loads_nothing() {
    let place = reports();
    let ran = place.run("report run.json bench.json tune.json -o page.html");
    assert_eq!((ran.out, ran.err), Default::default());
    let html = place.read("page.html");
    let found = embedded(&html);
    assert_eq!(found.len(), 3);
    for (file, name) in found.iter().zip(["run.json", "bench.json", "tune.json"]) {
        assert_eq!(file["name"], name);
        assert_eq!(file["kind"], file["report"]["kind"]);
        assert_eq!(file["report"], place.json(name));
    }
    let again = place.run("report run.json bench.json tune.json -o -");
    assert_eq!(again.out, html);
    again.has(&["default-src 'none'"]);
    // The namespace of SVG is not an address that the page loads.
    let html = html.replace("http://www.w3.org/2000/svg", "");
    for foreign in ["http:", "https:", "src=\"", "@import", "url("] {
        assert!(!html.contains(foreign), "{foreign}");
    }
}

#[test]
fn hostile_names_do_not_end_an_element() {
    let place = reports();
    change(&place, "run.json", "<i>.json", |report| {
        report["input"]["path"] = json!(HOSTILE);
    });
    let page = place.run("report <i>.json -o -");
    let scripts = page.out.matches("</script>").count();
    assert_eq!(scripts, 2, "only the scripts of the page");
    page.lacks(&["<i>", "<!--"]);
    let found = embedded(&page.out);
    assert_eq!(found[0]["name"], "<i>.json");
    assert_eq!(found[0]["report"]["input"]["path"], HOSTILE);
}

#[test]
fn wrong_files_and_options_are_refused_and_leave_no_page() {
    let place = reports();
    change(&place, "run.json", "newer.json", |report| {
        report["schema_version"] = json!(7);
    });
    change(&place, "bench.json", "half.json", |report| {
        report.as_object_mut().unwrap().remove("host");
    });
    fs::copy(place.at("run.json"), place.at("run.html")).unwrap();
    place.refuse(
        "report tune.json",
        "
        1 | none.json -o p.html | none.json: cannot be read
        1 | KARATE -o p.html | karate.txt: not JSON
        1 | newer.json -o p.html | newer.json: schema_version 7 is not known, only 2
        1 | half.json -o p.html | half.json: not a complete report of 'brandes bench'
        2 | run.html -o run.html | would overwrite a report
        2 |  | -o
        2 | - - -o - | only once
        2 | -o page.pdf | -o writes HTML, not .pdf; use .html",
    );
    assert_eq!(place.json("run.html"), place.json("run.json"));
    place.refuse("report", "2 | -o - | <FILE>");
    let page = place.pipe(place.bytes("run.json"), "report - -o -").out;
    assert_eq!(embedded(&page)[0]["name"], "<stdin>");
}

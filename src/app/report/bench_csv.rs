//! The table of `brandes bench --csv`.

use std::io;

use serde_json::{Value, json};

use super::bench_schema::BenchReport;

/// The columns, with the JSON pointers of their values in what [`bench_csv`] knows of a row.
const COLUMNS: [(&str, &str); 33] = [
    ("graph", "/graph/path"),
    ("vertices", "/graph/vertices"),
    ("edges", "/graph/edges"),
    ("directed", "/graph/directed"),
    ("weighted", "/graph/weighted"),
    ("strategy", "/row/strategy"),
    ("precision", "/row/precision"),
    ("degree", "/row/degree"),
    ("lanes", "/row/lanes"),
    ("searches", "/row/searches"),
    ("warp_size", "/row/warp_size"),
    ("work_group", "/row/work_group"),
    ("workers", "/row/workers"),
    ("reduce", "/row/reduce"),
    ("switch", "/row/switch"),
    ("median_seconds", "/row/spread/median"),
    ("min_seconds", "/row/spread/min"),
    ("max_seconds", "/row/spread/max"),
    ("repeats", "/repeats"),
    ("seconds", "/row/seconds"),
    ("estimated", "/row/estimated"),
    ("roots", "/row/roots"),
    ("roots_searched", "/row/roots_searched"),
    ("best", "/row/best"),
    ("searched_by", "/row/plan/strategy"),
    ("difference", "/row/check/largest_difference"),
    ("failure", "/row/failure"),
    ("device", "/device/name"),
    ("host", "/about/host/name"),
    ("cpu", "/about/host/cpu"),
    ("version", "/about/program/version"),
    ("commit", "/about/program/commit"),
    ("written", "/about/written"),
];

/// Writes a row for each graph, strategy and combination of values; rows of an ablation come last.
pub fn bench_csv(out: &mut impl io::Write, report: &BenchReport) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(COLUMNS.map(|(name, _)| name))?;
    for graph in &report.graphs {
        for row in graph.measured() {
            let uses_device = !row.setting.strategy.starts_with("cpu");
            let device = report.devices.first().filter(|_| uses_device);
            let (repeats, about) = (row.seconds.len(), &report.about);
            let all = json!({
                "graph": graph, "row": row, "repeats": repeats, "device": device, "about": about,
            });
            table.write_record(COLUMNS.map(|(_, place)| match all.pointer(place) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(times)) => {
                    let times: Vec<String> = times.iter().map(Value::to_string).collect();
                    times.join(" ")
                }
                Some(other) => other.to_string(),
            }))?;
        }
    }
    table.flush()
}

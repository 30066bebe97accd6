//! The table of `brandes bench --csv`.

use std::io;

use serde_json::{Value, json};

use super::bench_schema::BenchReport;

/// The columns, separated by blanks, by the object that has their values. A column with another
/// name than its value has the JSON pointer of the value after an equals sign.
const COLUMNS: [(&str, &str); 4] = [
    ("graph", "graph=path vertices edges directed weighted"),
    (
        "row",
        "strategy precision degree lanes searches warp_size work_group workers reduce switch \
         median_seconds=spread/median min_seconds=spread/min max_seconds=spread/max repeats \
         seconds estimated roots roots_searched best searched_by=plan/strategy \
         difference=check/largest_difference failure",
    ),
    ("device", "device=name"),
    (
        "about",
        "host=host/name cpu=host/cpu version=program/version commit=program/commit written",
    ),
];

/// Writes a row for each graph, strategy and combination of values; rows of an ablation come last.
pub fn bench_csv(out: &mut impl io::Write, report: &BenchReport) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    let columns = COLUMNS.iter().flat_map(|(object, columns)| {
        let columns = columns.split_whitespace();
        columns.map(move |column| {
            let (name, value) = column.split_once('=').unwrap_or((column, column));
            (name, format!("/{object}/{value}"))
        })
    });
    let (names, places): (Vec<&str>, Vec<String>) = columns.unzip();
    table.write_record(names)?;
    for graph in &report.graphs {
        for row in graph.measured() {
            let uses_device = !row.setting.strategy.starts_with("cpu");
            let device = report.devices.first().filter(|_| uses_device);
            let mut all = json!({
                "graph": graph, "row": row, "device": device, "about": report.about,
            });
            all["row"]["repeats"] = row.seconds.len().into();
            table.write_record(places.iter().map(|place| match all.pointer(place) {
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

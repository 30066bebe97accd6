//! The table of `brandes bench --csv`.

use std::io;

use serde_json::{Value, json};

use super::bench_schema::GraphPart;

/// The columns, with the JSON pointers of their values in the graph or the row.
const COLUMNS: [(&str, &str); 26] = [
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
    ("repeats", "/row/seconds"),
    ("estimated", "/row/estimated"),
    ("roots", "/row/roots"),
    ("roots_searched", "/row/roots_searched"),
    ("best", "/row/best"),
    ("searched_by", "/row/plan/strategy"),
    ("difference", "/row/check/largest_difference"),
    ("failure", "/row/failure"),
];

/// Writes a row for each graph, strategy and combination of values; rows of an ablation come last.
pub fn bench_csv(out: &mut impl io::Write, graphs: &[GraphPart]) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(COLUMNS.map(|(name, _)| name))?;
    for graph in graphs {
        for row in graph.measured() {
            let both = json!({"graph": graph, "row": row});
            table.write_record(COLUMNS.map(|(_, place)| match both.pointer(place) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(all)) => all.len().to_string(),
                Some(other) => other.to_string(),
            }))?;
        }
    }
    table.flush()
}

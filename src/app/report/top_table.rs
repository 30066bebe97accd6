//! The table of the highest scores.

use super::columns::{aligned, cells, screen};
use brandes::report::words::grouped;

/// Returns a table of vertices with their scores and degrees, best first, and an empty line;
/// nothing without vertices. The columns of scores and degrees have these names; that of degrees is
/// left out if they are unknown.
pub fn top_table(
    top: impl Iterator<Item = (String, f64, Option<u64>)>,
    [score, degree]: [&str; 2],
) -> String {
    let row = |((vertex, value, degree), rank): ((String, f64, Option<u64>), i32)| {
        let mut row = vec![rank.to_string(), printable(&vertex), format!("{value:.6}")];
        row.extend(degree.map(grouped));
        row
    };
    let mut rows: Vec<_> = top.zip(1..).map(row).collect();
    let Some(columns) = rows.first().map(Vec::len) else {
        return String::new();
    };
    let header = cells(["rank", "vertex", score, degree]);
    rows.insert(0, header[..columns].to_vec());
    aligned(&rows, &[], &[1], screen()) + "\n"
}

/// Returns a name with its control characters escaped, which a terminal would obey.
fn printable(name: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(shown).collect()
}

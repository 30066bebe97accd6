//! The table of the highest scores.

use super::columns::{aligned, cell, terminal_width, with_header};
use brandes::report::words::grouped;

/// A vertex of the table.
pub struct Row {
    /// The name.
    pub vertex: String,
    /// The score.
    pub score: f64,
    /// The ends of the interval of the score, if the score is an estimate.
    pub interval: Option<[f64; 2]>,
    /// The degree, if it is known.
    pub degree: Option<u64>,
}

/// Returns a table of vertices in the given order, and an empty line after it; if there are no
/// vertices, an empty text. `score` and `degree` are the names of these columns. Columns of unknown
/// values are left out.
pub fn top_table(top: impl Iterator<Item = Row>, [score, degree]: [&str; 2]) -> String {
    let number = |x: f64| match x < 1e17 {
        true => format!("{x:.6}"),
        false => format!("{x:.6e}"),
    };
    let row = |(entry, rank): (Row, i32)| {
        let [lower, upper] = entry.interval.map_or([None; 2], |ends| ends.map(Some));
        vec![
            cell("rank", rank.to_string()),
            cell("vertex", printable(&entry.vertex)),
            cell(score, number(entry.score)),
            cell("lower", lower.map(number)),
            cell("upper", upper.map(number)),
            cell(degree, entry.degree.map(grouped)),
        ]
    };
    let rows: Vec<_> = top.zip(1..).map(row).collect();
    match rows.is_empty() {
        true => String::new(),
        false => aligned(&with_header(&rows), &[], &[1], terminal_width()) + "\n",
    }
}

/// Escapes the control characters of a name, which a terminal would obey.
fn printable(name: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(shown).collect()
}

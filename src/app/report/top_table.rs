//! The table of the highest scores.

use super::columns::{aligned, cell, screen, with_header};
use brandes::report::words::grouped;

/// A vertex of the table.
pub struct Row {
    /// The name.
    pub vertex: String,
    /// The score.
    pub score: f64,
    /// The ends of its interval, if it is an estimate.
    pub interval: Option<[f64; 2]>,
    /// The degree, if it is known.
    pub degree: Option<u64>,
}

/// Returns a table of vertices with their scores and degrees, best first, and an empty line;
/// nothing without vertices. The columns of scores and degrees have these names; the columns of
/// unknown values are left out.
pub fn top_table(top: impl Iterator<Item = Row>, [score, degree]: [&str; 2]) -> String {
    let number = |x: f64| format!("{x:.6}");
    let row = |(of, rank): (Row, i32)| {
        let [lower, upper] = of.interval.map_or([None; 2], |ends| ends.map(Some));
        vec![
            cell("rank", rank.to_string()),
            cell("vertex", printable(&of.vertex)),
            cell(score, number(of.score)),
            cell("lower", lower.map(number)),
            cell("upper", upper.map(number)),
            cell(degree, of.degree.map(grouped)),
        ]
    };
    let rows: Vec<_> = top.zip(1..).map(row).collect();
    match rows.is_empty() {
        true => String::new(),
        false => aligned(&with_header(&rows), &[], &[1], screen()) + "\n",
    }
}

/// Returns a name with its control characters escaped, which a terminal would obey.
fn printable(name: &str) -> String {
    let shown = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    name.chars().map(shown).collect()
}

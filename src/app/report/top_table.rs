//! The table of the highest scores.

use super::columns::{aligned, cells, screen};
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
    let row = |(of, rank): (Row, i32)| {
        let mut row = vec![rank.to_string(), printable(&of.vertex)];
        row.push(format!("{:.6}", of.score));
        row.extend(of.interval.iter().flatten().map(|end| format!("{end:.6}")));
        row.extend(of.degree.map(grouped));
        row
    };
    let mut top = top.peekable();
    let Some(first) = top.peek() else {
        return String::new();
    };
    let mut header = cells(["rank", "vertex", score]);
    header.extend(
        first
            .interval
            .iter()
            .flat_map(|_| cells(["lower", "upper"])),
    );
    header.extend(first.degree.map(|_| degree.to_string()));
    let mut rows = vec![header];
    rows.extend(top.zip(1..).map(row));
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

//! The table behind a chart. The copy buttons of the page make CSV and Markdown of it, with all
//! digits of each number.

use std::fmt::Write;

use super::escape;
use super::number;

/// One table.
#[derive(Debug, Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// One cell.
#[derive(Debug, Clone)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, and how it is shown.
    Number(f64, String),
    /// There is nothing to say.
    None,
}

impl Cell {
    /// Words.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// Seconds.
    pub fn seconds(seconds: impl Into<Option<f64>>) -> Cell {
        Cell::of(seconds, number::seconds)
    }

    /// A whole number.
    pub fn count(count: impl Into<Option<u64>>) -> Cell {
        let count = count.into().map(|count| count as f64);
        Cell::of(count, |count| number::grouped(count as i64))
    }

    /// -0.38, shown as "−38%".
    pub fn percent(part: impl Into<Option<f64>>) -> Cell {
        Cell::of(part, number::percent)
    }

    /// A number shown by `show`.
    pub fn of(value: impl Into<Option<f64>>, show: impl Fn(f64) -> String) -> Cell {
        match value.into() {
            None => Cell::None,
            Some(value) => Cell::Number(value, show(value)),
        }
    }
}

impl Table {
    /// A table without rows.
    pub fn new<const N: usize>(header: [&str; N]) -> Table {
        Table {
            header: header.map(String::from).to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, row: [Cell; N]) {
        self.rows.push(row.to_vec());
    }

    /// As HTML. `data-value` has all digits of a number.
    pub fn html(&self, caption: &str) -> String {
        let mut html = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\
             <table>\n<caption>{0}</caption>\n<thead><tr>",
            escape(caption)
        );
        // To a String: cannot fail.
        let numeric = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.any(|cell| matches!(cell, Cell::Number(..)))
        };
        for (column, name) in self.header.iter().enumerate() {
            let class = if numeric(column) { " class=\"n\"" } else { "" };
            let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escape(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for cell in row {
                let _ = match cell {
                    Cell::Text(text) => write!(html, "<td>{}</td>", escape(text)),
                    Cell::Number(value, shown) => {
                        let shown = escape(shown);
                        write!(html, "<td class=\"n\" data-value=\"{value}\">{shown}</td>")
                    }
                    Cell::None => write!(html, "<td class=\"n\" data-value=\"\">\u{2013}</td>"),
                };
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody>\n</table></div>\n");
        html
    }
}

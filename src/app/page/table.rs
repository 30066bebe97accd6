//! The table behind a chart. The copy buttons of the page make CSV and Markdown of it, with all
//! digits of each number.

use std::fmt::Write;

use super::escape;
use brandes::report::words::{self, grouped};

/// One table: the names and the cells of its columns.
#[derive(Debug)]
pub struct Table(Vec<(String, Vec<Cell>)>);

/// One cell: what is shown, and the number that it stands for; nothing is shown as a dash.
#[derive(Debug)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, and how it is shown.
    Number(f64, String),
    /// There is nothing to say.
    None,
}

/// A table in the making, of a row for each item.
pub struct Columns<T> {
    items: Vec<T>,
    table: Table,
}

/// Words, if there are any.
pub fn text<'t>(text: impl Into<Option<&'t str>>) -> Cell {
    text.into()
        .map_or(Cell::None, |text| Cell::Text(text.into()))
}

/// Seconds.
pub fn seconds(seconds: impl Into<Option<f64>>) -> Cell {
    number(seconds, words::seconds)
}

/// A whole number.
pub fn count(count: impl Into<Option<f64>>) -> Cell {
    number(count, |count| grouped(count as u64))
}

/// A number shown by `show`.
pub fn number(value: impl Into<Option<f64>>, show: impl Fn(f64) -> String) -> Cell {
    let cell = |value| Cell::Number(value, show(value));
    value.into().map_or(Cell::None, cell)
}

impl<T> Columns<T> {
    /// A table without columns.
    pub fn of(items: impl IntoIterator<Item = T>) -> Columns<T> {
        Columns {
            items: items.into_iter().collect(),
            table: Table(Vec::new()),
        }
    }

    /// Adds a column by its name and what it says of an item.
    pub fn column(mut self, name: &str, cell: impl Fn(&T) -> Cell) -> Self {
        let cells = self.items.iter().map(cell).collect();
        self.table.0.push((name.into(), cells));
        self
    }

    /// The whole table.
    pub fn table(self) -> Table {
        self.table
    }
}

impl Table {
    /// As HTML. `data-value` has all digits of a number.
    pub fn html(&self, caption: &str) -> String {
        let mut html = format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\
             <table>\n<caption>{0}</caption>\n<thead><tr>",
            escape(caption)
        );
        // To a String: cannot fail.
        for (name, cells) in &self.0 {
            let numeric = cells.iter().any(|cell| matches!(cell, Cell::Number(..)));
            let class = if numeric { " class=\"n\"" } else { "" };
            let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escape(name));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in 0..self.0.first().map_or(0, |(_, cells)| cells.len()) {
            html.push_str("<tr>");
            for (_, cells) in &self.0 {
                let _ = match &cells[row] {
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

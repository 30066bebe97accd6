//! Tables of aligned columns that fit the terminal.

use std::io::{IsTerminal, stdout};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, presets};
use terminal_size::{Width, terminal_size_of};

/// Returns the width of the terminal on standard output; `None` without one.
pub fn terminal_width() -> Option<u16> {
    let size = stdout().is_terminal().then(|| terminal_size_of(stdout()))?;
    size.map(|(Width(columns), _)| columns)
}

/// The name of a column, and the text of a row in it.
pub type Cell = (String, Option<String>);

/// Returns a cell of a column.
pub fn cell(column: &str, text: impl Into<Option<String>>) -> Cell {
    (column.into(), text.into())
}

/// The text of an empty cell.
pub const NONE: &str = "-";

/// Returns the names of the columns, and then the texts of the rows, which have the same columns.
/// Columns without any text are left out.
pub fn with_header(rows: &[Vec<Cell>]) -> Vec<Vec<String>> {
    let width = rows.first().map_or(0, Vec::len);
    let has_text = |column: &usize| rows.iter().any(|row| row[*column].1.is_some());
    let columns: Vec<usize> = (0..width).filter(has_text).collect();
    let row = |text: fn(&Cell) -> String, row: &Vec<Cell>| {
        columns.iter().map(|&column| text(&row[column])).collect()
    };
    let header = rows.first().map(|first| row(|cell| cell.0.clone(), first));
    let text = |cell: &Cell| cell.1.clone().unwrap_or(NONE.into());
    let rows = rows.iter().map(|cells| row(text, cells));
    header.into_iter().chain(rows).collect()
}

/// Returns rows as aligned columns, the first row as the header. The columns in `left` are aligned
/// left, the others right. If the table is wider than `width`, cells of the columns in `cut` are
/// cut.
pub fn aligned(rows: &[Vec<String>], left: &[usize], cut: &[usize], width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.add_rows(rows.iter().map(|cells| {
        let mut row = Row::from(cells);
        row.max_height(1);
        row
    }));
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width).set_truncation_indicator("…");
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        if !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if !cut.contains(&index) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.trim_fmt() + "\n"
}

//! Tables of aligned columns that fit the terminal.

use std::io::{IsTerminal, stdout};

use comfy_table::{CellAlignment, Table, presets};
use terminal_size::{Width, terminal_size_of};

/// The least characters of a cut cell; the second if the first is not enough.
const LEAST: [usize; 2] = [8, 6];
/// Characters between two columns.
const GAP: usize = 2;

/// Returns the width of the terminal on standard output; `None` without one.
pub fn screen() -> Option<usize> {
    let size = stdout().is_terminal().then(|| terminal_size_of(stdout()))?;
    size.map(|(Width(columns), _)| columns.into())
}

/// Returns the cells of a row.
pub fn cells<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(String::from).to_vec()
}

/// Cuts cells of the columns in `long`, in this order, until rows are no wider than `width`.
pub fn fit(rows: &mut [Vec<String>], long: &[usize], width: Option<usize>) {
    let Some(width) = width else { return };
    let size = |rows: &[Vec<String>], column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    for least in LEAST {
        for &column in long {
            let all: usize = (0..columns).map(|c| size(rows, c) + GAP).sum();
            let excess = all.saturating_sub(width);
            let most = size(rows, column).saturating_sub(excess).max(least);
            for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
                if cell.chars().count() > most {
                    *cell = cell.chars().take(most - 1).chain(['…']).collect();
                }
            }
        }
    }
}

/// Returns rows as aligned columns; those in `left` are aligned left, the others right.
pub fn aligned(rows: &[Vec<String>], left: &[usize]) -> String {
    table(rows, left, presets::NOTHING)
}

/// Returns a table in Markdown; the first row is the header.
pub fn markdown(rows: &[Vec<String>], left: &[usize]) -> String {
    let escaped = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let rows: Vec<_> = rows.iter().map(escaped).collect();
    table(&rows, left, presets::ASCII_MARKDOWN)
}

fn table(rows: &[Vec<String>], left: &[usize], preset: &str) -> String {
    let mut table = Table::new();
    table.load_preset(preset);
    if let Some((header, rows)) = rows.split_first() {
        table.set_header(header).add_rows(rows);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        if !left.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_cells_are_cut_in_order_until_all_fits() {
        let row = |name: &str| {
            vec![
                "1".to_string(),
                name.into(),
                "a platform of a device".into(),
            ]
        };
        let rows = || vec![row("name"), row("a device with a long name")];
        let cut = |width| {
            let mut rows = rows();
            fit(&mut rows, &[2, 1], width);
            rows
        };
        assert_eq!(cut(None), rows());
        assert_eq!(cut(Some(80)), rows());
        let narrow = cut(Some(50));
        assert_eq!(narrow[1][1], "a device with a long name");
        assert_eq!(narrow[1][2], "a platform of a d…");
        let widths = aligned(&cut(Some(40)), &[1, 2]);
        assert!(
            widths.lines().all(|line| line.chars().count() <= 40),
            "{widths}"
        );
    }
}

//! The table of `brandes bench --baseline`.

use super::bench_schema::{Comparison, Row, Verdict};
use super::bench_table::{TableStyle, percent};
use super::columns::{Cell, cell};
use crate::app::bench::baseline::{SMALLEST_CHANGE, SMALLEST_SECONDS};
use brandes::report::words::seconds;

impl TableStyle {
    /// Returns the table of the comparison with a baseline, for all graphs.
    pub fn baseline(self, comparison: &Comparison) -> String {
        let row = |row: &Row| {
            vec![
                cell("graph", row.graph.clone()),
                cell("strategy", row.setting.words()),
                cell("then s", row.baseline_seconds.map(seconds)),
                cell("now s", row.seconds.map(seconds)),
                cell("change", row.change.map(percent)),
                cell("verdict", row.verdict.words()),
            ]
        };
        let (path, program) = (&comparison.path, &comparison.program);
        let commit = program.commit.iter();
        let commit: String = commit.map(|commit| format!(", commit {commit}")).collect();
        let title = format!("against {path} (brandes {}{commit})", program.version);
        let rows: Vec<Vec<Cell>> = comparison.rows.iter().map(row).collect();
        self.table(&title, &rows, &notes(comparison))
    }
}

fn notes(comparison: &Comparison) -> Vec<String> {
    let judged = [Verdict::Slower, Verdict::Faster, Verdict::WithinNoise];
    let mut notes = Vec::new();
    let mut rows = comparison.rows.iter();
    if rows.any(|row| judged.contains(&row.verdict)) {
        notes.push(format!(
            "slower, faster: the medians differ by more than {:.0}% and {} ms, and the ranges of \
             the times do not overlap",
            100.0 * SMALLEST_CHANGE,
            1e3 * SMALLEST_SECONDS,
        ));
    }
    notes.extend(comparison.rows.iter().filter_map(|row| {
        let (graph, strategy, words) = (&row.graph, row.setting.words(), row.verdict.words());
        let note = row.note.as_ref()?;
        Some(format!("{graph}, {strategy}: {words}: {note}"))
    }));
    if !comparison.graphs_gone.is_empty() {
        let gone = comparison.graphs_gone.join(", ");
        notes.push(format!("in the baseline, but not measured now: {gone}"));
    }
    notes
}

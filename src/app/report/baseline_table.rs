//! The table of `brandes bench --baseline`.

use super::bench_table::{NONE, TableStyle, percent};
use crate::app::bench::baseline::{Comparison, Row, SMALLEST_CHANGE, SMALLEST_SECONDS, Verdict};
use brandes::report::words::seconds;

impl TableStyle {
    /// What got faster or slower, on all graphs.
    pub fn baseline(self, comparison: &Comparison) -> String {
        let header = ["graph", "strategy", "then s", "now s", "change", "verdict"];
        let time = |median: Option<f64>| median.map_or(NONE.into(), seconds);
        let row = |row: &Row| {
            vec![
                row.graph.clone(),
                row.asked.words(),
                time(row.baseline_seconds),
                time(row.seconds),
                row.change.map_or(NONE.into(), percent),
                row.verdict.words(),
            ]
        };
        let (path, program) = (&comparison.path, &comparison.program);
        let commit = program.commit.iter();
        let commit: String = commit.map(|commit| format!(", commit {commit}")).collect();
        let title = format!("against {path} (brandes {}{commit})", program.version);
        let rows = comparison.rows.iter().map(row);
        self.titled(&title, &header, rows, &[0, 1, 5]) + &self.lines(&notes(comparison))
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
        let (graph, strategy, words) = (&row.graph, row.asked.words(), row.verdict.words());
        let note = row.note.as_ref()?;
        Some(format!("{graph}, {strategy}: {words}: {note}"))
    }));
    if !comparison.graphs_gone.is_empty() {
        let gone = comparison.graphs_gone.join(", ");
        notes.push(format!("in the baseline, but not measured now: {gone}"));
    }
    notes
}

//! The table of `brandes bench --baseline`.

use super::bench_table::{NONE, TableStyle, percent, seconds, strings};
use crate::app::bench::baseline::{Comparison, Verdict};

impl TableStyle {
    /// What got faster or slower, on all graphs.
    pub fn baseline(self, comparison: &Comparison) -> String {
        let header = strings(["graph", "strategy", "then s", "now s", "change", "verdict"]);
        let time = |median: Option<f64>| median.map_or(NONE.into(), seconds);
        let row = |row: &crate::app::bench::baseline::Row| {
            vec![
                row.graph.clone(),
                row.strategy.clone(),
                time(row.baseline_seconds),
                time(row.seconds),
                row.change.map_or(NONE.into(), percent),
                row.verdict.words().to_string(),
            ]
        };
        let rows: Vec<_> = comparison.rows.iter().map(row).collect();
        let program = &comparison.program;
        let commit = program.commit.as_ref();
        let mut text = format!(
            "against {} (brandes {}{})\n",
            comparison.path,
            program.version,
            commit.map_or(String::new(), |commit| format!(", commit {commit}")),
        );
        if self == TableStyle::Markdown {
            text.push('\n');
        }
        text.push_str(&self.table(&header, &rows, &[0, 1, 5]));
        self.lines(&mut text, &notes(comparison));
        text
    }
}

fn notes(comparison: &Comparison) -> Vec<String> {
    let told = |verdict| {
        let mut verdicts = comparison.rows.iter().map(|row| row.verdict);
        verdicts.any(|of_row| of_row == verdict)
    };
    let mut notes = Vec::new();
    if told(Verdict::Slower) || told(Verdict::Faster) || told(Verdict::WithinNoise) {
        notes.push(format!(
            "slower, faster: by more than {:.0}% and {} ms, by a Mann-Whitney test of the repeats; by accident, each \
             in at most {:.1}% of the rows",
            100.0 * comparison.smallest_change,
            1e3 * comparison.smallest_seconds,
            100.0 * comparison.significance,
        ));
    }
    if told(Verdict::TooFewRepeats) {
        notes.push("too few repeats to tell: 5 then and 5 now are enough (--repeat)".to_string());
    }
    let of_rows = comparison
        .rows
        .iter()
        .filter(|row| row.verdict != Verdict::TooFewRepeats)
        .filter_map(|row| {
            let note = row.note.as_ref()?;
            let (graph, strategy, words) = (&row.graph, &row.strategy, row.verdict.words());
            Some(format!("{graph}, {strategy}: {words}: {note}"))
        });
    notes.extend(of_rows);
    if !comparison.graphs_gone.is_empty() {
        let gone = comparison.graphs_gone.join(", ");
        notes.push(format!("in the baseline, but not measured now: {gone}"));
    }
    notes
}

//! Tables of `brandes bench`.

use std::iter;

use super::bench_schema::GraphPart;
use super::columns::{Cell, NONE, aligned, cell, terminal_width, with_header};
use crate::app::bench::results::{Ablation, AblationRow, Measured};
use crate::app::bench::timing::Spread;
use brandes::engine::Precision;
use brandes::report::engine_numbers;
use brandes::report::words::{counted, grouped, named, seconds};

/// The explanation of the mark of the best median.
const STAR: &str = "* the fastest (auto aside)";

/// Columns that are aligned left; the last of them is cut if the terminal is too narrow.
const LEFT: [&str; 3] = ["strategy", "strategy virtual: on / off", "how"];

/// Returns a table of rows with the same columns, with a title above and notes below it.
fn table(title: &str, rows: &[Vec<Cell>], notes: &[String]) -> String {
    let all = with_header(rows);
    let Some(columns) = all.first() else {
        return format!("{title}\n");
    };
    let is_left = |column: &usize| LEFT.contains(&&*columns[*column]);
    let left: Vec<usize> = (0..columns.len()).filter(is_left).collect();
    let cut = &left[left.len().saturating_sub(1)..];
    let mut text = aligned(&all, &left, cut, terminal_width());
    if !title.is_empty() {
        text.insert_str(0, &format!("{title}\n"));
    }
    text.extend(notes.iter().map(|note| format!("{note}\n")));
    text
}

/// Returns the tables of one graph.
pub fn graph(part: &GraphPart) -> String {
    let title = format!(
        "{}: {}, {}; {}, {} and {} to search",
        part.path,
        counted(part.vertices, "vertex"),
        counted(part.edges, "edge"),
        counted(part.prepared_vertices, "vertex"),
        counted(part.prepared_arcs, "arc"),
        counted(part.roots, "root"),
    );
    match (&part.strategies[..], &part.ablation) {
        ([], None) => format!("{title}\nfolding leaves nothing to search\n"),
        ([], Some(ideas)) => ablation(&title, ideas, part.roots),
        (_, None) => strategies(&title, part),
        (_, Some(ideas)) => strategies(&title, part) + "\n" + &ablation("", ideas, part.roots),
    }
}

fn strategies(title: &str, part: &GraphPart) -> String {
    let all = &part.strategies;
    let precision = |m: &Measured| m.setting.precision.unwrap_or_default();
    let any_rounded = all.iter().any(|m| precision(m) != Precision::F64);
    let fastest = all.iter().filter_map(Measured::median);
    let fastest = fastest.fold(f64::INFINITY, f64::min);
    let row = |m: &Measured| {
        let check = m.check.as_ref().filter(|_| any_rounded);
        let difference = check.map(|check| check.largest_difference.unwrap_or(f64::INFINITY));
        let difference = difference.map(|difference| format!("{difference:.1e}"));
        let ratio = m.median().map(|median| format!("{:.2}", median / fastest));
        let sampled = if m.estimated { " sampled" } else { "" };
        let roots = grouped(m.roots_searched as u64) + sampled;
        let mut row = vec![
            cell("strategy", m.setting.strategy.clone()),
            cell("precision", any_rounded.then(|| named(precision(m)))),
        ];
        row.extend(m.setting.values().map(|(name, value)| cell(name, value)));
        row.extend([
            cell("median s", time(m)),
            cell("range s", range(m)),
            cell("ratio", ratio),
            cell("roots", m.spread.map(|_| roots)),
            cell("difference", difference),
            cell("how", m.spread.map(|_| how(m))),
        ]);
        row
    };
    let rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    let mut notes = notes(all.iter());
    notes.push(STAR.into());
    notes.extend(within_noise(all));
    table(title, &rows, &notes)
}

fn ablation(title: &str, ablation: &Ablation, roots: usize) -> String {
    let row = |row: &AblationRow| {
        let off = &row.off;
        let shown = |(mean, deviation)| format!("{} ± {:.0}%", percent(mean), 100.0 * deviation);
        vec![
            cell("strategy virtual: on / off", off.setting.words()),
            cell("off s", time(off)),
            cell("all on s", time(&ablation.all_on)),
            cell("range off s", range(off)),
            cell("change", row.change.map(percent)),
            cell("original report", row.original.map(shown)),
        ]
    };
    let rows: Vec<Vec<Cell>> = ablation.rows.iter().map(row).collect();
    let mut notes = vec![
        "change: how much the idea changes the search time; in the original report, the total \
             time of eight graphs"
            .into(),
        "emulated float atomics (compare-and-swap loops) are implemented for this table only"
            .into(),
    ];
    if ablation.all_on.roots < roots {
        let searched = counted(ablation.all_on.roots, "root");
        notes.push(format!(
            "searched from {searched} of {}, the same sources in each row: all of them would \
                 take longer than the limit",
            grouped(roots as u64)
        ));
    }
    let off = ablation.rows.iter().map(|row| &row.off);
    notes.extend(self::notes(iter::once(&ablation.all_on).chain(off)));
    table(title, &rows, &notes)
}

/// Returns the notes on measurements that are estimates or failed.
fn notes<'m>(all: impl Iterator<Item = &'m Measured> + Clone) -> Vec<String> {
    let mut notes = Vec::new();
    if all.clone().any(|m| m.estimated) {
        let text = "~ an estimate: only a sample of the roots was searched, and the time scaled \
                    to all of them";
        notes.push(text.into());
    }
    let small = all.clone().filter(|m| m.is_rough);
    let small: Vec<String> = small.map(|m| m.setting.words()).collect();
    if !small.is_empty() {
        let names = match small.len() {
            ..=3 => small.join("; "),
            count => format!("{count} settings"),
        };
        notes.push(format!(
            "~ {names}: the sample is smaller than a batch, so the estimate is rough"
        ));
    }
    for m in all {
        let failure = m.failure.as_ref();
        notes.extend(failure.map(|failure| format!("{NONE} {}: {failure}", m.setting.words())));
    }
    notes
}

/// Returns a note on the measurements that are as fast as the fastest one within noise, if there
/// are some.
fn within_noise(all: &[Measured]) -> Option<String> {
    let best = all.iter().find(|m| m.best)?;
    let is_equal = |m: &&Measured| {
        let spreads = m.spread.zip(best.spread);
        let is_other = !m.best && !m.estimated && !m.setting.is_auto();
        is_other && spreads.is_some_and(|(a, b)| a.overlaps(&b))
    };
    let equal = all.iter().filter(is_equal);
    let equal: Vec<_> = equal.map(|m| m.setting.words()).collect();
    let (best, equal) = (best.setting.words(), equal.join("; "));
    (!equal.is_empty()).then(|| format!("as fast as {best} within noise (ranges overlap): {equal}"))
}

/// Returns the median, marked if it is an estimate, and if it is the best.
fn time(measured: &Measured) -> Option<String> {
    let mark = if measured.estimated { "~" } else { "" };
    let star = if measured.best { " *" } else { "" };
    let median = measured.median();
    median.map(|median| format!("{mark}{}{star}", seconds(median)))
}

/// Returns a relative change in percent.
fn percent(part: f64) -> String {
    format!("{:+.0}%", 100.0 * part)
}

/// Returns the shortest and the longest of several times.
fn range(measured: &Measured) -> Option<String> {
    let Spread { min, max, .. } = measured.spread?;
    let several = measured.seconds.len() > 1;
    several.then(|| format!("{}..{}", seconds(min), seconds(max)))
}

/// Returns the engines that searched.
fn how(measured: &Measured) -> String {
    let mut workers = counted(measured.cpu_workers, "CPU worker");
    let engine = measured.cpu_engine.iter();
    workers.extend(engine.map(|engine| format!(" ({engine})")));
    let Some(plan) = &measured.plan else {
        return workers;
    };
    let mut device = engine_numbers(plan);
    device.insert(0, plan.strategy.name().into());
    let (device, roots) = (device.join(", "), counted(measured.device_roots, "root"));
    match measured.cpu_workers {
        0 => device,
        _ => format!("{device} ({roots}), {workers}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::results::SettingPart;

    fn measured(strategy: &str, times: &[f64]) -> Measured {
        Measured {
            setting: SettingPart {
                strategy: strategy.into(),
                ..SettingPart::default()
            },
            spread: Spread::from_times(times),
            seconds: times.to_vec(),
            ..Measured::default()
        }
    }

    #[test]
    fn seconds_have_four_digits() {
        let words = [123456.7, 12.3456, 1.0, 0.0123456, 0.000012345, 0.0].map(seconds);
        let expected = "123457 12.35 1.000 0.01235 0.00001234 0.000000000";
        assert_eq!(words.join(" "), expected);
        let times = measured("", &[0.01, 0.012, 0.119]);
        assert_eq!(range(&times).unwrap(), "0.01000..0.1190");
        assert_eq!(range(&measured("", &[1.0])), None);
    }
}

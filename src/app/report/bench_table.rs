//! Tables of `brandes bench`, for terminals and for Markdown files.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::bench_schema::GraphPart;
use super::columns::{aligned, fit, markdown, screen};
use super::words::{chosen, counted, grouped};
use crate::app::bench::results::{Ablation, AutoChoice, Measured};
use crate::app::bench::timing::Spread;
use brandes::strategy::EnginePlan;

/// How tables look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TableStyle {
    /// Aligned columns
    Table,
    /// Markdown
    Markdown,
}

/// Stands where there is no figure.
pub(super) const NONE: &str = "-";
const ESTIMATED: &str =
    "~ an estimate: only a sample of the roots was searched, and the time scaled to all of them";

impl TableStyle {
    /// Columns in `left` are aligned left, the others right; the last of them is cut where a
    /// terminal is too narrow.
    pub(super) fn table(self, header: &[String], rows: &[Vec<String>], left: &[usize]) -> String {
        let mut all = vec![header.to_vec()];
        all.extend_from_slice(rows);
        match self {
            TableStyle::Table => {
                fit(&mut all, &left[left.len() - 1..], screen());
                aligned(&all, left)
            }
            TableStyle::Markdown => markdown(&all, left),
        }
    }

    /// A line that is no row; in Markdown a paragraph of its own.
    pub(super) fn lines(self, text: &mut String, lines: &[String]) {
        if self == TableStyle::Markdown && !lines.is_empty() {
            text.push('\n');
        }
        for line in lines {
            text.push_str(line);
            text.push('\n');
            if self == TableStyle::Markdown {
                text.push('\n');
            }
        }
    }

    fn best(self, cell: &str) -> String {
        match self {
            TableStyle::Table => format!("{cell} *"),
            TableStyle::Markdown => format!("**{cell}**"),
        }
    }

    /// The strategies on one graph.
    pub fn graph(self, part: &GraphPart) -> String {
        let mut text = String::new();
        let head = format!(
            "{}: {}, {}; {}, {} and {} to search",
            part.name(),
            counted(part.vertices, "vertex"),
            counted(part.edges, "edge"),
            counted(part.prepared_vertices, "vertex"),
            counted(part.prepared_arcs, "arc"),
            counted(part.roots, "root"),
        );
        let _ = writeln!(text, "{head}"); // to a String: cannot fail
        if part.roots == 0 {
            text.push_str("folding leaves nothing to search\n");
            return text;
        }
        if self == TableStyle::Markdown {
            text.push('\n');
        }
        if !part.strategies.is_empty() {
            self.strategies(&mut text, part);
        }
        if let Some(ablation) = &part.ablation {
            if !part.strategies.is_empty() {
                text.push('\n');
            }
            self.ablation(&mut text, ablation);
        }
        text
    }

    fn strategies(self, text: &mut String, part: &GraphPart) {
        let header = strings(["strategy", "median s", "range s", "ratio", "roots", "how"]);
        let fastest = part.strategies.iter().filter_map(Measured::median);
        let fastest = fastest.fold(f64::INFINITY, f64::min);
        let row = |m: &Measured| match m.spread {
            None => {
                let mut row = vec![m.strategy.to_string()];
                row.resize(header.len(), NONE.into());
                row
            }
            Some(spread) => vec![
                m.strategy.to_string(),
                time(m),
                range(spread, m.seconds.len()),
                format!("{:.2}", spread.median / fastest),
                if m.estimated {
                    format!("{} sampled", grouped(m.roots_searched as u64))
                } else {
                    grouped(m.roots_searched as u64)
                },
                how(m),
            ],
        };
        let rows: Vec<_> = part.strategies.iter().map(row).collect();
        text.push_str(&self.table(&header, &rows, &[0, 5]));
        let mut notes = Vec::new();
        if part.strategies.iter().any(|m| m.estimated) {
            notes.push(ESTIMATED.to_string());
        }
        for measured in &part.strategies {
            let lanes = measured.plan.as_ref().map_or(1, |plan| plan.lanes);
            if measured.estimated && measured.roots_searched < lanes {
                notes.push(format!(
                    "~ {}: the sample is smaller than a batch, which makes the estimate too high",
                    measured.strategy
                ));
            }
            if let Some(failure) = &measured.failure {
                notes.push(format!("{NONE} {}: {failure}", measured.strategy));
            }
        }
        if let Some(auto) = &part.auto {
            notes.push(auto_words(auto, &part.strategies));
        }
        self.lines(text, &notes);
    }

    fn ablation(self, text: &mut String, ablation: &Ablation) {
        let Some(base) = ablation.spread else {
            let reason = ablation.failure.as_deref().unwrap_or("no time was taken");
            let _ = writeln!(text, "virtual could not search: {reason}");
            return;
        };
        let header = strings([
            "strategy virtual: on / off",
            "off s",
            "all on s",
            "range off s",
            "change",
            "original report",
        ]);
        let mut notes = vec![
            "change: of the search time, by switching on what is switched off alone; the original \
             report's figures are of the total time, over its eight graphs"
                .to_string(),
            "emulated float atomics (compare-and-swap loops) exist for this table alone"
                .to_string(),
        ];
        if ablation.sampled {
            notes.push(format!(
                "searched from {} spread over the graph; on a sample folding gains less than on all \
                 sources",
                counted(ablation.sources, "source")
            ));
        }
        let mut rows = Vec::new();
        for row in &ablation.rows {
            let original = row.original.map_or(NONE.into(), |(mean, sd)| {
                format!("{} ± {:.0}%", percent(mean), 100.0 * sd)
            });
            let (off, spread) = row.spread.map_or((NONE.into(), NONE.into()), |spread| {
                let apart = range(spread, row.seconds.len());
                (seconds(spread.median), apart)
            });
            let change = row.change.map_or(NONE.into(), percent);
            rows.push(vec![
                row.switch.name().to_string(),
                off,
                seconds(base.median),
                spread,
                change,
                original,
            ]);
            if let Some(failure) = &row.failure {
                notes.push(format!("{NONE} {}: {failure}", row.switch.name()));
            }
        }
        text.push_str(&self.table(&header, &rows, &[0]));
        self.lines(text, &notes);
    }

    /// Medians of all strategies on all graphs, the best of each graph marked.
    pub fn overview(self, parts: &[GraphPart]) -> Option<String> {
        let parts: Vec<_> = parts.iter().filter(|p| !p.strategies.is_empty()).collect();
        let first = parts.first().filter(|_| parts.len() > 1)?;
        let mut header = vec!["median s".to_string()];
        header.extend(first.strategies.iter().map(|m| m.strategy.to_string()));
        let row = |part: &&GraphPart| {
            // `auto` is one of the others.
            let others = part.strategies.iter().filter(|m| m.strategy != "auto");
            let best = others.filter_map(Measured::median).reduce(f64::min);
            let cell = |m: &Measured| match m.median() {
                None => NONE.into(),
                Some(median) if Some(median) == best => self.best(&time(m)),
                Some(_) => time(m),
            };
            let mut row = vec![part.name().to_string()];
            row.extend(part.strategies.iter().map(cell));
            row
        };
        let rows: Vec<_> = parts.iter().map(row).collect();
        let mut text = self.table(&header, &rows, &[0]);
        let mut notes = Vec::new();
        if self == TableStyle::Table {
            notes.push("* the fastest (auto aside)".to_string());
        }
        if parts
            .iter()
            .any(|p| p.strategies.iter().any(|m| m.estimated))
        {
            notes.push(ESTIMATED.to_string());
        }
        for part in &parts {
            if let Some(auto) = &part.auto {
                let words = auto_words(auto, &part.strategies);
                notes.push(format!("{}: {words}", part.name()));
            }
        }
        self.lines(&mut text, &notes);
        Some(text)
    }

    /// The ideas of strategy `virtual` over all graphs: mean and standard deviation.
    pub fn ablation_overview(self, parts: &[GraphPart]) -> Option<String> {
        let mut changes: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let ablations: Vec<_> = parts.iter().filter_map(|p| p.ablation.as_ref()).collect();
        let first = ablations.first().filter(|_| ablations.len() > 1)?;
        for ablation in &ablations {
            for (index, row) in ablation.rows.iter().enumerate() {
                changes.entry(index).or_default().extend(row.change);
            }
        }
        let header = strings([
            "strategy virtual: on / off",
            "change of the search time",
            "graphs",
            "original report, total time",
        ]);
        let row = |(index, changes): (&usize, &Vec<f64>)| {
            let row = first.rows.get(*index)?;
            let cell = |(mean, sd): (f64, f64)| format!("{} ± {:.0}%", percent(mean), 100.0 * sd);
            Some(vec![
                row.switch.name().to_string(),
                mean(changes).map_or(NONE.into(), cell),
                changes.len().to_string(),
                row.original.map_or(NONE.into(), cell),
            ])
        };
        let rows: Vec<_> = changes.iter().filter_map(row).collect();
        let mut text = self.table(&header, &rows, &[0]);
        let note = "mean and standard deviation over the graphs, each with the same weight";
        self.lines(&mut text, &[note.to_string()]);
        Some(text)
    }
}

pub(super) fn strings<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(String::from).to_vec()
}

/// Mean and standard deviation.
fn mean(numbers: &[f64]) -> Option<(f64, f64)> {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    (count > 0.0).then(|| (mean, (squares / (count - 1.0).max(1.0)).sqrt()))
}

/// Four digits that count, without an exponent.
pub(super) fn seconds(seconds: f64) -> String {
    let digits = 3 - seconds.max(1e-7).log10().floor() as i32;
    format!("{seconds:.*}", digits.clamp(0, 9) as usize)
}

/// The median, marked if it is an estimate.
fn time(measured: &Measured) -> String {
    let median = measured.median().map_or(NONE.into(), seconds);
    if measured.estimated {
        format!("~{median}")
    } else {
        median
    }
}

pub(super) fn percent(part: f64) -> String {
    format!("{:+.0}%", 100.0 * part)
}

/// The shortest and the longest of several times.
fn range(spread: Spread, times: usize) -> String {
    if times < 2 {
        return NONE.into();
    }
    format!("{}..{}", seconds(spread.min), seconds(spread.max))
}

/// What `auto` chose and whether that was right, as the times of a graph show it.
fn auto_words(auto: &AutoChoice, strategies: &[Measured]) -> String {
    let spread = |name: &str| strategies.iter().find(|m| m.strategy == name)?.spread;
    let range = |name: &str| spread(name).map(|spread| (spread.min, spread.max));
    let ranges = range("auto").zip(range(&auto.best));
    chosen(&auto.chose, &auto.best, auto.times_best, ranges)
}

/// Who searched, and with what engine.
fn how(measured: &Measured) -> String {
    let mut workers = counted(measured.cpu_workers, "CPU worker");
    if let Some(engine) = &measured.cpu_engine {
        workers.push_str(&format!(" ({engine})"));
    }
    match &measured.plan {
        None => workers,
        Some(plan) if measured.cpu_workers == 0 => plan_in_words(plan),
        Some(plan) => format!(
            "{} ({}), {workers}",
            plan_in_words(plan),
            counted(measured.device_roots, "root")
        ),
    }
}

/// Strategy, and those of its numbers that it has.
fn plan_in_words(plan: &EnginePlan) -> String {
    let mut text = plan.strategy.name().to_string();
    let mut say = |number: String| {
        text.push_str(", ");
        text.push_str(&number);
    };
    if let Some(degree) = plan.degree {
        say(format!("D {degree}"));
    }
    if plan.lanes > 1 {
        say(format!("{} lanes", grouped(plan.lanes as u64)));
    }
    if plan.batches_in_flight > 1 {
        say(counted(plan.batches_in_flight, "batch"));
    }
    if let Some(slots) = plan.slots {
        say(format!("{} of {}", counted(slots, "slot"), plan.work_group));
    }
    if let Some(size) = plan.warp_size {
        say(format!("warps of {size}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_four_digits() {
        for (number, text) in [
            (123456.7, "123457"),
            (12.3456, "12.35"),
            (1.0, "1.000"),
            (0.0123456, "0.01235"),
            (0.000012345, "0.00001234"),
            (0.0, "0.000000000"),
        ] {
            assert_eq!(seconds(number), text);
        }
    }

    #[test]
    fn what_auto_chose_is_never_faster_than_the_best() {
        let measured = |strategy: &str, times: &[f64]| Measured {
            strategy: strategy.into(),
            seconds: times.to_vec(),
            spread: Spread::of(times),
            estimated: false,
            roots_searched: 9,
            roots: 9,
            device_roots: 9,
            cpu_workers: 0,
            cpu_engine: None,
            plan: None,
            check: None,
            failure: None,
        };
        let said = |chose: &str, best: &str, auto: &[f64], of_best: &[f64]| {
            let strategies = [measured("auto", auto), measured(best, of_best)];
            let choice = AutoChoice {
                chose: chose.into(),
                why: String::new(),
                best: best.into(),
                times_best: Spread::of(auto).unwrap().median / Spread::of(of_best).unwrap().median,
            };
            auto_words(&choice, &strategies)
        };
        assert_eq!(
            said("local", "lanes", &[1.48, 1.49, 1.5], &[1.0, 1.0, 1.1]),
            "auto chose local, which took 1.49 times the time of the best (lanes)"
        );
        let noise = "auto chose local, as fast as the best (lanes) within noise";
        assert_eq!(said("local", "lanes", &[0.6, 0.67], &[1.0, 1.0]), noise);
        assert_eq!(
            said("local", "lanes", &[0.9, 1.2, 1.3], &[0.8, 1.0, 1.1]),
            noise
        );
        assert_eq!(
            said("lanes", "lanes", &[1.2], &[1.0]),
            "auto chose lanes, the best"
        );
    }

    #[test]
    fn ranges_are_in_seconds() {
        let times = [0.01, 0.012, 0.119];
        let range = range(Spread::of(&times).unwrap(), times.len());
        assert_eq!(range, "0.01000..0.1190");
        assert_eq!(super::range(Spread::of(&[1.0]).unwrap(), 1), "-");
    }

    #[test]
    fn means_and_deviations() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[-0.5]), Some((-0.5, 0.0)));
        assert_eq!(mean(&[1.0, 3.0]), Some((2.0, 2f64.sqrt())));
        assert_eq!(percent(-0.384), "-38%");
    }
}

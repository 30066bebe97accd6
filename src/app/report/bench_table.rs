//! Tables of `brandes bench`, for terminals and for Markdown files.

use super::bench_schema::GraphPart;
use super::columns::{aligned, cells, fit, markdown, screen};
use crate::app::bench::results::{Asked, Measured};
use crate::app::bench::timing::Spread;
use crate::app::distinct::distinct;
use brandes::engine::Precision;
use brandes::report::engine_numbers;
use brandes::report::words::{counted, grouped, named, seconds};
use brandes::strategy::EnginePlan;
use brandes::strategy::ablation::Switch;

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

impl TableStyle {
    /// Columns in `left` are aligned left, the others right; the last of them is cut where a
    /// terminal is too narrow.
    fn table(
        self,
        header: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
        left: &[usize],
    ) -> String {
        let mut all: Vec<Vec<String>> = vec![header.iter().map(ToString::to_string).collect()];
        all.extend(rows);
        match self {
            TableStyle::Table => {
                fit(&mut all, &left[left.len() - 1..], screen());
                aligned(&all, left)
            }
            TableStyle::Markdown => markdown(&all, left),
        }
    }

    /// A table below a line.
    pub(super) fn titled(
        self,
        title: &str,
        header: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
        left: &[usize],
    ) -> String {
        let gap = match self {
            TableStyle::Table => "\n",
            TableStyle::Markdown => "\n\n",
        };
        format!("{title}{gap}{}", self.table(header, rows, left))
    }

    /// Lines below a table; in Markdown a paragraph each.
    pub(super) fn lines(self, lines: &[String]) -> String {
        let text = |line: &String| match self {
            TableStyle::Table => format!("{line}\n"),
            TableStyle::Markdown => format!("\n{line}\n"),
        };
        lines.iter().map(text).collect()
    }

    /// The strategies on one graph.
    pub fn graph(self, part: &GraphPart) -> String {
        let title = format!(
            "{}: {}, {}; {}, {} and {} to search",
            part.name(),
            counted(part.vertices, "vertex"),
            counted(part.edges, "edge"),
            counted(part.prepared_vertices, "vertex"),
            counted(part.prepared_arcs, "arc"),
            counted(part.roots, "root"),
        );
        let strategies = (!part.strategies.is_empty()).then(|| self.strategies(&title, part));
        if strategies.is_none() && part.roots == 0 {
            return format!("{title}\nfolding leaves nothing to search\n");
        }
        let title = if strategies.is_none() { &title } else { "" };
        let ablation = part.ablation.iter().map(|rows| self.ablation(title, rows));
        strategies.into_iter().chain(ablation).collect()
    }

    fn strategies(self, title: &str, part: &GraphPart) -> String {
        let all = &part.strategies;
        // Values that none of them has need no column.
        let values = Asked::default().values();
        let shown = |place: &usize| all.iter().any(|m| m.asked.values()[*place].1.is_some());
        let shown: Vec<usize> = (0..values.len()).filter(shown).collect();
        let mut header = vec!["strategy"];
        header.extend(shown.iter().map(|&place| values[place].0));
        header.extend(["median s", "range s", "ratio", "roots"]);
        let rounds = |m: &Measured| m.asked.precision.is_some_and(|p| p != Precision::F64);
        let rounds = all.iter().any(rounds);
        header.extend(rounds.then_some("difference"));
        header.push("how");
        let fastest = all.iter().filter_map(Measured::median);
        let fastest = fastest.fold(f64::INFINITY, f64::min);
        let row = |m: &Measured| {
            let values = m.asked.values();
            let value = |&place: &usize| match values[place].clone() {
                (_, Some(value)) => value,
                ("precision", None) => named(Precision::F64),
                _ => NONE.into(),
            };
            let mut row = vec![m.asked.strategy.clone()];
            row.extend(shown.iter().map(value));
            if let Some(spread) = m.spread {
                let sampled = if m.estimated { " sampled" } else { "" };
                row.extend([
                    self.marked(m, all.len() > 1),
                    range(spread, m.seconds.len()),
                    format!("{:.2}", spread.median / fastest),
                    grouped(m.roots_searched as u64) + sampled,
                ]);
                let difference = m.check.as_ref().map(|check| check.largest_difference);
                let difference = difference.map_or(NONE.into(), |most| format!("{most:.1e}"));
                row.extend(rounds.then_some(difference));
                row.push(how(m));
            }
            row.resize(header.len(), NONE.into());
            row
        };
        let mut notes = Vec::from_iter(self.star(all.len() > 1));
        notes.extend(best_degrees(all));
        notes.extend(estimated(all));
        for measured in all {
            let needed = measured.plan.as_ref().map_or(1, EnginePlan::together);
            if measured.estimated && measured.roots_searched < needed {
                notes.push(format!(
                    "~ {}: the sample is smaller than a batch, which makes the estimate too high",
                    measured.asked.words()
                ));
            }
        }
        notes.extend(failures(all));
        notes.extend(part.auto.iter().map(|auto| auto.words(all)));
        self.titled(title, &header, all.iter().map(row), &[0, header.len() - 1])
            + &self.lines(&notes)
    }

    fn ablation(self, title: &str, all: &[Measured]) -> String {
        let Some((base, rows)) = all.split_first() else {
            return String::new();
        };
        let header = [
            "strategy virtual: on / off",
            "off s",
            "all on s",
            "range off s",
            "change",
            "original report",
        ];
        let mut notes = cells([
            "change: of the search time, by switching on what is switched off alone; the original \
             report's figures are of the total time, over its eight graphs",
            "emulated float atomics (compare-and-swap loops) exist for this table alone",
        ]);
        notes.extend(estimated(all));
        notes.extend(failures(all));
        let row = |row: &Measured| {
            let change = row
                .median()
                .zip(base.median())
                .map(|(off, on)| on / off - 1.0);
            let original = row.asked.switch.and_then(Switch::original);
            vec![
                row.asked.words(),
                time(row),
                time(base),
                row.spread
                    .map_or(NONE.into(), |off| range(off, row.seconds.len())),
                change.map_or(NONE.into(), percent),
                original.map_or(NONE.into(), |(mean, deviation)| {
                    format!("{} ± {:.0}%", percent(mean), 100.0 * deviation)
                }),
            ]
        };
        self.titled(title, &header, rows.iter().map(row), &[0]) + &self.lines(&notes)
    }

    /// Medians of all strategies on all graphs, the best of each graph marked.
    pub fn overview(self, parts: &[GraphPart]) -> Option<String> {
        let parts: Vec<_> = parts.iter().filter(|p| !p.strategies.is_empty()).collect();
        if parts.len() < 2 {
            return None;
        }
        let all = || parts.iter().flat_map(|part| &part.strategies);
        let columns = distinct(all().map(|m| m.asked.words()));
        let mut header = vec!["median s"];
        header.extend(columns.iter().map(String::as_str));
        let row = |part: &&GraphPart| {
            let cell = |column: &String| {
                let mut row = part.strategies.iter();
                let measured = row.find(|m| m.asked.words() == *column);
                measured.map_or(NONE.into(), |m| self.marked(m, true))
            };
            let mut row = vec![part.name().to_string()];
            row.extend(columns.iter().map(cell));
            row
        };
        let mut notes = Vec::from_iter(self.star(true));
        notes.extend(estimated(all()));
        notes.extend(parts.iter().filter_map(|part| {
            let words = part.auto.as_ref()?.words(&part.strategies);
            Some(format!("{}: {words}", part.name()))
        }));
        Some(self.table(&header, parts.iter().map(row), &[0]) + &self.lines(&notes))
    }

    /// The median; that of the best one marked, if there are others.
    fn marked(self, measured: &Measured, others: bool) -> String {
        match self {
            _ if !measured.best || !others => time(measured),
            TableStyle::Table => format!("{} *", time(measured)),
            TableStyle::Markdown => format!("**{}**", time(measured)),
        }
    }

    /// What the mark stands for.
    fn star(self, others: bool) -> Option<String> {
        let starred = self == TableStyle::Table && others;
        starred.then(|| "* the fastest (auto aside)".to_string())
    }
}

/// The best D of each strategy that was measured with several.
fn best_degrees(all: &[Measured]) -> Vec<String> {
    let strategies = distinct(all.iter().map(|m| &m.asked.strategy));
    let best = strategies.into_iter().filter_map(|strategy| {
        let own = || all.iter().filter(|m| m.asked.strategy == *strategy);
        if distinct(own().map(|m| m.asked.degree)).len() < 2 {
            return None;
        }
        let timed = own().filter_map(|m| Some((m.asked.degree?, m.median()?)));
        let (degree, _) = timed.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(format!("best D of {strategy}: {degree}"))
    });
    best.collect()
}

/// Why some could not search.
fn failures(all: &[Measured]) -> impl Iterator<Item = String> {
    let line = |m: &Measured| {
        Some(format!(
            "{NONE} {}: {}",
            m.asked.words(),
            m.failure.as_ref()?
        ))
    };
    all.iter().filter_map(line)
}

/// What is said below a table where some time is an estimate.
fn estimated<'m>(measured: impl IntoIterator<Item = &'m Measured>) -> Option<String> {
    let text = "~ an estimate: only a sample of the roots was searched, and the time scaled to all \
                of them";
    let any = measured.into_iter().any(|m| m.estimated);
    any.then(|| text.into())
}

/// The median, marked if it is an estimate.
fn time(measured: &Measured) -> String {
    let mark = if measured.estimated { "~" } else { "" };
    let median = measured.median();
    median.map_or(NONE.into(), |median| format!("{mark}{}", seconds(median)))
}

/// A change as part of what there was.
pub fn percent(part: f64) -> String {
    format!("{:+.0}%", 100.0 * part)
}

/// The shortest and the longest of several times.
fn range(spread: Spread, times: usize) -> String {
    if times < 2 {
        return NONE.into();
    }
    format!("{}..{}", seconds(spread.min), seconds(spread.max))
}

/// What searched, and with what engine.
fn how(measured: &Measured) -> String {
    let mut workers = counted(measured.cpu_workers, "CPU worker");
    if let Some(engine) = &measured.cpu_engine {
        workers += &format!(" ({engine})");
    }
    let plan = measured.plan.as_ref().map(|plan| {
        let strategy = vec![plan.strategy.name().to_string()];
        [strategy, engine_numbers(plan)].concat().join(", ")
    });
    match plan {
        None => workers,
        Some(plan) if measured.cpu_workers == 0 => plan,
        Some(plan) => {
            let roots = counted(measured.device_roots, "root");
            format!("{plan} ({roots}), {workers}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::results::AutoChoice;

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
            asked: Asked {
                strategy: strategy.into(),
                ..Asked::default()
            },
            spread: Spread::of(times),
            ..Measured::default()
        };
        let said = |chose: &str, best: &str, auto: &[f64], of_best: &[f64]| {
            let strategies = [measured("auto", auto), measured(best, of_best)];
            let choice = AutoChoice {
                chose: chose.into(),
                why: String::new(),
                best: best.into(),
                times_best: Spread::of(auto).unwrap().median / Spread::of(of_best).unwrap().median,
            };
            choice.words(&strategies)
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
}

//! Tables of `brandes bench`, for terminals and for Markdown files.

use super::bench_schema::GraphPart;
use super::columns::{aligned, cells, fit, markdown, screen};
use crate::app::bench::results::{Ablation, AblationRow, Measured};
use crate::app::bench::timing::Spread;
use brandes::engine::Precision;
use brandes::report::engine_numbers;
use brandes::report::words::{counted, grouped, seconds};
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
        if part.roots == 0 {
            return format!("{title}\nfolding leaves nothing to search\n");
        }
        let strategies = (!part.strategies.is_empty()).then(|| self.strategies(&title, part));
        let title = if strategies.is_none() { &title } else { "" };
        let ablation = part.ablation.iter().map(|of| self.ablation(title, of));
        strategies.into_iter().chain(ablation).collect()
    }

    fn strategies(self, title: &str, part: &GraphPart) -> String {
        let mut header = vec!["strategy", "median s", "range s", "ratio", "roots"];
        let rounds = |m: &Measured| m.precision.is_some_and(|p| p != Precision::F64);
        let rounds = part.strategies.iter().any(rounds);
        header.extend(rounds.then_some("difference"));
        header.push("how");
        let fastest = part.strategies.iter().filter_map(Measured::median);
        let fastest = fastest.fold(f64::INFINITY, f64::min);
        let row = |m: &Measured| {
            let mut row = vec![m.strategy.clone()];
            if let Some(spread) = m.spread {
                let sampled = if m.estimated { " sampled" } else { "" };
                row.extend([
                    time(m),
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
        let mut notes = Vec::from_iter(estimated(&part.strategies));
        for measured in &part.strategies {
            let needed = measured.plan.as_ref().map_or(1, EnginePlan::together);
            let name = &measured.strategy;
            if measured.estimated && measured.roots_searched < needed {
                notes.push(format!(
                    "~ {name}: the sample is smaller than a batch, which makes the estimate \
                     too high",
                ));
            }
            let failure = measured.failure.iter();
            notes.extend(failure.map(|failure| format!("{NONE} {name}: {failure}")));
        }
        let auto = part.auto.iter();
        notes.extend(auto.map(|auto| auto.words(&part.strategies)));
        let rows = part.strategies.iter().map(row);
        self.titled(title, &header, rows, &[0, header.len() - 1]) + &self.lines(&notes)
    }

    fn ablation(self, title: &str, ablation: &Ablation) -> String {
        let Some(base) = ablation.spread else {
            let reason = ablation.failure.as_deref().unwrap_or("no time was taken");
            return format!("{title}\nvirtual could not search: {reason}\n");
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
        if ablation.sampled {
            let sources = counted(ablation.sources, "source");
            notes.push(format!(
                "searched from {sources} spread over the graph; on a sample folding gains less \
                 than on all sources"
            ));
        }
        let failed = |row: &AblationRow| {
            let failure = row.failure.as_ref()?;
            Some(format!("{NONE} {}: {failure}", row.switch.name()))
        };
        notes.extend(ablation.rows.iter().filter_map(failed));
        let row = |row: &AblationRow| {
            vec![
                row.switch.name().to_string(),
                row.spread.map_or(NONE.into(), |off| seconds(off.median)),
                seconds(base.median),
                row.spread
                    .map_or(NONE.into(), |off| range(off, row.seconds.len())),
                row.change.map_or(NONE.into(), percent),
                deviating(row.original),
            ]
        };
        let rows = ablation.rows.iter().map(row);
        self.titled(title, &header, rows, &[0]) + &self.lines(&notes)
    }

    /// Medians of all strategies on all graphs, the best of each graph marked.
    pub fn overview(self, parts: &[GraphPart]) -> Option<String> {
        let parts: Vec<_> = parts.iter().filter(|p| !p.strategies.is_empty()).collect();
        let first = parts.first().filter(|_| parts.len() > 1)?;
        let mut header = vec!["median s"];
        header.extend(first.strategies.iter().map(|m| m.strategy.as_str()));
        let row = |part: &&GraphPart| {
            // `auto` is one of the others.
            let others = part.strategies.iter().filter(|m| !m.is_auto());
            let best = others.filter_map(Measured::median).reduce(f64::min);
            let cell = |m: &Measured| match self {
                _ if m.median().is_none() || m.median() != best => time(m),
                TableStyle::Table => format!("{} *", time(m)),
                TableStyle::Markdown => format!("**{}**", time(m)),
            };
            let mut row = vec![part.name().to_string()];
            row.extend(part.strategies.iter().map(cell));
            row
        };
        let starred = self == TableStyle::Table;
        let mut notes = Vec::from_iter(starred.then(|| "* the fastest (auto aside)".to_string()));
        notes.extend(estimated(parts.iter().flat_map(|p| &p.strategies)));
        notes.extend(parts.iter().filter_map(|part| {
            let words = part.auto.as_ref()?.words(&part.strategies);
            Some(format!("{}: {words}", part.name()))
        }));
        Some(self.table(&header, parts.iter().map(row), &[0]) + &self.lines(&notes))
    }
}

/// What is said below a table where some time is an estimate.
fn estimated<'m>(measured: impl IntoIterator<Item = &'m Measured>) -> Option<String> {
    let text = "~ an estimate: only a sample of the roots was searched, and the time scaled to all \
                of them";
    let any = measured.into_iter().any(|m| m.estimated);
    any.then(|| text.into())
}

/// A mean and a standard deviation of changes.
fn deviating(change: Option<(f64, f64)>) -> String {
    change.map_or(NONE.into(), |(mean, deviation)| {
        format!("{} ± {:.0}%", percent(mean), 100.0 * deviation)
    })
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
            strategy: strategy.into(),
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

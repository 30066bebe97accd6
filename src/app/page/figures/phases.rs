//! Seconds of each run by phase.

use super::{Drawing, Figure, Reports};
use crate::app::page::files::Run;
use crate::app::page::number::duration;
use crate::app::page::svg::bars::{Bars, Part, Row};
use crate::app::page::svg::{GREY, Unit};
use crate::app::page::table::{Cell, Table};

/// Phases, their colours, and the spans of the track `main` that make them up.
const PHASES: [(&str, usize, &[&str]); 4] = [
    ("read", 4, &["read"]),
    ("prepare", 2, &["prepare"]),
    ("search", 0, &["search"]),
    ("write", 3, &["unfold", "write scores", "finish scores"]),
];
/// What is so many times shorter than the longest run would not be seen beside it.
const UNLIKE: f64 = 20.0;

pub fn figures(reports: &Reports) -> Vec<Figure> {
    if reports.runs.is_empty() {
        return Vec::new();
    }
    let totals = || reports.runs.iter().map(|(_, run)| run.totals.seconds);
    let shortest = totals().fold(f64::INFINITY, f64::min);
    let shares = totals().fold(0.0, f64::max) > UNLIKE * shortest;
    let mut table = Table::new([
        "run",
        "read s",
        "prepare s",
        "search s",
        "write s",
        "other s",
        "total s",
    ]);
    let mut rows = Vec::new();
    for (name, run) in &reports.runs {
        let total = run.totals.seconds;
        let [read, prepare, search, write, other] = phases(run);
        let of = |seconds: f64| if shares { seconds / total } else { seconds };
        let names = PHASES.map(|(name, colour, _)| (name, colour));
        let seconds = [read, prepare, search, write, other];
        let parts = names.into_iter().chain([("other", GREY)]).zip(seconds);
        rows.push(Row {
            label: name.clone(),
            parts: parts
                .map(|((phase, colour), seconds)| Part {
                    colour,
                    value: of(seconds),
                    title: format!("{name}: {phase} {}", duration(seconds)),
                })
                .collect(),
            end: duration(total),
        });
        let cell = |seconds: f64| Cell::seconds(seconds);
        table.row([
            Cell::text(name),
            cell(read),
            cell(prepare),
            cell(search),
            cell(write),
            cell(other),
            cell(total),
        ]);
    }
    let mut notes = Vec::new();
    if shares {
        notes.push(
            "The runs differ too much in length for one scale: bars are shares of each run.".into(),
        );
    }
    let legend = PHASES
        .iter()
        .map(|(name, colour, _)| (*colour, name.to_string()));
    vec![Figure {
        title: String::new(),
        notes,
        drawing: Drawing::Bars(Bars {
            name: "Seconds of each run by phase".into(),
            legend: legend.chain([(GREY, "other".to_string())]).collect(),
            unit: if shares { Unit::Share } else { Unit::Seconds },
            rows,
        }),
        table,
    }]
}

/// Seconds of reading, preparing, searching, writing, and of what none of them covers.
fn phases(run: &Run) -> [f64; 5] {
    let seconds = |names: &[&str]| -> f64 {
        let spans = run.timeline.iter();
        spans
            .filter(|span| span.track == "main" && names.contains(&span.name.as_str()))
            .map(|span| span.end - span.start)
            .sum()
    };
    let [read, prepare, search, write] = PHASES.map(|(_, _, names)| seconds(names));
    let other = (run.totals.seconds - read - prepare - search - write).max(0.0);
    [read, prepare, search, write, other]
}

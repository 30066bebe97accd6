//! Who did what when.

use super::{Drawing, Figure, Reports};
use crate::app::page::files::{Run, TimelineSpan};
use crate::app::page::number::duration;
use crate::app::page::svg::GREY;
use crate::app::page::svg::gantt::{Bar, Gantt, Track};
use crate::app::page::table::{Cell, Table};
use crate::app::report::tracks;

/// What kinds of work there are, with their colours and the spans that belong to them.
const KINDS: [(&str, usize, &[&str]); 5] = [
    ("read", 4, &["read"]),
    (
        "prepare",
        2,
        &[
            "prepare",
            "reverse arcs",
            "components",
            "fold",
            "order",
            "renumber",
            "chains",
        ],
    ),
    (
        "device initialisation",
        1,
        &[
            "find devices",
            "device context",
            "program build",
            "warm-up",
            "upload",
        ],
    ),
    ("search", 0, &["search"]),
    ("write", 3, &["unfold", "write scores", "finish scores"]),
];
/// The start of a run has a chart of its own if it is at most such a part of the run.
const SMALL: f64 = 0.4;

/// The whole of each run.
pub fn whole(reports: &Reports) -> Vec<Figure> {
    let runs = reports.runs.iter();
    let runs = runs.filter(|(_, run)| !run.timeline.is_empty());
    runs.map(|(name, run)| figure(name, run, end(run), |_| true))
        .collect()
}

/// The start of each run with devices, if it would be hard to see in the whole.
pub fn start(reports: &Reports) -> Vec<Figure> {
    let figure = |(name, run): &(String, &Run)| {
        let initialisation = run.initialisation.as_ref()?;
        let ready = initialisation.graph_ready;
        let ready = initialisation
            .ready
            .map_or(ready, |devices| devices.max(ready));
        let until = 1.15 * ready;
        if until <= 0.0 || until > SMALL * end(run) {
            return None;
        }
        Some(figure(name, run, until, |track| !track.starts_with("cpu ")))
    };
    reports.runs.iter().filter_map(figure).collect()
}

/// When the last span ends.
fn end(run: &Run) -> f64 {
    let ends = run.timeline.iter().map(|span| span.end);
    ends.fold(run.totals.seconds, f64::max)
}

fn figure(name: &str, run: &Run, until: f64, shown: impl Fn(&str) -> bool) -> Figure {
    let mut table = Table::new(["track", "what", "start s", "end s", "seconds"]);
    let mut rows = Vec::new();
    let mut kinds = Vec::new();
    let names = tracks(run.timeline.iter().map(|span| span.track.as_str()));
    for track in names.into_iter().filter(|track| shown(track)) {
        let spans = run.timeline.iter();
        let spans = spans.filter(|span| span.track == track && span.start < until);
        let mut bars = Vec::new();
        for span in spans {
            let kind = kind(&span.name);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            bars.push(bar(span, kind.1));
            table.row([
                Cell::text(track),
                Cell::text(&span.name),
                Cell::seconds(span.start),
                Cell::seconds(span.end),
                Cell::seconds(span.end - span.start),
            ]);
        }
        if !bars.is_empty() {
            rows.push(Track {
                name: track.into(),
                spans: bars,
            });
        }
    }
    let order = |colour: usize| KINDS.iter().position(|(_, c, _)| *c == colour);
    kinds.sort_by_key(|(_, colour)| order(*colour).unwrap_or(KINDS.len()));
    let legend = kinds.into_iter();
    let mut moments = Vec::new();
    let mut notes = Vec::new();
    if let Some(initialisation) = &run.initialisation {
        let mut moment = |at: f64, what: &str| {
            if at <= until {
                moments.push((at, format!("{what} {}", duration(at))));
            }
        };
        moment(initialisation.graph_ready, "graph ready");
        if let Some(ready) = initialisation.ready {
            moment(ready, "devices ready");
        }
        notes.push(hidden(
            initialisation.ready.is_some(),
            initialisation.sticks_out_seconds,
        ));
    }
    Figure {
        title: name.into(),
        notes,
        drawing: Drawing::Gantt(Gantt {
            name: format!("Who did what when in the run of {name}"),
            legend: legend
                .map(|(name, colour)| (colour, name.to_string()))
                .collect(),
            end: until,
            tracks: rows,
            moments,
        }),
        table,
    }
}

fn hidden(ready: bool, sticks_out: f64) -> String {
    if !ready {
        "No device was ready before the end of the run.".into()
    } else if sticks_out > 0.0 {
        format!(
            "Initialisation of devices outlasted reading and preparing by {}.",
            duration(sticks_out)
        )
    } else {
        "Initialisation of devices was hidden behind reading and preparing.".into()
    }
}

fn bar(span: &TimelineSpan, colour: usize) -> Bar {
    Bar {
        name: span.name.clone(),
        colour,
        start: span.start,
        end: span.end,
        title: format!(
            "{}: {} {}, from {} to {}",
            span.track,
            span.name,
            duration(span.end - span.start),
            duration(span.start),
            duration(span.end)
        ),
    }
}

fn kind(name: &str) -> (&'static str, usize) {
    let known = KINDS.iter().find(|(_, _, names)| names.contains(&name));
    known.map_or(("other", GREY), |(kind, colour, _)| (*kind, *colour))
}

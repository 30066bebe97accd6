//! Who did what when, and how long each phase took.

use super::{Figure, Reports, Run};
use crate::app::distinct::distinct;
use crate::app::page::number::{duration, share};
use crate::app::page::svg::rows::{Extent, Row, Rows, Shape};
use crate::app::page::svg::{GREY, Sign};
use crate::app::page::table::{Columns, seconds, text};
use crate::app::report::tracks;
use brandes::report::{Initialisation, Report, TimelineSpan};

/// What there is to do in a run, with its colour.
const KINDS: [(&str, usize); 6] = [
    ("read", 4),
    ("prepare", 2),
    ("search", 0),
    ("write", 3),
    ("other", GREY),
    ("device initialisation", 1),
];
/// A phase that is so many times shorter than the longest run would not be seen beside it.
const UNLIKE: f64 = 20.0;
/// Of the spans within others, one has to be such a part of the run for any to be drawn.
const SEEN: f64 = 0.006;

/// What a span is a part of: the phase that it is or lies within, if any.
fn kind(run: &Report, span: &TimelineSpan) -> (&'static str, usize) {
    let around = |other: &&TimelineSpan| {
        other.track == span.track && other.start <= span.start && span.end <= other.end
    };
    let mut around = run.timeline.iter().filter(around);
    let phase = span.phase();
    let phase = phase.or_else(|| around.find_map(TimelineSpan::phase));
    let name = phase.unwrap_or(match span.track.starts_with("device") {
        true => "device initialisation",
        false => "other",
    });
    let known = KINDS.into_iter().find(|(kind, _)| *kind == name);
    known.unwrap_or((name, GREY))
}

/// Seconds of each run by phase.
pub fn phases(reports: &Reports) -> Option<Figure> {
    let totals = || reports.runs.iter().map(|(_, run)| run.totals.seconds);
    let longest = totals().fold(0.0, f64::max);
    let shares = totals().any(|seconds| longest > UNLIKE * seconds);
    let parts = |run: &Report| {
        let phases = run.phases().map(|(_, seconds)| seconds);
        let other = run.totals.seconds - phases.iter().sum::<f64>();
        let [read, prepare, search, write] = phases;
        [read, prepare, search, write, other.max(0.0)]
    };
    let row = |(name, run): &Run| {
        let total = run.totals.seconds;
        let bar = |((kind, colour), seconds): (&(&str, usize), f64)| {
            let length = if shares { seconds / total } else { seconds };
            let title = format!("{name}: {kind} {}", duration(seconds));
            (*colour, length, title)
        };
        let bars = KINDS.iter().zip(parts(run)).map(bar);
        Row::bars(name, bars, &duration(total))
    };
    let name = "Seconds of each run by phase";
    let mut chart = Rows::new(name.into(), duration, reports.runs.iter().map(row));
    chart.legend = legend(&KINDS[..5]);
    let mut notes = Vec::new();
    if shares {
        (chart.extent, chart.show) = (Extent::To(1.0), share);
        let text = "The runs differ too much in length for one scale: bars are shares of each run.";
        notes.push(text.into());
    }
    let mut table = Columns::of(&reports.runs).column("run", |(name, _)| text(&**name));
    for (place, (kind, _)) in KINDS[..5].iter().enumerate() {
        table = table.column(&format!("{kind} s"), |(_, run)| seconds(parts(run)[place]));
    }
    let table = table.column("total s", |(_, run)| seconds(run.totals.seconds));
    (!reports.runs.is_empty()).then(|| table.figure("", notes, chart.draw()))
}

fn legend(kinds: &[(&str, usize)]) -> Vec<(Sign, String)> {
    let sign = |(kind, colour): &(&str, usize)| (Sign::Box(*colour), kind.to_string());
    kinds.iter().map(sign).collect()
}

/// The timeline of a run.
pub fn figure((name, run): &Run) -> Option<Figure> {
    let ends = run.timeline.iter().map(|span| span.end);
    let end = ends.fold(run.totals.seconds, f64::max);
    let mut spans: Vec<&TimelineSpan> = Vec::new();
    let mut rows = Vec::new();
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for track in tracks(run.timeline.iter().map(|span| span.track.as_str())) {
        let of_track = run.timeline.iter().filter(|span| span.track == track);
        let of_track: Vec<&TimelineSpan> = of_track.collect();
        for (depth, spans) in nested(&of_track).into_iter().enumerate() {
            // A row of its own for what is too short to be seen would be a gap.
            let seen = |span: &&TimelineSpan| span.end - span.start >= SEEN * end;
            if depth > 0 && !spans.iter().any(seen) {
                continue;
            }
            let mut row = Row::default();
            if depth == 0 {
                row.label = track.into();
            }
            for span in spans {
                let kind = kind(run, span);
                row.shapes.push(bar(span, kind.1));
                kinds.push(kind);
            }
            rows.push(row);
        }
        spans.extend(of_track);
    }
    let name_of_chart = format!("Who did what when in the run of {name}");
    let mut chart = Rows::new(name_of_chart, duration, rows.into_iter());
    chart.extent = Extent::To(end);
    chart.legend = legend(&distinct(kinds));
    let mut notes = Vec::new();
    if let Some(initialisation) = &run.initialisation {
        let graph = (initialisation.graph_ready, "graph ready");
        let devices = initialisation.ready.map(|at| (at, "devices ready"));
        let moments = [graph].into_iter().chain(devices);
        let moments = moments.map(|(at, what)| (at, format!("{what} {}", duration(at))));
        chart.moments = moments.collect();
        notes.push(hidden(initialisation));
    }
    let table = Columns::of(spans)
        .column("track", |span| text(&*span.track))
        .column("what", |span| text(&*span.name))
        .column("start s", |span| seconds(span.start))
        .column("end s", |span| seconds(span.end))
        .column("seconds", |span| seconds(span.end - span.start));
    (!run.timeline.is_empty()).then(|| table.figure(name, notes, chart.draw()))
}

/// Spans by the depth at which they lie: what begins within another and ends within it is one
/// deeper, as are those that only overlap.
fn nested<'s>(spans: &[&'s TimelineSpan]) -> Vec<Vec<&'s TimelineSpan>> {
    let mut spans = spans.to_vec();
    // Of two that start together, the longer one is the outer one.
    spans.sort_by(|a, b| a.start.total_cmp(&b.start).then(b.end.total_cmp(&a.end)));
    let mut depths: Vec<Vec<&TimelineSpan>> = Vec::new();
    let mut ends: Vec<f64> = Vec::new();
    for span in spans {
        // The first depth below all that are still under way.
        let depth = ends.iter().rposition(|end| *end > span.start);
        let depth = depth.map_or(0, |depth| depth + 1);
        ends.truncate(depth);
        ends.push(span.end);
        depths.resize(depths.len().max(depth + 1), Vec::new());
        depths[depth].push(span);
    }
    depths
}

fn hidden(initialisation: &Initialisation) -> String {
    let sticks_out = initialisation.sticks_out_seconds;
    if initialisation.ready.is_none() {
        "No device was ready before the end of the run.".into()
    } else if sticks_out > 0.0 {
        let late = duration(sticks_out);
        format!("Initialisation of devices outlasted reading and preparing by {late}.")
    } else {
        "Initialisation of devices was hidden behind reading and preparing.".into()
    }
}

fn bar(span: &TimelineSpan, colour: usize) -> (Shape, String) {
    let (track, name) = (&span.track, &span.name);
    let (from, to) = (duration(span.start), duration(span.end));
    let length = duration(span.end - span.start);
    let title = format!("{track}: {name} {length}, from {from} to {to}");
    let bar = Shape::Bar(colour, (span.start, span.end), name.clone());
    (bar, title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_within_others_lie_deeper() {
        let span = |name: &str, start, end| TimelineSpan {
            track: "main".into(),
            name: name.into(),
            start,
            end,
        };
        let spans = [
            span("fold", 2.0, 3.0),
            span("prepare", 1.0, 4.0),
            span("read", 0.0, 1.0),
            span("order", 3.0, 4.0),
            span("search", 4.0, 9.0),
        ];
        let names = |spans: &Vec<&TimelineSpan>| spans.iter().map(|s| s.name.clone()).collect();
        let depths = nested(&spans.iter().collect::<Vec<_>>());
        let depths: Vec<Vec<String>> = depths.iter().map(names).collect();
        assert_eq!(
            depths,
            [vec!["read", "prepare", "search"], vec!["fold", "order"]]
        );
    }
}

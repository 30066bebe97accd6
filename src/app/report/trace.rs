//! The timeline of a report in Chrome's trace event format, for Perfetto and `chrome://tracing`: a
//! JSON object with `traceEvents`, one thread per track.

use serde_json::{Value, json};

use std::time::Instant;

use crate::app::distinct::distinct;
use brandes::report::{Report, TimelineSpan};
use brandes::runner::Outcome;

/// The process number of all events. Viewers group threads by processes, and a run is one process.
const PROCESS: u32 = 1;

/// Returns the trace of a run: the timeline of its report and the spans in `more`.
pub fn trace(report: &Report, more: &[TimelineSpan]) -> Value {
    let spans = report.timeline.iter().chain(more).collect();
    trace_events(&report.about.program.name, spans)
}

fn trace_events(program: &str, mut spans: Vec<&TimelineSpan>) -> Value {
    let tracks = tracks(spans.iter().map(|span| span.track.as_str()));
    let metadata = |name: &str, tid: usize, args: Value| {
        let pid = PROCESS;
        json!({"ph": "M", "name": name, "pid": pid, "tid": tid, "args": args})
    };
    let mut events = vec![metadata("process_name", 0, json!({"name": program}))];
    for (index, track) in tracks.iter().enumerate() {
        // Viewers put events without a thread into thread 0.
        let (tid, order) = (index + 1, json!({"sort_index": index}));
        events.push(metadata("thread_name", tid, json!({"name": track})));
        events.push(metadata("thread_sort_index", tid, order));
    }
    // Viewers nest spans of one track; if two start together, the longer one comes first.
    spans.sort_by(|a, b| a.start.total_cmp(&b.start).then(b.end.total_cmp(&a.end)));
    events.extend(spans.into_iter().map(|span| {
        let track = tracks.iter().position(|&track| track == span.track);
        let (pid, tid) = (PROCESS, track.map_or(0, |index| index + 1));
        // Microseconds since process start.
        let (ts, dur) = (span.start * 1e6, (span.end - span.start) * 1e6);
        json!({"ph": "X", "name": span.name, "pid": pid, "tid": tid, "ts": ts, "dur": dur})
    }));
    json!({"traceEvents": events, "displayTimeUnit": "ms"})
}

/// Returns the timed commands of all devices as spans of separate tracks. The report does not
/// contain them, because they are too many.
pub fn kernel_spans(outcome: &Outcome, zero: Instant) -> Vec<TimelineSpan> {
    let seconds = |instant: Instant| instant.saturating_duration_since(zero).as_secs_f64();
    let mut all = Vec::new();
    for driver in &outcome.drivers {
        let Some(Ok(profile)) = &driver.profile else {
            continue;
        };
        let mut spans: Vec<_> = profile.spans.iter().collect();
        spans.sort_by_key(|span| (span.queue, span.start));
        // Commands of an in-order queue do not overlap, but devices report some ends slightly late.
        // Viewers would show overlapping spans as nested, so the starts of later spans are moved.
        let mut last = (usize::MAX, 0.0);
        for span in spans {
            let track = match span.queue {
                0 => format!("device {} kernels", driver.info.number),
                queue => format!("device {} kernels {}", driver.info.number, queue + 1),
            };
            let previous_end = if last.0 == span.queue { last.1 } else { 0.0 };
            let start = seconds(span.start).max(previous_end);
            let end = seconds(span.end).max(start);
            last = (span.queue, end);
            all.push(TimelineSpan {
                track,
                name: profile.commands[span.command].name.clone(),
                start,
                end,
            });
        }
    }
    all
}

/// Returns each track once, in the order to show: `main`, each rank, `devices`, each device
/// followed by its kernels, each CPU worker.
fn tracks<'t>(names: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let place = |track: &str| {
        let mut words = track.split(' ');
        let kinds = ["main", "rank", "devices", "device", "cpu"];
        let kind = words.next().unwrap_or("");
        let kind = kinds.iter().position(|&known| known == kind);
        let number = words
            .next()
            .map_or(0, |word| word.parse().unwrap_or(u64::MAX));
        (kind.unwrap_or(kinds.len()), number, track.to_string())
    };
    let mut tracks = distinct(names);
    tracks.sort_by_cached_key(|track| place(track));
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(track: &str, name: &str, start: f64, end: f64) -> TimelineSpan {
        TimelineSpan {
            track: track.into(),
            name: name.into(),
            start,
            end,
        }
    }

    #[test]
    fn tracks_are_in_order_of_kind_and_number() {
        let names = [
            "cpu 10",
            "device 1 kernels",
            "device 1",
            "device 2",
            "device 1 kernels 2",
            "cpu 2",
            "devices",
            "rank 1",
            "cpu 2",
            "main",
        ];
        let timeline = names.map(|track| span(track, "search", 0.0, 1.0));
        assert_eq!(
            tracks(timeline.iter().map(|span| span.track.as_str())),
            [
                "main",
                "rank 1",
                "devices",
                "device 1",
                "device 1 kernels",
                "device 1 kernels 2",
                "device 2",
                "cpu 2",
                "cpu 10"
            ]
        );
    }

    #[test]
    fn events_have_microseconds_and_the_outer_of_two_spans_first() {
        let timeline = [
            span("main", "order", 0.5, 0.75),
            span("main", "prepare", 0.5, 1.0),
        ];
        let trace = trace_events("brandes", timeline.iter().collect());
        let events = trace["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), 5);
        assert_eq!(events[1]["args"]["name"], "main");
        assert_eq!(events[2]["args"]["sort_index"], 0);
        assert_eq!(events[3]["name"], "prepare");
        assert_eq!(
            events[4],
            serde_json::json!({
                "ph": "X", "name": "order", "pid": 1, "tid": 1, "ts": 5e5, "dur": 2.5e5
            })
        );
    }
}

//! The timeline of a report in Chrome's trace event format, which Perfetto and `chrome://tracing`
//! show: a JSON object with `traceEvents`, one thread per track.

use serde::Serialize;

use super::schema::{Report, TimelineSpan};

/// The whole run is one process to the viewer.
const PROCESS: u32 = 1;

/// A whole trace file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace<'r> {
    trace_events: Vec<Event<'r>>,
    display_time_unit: &'static str,
}

/// One event; what `ph` says decides which of the other fields there are.
#[derive(Debug, Serialize)]
struct Event<'r> {
    ph: &'static str,
    name: &'r str,
    pid: u32,
    tid: usize,
    #[serde(flatten)]
    rest: Rest<'r>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Rest<'r> {
    /// Of a complete event: when, in microseconds since process start, and for how long.
    Complete { ts: f64, dur: f64 },
    /// Of a metadata event.
    Name { args: NameArgs<'r> },
    /// Of a metadata event that says where a track stands.
    Place { args: PlaceArgs },
}

#[derive(Debug, Serialize)]
struct NameArgs<'r> {
    name: &'r str,
}

#[derive(Debug, Serialize)]
struct PlaceArgs {
    sort_index: usize,
}

impl<'r> Trace<'r> {
    /// The trace of the run that `report` tells of, with more spans than it has.
    pub fn new(report: &'r Report, more: &'r [TimelineSpan]) -> Self {
        let spans = report.timeline.iter().chain(more).collect();
        Trace::of(report.program.name, spans)
    }

    fn of(program: &'r str, mut spans: Vec<&'r TimelineSpan>) -> Self {
        let tracks = tracks(spans.iter().map(|span| span.track.as_str()));
        let metadata = |name, tid, rest| Event {
            ph: "M",
            name,
            pid: PROCESS,
            tid,
            rest,
        };
        let named = |name| Rest::Name {
            args: NameArgs { name },
        };
        let mut events = vec![metadata("process_name", 0, named(program))];
        for (index, &track) in tracks.iter().enumerate() {
            let place = Rest::Place {
                args: PlaceArgs { sort_index: index },
            };
            // Thread 0 is where viewers put what belongs to no thread.
            events.push(metadata("thread_name", index + 1, named(track)));
            events.push(metadata("thread_sort_index", index + 1, place));
        }
        // Viewers nest spans of one track; of two that start together the longer one comes first.
        spans.sort_by(|a, b| a.start.total_cmp(&b.start).then(b.end.total_cmp(&a.end)));
        events.extend(spans.into_iter().map(|span| {
            let track = tracks.iter().position(|&track| track == span.track);
            Event {
                ph: "X",
                name: &span.name,
                pid: PROCESS,
                tid: track.map_or(0, |index| index + 1),
                rest: Rest::Complete {
                    ts: span.start * 1e6,
                    dur: (span.end - span.start) * 1e6,
                },
            }
        }));
        Trace {
            trace_events: events,
            display_time_unit: "ms",
        }
    }
}

/// Tracks as they are to be shown, each once: `main`, `devices`, each device with its kernels
/// behind it, each CPU worker.
pub fn tracks<'t>(names: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let place = |track: &str| {
        let mut words = track.split(' ');
        let kinds = ["main", "devices", "device", "cpu"];
        let kind = words.next().unwrap_or("");
        let kind = kinds.iter().position(|&known| known == kind);
        let number = words
            .next()
            .map_or(0, |word| word.parse().unwrap_or(u64::MAX));
        (kind.unwrap_or(kinds.len()), number, track.to_string())
    };
    let mut tracks: Vec<&str> = Vec::new();
    for name in names {
        if !tracks.contains(&name) {
            tracks.push(name);
        }
    }
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
            "cpu 2",
            "main",
        ];
        let timeline = names.map(|track| span(track, "search", 0.0, 1.0));
        assert_eq!(
            tracks(timeline.iter().map(|span| span.track.as_str())),
            [
                "main",
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
        let trace = serde_json::to_value(Trace::of("brandes", timeline.iter().collect())).unwrap();
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

//! Spans of all threads on one time axis: seconds since process start.

use std::time::Instant;

use super::schema::TimelineSpan;
use crate::span::Span;

/// The spans of a run. Time zero is the start of the process.
#[derive(Debug)]
pub struct Timeline {
    zero: Instant,
    spans: Vec<TimelineSpan>,
}

impl Timeline {
    /// Returns an empty timeline that starts at `zero`.
    pub fn new(zero: Instant) -> Self {
        let spans = Vec::new();
        Timeline { zero, spans }
    }

    /// Returns the seconds from process start to `instant`.
    pub fn seconds(&self, instant: Instant) -> f64 {
        instant.saturating_duration_since(self.zero).as_secs_f64()
    }

    /// Runs `work` as a span of the track `main`.
    pub fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add("main", name, (start, Instant::now()));
        result
    }

    /// Adds a span.
    pub fn add(&mut self, track: &str, name: &str, (start, end): (Instant, Instant)) {
        self.spans.push(TimelineSpan {
            track: track.into(),
            name: name.into(),
            start: self.seconds(start),
            end: self.seconds(end),
        });
    }

    /// Adds spans to a track.
    pub fn extend(&mut self, track: &str, spans: &[Span]) {
        for span in spans {
            self.add(track, span.name, (span.start, span.end));
        }
    }

    /// Returns all spans, sorted by start.
    pub fn into_spans(mut self) -> Vec<TimelineSpan> {
        self.spans.sort_by(|a, b| a.start.total_cmp(&b.start));
        self.spans
    }
}

//! Named intervals of time.

use std::time::Instant;

/// A named interval of time, for the report.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The name of the work.
    pub name: &'static str,
    /// When it started.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
}

impl Span {
    /// Runs `work`, and appends its interval to `spans`.
    pub fn time<T>(spans: &mut Vec<Span>, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        spans.push(Span::since(name, start));
        result
    }

    /// Returns an interval that ends now.
    pub fn since(name: &'static str, start: Instant) -> Span {
        let end = Instant::now();
        Span { name, start, end }
    }

    /// Returns the length in seconds.
    pub fn seconds(&self) -> f64 {
        self.end.duration_since(self.start).as_secs_f64()
    }
}

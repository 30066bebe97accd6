//! A named piece of the run's time.

use std::time::Instant;

/// Something that started and ended; `report` turns these into seconds since process start.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// What was done.
    pub name: &'static str,
    /// When it started.
    pub start: Instant,
    /// When it ended.
    pub end: Instant,
}

impl Span {
    /// Runs `work` and appends how long it took to `spans`.
    pub fn time<T>(spans: &mut Vec<Span>, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        spans.push(Span::since(name, start));
        result
    }

    /// Something that ends now.
    pub fn since(name: &'static str, start: Instant) -> Span {
        let end = Instant::now();
        Span { name, start, end }
    }

    /// Length in seconds.
    pub fn seconds(&self) -> f64 {
        self.end.duration_since(self.start).as_secs_f64()
    }
}

//! Measures settings for [`super::halving`] by timed searches.

use std::sync::Arc;
use std::time::Instant;

use super::halving::Measurer;
use crate::app::bench::compare::{Options, compare};
use crate::app::bench::results::Measured;
use crate::app::bench::{Bench, Preparations, Setting};
use brandes::device::Session;

/// Runs searches on a device or on cores.
pub struct SearchMeasurer<'g> {
    /// The device.
    session: Option<Session>,
    graph: &'g Preparations,
    start: Instant,
    /// Gets a description of each search before it begins, and the seconds so far.
    observe: &'g mut dyn FnMut(String, f64),
    /// The first difference between the scores of two settings, in one line.
    pub mismatch: Option<String>,
}

impl<'g> SearchMeasurer<'g> {
    /// Makes a measurer for a graph. Time begins now.
    pub fn new(
        session: Option<Session>,
        graph: &'g Preparations,
        observe: &'g mut dyn FnMut(String, f64),
    ) -> Self {
        SearchMeasurer {
            session,
            graph,
            start: Instant::now(),
            observe,
            mismatch: None,
        }
    }
}

impl Measurer for SearchMeasurer<'_> {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn measure(&mut self, settings: &[Setting], options: &Options) -> Vec<Measured> {
        let candidate = |setting: &Setting| {
            let prepared = Arc::clone(self.graph.for_subject(setting.subject));
            (Bench::new(*setting, self.session.as_ref()), prepared)
        };
        let candidates: Vec<_> = settings.iter().map(candidate).collect();
        let (observe, start) = (&mut self.observe, self.start);
        let mut tell = |step| observe(step, start.elapsed().as_secs_f64());
        let measured = compare(&candidates, None, options, &mut tell);
        for one in &measured {
            let failure = one.check.as_ref();
            let failure = failure.and_then(|check| check.failure(&one.setting.words()));
            self.mismatch = self.mismatch.take().or(failure);
        }
        measured
    }
}

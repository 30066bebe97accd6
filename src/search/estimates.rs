//! Searches that estimate scores.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use super::{Notes, Search, explain, lost_workers};
use crate::device::DeviceKind;
use crate::error::Error;
use crate::estimate::Estimating;
use crate::graph::Graph;
use crate::plan;
use crate::prepare::Scale;
use crate::query::Estimate;
use crate::runner::{CpuWorkers, DeviceRequest, Devices, Outcome, RunOptions};
use crate::scores::Scores;
use crate::strategy::Strategy;

impl Search {
    /// Estimates the scores of a graph.
    pub(super) fn estimate(&self, graph: &Graph, options: Estimate) -> Result<Scores, Error> {
        let mut spans = Vec::new();
        let prepare = &self.options().prepare;
        let mut estimating = Estimating::new(graph, prepare, options, &mut spans);
        let (prepared, graph_ready) = (Arc::clone(&estimating.prepared), Instant::now());
        self.check_graph(&prepared)?;
        let explained = |error| explain(error, graph, &prepared);
        let mut first = None;
        let exact = self.exact_if_cheaper(graph, &mut estimating, &mut first);
        if let Some(scores) = exact.map_err(explained)? {
            return Ok(scores.with_points(options, first.as_ref().and_then(lost_workers)));
        }
        let run = self.run_batches(&self.devices, &mut estimating, false);
        let (mut outcome, notes) = run.map_err(explained)?;
        if let Some(first) = first {
            outcome.add_workers(first);
        }
        let record = notes.into_record(prepared, outcome, (graph_ready, spans));
        Ok(Scores::estimated_by(&estimating, record))
    }

    /// Searches from all sources if that is expected to take less time than the estimate. This can
    /// be true on deep graphs, since the fastest engines for them cannot sum squares. A first batch
    /// of draws, on cores alone, shows how many searches the estimate needs; `first` is set to its
    /// outcome.
    fn exact_if_cheaper(
        &self,
        graph: &Graph,
        estimating: &mut Estimating,
        first: &mut Option<Outcome>,
    ) -> Result<Option<Scores>, Error> {
        let (prepared, options) = (Arc::clone(&estimating.prepared), self.options());
        let cpu = options.cpu;
        // If the user names a strategy, both searches use it.
        let engines_may_differ =
            cpu.workers != CpuWorkers::Count(0) && options.strategy == Strategy::Auto;
        if !engines_may_differ || !estimating.narrows_all() || !prepared.is_deep() {
            return Ok(None);
        }
        let mut settings = self.settings.clone();
        (settings.options.estimate, settings.checkpoints) = (None, None);
        settings.scale = Scale::Normalized;
        let chains = settings.options.contraction();
        let exact = settings.prepared(graph, chains, &mut Vec::new())?;
        let no_devices = Devices::start(DeviceRequest::none());
        let (outcome, _) = self.run_batches(&no_devices, estimating, true)?;
        first.insert(outcome).threads.release();
        let needed = (&*prepared, estimating.searches_left());
        let devices = self.devices.wait_until_found();
        let gpu = devices.iter().any(|device| device.kind == DeviceKind::Gpu);
        if !plan::exact_is_cheaper(&exact, needed, cpu.options, gpu) {
            return Ok(None);
        }
        let search = Search::start(settings, graph.directed(), self.weighted)?;
        let scores = search.search_exactly(graph, Some(exact));
        search.join();
        scores.map(Some)
    }

    /// Searches the batches of an estimate, or the first one only.
    fn run_batches(
        &self,
        devices: &Devices,
        estimating: &mut Estimating,
        first_only: bool,
    ) -> Result<(Outcome, Notes), Error> {
        let prepared = Arc::clone(&estimating.prepared);
        let mut notes = Notes {
            outlook: Some(Rc::clone(&estimating.outlook)),
            ..Notes::default()
        };
        let run = RunOptions {
            batches: Some(estimating.batches(first_only)),
            ..RunOptions::default()
        };
        let outcome = self.run_with(&prepared, devices, run, None, &mut notes)?;
        Ok((outcome, notes))
    }
}

//! Searches that estimate scores.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Notes, Search, explain, lost_workers};
use crate::cpu::{self, WorkerBudget};
use crate::device::DeviceKind;
use crate::error::Error;
use crate::estimate::Estimating;
use crate::graph::Graph;
use crate::plan;
use crate::prepare::{Prepared, Scale};
use crate::query::{Drawn, Estimate};
use crate::runner::{CpuWorkers, DeviceRequest, Devices, Outcome, RunOptions};
use crate::scores::Scores;
use crate::settings::Progress;
use crate::strategy::Strategy;

/// After the first batches, the quotient of planned searches and planned paths may be too high by
/// up to about the square of this.
const TOO_HIGH: f64 = 1.7;

/// Draws of paths under way.
struct PathRun {
    threads: ThreadPool,
    began: Instant,
    /// The seconds that the first batch took.
    first_seconds: f64,
    /// The number of draws that are expected to be left; `None` after the last one.
    left: Option<usize>,
}

impl Search {
    /// Estimates the scores of a graph, by the cheaper kind of draws. A first batch of each kind
    /// shows how many draws are needed and how long they take.
    pub(super) fn estimate(&self, graph: &Graph, options: Estimate) -> Result<Scores, Error> {
        let mut spans = Vec::new();
        let prepare = &self.options().prepare;
        let mut estimating = Estimating::new(graph, prepare, options, &mut spans);
        let (prepared, graph_ready) = (Arc::clone(&estimating.prepared), Instant::now());
        self.check_graph(&prepared)?;
        let explained = |error| explain(error, graph, &prepared);
        let mut paths = self.first_paths(&mut estimating)?;
        let mut first = None;
        if !self.paths_are_clearly_cheaper(&estimating, paths.as_ref()) {
            let exact = self.cheaper_than_paths(graph, &mut estimating, &mut first, &mut paths);
            if let Some(scores) = exact.map_err(explained)? {
                return Ok(scores.with_points(options, first.as_ref().and_then(lost_workers)));
            }
        }
        let (mut outcome, notes) = match paths {
            Some(paths) => (self.draw_paths(&mut estimating, paths)?, Notes::default()),
            None => {
                estimating.paths = None;
                let run = self.run_batches(&self.devices, &mut estimating, false);
                run.map_err(explained)?
            }
        };
        if let Some(first) = first {
            outcome.add_workers(first);
        }
        let record = notes.into_record(prepared, outcome, (graph_ready, spans));
        Ok(Scores::estimated_by(&estimating, record))
    }

    /// Searches from the first batch of sources, on cores alone, if another kind of search may take
    /// less time than searches from the other sources of the estimate. `first` is set to the
    /// outcome. Sets `paths` to `None` if they take more time. If an exact search takes less time
    /// than both, returns its scores: this can be true on deep graphs, since the fastest engines
    /// for them cannot sum squares.
    fn cheaper_than_paths(
        &self,
        graph: &Graph,
        estimating: &mut Estimating,
        first: &mut Option<Outcome>,
        paths: &mut Option<PathRun>,
    ) -> Result<Option<Scores>, Error> {
        let cpu = self.options().cpu;
        let mut settings = self.settings.clone();
        (settings.options.estimate, settings.checkpoints) = (None, None);
        settings.scale = Scale::Normalized;
        // If the user names a strategy, both searches use it.
        let engines_may_differ = cpu.workers != CpuWorkers::Count(0)
            && self.options().strategy == Strategy::Auto
            && estimating.narrows_all()
            && estimating.prepared.is_deep();
        let exact = engines_may_differ.then(|| {
            let chains = settings.options.contraction();
            settings.prepared(graph, chains, &mut Vec::new())
        });
        let exact = exact.transpose()?;
        if exact.is_none() && paths.is_none() {
            return Ok(None);
        }
        let no_devices = Devices::start(DeviceRequest::none());
        let began = Instant::now();
        let (outcome, _) = self.run_batches(&no_devices, estimating, true)?;
        let seconds = began.elapsed().as_secs_f64() / estimating.searches().max(1) as f64;
        first.insert(outcome).threads.release();
        let mut needed = estimating.searches_left();
        if let Some(run) = paths {
            // The number of searches that take as long as the paths.
            let searches = (run.seconds_left(estimating) / seconds) as usize;
            if TOO_HIGH * searches as f64 >= needed as f64 {
                *paths = None;
            }
            needed = needed.min(searches);
        }
        let Some(exact) = exact else {
            return Ok(None);
        };
        let (prepared, gpu) = (Arc::clone(&estimating.prepared), self.has_gpu());
        if !plan::exact_is_cheaper(&exact, (&prepared, needed), cpu.options, gpu) {
            return Ok(None);
        }
        let search = Search::start(settings, graph.directed(), self.weighted)?;
        let scores = search.search_exactly(graph, Some(exact));
        search.join();
        scores.map(Some)
    }

    fn has_gpu(&self) -> bool {
        let devices = self.devices.wait_until_found();
        devices.iter().any(|device| device.kind == DeviceKind::Gpu)
    }

    /// Draws the first batch of paths, if paths may be drawn.
    fn first_paths(&self, estimating: &mut Estimating) -> Result<Option<PathRun>, Error> {
        let options = self.options();
        let (cpu, kind) = (&options.cpu, options.estimate.and_then(|given| given.draws));
        let may_draw = options.strategy == Strategy::Auto
            && cpu.options.engine.named().is_none()
            && cpu.workers != CpuWorkers::Count(0)
            && !options.asks_for_device()
            && estimating.may_draw_paths();
        let is_empty = estimating.prepared.graph.vertices() == 0;
        if is_empty || kind == Some(Drawn::Sources) || kind.is_none() && !may_draw {
            return Ok(None);
        }
        let workers = cpu.workers.most(num_cpus::get());
        let threads = ThreadPoolBuilder::new().num_threads(workers).build();
        let mut run = PathRun {
            threads: threads.map_err(|error| Error::Thread {
                number: 1,
                wanted: workers,
                reason: error.to_string(),
            })?,
            began: Instant::now(),
            first_seconds: 0.0,
            left: None,
        };
        estimating.begin_paths();
        self.draw_batch(estimating, &mut run)?;
        run.first_seconds = run.began.elapsed().as_secs_f64();
        // A device takes less time for a search than a core for a path.
        Ok((kind.is_some() || !self.has_gpu()).then_some(run))
    }

    /// Returns whether the rest of the paths is expected to take less time than the fewest searches
    /// that an estimate may need, or the options ask for paths.
    fn paths_are_clearly_cheaper(&self, estimating: &Estimating, paths: Option<&PathRun>) -> bool {
        let options = self.options();
        paths.is_some_and(|run| {
            let workers = run.threads.current_num_threads();
            let prepared: &Prepared = &estimating.prepared;
            let budget = WorkerBudget::for_all_roots(prepared, workers);
            let plan = cpu::plan(prepared, &options.cpu.options, budget);
            let least = estimating.least_searches(run.left.unwrap_or(0));
            let seconds = plan.seconds(prepared, least) / workers as f64;
            options.estimate.is_some_and(|given| given.draws.is_some())
                || run.seconds_left(estimating) < seconds
        })
    }

    /// Draws paths until the estimate is good enough.
    fn draw_paths(&self, estimating: &mut Estimating, mut run: PathRun) -> Result<Outcome, Error> {
        while run.left.is_some() {
            self.draw_batch(estimating, &mut run)?;
        }
        let sums = estimating.prepared.zero_sums();
        let outcome = self.devices.outcome(sums, (run.began, Instant::now()));
        Ok(self.devices.dismissed(outcome))
    }

    /// Draws a batch of paths, and adds it to the estimate.
    fn draw_batch(&self, estimating: &mut Estimating, run: &mut PathRun) -> Result<(), Error> {
        let outlook = Rc::clone(&estimating.outlook);
        let Some(paths) = &mut estimating.paths else {
            return Ok(());
        };
        let mut is_complete = false;
        while !is_complete {
            if self.settings.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            is_complete = run.threads.install(|| paths.draw());
            if let Some(progress) = &self.settings.progress {
                progress(&Progress {
                    done: paths.drawn(),
                    roots: outlook.get().roots.max(paths.drawn()),
                    half_width: outlook.get().half_width,
                    awaits_devices: false,
                    began: run.began,
                    checkpoint: None,
                    checkpoint_failure: None,
                });
            }
        }
        run.threads.install(|| paths.learn());
        run.left = estimating.paths_left();
        Ok(())
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

impl PathRun {
    /// Returns the seconds that the rest of the draws is expected to take after the first batch.
    fn seconds_left(&self, estimating: &Estimating) -> f64 {
        let drawn = estimating.paths.as_ref().map_or(1, |paths| paths.drawn());
        self.first_seconds * self.left.unwrap_or(0) as f64 / drawn.max(1) as f64
    }
}

//! Searches that estimate scores.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use rayon::ThreadPoolBuilder;

use super::exact::{Notes, Search, explain};
use super::settings::{Betweenness, Progress};
use super::warnings::lost_workers;
use crate::cpu::{self, CpuPlan, PathSampler};
use crate::device::DeviceKind;
use crate::error::Error;
use crate::estimate::{Estimating, Paths};
use crate::graph::{Graph, memory};
use crate::plan;
use crate::prepare::{Prepared, Scale};
use crate::query::{Drawn, Estimate};
use crate::runner::{self, Committed, CpuWorkers, DeviceRequest, Devices, Outcome, RunOptions};
use crate::scores::Scores;
use crate::strategy::{self, Strategy};

/// After the first batches, the quotient of planned searches and planned paths may be too high by
/// up to about the square of this.
const TOO_HIGH: f64 = 1.7;

/// Reductions that estimates do not make, and faster engines, may divide the time of a search by up
/// to about this.
const MOST_SAVED: usize = 16;

/// An exact search with fewer samples of roots than this is predicted, not timed. Two samples are
/// searched: the first starts the engines, the second is timed.
const LEAST_SAMPLES: usize = 16;

/// An exact search on a device in place of searches from all sources takes less time if those take
/// longer than this: they sum squares too, but the device is initialised already.
const RESTART_SECONDS: f64 = 1.0;

/// Draws of paths under way.
struct PathRun {
    began: Instant,
    /// The number of draws of the first batch, and the seconds that it took.
    first_draws: usize,
    first_seconds: f64,
    /// The number of draws that are expected to be left; `None` after the last one.
    left: Option<usize>,
}

impl Search {
    /// Estimates the scores of a graph, by the cheaper kind of draws. A first batch of each kind
    /// shows how many draws are needed and how long they take. If an exact search is expected to
    /// take less time, makes it.
    pub(super) fn estimate(&self, graph: &Graph, options: Estimate) -> Result<Scores, Error> {
        let mut spans = Vec::new();
        let prepare = &self.options().prepare;
        let mut estimating = Estimating::new(graph, prepare, options, &mut spans);
        let prepared = Arc::clone(&estimating.prepared);
        self.check_graph(&prepared)?;
        let explained = |error| explain(error, graph, &prepared);
        let mut paths = self.first_paths(&mut estimating)?;
        let (mut first, mut exact) = (None, None);
        if !self.paths_are_clearly_cheaper(&estimating, paths.as_ref()) {
            exact = self
                .cheaper_than_paths(graph, &mut estimating, &mut first, &mut paths)
                .map_err(explained)?;
        }
        let mut drawn = None;
        if let (None, Some(paths)) = (&exact, &mut paths) {
            (drawn, exact) = self.draw_paths(graph, &mut estimating, paths)?;
        }
        let lost = first.as_ref().and_then(lost_workers);
        if let Some(exact) = exact {
            return self.search_in_place(graph, exact, (options, lost));
        }
        let (mut outcome, notes) = match drawn {
            Some(outcome) => (outcome, Notes::default()),
            None => {
                estimating.paths = None;
                estimating.may_be_exact = self.may_be_exact(&estimating)
                    && (!self.has_gpu()
                        || strategy::seconds_without_hierarchy(&prepared) > RESTART_SECONDS);
                let run = self.run_batches(&self.devices, &mut estimating, false);
                run.map_err(explained)?
            }
        };
        if estimating.wants_exact {
            outcome.threads.release();
            let exact = match estimating.exact.take() {
                Some((exact, _)) => exact,
                None => self.prepared_exactly(graph)?,
            };
            let lost = lost.or_else(|| lost_workers(&outcome));
            return self.search_in_place(graph, exact, (options, lost));
        }
        if let Some(first) = first {
            outcome.add_workers(first);
        }
        let record = notes.into_record(self.options(), prepared, outcome, spans);
        Ok(Scores::estimated_by(&estimating, record))
    }

    /// Searches from the first batch of sources, on cores alone, if another kind of search may take
    /// less time than searches from the other sources of the estimate. `first` is set to the
    /// outcome. Sets `paths` to `None` if they take more time. If an exact search takes less time
    /// than both, returns its graph: for deep graphs the fastest engines cannot sum squares, and
    /// reductions may apply that estimates do not make.
    fn cheaper_than_paths(
        &self,
        graph: &Graph,
        estimating: &mut Estimating,
        first: &mut Option<Outcome>,
        paths: &mut Option<PathRun>,
    ) -> Result<Option<Arc<Prepared>>, Error> {
        let is_deep = estimating.prepared.is_deep();
        let may_be_exact = self.may_be_exact(estimating)
            && self.options().cpu.workers != CpuWorkers::Count(0)
            && (is_deep || paths.is_some());
        if !may_be_exact && paths.is_none() {
            return Ok(None);
        }
        let no_devices = Devices::start(DeviceRequest::none());
        let began = Instant::now();
        let (outcome, _) = self.run_batches(&no_devices, estimating, true)?;
        let seconds = began.elapsed().as_secs_f64() / estimating.searches.max(1) as f64;
        first.insert(outcome).threads.release();
        let mut needed = estimating.searches_left();
        if let Some(run) = paths {
            // The number of searches that take as long as the paths.
            let searches = (run.seconds_left() / seconds) as usize;
            if TOO_HIGH * searches as f64 >= needed as f64 {
                *paths = None;
            }
            needed = needed.min(searches);
        }
        if !may_be_exact || !is_deep && MOST_SAVED * needed < estimating.all_searches() {
            return Ok(None);
        }
        let exact = self.prepared_exactly(graph)?;
        if self.has_gpu() {
            let is_cheaper = plan::exact_is_cheaper(&exact, (&estimating.prepared, needed));
            return Ok(is_cheaper.then_some(exact));
        }
        let exact_seconds = self.measure_exact_search(&exact)?;
        if exact_seconds < needed as f64 * seconds {
            return Ok(Some(exact));
        }
        estimating.search_seconds = seconds;
        estimating.exact = Some((exact, exact_seconds));
        Ok(None)
    }

    /// Returns whether an exact search may replace the estimate: not if the user names a strategy
    /// or the kind of draws, except draws of paths without an epsilon, which might never separate
    /// the scores.
    fn may_be_exact(&self, estimating: &Estimating) -> bool {
        let options = self.options();
        options.strategy == Strategy::Auto
            && options.estimate.is_none_or(|given| {
                given.draws.is_none() || given.draws == Some(Drawn::Paths) && given.epsilon == 0.0
            })
            && estimating.ends_as_planned()
    }

    /// Returns the settings of an exact search.
    fn exact_settings(&self) -> Betweenness {
        let mut settings = self.settings.clone();
        (settings.options.estimate, settings.checkpoints) = (None, None);
        settings.scale = Scale::Normalized;
        settings
    }

    fn prepared_exactly(&self, graph: &Graph) -> Result<Arc<Prepared>, Error> {
        let settings = self.exact_settings();
        settings.prepared(graph, settings.options.contraction(), &mut Vec::new())
    }

    /// Searches exactly, and returns the scores as an estimate with these options and this warning.
    fn search_in_place(
        &self,
        graph: &Graph,
        exact: Arc<Prepared>,
        (options, warning): (Estimate, Option<String>),
    ) -> Result<Scores, Error> {
        let search = Search::start(self.exact_settings(), graph.directed(), self.weighted)?;
        let scores = search.search_exactly(graph, Some(exact));
        search.join();
        Ok(scores?.with_points(options, warning))
    }

    fn has_gpu(&self) -> bool {
        let devices = self.devices.wait_until_found();
        devices.iter().any(|device| device.kind == DeviceKind::Gpu)
    }

    /// Draws the first batch of paths, if paths may be drawn.
    fn first_paths(&self, estimating: &mut Estimating) -> Result<Option<PathRun>, Error> {
        let options = self.options();
        let (cpu, kind) = (&options.cpu, options.estimate.and_then(|given| given.draws));
        let workers = self.workers();
        let may_draw = cpu.options.engine.named().is_none()
            && cpu.workers != CpuWorkers::Count(0)
            && !options.asks_for_device()
            && estimating.may_draw_paths()
            && !memory::exceeded_by(workers * PathSampler::bytes(&estimating.prepared.graph));
        let is_empty = estimating.prepared.graph.vertices() == 0;
        let cannot_end = !estimating.has_wanted_width() && estimating.ends_as_planned();
        if is_empty || cannot_end || kind == Some(Drawn::Sources) || kind.is_none() && !may_draw {
            return Ok(None);
        }
        let threads = ThreadPoolBuilder::new().num_threads(workers).build();
        let threads = threads.map_err(|error| Error::of_thread(1, workers, error))?;
        let mut run = PathRun {
            began: Instant::now(),
            first_draws: 0,
            first_seconds: 0.0,
            left: None,
        };
        estimating.begin_paths(threads);
        self.draw_batch(estimating, &mut run)?;
        run.first_draws = estimating.paths.as_ref().map_or(0, Paths::drawn);
        run.first_seconds = run.began.elapsed().as_secs_f64();
        // A device takes less time for a search than a core for a path.
        Ok((kind.is_some() || !self.has_gpu()).then_some(run))
    }

    /// Returns whether the rest of the paths is expected to take less time than the fewest searches
    /// that an estimate may need, or the options ask for paths.
    fn paths_are_clearly_cheaper(&self, estimating: &Estimating, paths: Option<&PathRun>) -> bool {
        paths.is_some_and(|run| {
            let least = estimating.least_searches(run.left.unwrap_or(0));
            let given = self.options().estimate;
            given.is_some_and(|given| given.draws.is_some())
                || run.seconds_left() < self.seconds_on_cores(&estimating.prepared, least)
        })
    }

    fn workers(&self) -> usize {
        self.options().cpu.workers.most(num_cpus::get())
    }

    fn cpu_plan(&self, graph: &Prepared) -> CpuPlan {
        cpu::plan(graph, &self.options().cpu.options, self.workers())
    }

    /// Estimates the seconds of this many searches of a graph on all workers.
    fn seconds_on_cores(&self, graph: &Prepared, roots: usize) -> f64 {
        self.cpu_plan(graph).seconds(graph, roots) / self.workers() as f64
    }

    /// Estimates the seconds of an exact search on all workers. Measures some of its searches if
    /// they are a small part of all. The seconds are infinite if these searches fail.
    fn measure_exact_search(&self, exact: &Arc<Prepared>) -> Result<f64, Error> {
        // Several batches for each worker.
        let sample =
            (2 * self.workers() * self.cpu_plan(exact).lanes).next_multiple_of(exact.root_group);
        let roots = exact.roots.len();
        if roots < LEAST_SAMPLES * sample {
            return Ok(self.seconds_on_cores(exact, roots));
        }
        let (mut end, mut began, mut seconds) = (0, Instant::now(), 0.0);
        // The first searches make the engines, so the second ones are measured.
        let next = |_: &Committed| {
            (seconds, began) = (began.elapsed().as_secs_f64(), Instant::now());
            end += sample;
            (end <= 2 * sample).then(|| end - sample..end)
        };
        let run = RunOptions {
            cancel: self.settings.cancel.clone(),
            batches: Some(Box::new(next)),
            ..RunOptions::default()
        };
        let no_devices = Devices::start(DeviceRequest::none());
        let cpu = self.options().cpu_request();
        match runner::run(exact, &no_devices, cpu, run, &mut |_| {}) {
            Ok(mut outcome) => outcome.threads.release(),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(_) => return Ok(f64::INFINITY),
        }
        Ok(seconds * roots as f64 / sample as f64)
    }

    /// Draws paths until the estimate is good enough. Returns the outcome, or the graph of an exact
    /// search if that is expected to take less time than the rest of the draws.
    fn draw_paths(
        &self,
        graph: &Graph,
        estimating: &mut Estimating,
        run: &mut PathRun,
    ) -> Result<(Option<Outcome>, Option<Arc<Prepared>>), Error> {
        while run.left.is_some() {
            if self.exact_is_faster(graph, estimating, run)? {
                return Ok((None, estimating.exact.take().map(|(exact, _)| exact)));
            }
            self.draw_batch(estimating, run)?;
        }
        let sums = estimating.prepared.zero_sums();
        let outcome = self.devices.outcome(sums, (run.began, Instant::now()));
        Ok((Some(self.devices.dismissed(outcome)), None))
    }

    /// Returns whether an exact search is expected to take less time than the rest of the paths.
    /// The first call at which there may be time enough for one prepares its graph and times some
    /// of its searches; `estimating.exact` keeps both.
    fn exact_is_faster(
        &self,
        graph: &Graph,
        estimating: &mut Estimating,
        run: &PathRun,
    ) -> Result<bool, Error> {
        let left = run.seconds_left();
        if !self.may_be_exact(estimating) {
            return Ok(false);
        }
        if let Some((_, seconds)) = estimating.exact {
            return Ok(seconds < left);
        }
        let all = estimating.all_searches();
        let least = self.seconds_on_cores(&estimating.prepared, all) / MOST_SAVED as f64;
        if left < least {
            return Ok(false);
        }
        let exact = self.prepared_exactly(graph)?;
        let seconds = self.measure_exact_search(&exact)?;
        estimating.exact = Some((exact, seconds));
        Ok(seconds < left)
    }

    /// Draws a batch of paths, and adds it to the estimate.
    fn draw_batch(&self, estimating: &mut Estimating, run: &mut PathRun) -> Result<(), Error> {
        let status = Rc::clone(&estimating.status);
        let Some(paths) = &mut estimating.paths else {
            return Ok(());
        };
        let mut is_complete = false;
        while !is_complete {
            if self.settings.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            is_complete = paths.draw();
            if let Some(progress) = &self.settings.progress {
                progress(&Progress {
                    done: paths.drawn(),
                    roots: status.get().roots.max(paths.drawn()),
                    half_width: status.get().half_width,
                    awaits_devices: false,
                    began: run.began,
                    checkpoint: None,
                    checkpoint_failure: None,
                });
            }
        }
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
            status: Some(Rc::clone(&estimating.status)),
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
    /// Returns the seconds that the rest of the draws is expected to take, at the pace of the first
    /// batch.
    fn seconds_left(&self) -> f64 {
        self.first_seconds * self.left.unwrap_or(0) as f64 / self.first_draws.max(1) as f64
    }
}

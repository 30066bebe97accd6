//! The front door: from a graph to its scores.

use std::cell::{Cell, LazyCell, OnceCell};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::checkpoint::{self, Checkpoint, Kept, LongRuns, Recorder};
use crate::cpu::lanes::weighted;
use crate::cpu::{CpuEngine, clustered};
use crate::device::{DeviceInfo, DeviceSelection};
use crate::engine::{EngineError, Precision};
use crate::error::Error;
use crate::graph::Graph;
use crate::plan::{self, Advice, Plan, Wishes};
use crate::prepare::{
    ChainsOption, Order, PrepareOptions, Prepared, RootSelection, Scale, prepare,
};
use crate::runner::{
    self, Committed, CpuWorkers, DeviceRequest, Devices, Keeping, Outcome, RunError,
};
use crate::scores::{Record, Scores};
use crate::span::Span;
use crate::strategy::Strategy;

/// Exact betweenness centrality on all the processors of the machine.
///
/// ```
/// use brandes::{Betweenness, graph::generate};
///
/// let graph = generate::star(5)?;
/// let scores = Betweenness::new().run(&graph)?;
/// assert_eq!(scores.vertices(), [6.0, 0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whether edges have a direction, and lengths, is said where the graph is read
/// ([`crate::graph::ReadOptions`]).
#[derive(Clone, Default)]
pub struct Betweenness {
    wishes: Wishes,
    scale: Scale,
    progress: Option<Arc<OnProgress>>,
    cancel: CancelToken,
    checkpoint: Option<Checkpoint>,
    long_runs: Option<LongRuns>,
}

type OnProgress = dyn Fn(&Progress) + Send + Sync;

/// How far a search is.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Roots searched.
    pub done: usize,
    /// Roots to be searched.
    pub roots: usize,
    /// Whether a device that may take part has had no result yet.
    pub silent: bool,
    /// When the search began.
    pub began: Instant,
    /// What would make it faster.
    pub advice: Advice<'a>,
    /// The checkpoint, if anything was kept so far.
    pub kept: Option<&'a Path>,
}

impl From<Wishes> for Betweenness {
    fn from(wishes: Wishes) -> Self {
        Betweenness {
            wishes,
            ..Betweenness::default()
        }
    }
}

impl Betweenness {
    /// On every core and the best GPU, if there is one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The devices to search on.
    pub fn devices(mut self, devices: DeviceSelection) -> Self {
        self.wishes.devices = devices;
        self
    }

    /// How devices search.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.wishes.strategy = strategy;
        self
    }

    /// D: the most arcs of a virtual vertex.
    pub fn degree(mut self, degree: u32) -> Self {
        self.wishes.device.degree = Some(degree);
        self
    }

    /// The number type of devices.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.wishes.device.precision = precision;
        self
    }

    /// Searches from so many roots on a core too, before the first sums of each device count and
    /// before its last ones do. If they differ, nothing that the device did counts.
    pub fn verify(mut self, roots: u32) -> Self {
        self.wishes.device.verify = roots;
        self
    }

    /// Whether scores have the same bits in every run with the same settings: on cores alone, as
    /// many as there are, or on equal devices alone, without CPU workers.
    pub fn reproducible(mut self, reproducible: bool) -> Self {
        self.wishes.reproducible = reproducible;
        self
    }

    /// Seconds after which a device that does not answer is left out; by default 10 to be found,
    /// 120 for each step of getting ready, and 10, or 20 times what is expected, for searching.
    pub fn device_timeout(mut self, seconds: u32) -> Self {
        self.wishes.device.timeout = Some(seconds);
        self
    }

    /// How many CPU workers search.
    pub fn cpu_workers(mut self, workers: CpuWorkers) -> Self {
        self.wishes.cpu.workers = workers;
        self
    }

    /// How CPU workers search.
    pub fn cpu_engine(mut self, engine: CpuEngine) -> Self {
        self.wishes.cpu.options.engine = engine;
        self
    }

    /// Whether scores are divided by the number of pairs that could meet a vertex.
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.scale = if normalized {
            Scale::Normalized
        } else {
            Scale::Pairs
        };
        self
    }

    /// Whether the ends of a path count as lying on it.
    pub fn endpoints(mut self, endpoints: bool) -> Self {
        self.wishes.prepare.endpoints = endpoints;
        self
    }

    /// Whether scores of edges are wanted too.
    pub fn edges(mut self, edges: bool) -> Self {
        self.wishes.prepare.edges = edges;
        self
    }

    /// The sources; scores of a part of them are partial sums.
    pub fn roots(mut self, roots: RootSelection) -> Self {
        self.wishes.prepare.roots = roots;
        self
    }

    /// Whether chains of degree-2 vertices are contracted.
    pub fn chains(mut self, chains: ChainsOption) -> Self {
        self.wishes.prepare.chains = chains;
        self
    }

    /// Whether vertices of degree 1 are folded away first, as they are by default.
    pub fn fold(mut self, fold: bool) -> Self {
        self.wishes.prepare.fold = fold;
        self
    }

    /// The numbering of the searched vertices.
    pub fn order(mut self, order: Order) -> Self {
        self.wishes.prepare.order = order;
        self
    }

    /// Is told about ten times a second how far the search is, on the thread that runs it.
    pub fn on_progress(mut self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Searches end when this is cancelled.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// Keeps what is searched in a file: every so often, when the search is cancelled, and at the
    /// end. A search of the same graph with the same settings goes on from it; other devices and
    /// numbers of workers may take part. Who has the scores removes the file.
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Duration) -> Self {
        self.checkpoint = Some(Checkpoint {
            path: path.into(),
            every,
        });
        self
    }

    /// Keeps what is searched without being asked for a file, if the search is expected to take
    /// more than `least` seconds: every so often, and when it is cancelled, in a file in this
    /// folder. The same search goes on from it ([`Record::checkpoint`] says where it is).
    pub fn checkpoint_long_runs(
        mut self,
        folder: impl Into<PathBuf>,
        (every, least): (Duration, Duration),
    ) -> Self {
        self.long_runs = Some(LongRuns {
            folder: folder.into(),
            every,
            least,
        });
        self
    }

    /// Scores of a graph.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the graph, before anything is
    /// searched; others if the search fails, which a failing device alone does not make it do.
    pub fn run(&self, graph: &Graph) -> Result<Scores, Error> {
        let search = self.start(graph.directed(), graph.lengths().is_some())?;
        // After an error, devices may still wait for work that never comes, or have some left.
        let scores = search.run(graph)?;
        search.join();
        Ok(scores)
    }

    /// How a graph would be searched. This prepares it, which for large graphs takes seconds.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the graph.
    pub fn plan(&self, graph: &Graph) -> Result<Plan, Error> {
        self.wishes
            .check(graph.directed(), graph.lengths().is_some())?;
        let chains = self.wishes.contraction(graph.directed())?;
        let prepared = self.prepared(graph, chains, &mut Vec::new())?;
        let workers = self.wishes.cpu.workers.most(num_cpus::get());
        Ok(Plan::of(&prepared, &self.wishes, workers))
    }

    /// The graph as it will be searched.
    fn prepared(
        &self,
        graph: &Graph,
        chains: ChainsOption,
        spans: &mut Vec<Span>,
    ) -> Result<Arc<Prepared>, Error> {
        let options = PrepareOptions {
            chains,
            ..self.wishes.prepare
        };
        Span::time(spans, "prepare", || {
            let mut prepared =
                prepare(graph, &options).map_err(|error| Error::Settings(error.to_string()))?;
            if chains == ChainsOption::Auto {
                let devices = self.wishes.devices != DeviceSelection::None;
                let workers = self.wishes.cpu.workers.most(num_cpus::get());
                let options = self.wishes.cpu_request().options;
                plan::contract(&mut prepared, options, (workers, devices));
            }
            Ok(Arc::new(prepared))
        })
    }

    /// Begins to make devices ready for graphs of a kind, on threads of their own, and returns at
    /// once: the graph can be read meanwhile.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the kind of the graph.
    pub fn start(&self, directed: bool, weighted: bool) -> Result<Search, Error> {
        self.wishes.check(directed, weighted)?;
        let request = self.wishes.request(weighted);
        Ok(Search {
            devices: Devices::start(request),
            settings: self.clone(),
            weighted,
        })
    }
}

/// A search whose devices are being made ready.
pub struct Search {
    settings: Betweenness,
    devices: Devices,
    weighted: bool,
}

impl Search {
    /// What is asked for.
    pub fn wishes(&self) -> &Wishes {
        &self.settings.wishes
    }

    /// Waits until devices have been looked for. Returns those that take part.
    pub fn wait_until_found(&self) -> Vec<DeviceInfo> {
        self.devices.wait_until_found()
    }

    /// Waits until every device is ready or has failed, for those who measure.
    pub fn wait_until_ready(&self) {
        self.devices.wait_until_ready();
    }

    /// Searches in another way than was thought when it was started, now that the graph is known.
    /// The same devices take part, or none.
    ///
    /// # Errors
    /// [`Error::Settings`] if these wishes contradict each other or the kind of the graph.
    pub fn adopt(&mut self, graph: &Graph, wishes: Wishes) -> Result<(), Error> {
        wishes.check(graph.directed(), self.weighted)?;
        let request = wishes.request(self.weighted);
        if wishes.devices == DeviceSelection::None {
            self.devices = Devices::start(request);
        } else {
            self.devices.adopt(request.strategy, request.options);
        }
        self.settings.wishes = wishes;
        Ok(())
    }

    /// Scores of a graph of the kind that the search was started for. To be called once.
    ///
    /// # Errors
    /// As [`Betweenness::run`].
    pub fn run(&self, graph: &Graph) -> Result<Scores, Error> {
        let kept = self.settings.checkpoint.as_ref().map(Checkpoint::load);
        let kept = kept.transpose()?.flatten();
        let chains = match (self.wishes().contraction(graph.directed())?, &kept) {
            // As it was decided then.
            (ChainsOption::Auto, Some(kept)) if kept.contracted => ChainsOption::Always,
            (ChainsOption::Auto, Some(_)) => ChainsOption::Never,
            (chains, _) => chains,
        };
        let mut spans = Vec::new();
        let prepared = self.settings.prepared(graph, chains, &mut spans)?;
        self.check_lengths(&prepared)?;
        let graph_ready = Instant::now();
        let record = |prepared, outcome, spans, notes: Notes| Record {
            prepared,
            outcome,
            graph_ready,
            spans,
            warnings: notes.warnings,
            checkpoint: notes.checkpoint,
        };
        let mut notes = Notes::default();
        let error = match self.search(&prepared, &self.devices, kept, &mut notes)? {
            Ok(outcome) => {
                notes.warnings.extend(lost_workers(&outcome));
                let record = record(prepared, outcome, spans, notes);
                return Scores::new(graph, record, self.settings.scale);
            }
            Err(error) => error,
        };
        // Sweeps from junctions count in f64 only. No device counts farther.
        let too_many = matches!(error, RunError::Engine(EngineError::PathCount { .. }));
        if !too_many || prepared.chains.is_none() {
            return Err(explain(error, graph, &prepared));
        }
        let warning = format!(
            "there are more shortest paths than {} can count: what contracting chains gave is \
             thrown away, and CPU workers search the graph as it is",
            Precision::F64.paths()
        );
        spans.extend(prepared.spans.iter().copied());
        spans.push(Span {
            name: "search contracted",
            start: graph_ready,
            end: Instant::now(),
        });
        let prepared = self
            .settings
            .prepared(graph, ChainsOption::Never, &mut spans)?;
        let none = Devices::start(DeviceRequest {
            selection: DeviceSelection::None,
            ..DeviceRequest::default()
        });
        notes.warnings.push(warning);
        let outcome = self.search(&prepared, &none, None, &mut notes)?;
        let mut outcome = outcome.map_err(|error| explain(error, graph, &prepared))?;
        self.devices.dismissed(&mut outcome);
        notes.warnings.extend(lost_workers(&outcome));
        let record = record(prepared, outcome, spans, notes);
        Scores::new(graph, record, self.settings.scale)
    }

    /// Waits until no thread is inside an OpenCL driver any more. A process that ends before,
    /// other than by `_exit`, may crash.
    pub fn join(self) {
        self.devices.join();
    }

    /// Refuses lengths that the CPU engine asked for cannot search.
    fn check_lengths(&self, prepared: &Prepared) -> Result<(), Error> {
        let searched = prepared.lengths.as_ref().is_some_and(|l| !l.is_empty());
        let refuse = |text: String| Err(Error::Settings(text));
        match self.wishes().cpu.options.engine {
            CpuEngine::Lanes if searched && weighted::longest(prepared).is_none() => {
                refuse(format!(
                    "`cpu-engine lanes` needs integer lengths up to {} once they are scaled; leave \
                     it out",
                    weighted::LONGEST
                ))
            }
            CpuEngine::Clustered if searched && !clustered::fits(prepared) => refuse(
                "`cpu-engine clustered` needs integer lengths, with distances below 2^31 and no \
                 length more than some 65,000 times another; leave it out"
                    .into(),
            ),
            _ => Ok(()),
        }
    }

    /// Searches, and goes on from what is `kept`. The outer errors are those of checkpoints.
    fn search(
        &self,
        prepared: &Arc<Prepared>,
        devices: &Devices,
        kept: Option<Kept>,
        notes: &mut Notes,
    ) -> Result<Result<Outcome, RunError>, Error> {
        let Betweenness {
            checkpoint,
            long_runs,
            wishes,
            ..
        } = &self.settings;
        let (every, least) = match (checkpoint, long_runs) {
            (Some(checkpoint), _) => (checkpoint.every, Duration::ZERO),
            (None, Some(long)) => (long.every, long.least),
            (None, None) => return Ok(self.run_until(prepared, devices, (None, &|| None))),
        };
        // Hashing a large graph takes its time.
        let fingerprint = LazyCell::new(|| checkpoint::fingerprint(prepared, wishes));
        let place = || match (checkpoint, long_runs) {
            (None, Some(long)) => Some(long.of(*fingerprint)),
            (checkpoint, _) => checkpoint.clone(),
        };
        let mut before = Committed::default();
        if let (Some(kept), Some(checkpoint)) = (kept, checkpoint) {
            before = checkpoint.take(kept, *fingerprint, prepared)?;
        } else if let (None, Some(long)) = (checkpoint, long_runs)
            && long.any()
        {
            // Nobody asked for it, so that what is wrong with it does not matter.
            let file = long.of(*fingerprint);
            let kept = file.load().ok().flatten();
            let kept = kept.and_then(|kept| file.take(kept, *fingerprint, prepared).ok());
            before = kept.unwrap_or_default();
        }
        let recorder = OnceCell::new();
        let make = || {
            let contracted = prepared.chains.is_some();
            place().map(|file| Recorder::new(file, *fingerprint, contracted))
        };
        let record = || recorder.get_or_init(make).as_ref();
        let count = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
        let done = Cell::new(count(&before.roots));
        if done.get() > 0
            && let Some(recorder) = record()
        {
            notes.warnings.push(format!(
                "goes on from {}, in which {} of {} roots were searched",
                recorder.path().display(),
                done.get(),
                prepared.roots.len()
            ));
        }
        let keeping = Keeping {
            before,
            every,
            least,
            keep: &mut |committed| {
                if let Some(recorder) = record() {
                    recorder.keep(committed);
                    done.set(count(&committed.roots));
                }
            },
        };
        let known = || recorder.get().and_then(Option::as_ref);
        let path = || known().map(Recorder::path);
        let result = self.run_until(prepared, devices, (Some(keeping), &path));
        let failure = known().and_then(Recorder::failure);
        notes.warnings.extend(failure.clone());
        notes.checkpoint = path().map(Path::to_path_buf);
        match (&result, failure) {
            (Err(RunError::Cancelled), None) if done.get() > 0 => Err(Error::Kept {
                done: done.get(),
                roots: prepared.roots.len(),
                path: path().unwrap_or(Path::new("")).display().to_string(),
            }),
            (Err(RunError::Cancelled), Some(what)) => Err(Error::NotKept(what)),
            _ => Ok(result),
        }
    }

    /// Searches. `kept` says where something has been kept so far.
    fn run_until<'k>(
        &self,
        prepared: &Arc<Prepared>,
        devices: &Devices,
        (keeping, kept): (Option<Keeping>, &dyn Fn() -> Option<&'k Path>),
    ) -> Result<Outcome, RunError> {
        let Betweenness {
            wishes,
            progress,
            cancel,
            ..
        } = &self.settings;
        let began = Instant::now();
        let (cpu, stops) = (wishes.cpu_request(), (cancel, keeping));
        runner::run_until(prepared, devices, cpu, stops, &mut |so_far| {
            if let Some(progress) = progress {
                progress(&Progress {
                    done: so_far.done,
                    roots: prepared.roots.len(),
                    silent: so_far.silent,
                    began,
                    advice: Advice::new(wishes, prepared, so_far.devices),
                    kept: kept(),
                });
            }
        })
    }
}

/// What is said of a search besides its scores.
#[derive(Default)]
struct Notes {
    warnings: Vec<String>,
    /// The checkpoint, if anything was kept.
    checkpoint: Option<PathBuf>,
}

/// What to say of workers that panicked.
fn lost_workers(outcome: &Outcome) -> Option<String> {
    let workers = match outcome.lost_workers {
        0 => return None,
        1 => "a CPU worker".into(),
        many => format!("{many} CPU workers"),
    };
    Some(format!(
        "{workers} stopped unexpectedly; others searched again from its roots; please report this \
         defect"
    ))
}

/// The same error in the words of the input.
fn explain(error: RunError, graph: &Graph, prepared: &Prepared) -> Error {
    match error {
        RunError::Engine(EngineError::LengthLost { root }) => Error::LengthLost {
            vertex: graph
                .labels()
                .display(prepared.input_vertex(root))
                .to_string(),
        },
        RunError::Engine(EngineError::Device(error)) => Error::Device(error),
        RunError::Device(error) => Error::Device(error.into()),
        RunError::Engine(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
            Error::PathCount
        }
        RunError::Thread {
            number,
            wanted,
            reason,
        } => Error::Thread {
            number,
            wanted,
            reason,
        },
        RunError::Worker => Error::Worker,
        RunError::Cancelled => Error::Cancelled,
    }
}

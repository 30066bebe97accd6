//! The front door: from a graph to its scores.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::checkpoint::{self, Checkpoint, Kept, Recorder};
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
use crate::runner::{self, CpuWorkers, DeviceRequest, Devices, Keeping, Outcome, RunError};
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
        let record = |prepared, outcome, spans, warnings| Record {
            prepared,
            outcome,
            graph_ready,
            spans,
            warnings,
        };
        let mut warnings = Vec::new();
        let error = match self.search(&prepared, &self.devices, kept, &mut warnings)? {
            Ok(outcome) => {
                warnings.extend(lost_workers(&outcome));
                let record = record(prepared, outcome, spans, warnings);
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
        warnings.push(warning);
        let outcome = self.search(&prepared, &none, None, &mut warnings)?;
        let mut outcome = outcome.map_err(|error| explain(error, graph, &prepared))?;
        self.devices.dismissed(&mut outcome);
        warnings.extend(lost_workers(&outcome));
        let record = record(prepared, outcome, spans, warnings);
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
        warnings: &mut Vec<String>,
    ) -> Result<Result<Outcome, RunError>, Error> {
        let Some(checkpoint) = &self.settings.checkpoint else {
            return Ok(self.run_until(prepared, devices, None));
        };
        let mut fingerprint = checkpoint::fingerprint(prepared, self.wishes().device.precision);
        if self.wishes().reproducible {
            fingerprint ^= self.wishes().fingerprint();
        }
        let recorder = Recorder::new(checkpoint, fingerprint, prepared.chains.is_some());
        let before = kept.map(|kept| checkpoint.take(kept, fingerprint, prepared));
        let before = before.transpose()?.unwrap_or_default();
        let count = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
        let mut done = count(&before.roots);
        if done > 0 {
            warnings.push(format!(
                "goes on from {}, in which {done} of {} roots were searched",
                checkpoint.path.display(),
                prepared.roots.len()
            ));
        }
        let keeping = Keeping {
            before,
            every: checkpoint.every,
            keep: &mut |committed| {
                recorder.keep(committed);
                done = count(&committed.roots);
            },
        };
        let result = self.run_until(prepared, devices, Some(keeping));
        warnings.extend(recorder.failure());
        match (&result, recorder.failure()) {
            (Err(RunError::Cancelled), None) if done > 0 => Err(Error::Kept {
                done,
                roots: prepared.roots.len(),
                path: checkpoint.path.display().to_string(),
            }),
            (Err(RunError::Cancelled), Some(what)) => Err(Error::NotKept(what)),
            _ => Ok(result),
        }
    }

    fn run_until(
        &self,
        prepared: &Arc<Prepared>,
        devices: &Devices,
        keeping: Option<Keeping>,
    ) -> Result<Outcome, RunError> {
        let Betweenness {
            wishes,
            progress,
            cancel,
            ..
        } = &self.settings;
        let began = Instant::now();
        let stops = (cancel, keeping);
        runner::run_until(
            prepared,
            devices,
            wishes.cpu_request(),
            stops,
            &mut |so_far| {
                if let Some(progress) = progress {
                    progress(&Progress {
                        done: so_far.done,
                        roots: prepared.roots.len(),
                        silent: so_far.silent,
                        began,
                        advice: Advice::new(wishes, prepared, so_far.devices),
                    });
                }
            },
        )
    }
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

//! [`Search`], and exact searches: preparation, the run, and checkpoints.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use super::checkpoint::{self, CheckpointPath, LoadedCheckpoint, Recorder, file_of_rank};
use super::ranks::RankRecord;
use super::settings::{Betweenness, Progress};
use super::warnings;
use crate::cpu::{CpuEngine, clustered};
use crate::device::{DeviceInfo, DeviceSelection};
use crate::engine::{self, EngineError, Precision};
use crate::error::{Error, refuse_if};
use crate::estimate::EstimateStatus;
use crate::graph::{Graph, Lengths};
use crate::plan::SearchOptions;
use crate::prepare::{Prepared, When};
use crate::query::Query;
use crate::runner::{self, Checkpointing, Committed, DeviceRequest, Devices, Outcome, RunOptions};
use crate::scores::{Record, Scores};
use crate::span::Span;
use crate::strategy::Strategy;

/// A search whose devices are being initialised.
pub struct Search {
    pub(super) settings: Betweenness,
    pub(super) devices: Devices,
    pub(super) weighted: bool,
}

impl Search {
    pub(crate) fn start(
        mut settings: Betweenness,
        directed: bool,
        weighted: bool,
    ) -> Result<Search, Error> {
        settings.check(directed, weighted)?;
        // Files and other processes do not know of roundings to 32 bits.
        let splits = settings.part.is_some() || settings.ranks.is_some();
        settings.options.device.no_fallback |= splits || settings.checkpoint_file().is_some();
        let mut request = settings.options.request(weighted);
        if let Some(world) = &settings.ranks {
            request.workers = world.workers(request.workers);
            request.local = world.local();
            match settings.checkpoints.as_mut().map(|own| &mut own.path) {
                Some(CheckpointPath::File(file)) => *file = file_of_rank(file, world.rank()),
                _ => settings.checkpoints = None,
            }
        }
        Ok(Search {
            devices: Devices::start(request),
            settings,
            weighted,
        })
    }

    /// Returns the options of the search.
    pub fn options(&self) -> &SearchOptions {
        &self.settings.options
    }

    /// Waits until the search for devices has ended. Returns the devices that will be driven.
    pub fn wait_until_found(&self) -> Vec<DeviceInfo> {
        self.devices.wait_until_found()
    }

    /// Replaces the query, whose weights of vertices may be known only when the graph is. The new
    /// query must set the same options as the one that the search was started with.
    ///
    /// # Errors
    /// [`Error::Settings`] if the query contradicts other options.
    pub fn set_query(&mut self, graph: &Graph, query: Query) -> Result<(), Error> {
        self.settings.options.query = query;
        self.settings.check(graph.directed(), self.weighted)
    }

    /// Computes the scores of a graph of the kind that was passed to
    /// [`crate::Betweenness::start`]. Call this once.
    ///
    /// # Errors
    /// As [`crate::Betweenness::run`].
    pub fn run(&self, graph: &Graph) -> Result<Scores, Error> {
        let rank = (self.settings.ranks.as_ref()).map_or(0, |world| world.rank());
        let text = format!("rank {rank} of a search has no scores; it helps rank 0");
        refuse_if(rank > 0, text)?;
        self.search_graph(graph)
    }

    /// Searches together with rank 0, on the same graph with the same settings, until rank 0 has
    /// written its scores ([`crate::World::finish`]). All processes but rank 0 call this once.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn help(&self, graph: &Graph) -> Result<(), Error> {
        let Some(world) = &self.settings.ranks else {
            return Err(Error::Settings("there is no rank 0 to help".into()));
        };
        let scores = self.search_graph(graph)?;
        world.finish();
        scores.record().remove_checkpoint();
        Ok(())
    }

    /// Searches a graph. The scores of ranks other than 0 are those of their own roots.
    fn search_graph(&self, graph: &Graph) -> Result<Scores, Error> {
        match self.options().estimate {
            Some(options) => self.estimate(graph, options),
            None => self.search_exactly(graph, None),
        }
    }

    /// Searches from all roots of a graph, which may be prepared already.
    pub(super) fn search_exactly(
        &self,
        graph: &Graph,
        prepared: Option<Arc<Prepared>>,
    ) -> Result<Scores, Error> {
        let (settings, options) = (&self.settings, self.options());
        let (loaded, chains) = self.load_checkpoint()?;
        let mut spans = Vec::new();
        let prepared = match prepared {
            Some(prepared) => prepared,
            None => settings.prepared(graph, chains, &mut spans)?,
        };
        self.check_graph(&prepared)?;
        let on_device = options.devices != DeviceSelection::None
            && options.strategy.likely(&prepared) == Strategy::Hierarchy;
        // Devices are initialised meanwhile.
        if options.searches_hierarchy() || on_device {
            let hierarchy = prepared.hierarchy();
            spans.extend(hierarchy.iter().flat_map(|of| of.spans.iter().copied()));
        }
        if let Some(world) = &settings.ranks {
            let text = "the processes prepared the graph in different ways: name the reductions \
                        (`reduce`), and give the same options and version to all";
            let fingerprint = checkpoint::fingerprint_of_part(&prepared, options);
            refuse_if(!world.agree(fingerprint), text)?;
        }
        let began = Instant::now();
        let mut notes = Notes::default();
        let (prepared, outcome) = match self.search(&prepared, &self.devices, loaded, &mut notes) {
            Ok(outcome) => (prepared, outcome),
            // Engines with a wider number type do not serve chains.
            Err(Error::Engine(EngineError::PathCount { .. })) if prepared.chains.is_some() => {
                spans.extend(prepared.spans.iter().copied());
                spans.push(Span::since("search with chains", began));
                self.search_without_chains(graph, &mut spans, &mut notes)?
            }
            Err(error) => return Err(explain(error, graph, &prepared)),
        };
        let requires_chains = options.prepare.reduce.chains == When::Always;
        if requires_chains && prepared.chains.is_none() && prepared.sources < graph.vertices() {
            notes.warnings.push(
                "the reduction of chains had no effect, since only some vertices are sources: \
                 the program searched from each source"
                    .into(),
            );
        }
        let is_mixed = options.device.precision == Precision::Mixed;
        // The depth of searches by other processes, or by an earlier run, is unknown.
        let bound = match notes.resumed.is_some() || settings.ranks.is_some() {
            true => engine::mixed_error(engine::MIXED_DEEPEST),
            false => outcome.error_bound(),
        };
        // Scores at the ends of chains are differences of sums, which have no known bound.
        let is_known = bound == 0.0 || prepared.chains.is_none();
        let error_bound = (is_mixed && is_known).then_some(bound);
        let mut record = notes.into_record(options, prepared, outcome, spans);
        record.error_bound = error_bound;
        Scores::new(graph, record, settings.scale)
    }

    /// Reads the checkpoint that the user named, if there is one. Returns it, and when the
    /// reduction of chains is made.
    fn load_checkpoint(&self) -> Result<(Option<LoadedCheckpoint>, When), Error> {
        let world = self.settings.ranks.as_ref();
        let is_first_rank = world.is_none_or(|world| world.rank() == 0);
        let file = self.settings.checkpoint_file().filter(|_| is_first_rank);
        let loaded = file.map(|file| checkpoint::load_writable(file));
        let loaded = loaded.transpose()?.flatten();
        let chains = match (self.options().contraction(), &loaded) {
            (When::Never, _) => When::Never,
            // The run that wrote the checkpoint has decided this.
            (_, Some(loaded)) if loaded.origin.serves_chains => When::Always,
            (_, Some(_)) => When::Never,
            (chains, None) => chains,
        };
        // Rank 0, which reads the checkpoint, decides for all.
        let chains = world.map_or(chains, |world| {
            const ALL: [When; 3] = [When::Auto, When::Always, When::Never];
            ALL[world.broadcast_number(chains as u64) as usize % ALL.len()]
        });
        Ok((loaded, chains))
    }

    /// Prepares the graph again without the reduction of chains, and searches on cores, after a
    /// search that has found too many shortest paths.
    fn search_without_chains(
        &self,
        graph: &Graph,
        spans: &mut Vec<Span>,
        notes: &mut Notes,
    ) -> Result<(Arc<Prepared>, Outcome), Error> {
        let text = "there are more shortest paths than 64-bit floats can count, and wider numbers \
                    cannot be used with the reduction of chains; run all parts or processes again \
                    with `reduce fold,blocks`";
        let settings = &self.settings;
        refuse_if(settings.part.is_some() || settings.ranks.is_some(), text)?;
        notes.warnings.push(format!(
            "there were more shortest paths than {} can count, so CPU workers searched the graph \
             again without the reduction of chains",
            Precision::F64.paths()
        ));
        let prepared = settings.prepared(graph, When::Never, spans)?;
        let no_devices = Devices::start(DeviceRequest::none());
        let outcome = self.search(&prepared, &no_devices, None, notes);
        let outcome = outcome.map_err(|error| explain(error, graph, &prepared))?;
        Ok((prepared, self.devices.dismissed(outcome)))
    }

    /// Waits until no thread is inside an OpenCL driver. A process that ends earlier, other than by
    /// `_exit`, may crash.
    pub fn join(self) {
        self.devices.join();
    }

    /// Checks that the requested CPU engine and strategy can search the graph.
    pub(super) fn check_graph(&self, prepared: &Prepared) -> Result<(), Error> {
        if self.options().searches_hierarchy()
            && let Err(why) = prepared.hierarchy()
        {
            let strategy = self.options().strategy == Strategy::Hierarchy;
            let strategy = strategy.then_some("`strategy hierarchy`");
            let engine = self.options().cpu.options.engine == CpuEngine::Hierarchy;
            let engine = engine.then_some("`cpu-engine hierarchy`");
            let given: Vec<&str> = strategy.into_iter().chain(engine).collect();
            let given = given.join(" and ");
            let text = format!("this graph has no contraction hierarchy: {why}; leave {given} out");
            return refuse_if(true, text);
        }
        refuse_if(
            prepared.zero_bits > 0 && matches!(prepared.lengths, Some(Lengths::F64(_))),
            "`tie-tolerance` does not go with edges of length 0, which are compared exactly; leave \
             it out",
        )?;
        let has_lengths = prepared.lengths.as_ref().is_some_and(|l| !l.is_empty());
        let clustered = self.options().cpu.options.engine == CpuEngine::Clustered;
        refuse_if(
            has_lengths && clustered && !clustered::fits(prepared),
            "`cpu-engine clustered` needs integer lengths, with distances below 2^31 and no length \
             more than some 65,000 times another; leave it out",
        )
    }

    /// Searches a prepared graph, from a checkpoint if there is one, and writes checkpoints.
    fn search(
        &self,
        prepared: &Arc<Prepared>,
        devices: &Devices,
        loaded: Option<LoadedCheckpoint>,
        notes: &mut Notes,
    ) -> Result<Outcome, Error> {
        let world = self.settings.ranks.as_ref();
        let Some(checkpoints) = &self.settings.checkpoints else {
            let options = RunOptions {
                supply: world.map(|world| world.supply(prepared, &[])),
                ..RunOptions::default()
            };
            return self.run_with(prepared, devices, options, None, notes);
        };
        let mut recorder = Recorder::new(&checkpoints.path, prepared, self.options());
        let before = recorder.resume(loaded)?;
        let supply = world.map(|world| {
            if world.rank() == 0 {
                // Rank 0 writes its checkpoint of this run before the other ranks write theirs. It
                // has sums even if no root is searched yet.
                let (roots, mut sums) = (before.roots.clone(), prepared.zero_sums());
                sums.add_copy(&before.sums);
                recorder.save(&Committed { roots, sums });
            }
            recorder.run = world.broadcast_number(recorder.run);
            world.supply(prepared, &before.roots)
        });
        let (recorder, roots) = (&recorder, prepared.roots.len());
        let file = || recorder.path().display().to_string();
        let done = || recorder.done.get();
        notes.resumed = (done() > 0).then(|| {
            let (file, done) = (file(), done());
            format!("resumed from {file}, in which {done} of {roots} roots were searched")
        });
        let checkpoints = Checkpointing {
            before,
            every: checkpoints.every,
            least: checkpoints.least,
            write: &mut |committed| {
                let asked = self.options().device.precision;
                if !devices.any(|driver| driver.fell_back(asked)) {
                    recorder.save(committed);
                }
            },
        };
        let options = RunOptions {
            checkpoints: Some(checkpoints),
            supply,
            ..RunOptions::default()
        };
        let result = self.run_with(prepared, devices, options, Some(recorder), notes);
        notes.warnings.extend(recorder.failure());
        notes.checkpoint = recorder.file().map(Path::to_path_buf);
        match (&result, recorder.failure()) {
            (Err(Error::Cancelled), None) if done() > 0 => Err(Error::CancelledSaved {
                done: done(),
                roots,
                path: file(),
            }),
            (Err(Error::Cancelled), Some(what)) => Err(Error::CancelledUnsaved(what)),
            _ => result,
        }
    }

    /// Runs the runner with these options and those of the settings.
    pub(super) fn run_with(
        &self,
        prepared: &Arc<Prepared>,
        devices: &Devices,
        mut options: RunOptions<'_>,
        recorder: Option<&Recorder>,
        notes: &mut Notes,
    ) -> Result<Outcome, Error> {
        let settings = &self.settings;
        let began = Instant::now();
        options.cancel = settings.cancel.clone();
        let mut cpu = settings.options.cpu_request();
        if let Some(world) = &settings.ranks {
            cpu.workers = world.workers(cpu.workers);
        }
        let mut outcome = runner::run(prepared, devices, cpu, options, &mut |so_far| {
            if let Some(progress) = &settings.progress {
                let failure = recorder.and_then(Recorder::failure);
                let status = notes.status.as_ref().map(|status| status.get());
                progress(&Progress {
                    done: so_far.done,
                    roots: status.map_or(prepared.roots.len(), |status| status.roots),
                    half_width: status.and_then(|status| status.half_width),
                    awaits_devices: so_far.awaits_devices,
                    began,
                    checkpoint: recorder.and_then(Recorder::file),
                    checkpoint_failure: failure.as_deref(),
                });
            }
        })?;
        if let Some(world) = &settings.ranks {
            notes.ranks = world.gather(&mut outcome, began);
        }
        Ok(outcome)
    }
}

/// Notes on a search, for its [`Record`].
#[derive(Default)]
pub(super) struct Notes {
    pub(super) warnings: Vec<String>,
    /// The path of the checkpoint, if one was written.
    pub(super) checkpoint: Option<PathBuf>,
    /// See [`Record::resumed`].
    pub(super) resumed: Option<String>,
    pub(super) ranks: Vec<RankRecord>,
    /// The state of an estimate under way.
    pub(super) status: Option<Rc<Cell<EstimateStatus>>>,
}

impl Notes {
    /// Makes the record of a search without an error bound.
    pub(super) fn into_record(
        self,
        options: &SearchOptions,
        prepared: Arc<Prepared>,
        outcome: Outcome,
        spans: Vec<Span>,
    ) -> Record {
        let mut all = self.warnings;
        all.extend(warnings::lost_workers(&outcome));
        if prepared.zero_bits > 0 {
            let text = "some edges have length 0 and count as infinitesimally short: of equally \
                        long paths, those with the fewest such edges are shortest";
            all.push(text.into());
        }
        all.extend(warnings::of_devices(options, &outcome));
        Record {
            prepared,
            outcome,
            spans,
            warnings: all,
            error_bound: None,
            checkpoint: self.checkpoint,
            resumed: self.resumed,
            ranks: self.ranks,
        }
    }
}

/// Replaces an error of an engine by one that names vertices as the input does.
pub(super) fn explain(error: Error, graph: &Graph, prepared: &Prepared) -> Error {
    match error {
        Error::Engine(EngineError::LengthLost(root)) => {
            let vertex = graph.labels().display(prepared.input_vertex(root));
            Error::LengthLost(vertex.to_string())
        }
        Error::Engine(EngineError::Device(error)) => Error::Device(error),
        Error::Engine(EngineError::Stopped) => Error::Cancelled,
        Error::Engine(EngineError::PathCount { .. } | EngineError::Uncounted { .. }) => {
            Error::PathCount
        }
        other => other,
    }
}

//! The entry point of the library: the settings of a search, and how they prepare the graph.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::checkpoint::{self, CheckpointPath, Checkpoints};
use super::ranks::World;
use crate::cancel::CancelToken;
use crate::device::DeviceSelection;
use crate::error::{Error, refuse_given, refuse_if};
use crate::graph::Graph;
use crate::plan::{self, SearchOptions};
use crate::prepare::{Part, Prepared, RootSelection, Scale, When, prepare_query};
use crate::span::Span;

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
/// Whether edges have directions and lengths is decided when a graph is read
/// ([`crate::graph::ReadOptions`]).
#[derive(Clone, Default)]
pub struct Betweenness {
    pub(crate) options: SearchOptions,
    pub(crate) scale: Scale,
    pub(crate) part: Option<Part>,
    pub(crate) ranks: Option<Arc<World>>,
    pub(crate) progress: Option<Arc<OnProgress>>,
    pub(crate) cancel: CancelToken,
    pub(crate) checkpoints: Option<Checkpoints>,
}

pub(crate) type OnProgress = dyn Fn(&Progress) + Send + Sync;

/// The progress of a search.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// The number of roots searched.
    pub done: usize,
    /// The number of roots of the search. An estimate changes this number after each batch.
    pub roots: usize,
    /// The largest distance so far from a score to an end of its interval, if scores are
    /// estimated.
    pub half_width: Option<f64>,
    /// Whether the search for devices goes on, or a device that may still search has no result yet.
    pub awaits_devices: bool,
    /// When the search began.
    pub began: Instant,
    /// The path of the checkpoint, if one was written.
    pub checkpoint: Option<&'a Path>,
    /// A message about the last write of the checkpoint, if it failed.
    pub checkpoint_failure: Option<&'a str>,
}

impl From<SearchOptions> for Betweenness {
    fn from(options: SearchOptions) -> Self {
        Betweenness {
            options,
            ..Betweenness::default()
        }
    }
}

impl Betweenness {
    /// Returns the checkpoint that the user named.
    pub(crate) fn checkpoint_file(&self) -> Option<&PathBuf> {
        match &self.checkpoints.as_ref()?.path {
            CheckpointPath::File(file) => Some(file),
            CheckpointPath::Folder(_) => None,
        }
    }

    /// Checks whether settings contradict each other for graphs of this kind.
    pub(crate) fn check(&self, directed: bool, weighted: bool) -> Result<(), Error> {
        let options = &self.options;
        let (part, estimate) = (self.part.is_some(), options.estimate.is_some());
        let text = "`normalized` is for the scores that parts make together; leave it out";
        refuse_if(part && self.scale == Scale::Normalized, text)?;
        if self.ranks.is_some() {
            let given = [("part", part), ("reproducible", options.reproducible)];
            refuse_given(given, "is for one process; leave it out")?;
            let text = "estimates are for one process; leave `epsilon` and `time` out";
            refuse_if(estimate, text)?;
        }
        if estimate {
            let given = [
                ("part", part),
                ("checkpoint", self.checkpoint_file().is_some()),
            ];
            refuse_given(given, "does not go with estimates; leave it out")?;
        }
        let query = &options.query;
        if part {
            let random = matches!(options.prepare.roots, RootSelection::Random { .. });
            let asked = query.given().join("` and `");
            let given = [("rescale", random), (&asked, !query.is_plain())];
            refuse_given(given, "does not go with `part`; leave it out")?;
        }
        let counts_paths = query.measures.iter().any(|one| one.counts_paths());
        let targets = directed && query.targets.is_some() && query.sources.is_none();
        for (what, given) in [
            ("`normalized`", self.scale == Scale::Normalized),
            ("in a directed graph `targets`", targets),
        ] {
            let text = "changes only betweenness and stress; leave it out, or add one of them to \
                        `measures`";
            refuse_if(given && !counts_paths, format_args!("{what} {text}"))?;
        }
        self.options.check(directed, weighted)
    }

    /// Prepares the graph.
    pub(crate) fn prepared(
        &self,
        graph: &Graph,
        chains: When,
        spans: &mut Vec<Span>,
    ) -> Result<Arc<Prepared>, Error> {
        let twins = match chains {
            When::Always => When::Never,
            _ => self.options.twins(),
        };
        let mut prepare_options = self.options.prepare;
        (prepare_options.reduce.twins, prepare_options.reduce.chains) = (twins, chains);
        Span::time(spans, "prepare", || {
            let query = &self.options.query;
            query.check_vertices(graph.vertices())?;
            let mut prepared = prepare_query(graph, &prepare_options, query)?;
            if chains == When::Auto && query.is_plain() {
                let devices = self.options.devices != DeviceSelection::None;
                let mut workers = self.options.cpu.workers.count(num_cpus::get());
                let mut cpu = self.options.cpu_request().options;
                if self.part.is_some() || self.ranks.is_some() {
                    // All machines must decide alike, whatever their number of cores.
                    (workers, cpu.reproducible) = (1, true);
                }
                plan::reduce(&mut prepared, twins, cpu, workers, devices);
            }
            if let Some(part) = self.part {
                let whole = checkpoint::fingerprint_of_part(&prepared, &self.options);
                prepared.take_part(part, whole);
            }
            Ok(Arc::new(prepared))
        })
    }
}

//! The methods of [`Betweenness`], which change a setting or start a search.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::{CheckpointPath, Checkpoints};
use super::exact::Search;
use super::ranks::World;
use super::settings::{Betweenness, Progress};
use crate::cancel::CancelToken;
use crate::cpu::CpuEngine;
use crate::device::DeviceSelection;
use crate::engine::Precision;
use crate::error::Error;
use crate::graph::Graph;
use crate::prepare::{Order, Part, Reduction, Reductions, RootSelection, Scale};
use crate::query::{Estimate, Query};
use crate::runner::CpuWorkers;
use crate::scores::Scores;
use crate::strategy::Strategy;

impl Betweenness {
    /// Searches on every core, and on the best GPU if there is one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the devices to search on.
    pub fn devices(mut self, devices: DeviceSelection) -> Self {
        self.options.devices = devices;
        self
    }

    /// Sets how devices search.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.options.strategy = strategy;
        self
    }

    /// Sets D, the largest number of arcs of the virtual vertices into which vertices are split.
    pub fn degree(mut self, degree: u32) -> Self {
        self.options.device.numbers.degree = Some(degree);
        self
    }

    /// Sets the number type of devices. [`Precision::Mixed`] applies to lanes on cores too. By
    /// default devices compute in 64 bits, and those without 64-bit floats in 32.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.options.device.precision = precision;
        self.options.device.no_fallback = true;
        self
    }

    /// Compares each device with a core on this many roots, before its first and before its last
    /// commit. If they differ, all results of the device are discarded.
    pub fn verify(mut self, roots: u32) -> Self {
        self.options.device.verify = roots;
        self
    }

    /// Sets whether scores have the same bits in every run with the same settings. This requires
    /// cores alone, in any number, or equal devices alone, without CPU workers.
    pub fn reproducible(mut self, reproducible: bool) -> Self {
        self.options.reproducible = reproducible;
        self
    }

    /// Sets the seconds after which a device that does not answer counts as failed. By default
    /// these are 10 for finding devices, 120 for each step of the initialisation, and 10, or 20
    /// times the expected time if that is longer, for a search.
    pub fn device_timeout(mut self, seconds: u32) -> Self {
        self.options.device.timeout = Some(seconds);
        self
    }

    /// Sets the number of CPU workers.
    pub fn cpu_workers(mut self, workers: CpuWorkers) -> Self {
        self.options.cpu.workers = workers;
        self
    }

    /// Sets how CPU workers search.
    pub fn cpu_engine(mut self, engine: CpuEngine) -> Self {
        self.options.cpu.options.engine = engine;
        self
    }

    /// Sets whether scores are divided by the number of pairs whose paths could pass a vertex.
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.scale = match normalized {
            true => Scale::Normalized,
            false => Scale::Pairs,
        };
        self
    }

    /// Sets whether the ends of a path count as lying on it.
    pub fn endpoints(mut self, endpoints: bool) -> Self {
        self.options.prepare.endpoints = endpoints;
        self
    }

    /// Sets whether scores of edges are computed too.
    pub fn edges(mut self, edges: bool) -> Self {
        self.options.prepare.edges = edges;
        self
    }

    /// Sets the measures, and the pairs that count. Only the betweenness of all pairs, the default,
    /// is searched with reductions.
    ///
    /// ```
    /// use brandes::{Betweenness, Measure, Query, graph::generate};
    ///
    /// let query = Query {
    ///     measures: vec![Measure::Betweenness, Measure::Closeness],
    ///     radii: vec![1.0, 2.0],
    ///     ..Query::default()
    /// };
    /// let scores = Betweenness::new().query(query).run(&generate::path(4)?)?;
    /// let names: Vec<_> = scores.columns().iter().map(|column| column.name()).collect();
    /// assert_eq!(names, ["betweenness_1", "betweenness_2", "closeness_1", "closeness_2"]);
    /// assert_eq!(scores.columns()[1].values, [0.0, 1.0, 1.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query(mut self, query: Query) -> Self {
        self.options.query = query;
        self
    }

    /// Estimates scores, with intervals, by searches from some of the sources.
    ///
    /// ```
    /// use brandes::{Betweenness, Estimate, graph::generate};
    ///
    /// let graph = generate::barabasi_albert(2000, 4, 1)?;
    /// let options = Estimate { epsilon: 0.02, confidence: 0.95, ..Estimate::default() };
    /// let scores = Betweenness::new().estimate(options).run(&graph)?;
    /// let known = scores.estimated().ok_or("these are estimates")?;
    /// assert!(known.half_width < 0.02 + 1e-9);
    /// assert!(known.lower[0] <= scores.vertices()[0] && scores.vertices()[0] <= known.upper[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimate(mut self, options: Estimate) -> Self {
        self.options.estimate = Some(options);
        self
    }

    /// Sets the sources. If they are not all vertices, scores are partial sums.
    pub fn roots(mut self, roots: RootSelection) -> Self {
        self.options.prepare.roots = roots;
        self
    }

    /// Searches one of several parts of the roots. [`Scores::part`] returns the sums of the part,
    /// and [`crate::Merged`] adds the sums of all parts.
    pub fn part(mut self, part: Part) -> Self {
        self.part = Some(part);
        self
    }

    /// Searches together with other processes, which make the same calls. Rank 0 calls
    /// [`Search::run`], the others call [`Search::help`], on the graph from [`World::share`].
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use brandes::{Betweenness, World, graph::generate};
    ///
    /// let world = Arc::new(World::join()?.ok_or("start this program with mpirun")?);
    /// let own = (world.rank() == 0).then(|| generate::star(1000)).transpose()?;
    /// let graph = world.share(own);
    /// let search = Betweenness::new().ranks(&world).start(graph.directed(), false)?;
    /// if world.rank() == 0 {
    ///     println!("{:?}", search.run(&graph)?.vertices());
    ///     world.finish();
    /// } else {
    ///     search.help(&graph)?;
    /// }
    /// search.join();
    /// world.leave();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ranks(mut self, world: &Arc<World>) -> Self {
        self.ranks = Some(Arc::clone(world));
        self
    }

    /// Sets the reductions that make a graph smaller before it is searched. The default is those
    /// that reduce the work.
    pub fn reduce(mut self, reduce: Reductions) -> Self {
        self.options.prepare.reduce = reduce;
        self
    }

    /// Sets reductions in addition to those of this crate, which are made before twins and chains
    /// where they save work. Estimates, and measures that need all vertices, make none of them.
    ///
    /// # Panics
    /// A search panics if a reduction returns no arcs though edges are counted, or closed forms for
    /// some vertices only.
    pub fn more_reductions(mut self, more: &'static [&'static dyn Reduction]) -> Self {
        self.options.prepare.more = more;
        self
    }

    /// Sets the numbering of the searched vertices.
    pub fn order(mut self, order: Order) -> Self {
        self.options.prepare.order = order;
        self
    }

    /// Sets a function that the thread of the search calls about ten times a second.
    pub fn on_progress(mut self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Sets a token that cancels searches.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// Saves progress to a file periodically, when the search is cancelled, and at the end. A
    /// search of the same graph with the same settings resumes from the file; devices and the
    /// number of workers may differ. The caller removes the file when it has the scores
    /// ([`crate::Record::remove_checkpoint`]).
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Duration) -> Self {
        self.checkpoints = Some(Checkpoints {
            path: CheckpointPath::File(path.into()),
            every,
            least: Duration::ZERO,
        });
        self
    }

    /// Saves progress as [`Self::checkpoint`] does, but to a file in this folder, and only if the
    /// search is expected to take at least `least`. A file that [`Self::checkpoint`] names takes
    /// precedence. [`crate::Record::checkpoint`] has the path of the file.
    pub fn checkpoint_long_runs(
        mut self,
        folder: impl Into<PathBuf>,
        (every, least): (Duration, Duration),
    ) -> Self {
        if self.checkpoint_file().is_none() {
            self.checkpoints = Some(Checkpoints {
                path: CheckpointPath::Folder(folder.into()),
                every,
                least,
            });
        }
        self
    }

    /// Computes the scores of a graph.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the graph; other errors if the
    /// search fails. A failing device alone does not end the search.
    pub fn run(&self, graph: &Graph) -> Result<Scores, Error> {
        let search = self.start(graph.directed(), graph.lengths().is_some())?;
        let scores = search.run(graph)?;
        // After an error, do not wait: drivers may still wait for work that never comes.
        search.join();
        Ok(scores)
    }

    /// Starts threads that initialise devices for graphs of this kind, and returns at once. The
    /// graph can be read meanwhile.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the kind of the graph.
    pub fn start(&self, directed: bool, weighted: bool) -> Result<Search, Error> {
        Search::start(self.clone(), directed, weighted)
    }
}

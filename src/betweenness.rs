//! The front door: from a graph to its scores.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cancel::CancelToken;
use crate::checkpoint::{Checkpoints, Place};
use crate::cpu::CpuEngine;
use crate::device::DeviceSelection;
use crate::engine::Precision;
use crate::error::Error;
use crate::graph::Graph;
use crate::plan::{Plan, Wishes};
use crate::prepare::{Order, Part, Reductions, RootSelection, Scale};
use crate::ranks::World;
use crate::runner::CpuWorkers;
use crate::scores::Scores;
use crate::search::Search;
use crate::settings::{Progress, Settings};
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
    settings: Settings,
}

impl From<Wishes> for Betweenness {
    fn from(wishes: Wishes) -> Self {
        let mut betweenness = Betweenness::default();
        betweenness.settings.wishes = wishes;
        betweenness
    }
}

impl Betweenness {
    /// On every core and the best GPU, if there is one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The devices to search on.
    pub fn devices(mut self, devices: DeviceSelection) -> Self {
        self.settings.wishes.devices = devices;
        self
    }

    /// How devices search.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.settings.wishes.strategy = strategy;
        self
    }

    /// D: the most arcs of a virtual vertex.
    pub fn degree(mut self, degree: u32) -> Self {
        self.settings.wishes.device.degree = Some(degree);
        self
    }

    /// The number type: of devices, and if it is mixed of lanes on cores too.
    pub fn precision(mut self, precision: Precision) -> Self {
        self.settings.wishes.device.precision = precision;
        self
    }

    /// Searches from so many roots on a core too, before the first sums of each device count and
    /// before its last ones do. If they differ, nothing that the device did counts.
    pub fn verify(mut self, roots: u32) -> Self {
        self.settings.wishes.device.verify = roots;
        self
    }

    /// Whether scores have the same bits in every run with the same settings: on cores alone, as
    /// many as there are, or on equal devices alone, without CPU workers.
    pub fn reproducible(mut self, reproducible: bool) -> Self {
        self.settings.wishes.reproducible = reproducible;
        self
    }

    /// Seconds after which a device that does not answer is left out; by default 10 to be found,
    /// 120 for each step of getting ready, and 10, or 20 times what is expected, for searching.
    pub fn device_timeout(mut self, seconds: u32) -> Self {
        self.settings.wishes.device.timeout = Some(seconds);
        self
    }

    /// How many CPU workers search.
    pub fn cpu_workers(mut self, workers: CpuWorkers) -> Self {
        self.settings.wishes.cpu.workers = workers;
        self
    }

    /// How CPU workers search.
    pub fn cpu_engine(mut self, engine: CpuEngine) -> Self {
        self.settings.wishes.cpu.options.engine = engine;
        self
    }

    /// Whether scores are divided by the number of pairs that could meet a vertex.
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.settings.scale = if normalized {
            Scale::Normalized
        } else {
            Scale::Pairs
        };
        self
    }

    /// Whether the ends of a path count as lying on it.
    pub fn endpoints(mut self, endpoints: bool) -> Self {
        self.settings.wishes.prepare.endpoints = endpoints;
        self
    }

    /// Whether scores of edges are wanted too.
    pub fn edges(mut self, edges: bool) -> Self {
        self.settings.wishes.prepare.edges = edges;
        self
    }

    /// The sources; scores of a part of them are partial sums.
    pub fn roots(mut self, roots: RootSelection) -> Self {
        self.settings.wishes.prepare.roots = roots;
        self
    }

    /// Searches one of several parts of the roots. Scores are then those of the part:
    /// [`Scores::part`] keeps them in a file, and [`crate::Merged`] adds those of all parts up.
    pub fn part(mut self, part: Part) -> Self {
        self.settings.part = Some(part);
        self
    }

    /// Searches together with other processes, which do the same: rank 0 by [`Search::run`], the
    /// others by [`Search::help`], on the graph that [`World::share`] gives them.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use brandes::{Betweenness, World, graph::generate};
    ///
    /// let world = Arc::new(World::join()?.ok_or("this is to be started by mpirun")?);
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
        self.settings.ranks = Some(Arc::clone(world));
        self
    }

    /// Which reductions of an undirected graph are made before it is searched: by default those
    /// that make less work.
    pub fn reduce(mut self, reduce: Reductions) -> Self {
        self.settings.wishes.prepare.reduce = reduce;
        self
    }

    /// The numbering of the searched vertices.
    pub fn order(mut self, order: Order) -> Self {
        self.settings.wishes.prepare.order = order;
        self
    }

    /// Is told about ten times a second how far the search is, on the thread that runs it.
    pub fn on_progress(mut self, progress: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.settings.progress = Some(Arc::new(progress));
        self
    }

    /// Searches end when this is cancelled.
    pub fn cancel(mut self, token: &CancelToken) -> Self {
        self.settings.cancel = token.clone();
        self
    }

    /// Keeps what is searched in a file: every so often, when the search is cancelled, and at the
    /// end. A search of the same graph with the same settings goes on from it; other devices and
    /// numbers of workers may take part. Who has the scores removes the file.
    pub fn checkpoint(mut self, path: impl Into<PathBuf>, every: Duration) -> Self {
        self.settings.checkpoints = Some(Checkpoints {
            place: Place::File(path.into()),
            every,
            least: Duration::ZERO,
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
        let place = Place::Folder(folder.into());
        let asked = self.settings.checkpoints.take();
        let asked = asked.filter(|asked| matches!(asked.place, Place::File(_)));
        self.settings.checkpoints = asked.or(Some(Checkpoints {
            place,
            every,
            least,
        }));
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
        self.settings
            .check(graph.directed(), graph.lengths().is_some())?;
        let chains = self.settings.wishes.contraction();
        // No device is started for a plan.
        let prepared = self.settings.prepared(graph, chains, &mut Vec::new())?;
        let workers = self.settings.wishes.cpu.workers.most(num_cpus::get());
        Ok(Plan::of(&prepared, &self.settings.wishes, workers))
    }

    /// Begins to make devices ready for graphs of a kind, on threads of their own, and returns at
    /// once: the graph can be read meanwhile.
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the kind of the graph.
    pub fn start(&self, directed: bool, weighted: bool) -> Result<Search, Error> {
        Search::start(self.settings.clone(), directed, weighted)
    }
}

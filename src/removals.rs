//! Removals: the vertices or edges of the highest scores leave a graph, again and again, and the
//! scores of what they were connected to are computed again.

use std::collections::VecDeque;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cpu::{self, WorkerBudget};
use crate::device::DeviceSelection;
use crate::engine::feed;
use crate::error::{Error, refuse_given, refuse_if};
use crate::graph::{Graph, Vertex};
use crate::prepare::{RootSelection, Scale, When};
use crate::remains::Remains;
use crate::report::device_warnings;
use crate::runner::CpuWorkers;
use crate::search::Search;
use crate::settings::Betweenness;

/// A graph with at most this product of vertices and arcs is searched on the calling thread, in
/// less time than other threads take to start.
const SMALL: u64 = 1 << 21;

/// The limits for cores alone, without and with lengths: a device gets a larger graph, unless
/// options name devices.
const FOR_CORES: [u64; 2] = [1 << 30, 1 << 26];

/// A graph of at most this number of arcs is prepared by one thread, since it takes longer to
/// distribute the work.
const FEW_ARCS: usize = 1 << 17;

/// The ends of a removal, as in [`Removal::ends`], and its score.
type Scored = ([Vertex; 2], f64);

/// The kind of removals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RemoveBy {
    /// Vertices, with their edges.
    #[default]
    Vertices,
    /// Edges.
    Edges,
}

/// The options of removals.
#[derive(Debug, Clone, Default)]
pub struct RemovalOptions {
    /// The kind of removals.
    pub by: RemoveBy,
    /// The number of vertices or edges that are removed before scores are computed again; 1 by
    /// default.
    pub batch: Option<usize>,
    /// The most removals.
    pub steps: Option<usize>,
    /// Removals end when there are this many components.
    pub until: Option<usize>,
    /// The removals of an earlier run and their scores, which are repeated without searches, except
    /// for the last batch, which is compared.
    pub known: Vec<Scored>,
}

/// A removal, and the graph after all removals of its batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Removal {
    /// The ends of the edge as [`Graph::ends`] returns them, or the vertex as both ends.
    pub ends: [Vertex; 2],
    /// The score before the batch: a sum over pairs.
    pub score: f64,
    /// The number of (weakly) connected components.
    pub components: usize,
    /// The number of vertices of the largest one.
    pub largest: usize,
    /// The modularity of the components as communities of the whole graph, without lengths; `None`
    /// if vertices are removed.
    pub modularity: Option<f64>,
}

/// An iterator of removals ([`Betweenness::removals`]). After an error it ends.
pub struct Removals {
    settings: Betweenness,
    options: RemovalOptions,
    remains: Remains,
    /// The vertices and the graph that the last removals changed; `None` before any search.
    changed: Option<(Vec<Vertex>, Graph)>,
    /// The score of each vertex, or of each edge at its first arc; those that are removed, and
    /// other arcs, have none.
    scores: Vec<Option<f64>>,
    /// Removals that were made and not returned yet.
    made: VecDeque<Removal>,
    /// The number of all removals.
    count: usize,
    modularity: Option<f64>,
    /// The largest modularity so far, and the communities that had it first; `None` if vertices are
    /// removed.
    pub best: Option<(f64, Vec<u32>)>,
    has_ended: bool,
    /// The search on devices, which stay open.
    search: Option<Search>,
    /// The warnings of all searches.
    pub warnings: Vec<String>,
    /// See [`FEW_ARCS`].
    one_thread: Option<ThreadPool>,
}

impl Removals {
    pub(crate) fn new(
        mut settings: Betweenness,
        graph: Arc<Graph>,
        options: RemovalOptions,
    ) -> Result<Removals, Error> {
        let chosen = &mut settings.options;
        let asked = chosen.query.given().join("` and `");
        let given = [
            ("normalized", settings.scale == Scale::Normalized),
            ("part", settings.part.is_some()),
            ("ranks", settings.ranks.is_some()),
            ("epsilon", chosen.estimate.is_some()),
            ("checkpoint", settings.checkpoints.is_some()),
            ("roots", chosen.prepare.roots != RootSelection::All),
            (&asked, !chosen.query.is_plain()),
        ];
        refuse_given(given, "does not go with removals; leave it out")?;
        refuse_if(options.batch == Some(0), "`batch` is at least 1")?;
        chosen.prepare.edges = options.by == RemoveBy::Edges;
        // Scores of 32 bits would tie in another way.
        chosen.device.no_fallback = true;
        settings.check(graph.directed(), graph.lengths().is_some())?;
        let (arcs, one) = (graph.csr().arcs(), ThreadPoolBuilder::new().num_threads(1));
        let remains = Remains::new(graph);
        let mut removals = Removals {
            scores: vec![None; arcs.max(remains.whole.vertices())],
            settings,
            options,
            remains,
            changed: None,
            made: VecDeque::new(),
            count: 0,
            modularity: None,
            best: None,
            has_ended: false,
            search: None,
            warnings: Vec::new(),
            one_thread: (arcs <= FEW_ARCS).then(|| one.build().ok()).flatten(),
        };
        removals.update_modularity();
        Ok(removals)
    }

    /// Returns the present number of components.
    pub fn components(&self) -> usize {
        self.remains.components
    }

    /// Returns the present component of each vertex, numbered from 0 in the order of their first
    /// vertices. A removed vertex has the number of a component that it was in.
    pub fn communities(&self) -> Vec<u32> {
        self.remains.communities()
    }

    /// Computes modularity, if edges are removed.
    fn update_modularity(&mut self) {
        if self.options.by == RemoveBy::Edges {
            let value = self.remains.modularity();
            self.modularity = Some(value);
            if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
                self.best = Some((value, self.remains.communities()));
            }
        }
    }

    /// Removes a batch.
    fn step(&mut self) -> Result<(), Error> {
        let left = self.options.steps.unwrap_or(usize::MAX) - self.count;
        let batch = self.options.batch.unwrap_or(1).min(left);
        let until = self.options.until.unwrap_or(usize::MAX);
        if batch == 0 || self.remains.components >= until {
            return Ok(());
        }
        let known = self.options.known.iter().skip(self.count);
        let is_search = known.len() <= batch;
        let known: Vec<_> = known.take(batch).copied().collect();
        let chosen = match is_search {
            true => {
                self.search_changed()?;
                self.take_highest(batch)
            }
            false => known.clone(),
        };
        let differs = |(old, new): (&Scored, &Scored)| {
            old.0 != new.0 || !self.equal(old.1.max(new.1), old.1.min(new.1))
        };
        let by_edges = self.options.by == RemoveBy::Edges;
        let is_wrong = match is_search {
            true => known.len() > chosen.len() || known.iter().zip(&chosen).any(differs),
            false => known.iter().any(|&([tail, head], _)| {
                (tail == head) == by_edges || !self.remains.has([tail, head])
            }),
        };
        let text =
            "are others in this graph; give graph and options as before, or leave `resume` out";
        refuse_if(
            is_wrong,
            format!("the removals after {} {text}", self.count),
        )?;
        let before = self.remains.components;
        let changed = self.remains.remove(chosen.iter().map(|&(ends, _)| ends));
        self.changed = is_search.then_some(changed);
        if before != self.remains.components {
            self.update_modularity();
        }
        self.count += chosen.len();
        let made = chosen.into_iter().map(|(ends, score)| Removal {
            ends,
            score,
            components: self.remains.components,
            largest: self.remains.largest(),
            modularity: self.modularity,
        });
        self.made.extend(made);
        Ok(())
    }

    /// Returns whether two scores are equal within the tolerance of `brandes compare`.
    fn equal(&self, high: f64, low: f64) -> bool {
        high - low <= self.settings.options.device.precision.tolerance() * (1.0 + high)
    }

    /// Takes the highest scores: those that equal the highest one, in their order, then the same of
    /// the others.
    fn take_highest(&mut self, count: usize) -> Vec<Scored> {
        let mut taken = Vec::new();
        while let Some(high) = self.scores.iter().copied().flatten().reduce(f64::max) {
            for at in 0..self.scores.len() {
                if taken.len() == count {
                    return taken;
                }
                if self.scores[at].is_some_and(|score| self.equal(high, score)) {
                    taken.extend(self.scores[at].take().map(|score| (self.ends(at), score)));
                }
            }
        }
        taken
    }

    /// Returns the ends of the edge, or the vertex as both, whose score is at this place.
    fn ends(&self, at: usize) -> [Vertex; 2] {
        if self.options.by == RemoveBy::Vertices {
            return [at as Vertex; 2];
        }
        let csr = self.remains.whole.csr();
        let tail = csr.offsets().partition_point(|&first| first as usize <= at) - 1;
        [tail as Vertex, csr.targets()[at]]
    }

    /// Computes the scores that the last removals changed, or all if none are known.
    fn search_changed(&mut self) -> Result<(), Error> {
        if self.settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let changed = self.changed.take().unwrap_or_else(|| self.remains.all());
        let (vertices, graph) = changed;
        let scores = match graph.csr().arcs() {
            0 => vec![0.0; vertices.len()],
            _ => self.search(&graph)?,
        };
        if self.options.by == RemoveBy::Vertices {
            for (&v, score) in vertices.iter().zip(scores) {
                self.scores[v as usize] = Some(score);
            }
            return Ok(());
        }
        for (ends, score) in graph.ends().zip(scores) {
            let [tail, head] = ends.map(|end| vertices[end as usize]);
            self.scores[self.remains.whole.csr().arc(tail, head)] = Some(score);
        }
        Ok(())
    }

    /// Returns the scores of a graph: of its edges, if edges are removed.
    fn search(&mut self, graph: &Graph) -> Result<Vec<f64>, Error> {
        let mut settings = self.settings.clone();
        let options = &settings.options;
        let may_choose = !options.asks_for_device()
            && options.cpu.workers != CpuWorkers::Count(0)
            && options.cpu.options.engine.named().is_none();
        let (directed, weighted) = (graph.directed(), graph.lengths().is_some());
        let size = graph.vertices() as u64 * graph.csr().arcs() as u64;
        if may_choose
            && size <= SMALL
            && let Some(scores) = search_here(&settings, graph)?
        {
            return Ok(scores);
        }
        let scores = if may_choose && size <= FOR_CORES[usize::from(weighted)] {
            settings.options.devices = DeviceSelection::None;
            settings.run(graph)?
        } else {
            let search = match self.search.take() {
                Some(mut search) => {
                    search.renew();
                    search
                }
                None => Search::start(settings, directed, weighted)?,
            };
            let scores = search.run(graph)?;
            self.search = Some(search);
            scores
        };
        let record = scores.record();
        self.warnings.extend(record.warnings.iter().cloned());
        self.warnings
            .extend(device_warnings(&self.settings.options, &record.outcome));
        self.warnings.sort_unstable();
        self.warnings.dedup();
        let (columns, edges) = scores.into_columns();
        Ok(edges.unwrap_or(columns).swap_remove(0).values)
    }
}

impl Iterator for Removals {
    type Item = Result<Removal, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made.is_empty() && !self.has_ended {
            let pool = self.one_thread.take();
            let result = match &pool {
                Some(pool) => pool.install(|| self.step()),
                None => self.step(),
            };
            self.one_thread = pool;
            self.has_ended = self.made.is_empty();
            if let Err(error) = result {
                return Some(Err(error));
            }
        }
        self.made.pop_front().map(Ok)
    }
}

impl Drop for Removals {
    fn drop(&mut self) {
        self.search.take().into_iter().for_each(Search::join);
    }
}

/// Searches a small graph on this thread. Returns `None` if its engine cannot.
fn search_here(settings: &Betweenness, graph: &Graph) -> Result<Option<Vec<f64>>, Error> {
    let prepared = settings.prepared(graph, When::Never, &mut Vec::new())?;
    let mut sums = prepared.zero_sums();
    if !prepared.roots.is_empty() {
        let options = settings.options.cpu_request().options;
        let budget = WorkerBudget::for_all_roots(&prepared, 1);
        let mut engine = cpu::engine(&prepared, &cpu::plan(&prepared, &options, budget));
        if feed(&mut engine, &prepared.roots, &mut sums).is_err() {
            return Ok(None);
        }
    }
    Ok(match &sums.arcs {
        Some(arcs) => prepared.edge_scores(graph, arcs, Scale::Pairs),
        None => Some(prepared.scores(&sums.vertices, Scale::Pairs)),
    })
}

//! Removals: the vertices or edges of the highest scores leave a graph, again and again, and the
//! scores of what they were connected to are computed again.

use std::collections::VecDeque;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::cpu::{self, CpuPlan, WorkerBudget};
use crate::device::DeviceSelection;
use crate::engine::feed;
use crate::error::{Error, refuse_given, refuse_if};
use crate::graph::{Graph, Vertex};
use crate::prepare::{RootSelection, Scale, When};
use crate::remains::{Changed, Remains, Removed};
use crate::report::device_warnings;
use crate::runner::CpuWorkers;
use crate::search::Search;
use crate::settings::Betweenness;

/// A graph with at most this product of vertices and arcs is searched on the calling thread, in
/// less time than other threads take to start.
const SMALL: u64 = 1 << 21;

/// The same limits for cores alone, without and with lengths: a device gets a larger graph, unless
/// options name devices.
const FOR_CORES: [u64; 2] = [1 << 30, 1 << 26];

/// A graph with more arcs is divided into components on all cores.
const FEW_ARCS: usize = 1 << 20;

/// What is removed.
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
#[derive(Debug, Clone)]
pub struct RemovalOptions {
    /// What is removed.
    pub by: RemoveBy,
    /// The number of vertices or edges that are removed before scores are computed again.
    pub batch: usize,
    /// The most removals.
    pub steps: usize,
    /// Removals end when there are this many components.
    pub until: usize,
    /// The removals of an earlier run, with their scores, which are repeated without a search.
    pub known: Vec<(Removed, f64)>,
}

impl Default for RemovalOptions {
    fn default() -> Self {
        RemovalOptions {
            by: RemoveBy::default(),
            batch: 1,
            steps: usize::MAX,
            until: usize::MAX,
            known: Vec::new(),
        }
    }
}

/// A removal, and the graph after all removals of its batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Removal {
    /// What was removed.
    pub removed: Removed,
    /// Its score before the batch: a sum over pairs.
    pub score: f64,
    /// The share of all vertices, or of all edges, that this and the earlier removals removed.
    pub share: f64,
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
    /// What the last removals changed; `None` before any search.
    changed: Option<Changed>,
    /// The score of each vertex, or of each edge at its first arc; those that are removed, and
    /// other arcs, have none.
    scores: Vec<Option<f64>>,
    /// Removals that were made and not returned yet.
    made: VecDeque<Removal>,
    /// The number of all removals.
    count: usize,
    best: Option<(f64, Vec<u32>)>,
    has_ended: bool,
    /// The search on devices, which stay open.
    search: Option<Search>,
    warnings: Vec<String>,
    /// A thread for small graphs: a pool of more takes longer to distribute the work than to do it.
    one_thread: Option<ThreadPool>,
}

impl Removals {
    pub(crate) fn new(
        mut settings: Betweenness,
        graph: Arc<Graph>,
        options: RemovalOptions,
    ) -> Result<Removals, Error> {
        let asked = settings.options.query.given().join("` and `");
        let given = [
            ("normalized", settings.scale == Scale::Normalized),
            ("part", settings.part.is_some()),
            ("ranks", settings.ranks.is_some()),
            ("epsilon", settings.options.estimate.is_some()),
            ("checkpoint", settings.checkpoint_file().is_some()),
            (
                "roots",
                settings.options.prepare.roots != RootSelection::All,
            ),
            (&asked, !settings.options.query.is_plain()),
        ];
        refuse_given(given, "does not go with removals; leave it out")?;
        refuse_if(options.batch == 0, "`batch` is at least 1")?;
        let by_edges = options.by == RemoveBy::Edges;
        settings.checkpoints = None;
        settings.options.prepare.edges = by_edges;
        // Scores of 32 bits would tie in another way.
        settings.options.device.no_fallback = true;
        settings.check(graph.directed(), graph.lengths().is_some())?;
        let items = match options.by {
            RemoveBy::Vertices => graph.vertices(),
            RemoveBy::Edges => graph.csr().arcs(),
        };
        let remains = Remains::new(graph, by_edges);
        Ok(Removals {
            best: remains
                .modularity()
                .map(|value| (value, remains.communities())),
            settings,
            options,
            remains,
            changed: None,
            scores: vec![None; items],
            made: VecDeque::new(),
            count: 0,
            has_ended: false,
            search: None,
            warnings: Vec::new(),
            one_thread: ThreadPoolBuilder::new().num_threads(1).build().ok(),
        })
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

    /// Returns the largest modularity so far, and the communities that had it first; `None` if
    /// vertices are removed.
    pub fn best(&self) -> Option<(f64, &[u32])> {
        self.best
            .as_ref()
            .map(|(value, communities)| (*value, &communities[..]))
    }

    /// Returns the warnings of all searches.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Removes a batch.
    fn step(&mut self) -> Result<(), Error> {
        let left = self.options.steps.saturating_sub(self.count);
        let batch = match self.remains.components >= self.options.until {
            true => 0,
            false => self.options.batch.min(left),
        };
        let mut all: Vec<(Removed, f64)> = Vec::new();
        if self.count < self.options.known.len() && batch > 0 {
            let known = self.options.known[self.count..].iter();
            for &(removed, score) in known.take(batch) {
                let is_new = self.remains.has(removed) && all.iter().all(|one| one.0 != removed);
                let number = self.count + all.len() + 1;
                let text = format!(
                    "removal {number} of an earlier run is not in this graph; leave `resume` out"
                );
                refuse_if(!is_new, text)?;
                all.push((removed, score));
            }
        } else if batch > 0 {
            self.search_changed()?;
            let tolerance = self.settings.options.device.precision.tolerance();
            let chosen = highest(&self.scores, batch, tolerance).into_iter();
            all.extend(chosen.filter_map(|at| Some((self.item(at), self.scores[at].take()?))));
        }
        if all.is_empty() {
            self.has_ended = true;
            return Ok(());
        }
        let has_scores = self.count >= self.options.known.len();
        let changed = self.remains.remove(all.iter().map(|&(removed, _)| removed));
        self.changed = has_scores.then_some(changed);
        let graph = &self.remains.graph;
        let items = match self.options.by {
            RemoveBy::Vertices => graph.vertices(),
            RemoveBy::Edges => graph.edges(),
        };
        let modularity = self.remains.modularity();
        if let Some(value) = modularity
            && self.best.as_ref().is_none_or(|(best, _)| value > *best)
        {
            self.best = Some((value, self.remains.communities()));
        }
        for (removed, score) in all {
            self.count += 1;
            self.made.push_back(Removal {
                removed,
                score,
                share: self.count as f64 / items as f64,
                components: self.remains.components,
                largest: self.remains.largest(),
                modularity,
            });
        }
        Ok(())
    }

    /// Returns the vertex or the edge whose score is at this place.
    fn item(&self, at: usize) -> Removed {
        if self.options.by == RemoveBy::Vertices {
            return Removed::Vertex(at as Vertex);
        }
        let csr = self.remains.graph.csr();
        let tail = csr.offsets().partition_point(|&first| first as usize <= at) - 1;
        Removed::Edge([tail as Vertex, csr.targets()[at]])
    }

    /// Computes the scores that the last removals changed, or all if none are known.
    fn search_changed(&mut self) -> Result<(), Error> {
        if self.settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let changed = self.changed.take().unwrap_or_else(|| self.remains.all());
        let Changed { vertices, graph } = changed;
        let scores = match graph.csr().arcs() {
            // Without edges only the ends of a path could lie on it.
            0 => vec![0.0; vertices.len()],
            _ => self.search(&graph)?,
        };
        if self.options.by == RemoveBy::Vertices {
            for (&v, score) in vertices.iter().zip(scores) {
                self.scores[v as usize] = Some(score);
            }
            return Ok(());
        }
        let csr = self.remains.graph.csr();
        for ([tail, head], score) in graph.ends().zip(scores) {
            let arc = csr.arc(vertices[tail as usize], vertices[head as usize]);
            self.scores[arc] = Some(score);
        }
        Ok(())
    }

    /// Returns the scores of a graph: of its edges, if edges are removed.
    fn search(&mut self, graph: &Graph) -> Result<Vec<f64>, Error> {
        let options = &self.settings.options;
        let size = size(graph);
        let may_choose = !options.asks_for_device() && options.cpu.workers != CpuWorkers::Count(0);
        if may_choose
            && size <= SMALL
            && options.cpu.options.engine.named().is_none()
            && let Some(scores) = search_here(&self.settings, graph)?
        {
            return Ok(scores);
        }
        let kind = (graph.directed(), graph.lengths().is_some());
        let for_cores = FOR_CORES[usize::from(kind.1)];
        let search = if may_choose && size <= for_cores {
            let mut settings = self.settings.clone();
            settings.options.devices = DeviceSelection::None;
            &mut Search::start(settings, kind.0, kind.1)?
        } else if let Some(search) = &mut self.search {
            search.renew();
            search
        } else {
            let search = Search::start(self.settings.clone(), kind.0, kind.1)?;
            self.search.insert(search)
        };
        let scores = search.run(graph)?;
        let record = scores.record();
        let texts = device_warnings(search.options(), &record.outcome);
        for text in record.warnings.iter().cloned().chain(texts) {
            if !self.warnings.contains(&text) {
                self.warnings.push(text);
            }
        }
        let (columns, edges) = scores.into_columns();
        let mut columns = edges.unwrap_or(columns);
        Ok(columns.swap_remove(0).values)
    }
}

impl Iterator for Removals {
    type Item = Result<Removal, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made.is_empty() && !self.has_ended {
            let is_small = self.remains.graph.csr().arcs() <= FEW_ARCS
                && self
                    .changed
                    .as_ref()
                    .is_some_and(|changed| size(&changed.graph) <= SMALL);
            let pool = self.one_thread.take();
            let result = match &pool {
                Some(pool) if is_small => pool.install(|| self.step()),
                _ => self.step(),
            };
            self.one_thread = pool;
            if let Err(error) = result {
                self.has_ended = true;
                // A driver may wait for work that never comes.
                drop(self.search.take_if(|_| !matches!(error, Error::Cancelled)));
                return Some(Err(error));
            }
        }
        self.made.pop_front().map(Ok)
    }
}

impl Drop for Removals {
    fn drop(&mut self) {
        if let Some(search) = self.search.take() {
            search.join();
        }
    }
}

/// Returns an estimate of the work of a search.
fn size(graph: &Graph) -> u64 {
    graph.vertices() as u64 * graph.csr().arcs() as u64
}

/// Searches a small graph on this thread. Returns `None` if its engine cannot.
fn search_here(settings: &Betweenness, graph: &Graph) -> Result<Option<Vec<f64>>, Error> {
    let prepared = settings.prepared(graph, When::Never, &mut Vec::new())?;
    let mut sums = prepared.zero_sums();
    if !prepared.roots.is_empty() {
        let options = settings.options.cpu_request().options;
        let budget = WorkerBudget::for_all_roots(&prepared, 1);
        let plan = match prepared.count_edges {
            // Lanes take longer to add up sums of few arcs.
            true => CpuPlan::root_by_root(&prepared),
            false => cpu::plan(&prepared, &options, budget),
        };
        let mut engine = cpu::engine(&prepared, &plan);
        if feed(&mut engine, &prepared.roots, &mut sums).is_err() {
            return Ok(None);
        }
    }
    Ok(match &sums.arcs {
        Some(arcs) => prepared.edge_scores(graph, arcs, Scale::Pairs),
        None => Some(prepared.scores(&sums.vertices, Scale::Pairs)),
    })
}

/// Returns the places of the highest scores, at most `count`: first those that equal the highest
/// one within the tolerance of `brandes compare`, in their order, then the same of the others.
fn highest(scores: &[Option<f64>], count: usize, tolerance: f64) -> Vec<usize> {
    let places = scores.iter().enumerate();
    let mut all: Vec<(f64, usize)> = places
        .filter_map(|(at, score)| score.map(|score| (score, at)))
        .collect();
    let falling = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0);
    let equals = |high: f64, low: f64| high - low <= tolerance * (1.0 + high);
    if count < all.len() {
        let last = all.select_nth_unstable_by(count - 1, falling).1.0;
        all.retain(|&(score, _)| score >= last || equals(last, score));
    }
    all.sort_unstable_by(falling);
    let mut first = 0;
    while first < all.len().min(count) {
        let high = all[first].0;
        let tied = all[first..].partition_point(|&(score, _)| equals(high, score));
        all[first..first + tied].sort_unstable_by_key(|&(_, at)| at);
        first += tied;
    }
    all.truncate(count);
    all.into_iter().map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_are_taken_in_their_order() {
        let scores = [
            Some(1.0),
            Some(3.0 - 1e-12),
            None,
            Some(3.0),
            Some(2.0),
            Some(2.0 + 1e-6),
        ];
        let chosen = |count| highest(&scores, count, 1e-9);
        assert_eq!(chosen(1), [1]);
        assert_eq!(chosen(3), [1, 3, 5]);
        assert_eq!(chosen(9), [1, 3, 5, 4, 0]);
        assert!(highest(&[None], 1, 1e-9).is_empty());
    }
}

//! Repeated removal of the vertices or edges of the highest scores. After each removal the scores
//! of the affected components are computed again.

mod remains;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::device::DeviceSelection;
use crate::error::{Error, refuse_given, refuse_if};
use crate::graph::{Graph, Vertex};
use crate::prepare::{Order, Reductions, RootSelection, Scale};
use crate::runner::{CpuWorkers, DriverState};
use crate::search::Betweenness;
use remains::Remains;

/// A search has one worker for each begun multiple of this product of vertices and arcs. More
/// threads would take longer to start than they save.
const WORK_OF_A_WORKER: u64 = 1 << 18;

/// The largest product of vertices and arcs, without and with lengths, for which a search uses
/// cores alone, unless options name devices.
const MOST_WORK_OF_CORES: [u64; 2] = [1 << 30, 1 << 26];

/// A graph of at most this number of arcs is prepared by one thread, since it takes longer to
/// distribute the work. Searches of such a graph have all reductions.
const FEW_ARCS: usize = 1 << 17;

/// If the reductions after folding take longer in a search than they save, this number of later
/// searches only fold, and keep the vertex order of that search.
const SEARCHES_UNTIL_RETRY: usize = 32;

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

impl RemoveBy {
    /// Returns the vertices of a graph, as both ends, or its edges in ascending order.
    pub fn items(self, graph: &Graph) -> Vec<[Vertex; 2]> {
        match self {
            RemoveBy::Vertices => (0..graph.vertices() as Vertex).map(|v| [v; 2]).collect(),
            RemoveBy::Edges => graph.ends().collect(),
        }
    }
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
    /// Removals end when there are at least this many components, after all of `known`.
    pub until: Option<usize>,
    /// The removals of an earlier run with the same `batch`, and their scores. They are repeated
    /// without searches, except for the last batch, which is compared.
    pub known: Vec<Scored>,
}

/// A removal, and the graph after all removals of its batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Removal {
    /// The ends of the edge as [`Graph::ends`] returns them, or the vertex as both ends.
    pub ends: [Vertex; 2],
    /// The score before the batch: a sum over pairs.
    pub score: f64,
    /// The number of removals so far.
    pub removed: usize,
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
    /// The vertices or edges that are left, and their scores.
    items: FxHashMap<[Vertex; 2], f64>,
    /// Removals that were made and not returned yet.
    made: VecDeque<Removal>,
    /// The number of all removals.
    count: usize,
    /// The largest modularity so far, and the communities that had it first; `None` if vertices are
    /// removed.
    pub best: Option<(f64, Vec<u32>)>,
    /// The distinct warnings of all searches, sorted.
    pub warnings: BTreeSet<String>,
    /// See [`FEW_ARCS`].
    one_thread: Option<Arc<ThreadPool>>,
    /// The number of coming searches of large graphs that only fold and keep the vertex order; see
    /// [`SEARCHES_UNTIL_RETRY`].
    searches_until_retry: usize,
}

impl Betweenness {
    /// Removes the vertices or edges of the highest scores from a graph, and computes the scores
    /// again, until nothing is left or the options say so. Scores that are equal but for rounding
    /// tie: the first vertex or edge of the graph is removed.
    ///
    /// ```
    /// use brandes::graph::generate;
    /// use brandes::{Betweenness, RemovalOptions};
    ///
    /// let path = generate::path(5)?.into();
    /// let steps = Betweenness::new().removals(path, RemovalOptions::default())?;
    /// let steps = steps.collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!((steps[0].ends, steps[0].score), ([2, 2], 4.0));
    /// assert_eq!((steps[0].components, steps[0].largest), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Settings`] if settings contradict each other or the graph. The iterator returns the
    /// errors of searches.
    pub fn removals(&self, graph: Arc<Graph>, options: RemovalOptions) -> Result<Removals, Error> {
        let mut settings = self.clone();
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
        refuse_if(
            options.steps.unwrap_or(usize::MAX) < options.known.len(),
            "`steps` is less than the number of removals in `resume`; leave one of the two out",
        )?;
        chosen.prepare.edges = options.by == RemoveBy::Edges;
        // 32-bit scores would break ties differently.
        chosen.device.no_fallback = true;
        settings.check(graph.directed(), graph.lengths().is_some())?;
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let items = options.by.items(&graph);
        let remains = Remains::new(graph);
        let best = (options.by == RemoveBy::Edges).then(|| remains.communities());
        Ok(Removals {
            settings,
            best,
            options,
            remains,
            items: items.into_iter().map(|ends| (ends, 0.0)).collect(),
            made: VecDeque::new(),
            count: 0,
            warnings: BTreeSet::new(),
            one_thread: pool.ok().map(Arc::new),
            searches_until_retry: 0,
        })
    }
}

impl Removals {
    /// Returns the present number of components.
    pub fn components(&self) -> usize {
        self.remains.found.count() - self.remains.removed_vertices
    }

    /// Returns the present component of each vertex, numbered from 0 in the order of their first
    /// vertices. A removed vertex has a number of its own.
    pub fn communities(&self) -> &[u32] {
        &self.remains.found.of
    }

    /// Removes a batch.
    fn step(&mut self) -> Result<(), Error> {
        let left = self.options.steps.unwrap_or(usize::MAX) - self.count;
        let batch = self.options.batch.unwrap_or(1).min(left);
        let until = self.options.until.unwrap_or(usize::MAX);
        // `until` ends new removals only.
        if batch == 0 || (self.options.known.is_empty() && self.components() >= until) {
            return Ok(());
        }
        if self.settings.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let known = &mut self.options.known;
        let known: Vec<Scored> = known.drain(..batch.min(known.len())).collect();
        let mut chosen = known.clone();
        if self.options.known.is_empty() {
            self.search_changed()?;
            chosen = self.highest(batch);
        }
        let same = |(old, new): (&Scored, &Scored)| old.0 == new.0 && self.equal(old.1, new.1);
        let agrees = known.len() <= chosen.len() && known.iter().zip(&chosen).all(same);
        // An item that occurs twice in a batch is gone the second time.
        let are_left = (chosen.iter()).all(|item| self.items.remove(&item.0).is_some());
        let text = format!(
            "the removals of `resume` after the first {} are not those of this graph; give graph \
             and options as before, or leave `resume` out",
            self.count
        );
        refuse_if(!agrees || !are_left, text)?;
        self.count += chosen.len();
        self.remains.remove(chosen.iter().map(|item| item.0));
        let new = self.best.is_some().then(|| self.remains.communities());
        let (modularity, components) = (new.as_ref().map(|new| new.0), self.components());
        if modularity > self.best.as_ref().map(|best| best.0) {
            self.best = new;
        }
        let removal = |(ends, score)| Removal {
            ends,
            score,
            removed: self.count,
            components,
            // 0 if no vertex is left.
            largest: self.remains.found.largest() as usize * components.min(1),
            modularity,
        };
        self.made.extend(chosen.into_iter().map(removal));
        Ok(())
    }

    /// Returns whether two scores are equal within the tolerance of `brandes compare`.
    fn equal(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= self.settings.options.device.precision.tolerance() * (1.0 + a.max(b))
    }

    /// Returns the items of the highest scores, in descending order. Each group of items that
    /// tie with its highest score is in ascending order of the items.
    fn highest(&self, count: usize) -> Vec<Scored> {
        let all = self.items.iter().map(|(&ends, &score)| (ends, score));
        let mut all: Vec<Scored> = all.collect();
        let descending = |a: &Scored, b: &Scored| b.1.total_cmp(&a.1);
        if count < all.len() {
            // Most scores are lower, and need not be sorted.
            let least = all.select_nth_unstable_by(count, descending).1.1;
            all.retain(|item| item.1 >= least || self.equal(item.1, least));
        }
        all.sort_unstable_by(descending);
        let mut highest = all.first().map_or(0.0, |item| item.1);
        let ties = all.chunk_by_mut(|_, item| {
            let is_tie = self.equal(highest, item.1);
            // An item that is no tie begins the next group.
            highest = if is_tie { highest } else { item.1 };
            is_tie
        });
        ties.for_each(|ties| ties.sort_unstable_by_key(|item| item.0));
        all.truncate(count);
        all
    }

    /// Computes the scores that removals have changed since the last search.
    fn search_changed(&mut self) -> Result<(), Error> {
        let (vertices, graph) = self.remains.take_changed();
        // A graph without arcs needs no search, and no device.
        let scores = match graph.csr().arcs() {
            0 => vec![0.0; vertices.len()],
            _ => self.search(&vertices, &graph)?,
        };
        let input_ends = |ends: [Vertex; 2]| {
            let mut ends = ends.map(|end| vertices[end as usize]);
            if !graph.directed() {
                ends.sort_unstable();
            }
            ends
        };
        let ends = self.options.by.items(&graph).into_iter().map(input_ends);
        self.items.extend(ends.zip(scores));
        Ok(())
    }

    /// Returns the scores of the vertices of a graph, or of its edges if edges are removed.
    /// `vertices` has the input vertex of each. Contexts and kernels of devices stay between
    /// searches.
    fn search(&mut self, vertices: &[Vertex], graph: &Graph) -> Result<Vec<f64>, Error> {
        let mut settings = self.settings.clone();
        let options = &mut settings.options;
        let size = graph.vertices() as u64 * graph.csr().arcs() as u64;
        let may_choose = !options.asks_for_device() && options.cpu.workers != CpuWorkers::Count(0);
        if may_choose && size <= MOST_WORK_OF_CORES[usize::from(graph.lengths().is_some())] {
            let workers = options.cpu.workers.most(num_cpus::get());
            let workers = workers.min(size.div_ceil(WORK_OF_A_WORKER) as usize);
            options.cpu.workers = CpuWorkers::Count(workers);
            options.devices = DeviceSelection::None;
        }
        // Measured times must not decide about the reductions of a reproducible run.
        let is_free = options.prepare.reduce == Reductions::default() && !options.reproducible;
        let may_skip_reductions = graph.csr().arcs() > FEW_ARCS && is_free;
        if may_skip_reductions && self.searches_until_retry > 0 {
            self.searches_until_retry -= 1;
            options.prepare.reduce.only_fold();
            options.prepare.order = Order::None;
        }
        let scores = settings.run(graph)?;
        let record = scores.record();
        let (prepared, times) = (&record.prepared, record.outcome.search);
        if may_skip_reductions && prepared.took_longer_than_saved(times) {
            self.searches_until_retry = SEARCHES_UNTIL_RETRY;
            let searched = 0..prepared.graph.vertices() as Vertex;
            let input_vertex = |v| vertices[prepared.input_vertex(v) as usize];
            self.remains.set_order(searched.map(input_vertex));
        }
        self.warnings.extend(record.warnings.iter().cloned());
        let mut drivers = record.outcome.drivers.iter();
        if drivers.any(|driver| driver.state == DriverState::Failed) {
            // A device that failed would probably fail again.
            self.settings.options.devices = DeviceSelection::None;
        }
        let (columns, edges) = scores.into_columns();
        Ok(edges.unwrap_or(columns).swap_remove(0).values)
    }
}

impl Iterator for Removals {
    type Item = Result<Removal, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made.is_empty() {
            let result = match self.one_thread.clone() {
                Some(pool) if self.remains.csr.arcs() <= FEW_ARCS => pool.install(|| self.step()),
                _ => self.step(),
            };
            if let Err(error) = result {
                // Ends the removals.
                self.options.steps = Some(self.count);
                return Some(Err(error));
            }
        }
        self.made.pop_front().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Csr, Lengths, generate};

    /// Returns a random graph of several components.
    fn graph(seed: u64, directed: bool, weighted: bool) -> Arc<Graph> {
        let random = generate::erdos_renyi(60, 75, seed).unwrap();
        let keeps = |tail: Vertex, head: Vertex| !directed || tail < head || head < 20;
        let csr = Csr::of_rows(60, |tail, add| {
            let heads = random.csr().neighbours(tail as Vertex).iter().copied();
            let heads = heads.filter(|&head| keeps(tail as Vertex, head));
            heads.for_each(add);
        });
        let length =
            |(tail, &head): (Vertex, &Vertex)| 1 + (tail.max(head) * 7 + tail.min(head)) % 4;
        let lengths = csr.tails().into_iter().zip(csr.targets()).map(length);
        let lengths = weighted.then(|| Lengths::U32(lengths.collect()));
        Arc::new(Graph::unlabelled(csr, lengths, directed))
    }

    #[test]
    fn removals_do_not_depend_on_the_order_of_vertices() {
        let cores = Betweenness::new().devices(DeviceSelection::None);
        for case in 0..32 {
            let bit = |place: u32| case >> place & 1 == 1;
            let graph = graph(case, bit(0), bit(1));
            let options = RemovalOptions {
                by: [RemoveBy::Vertices, RemoveBy::Edges][usize::from(bit(2))],
                batch: Some(1 + 2 * usize::from(bit(3))),
                ..RemovalOptions::default()
            };
            let expected = cores.removals(Arc::clone(&graph), options.clone()).unwrap();
            let expected: Vec<Removal> = expected.map(Result::unwrap).collect();
            let other = cores.clone().order(Order::None);
            let mut other = other.removals(graph, options).unwrap();
            for (step, expected) in (0..).zip(&expected) {
                // Some vertices are repeated, and others are missing.
                let order = (0..60 as Vertex).map(|v| (v * 7 + v % 2 + step) % 60);
                other.remains.set_order(order);
                let got = other.next().unwrap().unwrap();
                assert!((got.score - expected.score).abs() <= 1e-9 * (1.0 + expected.score));
                let score = expected.score;
                assert_eq!(Removal { score, ..got }, *expected, "case {case}");
            }
            assert!(other.next().is_none());
        }
    }
}

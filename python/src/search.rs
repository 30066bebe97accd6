//! Runs searches with the arguments of the Python functions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use brandes::graph::{self, Source, Vertex};
use brandes::report::{Report, Timeline};
use brandes::{
    Betweenness, CancelToken, Column, CpuWorkers, DeviceSelection, Error, Estimate, Part, PartSums,
    Precision, Query, Reductions, RootSelection, Strategy,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors::{self, check_memory, search_error};
use crate::graph::{Graph, size};
use crate::outstanding::Outstanding;
use crate::query::source_count;
use crate::running::{Size, interruptible};
use crate::threads::forked;

/// The largest search, in sources times arcs, for which `device="auto"` uses no device. Cores
/// finish it in less than the second that finding a device and compiling its kernels may take.
const SMALL: u64 = 1 << 30;

/// The limit for graphs with lengths, which cores search more slowly.
const SMALL_WEIGHTED: u64 = 1 << 26;

/// The largest search, in sources times arcs, that takes milliseconds (tens of milliseconds with
/// lengths) and therefore need not be interruptible.
const TINY: u64 = 1 << 21;

/// The largest search, in sources times arcs, that one thread finishes in less time than it takes
/// to start more.
const FOR_ONE: u64 = 1 << 17;

/// The settings of a search.
pub struct SearchRequest<'a> {
    pub endpoints: bool,
    pub edges: bool,
    /// The vertices to search from; `None` means all.
    pub sources: Option<Vec<Vertex>>,
    /// The measures and pairs; `None` for the betweenness of all pairs. With `sources` the graph is
    /// renumbered, so the query then has no weights of vertices.
    pub query: Option<Query>,
    /// The options of an estimate; `None` for exact scores.
    pub estimate: Option<Estimate>,
    pub device: &'a str,
    pub cpu_workers: Option<usize>,
    pub strategy: &'a str,
    pub precision: &'a str,
    pub verify: u32,
    pub device_timeout: Option<u32>,
    pub reproducible: bool,
    pub reduce: Reductions,
    /// The checkpoint file, and the time between two checkpoints.
    pub checkpoint: Option<(PathBuf, Duration)>,
    /// The part of the roots to search, and the file to write its sums to; `None` means all roots.
    pub part: Option<(Part, PathBuf)>,
}

/// The name of a measure with its radius, and its values.
pub type NamedColumn = (String, Vec<f64>);

/// A function that takes the vertex order of the searched graph and its values, and returns the
/// values in the order of the input graph.
type InInputOrder<'f> = dyn Fn(&[Vertex], &[f64]) -> Vec<f64> + 'f;

/// The result of a search. Values of betweenness are sums over pairs; in undirected graphs each
/// unordered pair counts once. Estimates are normalised, and followed by the columns `lower` and
/// `upper` of their intervals.
pub struct SearchResult {
    pub columns: Vec<NamedColumn>,
    /// The columns of edges, one value per edge in the order of `Graph.edges`.
    pub edges: Option<Vec<NamedColumn>>,
    /// The report, whose times are seconds since the call.
    pub report: Report,
}

/// The report of a search. Its text is made on request, because that takes a part of the time of
/// searching a small graph.
#[pyclass(frozen, module = "brandes._core")]
pub struct SearchReport(pub Report);

#[pymethods]
impl SearchReport {
    /// Returns the report as JSON without the fields about scores, because Python scales the scores
    /// later.
    fn __call__(&self) -> PyResult<String> {
        let text = self.json();
        text.map_err(|error| errors::Error::new_err(error.to_string()))
    }
}

impl SearchReport {
    fn json(&self) -> serde_json::Result<String> {
        let mut report = serde_json::to_value(&self.0)?;
        for (part, names) in [
            ("", ["results", "distributions"]),
            ("/checks", ["score_sum", "score_max"]),
        ] {
            let fields = report.pointer_mut(part).and_then(Value::as_object_mut);
            if let Some(fields) = fields {
                fields.retain(|name, _| !names.contains(&name.as_str()));
            }
        }
        // A graph that was not read has no file.
        if report["input"]["path"] == "" {
            for name in ["path", "bytes", "format"] {
                report["input"][name] = Value::Null;
            }
        }
        serde_json::to_string(&report)
    }
}

/// The progress of a search, in roots.
#[derive(Default)]
struct Progress {
    done: AtomicUsize,
    roots: AtomicUsize,
}

impl SearchRequest<'_> {
    /// Runs the search. Calls `progress` with the number of roots searched and the number of all
    /// roots.
    pub fn search(
        self,
        py: Python<'_>,
        input: &Graph,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SearchResult> {
        let began = Instant::now();
        let cancel = CancelToken::default();
        let so_far = Arc::new(Progress::default());
        let (graph, source) = (Arc::clone(&input.graph), input.source.clone());
        let order = self.sources.as_deref().map(|list| order(list, &graph));
        let order = order.transpose()?;
        check_memory(preparation_bytes(&graph, order.is_some()))?;
        let (mut betweenness, touches_devices) = self.settings(&graph)?;
        let sums = self.part.as_ref().map(|(_, path)| path.clone());
        if let Some(path) = &sums {
            // A file that cannot be written is an error before the search, not after it.
            PartSums::create(path).map_err(|error| search_error(&error))?;
        }
        let size = match touches_devices || progress.is_some() || self.steps(&graph) > TINY {
            true if self.checkpoint.is_some() => Size::Saving,
            true => Size::Any,
            false => size(graph.vertices(), graph.csr().arcs()),
        };
        betweenness = betweenness.cancel(&cancel);
        if progress.is_some() {
            let so_far = Arc::clone(&so_far);
            betweenness = betweenness.on_progress(move |now| {
                so_far.roots.store(now.roots, Relaxed);
                so_far.done.store(now.done, Relaxed);
            });
        }
        let mut reported = usize::MAX;
        let poll = |_: Python<'_>| -> PyResult<()> {
            let (done, roots) = (so_far.done.load(Relaxed), so_far.roots.load(Relaxed));
            if let Some(progress) = progress.filter(|_| roots > 0 && done != reported) {
                reported = done;
                progress.call1((done, roots))?;
            }
            Ok(())
        };
        let work = move || {
            let outstanding = touches_devices.then(Outstanding::new);
            let source = source.as_deref();
            let settings = (&betweenness, sums.as_deref());
            let (found, search) = search(settings, &graph, order, source, began);
            // After other errors a driver thread may wait for work that never comes, so joining it
            // would block.
            let joins = matches!(found, Ok(_) | Err(Error::Cancelled));
            let after = move || {
                if let Some(search) = search.filter(|_| joins) {
                    search.join();
                }
                drop(outstanding);
            };
            (found, after)
        };
        let found = interruptible(py, size, &cancel, poll, work)?;
        let found = found.map_err(|error| search_error(&error))?;
        if let Some(progress) = progress {
            let roots = found.report.prepared.roots;
            progress.call1((roots, roots))?;
        }
        Ok(found)
    }

    /// Returns the size of the search: sources times arcs.
    fn steps(&self, graph: &graph::Graph) -> u64 {
        let sources = match (&self.sources, &self.query) {
            (Some(sources), _) => sources.len(),
            (None, Some(query)) => source_count(query, graph),
            (None, None) => graph.vertices(),
        };
        (sources as u64).saturating_mul(graph.csr().arcs() as u64)
    }

    /// Returns the library's settings, and whether the search looks for devices.
    fn settings(&self, graph: &graph::Graph) -> PyResult<(Betweenness, bool)> {
        let steps = self.steps(graph);
        let small = graph.lengths().map_or(SMALL, |_| SMALL_WEIGHTED);
        let device = self.device.parse();
        let device = device.map_err(PyValueError::new_err::<String>)?;
        let strategy = self.strategy.parse();
        let strategy = strategy.map_err(PyValueError::new_err::<String>)?;
        let precision = match self.precision {
            "auto" => None,
            "f64" => Some(Precision::F64),
            "mixed" => Some(Precision::Mixed),
            "f32" => Some(Precision::F32),
            other => {
                let text = format!(
                    "precision is {other:?}, but has to be 'auto', 'f64', 'mixed' or 'f32'"
                );
                return Err(PyValueError::new_err(text));
            }
        };
        let plain = strategy == Strategy::Auto
            && precision.is_none_or(|precision| precision == Precision::F64)
            && self.verify == 0
            && self.device_timeout.is_none()
            && !self.reproducible
            && self.cpu_workers != Some(0);
        let device = match device {
            DeviceSelection::Auto if plain && (steps <= small || forked()) => DeviceSelection::None,
            device => device,
        };
        let touches = device != DeviceSelection::None;
        let mut betweenness = Betweenness::new()
            .devices(device)
            .strategy(strategy)
            .verify(self.verify)
            .endpoints(self.endpoints)
            .edges(self.edges)
            .reproducible(self.reproducible)
            .reduce(self.reduce)
            .query(self.query.clone().unwrap_or_default())
            .cpu_workers(match self.cpu_workers {
                None if plain && steps <= FOR_ONE => CpuWorkers::Count(1),
                None => CpuWorkers::Auto,
                Some(count) => CpuWorkers::Count(count),
            });
        if let Some(seconds) = self.device_timeout {
            betweenness = betweenness.device_timeout(seconds);
        }
        if let Some(precision) = precision {
            betweenness = betweenness.precision(precision);
        }
        if let Some(options) = self.estimate {
            betweenness = betweenness.estimate(options);
        }
        if let Some((part, _)) = self.part {
            betweenness = betweenness.part(part);
        }
        if let Some((path, every)) = &self.checkpoint {
            betweenness = betweenness.checkpoint(path, *every);
        }
        if let Some(sources) = &self.sources {
            // The searched graph is renumbered so that the sources come first.
            betweenness = betweenness.roots(RootSelection::Range {
                first: 0,
                last: sources.len() as u64,
            });
        }
        Ok((betweenness, touches))
    }
}

/// Returns a lower bound of the bytes that preparing a graph takes.
fn preparation_bytes(graph: &graph::Graph, reordered: bool) -> usize {
    let lengths = graph.lengths().map_or(0, |lengths| lengths.bytes());
    let copies = 1 + usize::from(reordered) + 2 * usize::from(graph.directed());
    let arrays = graph.csr().bytes().saturating_add(lengths);
    let vertices = graph.vertices().saturating_mul(100);
    arrays.saturating_mul(copies).saturating_add(vertices)
}

/// Returns all vertices: first the sources in the order given, then the others.
///
/// # Errors
/// Returns a `ValueError` if a source is not a vertex or is listed twice.
fn order(sources: &[Vertex], graph: &graph::Graph) -> PyResult<Vec<Vertex>> {
    let vertices = graph.vertices();
    let mut chosen = vec![false; vertices];
    for &source in sources {
        match chosen.get_mut(source as usize) {
            None => {
                let text = format!("source {source} is not among the {vertices} vertices");
                return Err(PyValueError::new_err(text));
            }
            Some(true) => {
                let text = format!("source {source} is listed twice");
                return Err(PyValueError::new_err(text));
            }
            Some(place) => *place = true,
        }
    }
    let others = (0..vertices as Vertex).filter(|&v| !chosen[v as usize]);
    Ok(sources.iter().copied().chain(others).collect())
}

/// Searches the graph, and writes the sums to the file `sums` if there is one. Returns the result,
/// and the search, whose driver threads may still be running.
fn search(
    (betweenness, sums): (&Betweenness, Option<&Path>),
    graph: &graph::Graph,
    order: Option<Vec<Vertex>>,
    source: Option<&Source>,
    began: Instant,
) -> (Result<SearchResult, Error>, Option<brandes::Search>) {
    let search = match betweenness.start(graph.directed(), graph.lengths().is_some()) {
        Ok(search) => search,
        Err(error) => return (Err(error), None),
    };
    let reordered = order.as_deref().map(|order| graph.reordered(order));
    let searched = reordered.as_ref().unwrap_or(graph);
    let found = search.run(searched).and_then(|scores| {
        if let Some((path, part)) = sums.zip(scores.part(searched)) {
            part.write(path)?;
        }
        let (record, timeline) = (scores.record(), Timeline::new(began));
        let warnings = record.warnings.clone();
        let source = source.cloned().unwrap_or_default();
        let (input, options) = ((graph, &source), (search.options(), None));
        let report = Report::new(input, options, (&scores, 0), timeline, warnings);
        record.remove_checkpoint();
        let interval = scores.estimated().cloned();
        let (vertices, edges) = scores.into_columns();
        let named = |columns: Vec<Column>, back: &InInputOrder<'_>| {
            let named = columns.into_iter().map(|column| match &order {
                None => (column.name(), column.values),
                Some(order) => (column.name(), back(order, &column.values)),
            });
            named.collect::<Vec<NamedColumn>>()
        };
        let edges_back =
            |order: &[Vertex], values: &[f64]| edges_back(graph, searched, order, values);
        let mut columns = named(vertices, &vertices_back);
        columns.extend(interval.into_iter().flat_map(|interval| {
            let ends = [("lower", interval.lower), ("upper", interval.upper)];
            ends.map(|(name, ends)| (name.to_string(), ends))
        }));
        Ok(SearchResult {
            columns,
            edges: edges.map(|columns| named(columns, &edges_back)),
            report,
        })
    });
    (found, Some(search))
}

/// Returns the scores in the vertex order of the input graph, where `order[v]` is the vertex of
/// score v.
fn vertices_back(order: &[Vertex], scores: &[f64]) -> Vec<f64> {
    let mut back = vec![0.0; scores.len()];
    for (&vertex, &score) in order.iter().zip(scores) {
        back[vertex as usize] = score;
    }
    back
}

/// Returns the scores of edges in the edge order of the input graph.
fn edges_back(
    graph: &graph::Graph,
    searched: &graph::Graph,
    order: &[Vertex],
    scores: &[f64],
) -> Vec<f64> {
    let csr = graph.csr();
    // In undirected graphs, only the arc to the larger end stands for the edge. `skipped[v]` is the
    // number of other arcs before row v.
    let mut skipped = vec![0usize; csr.vertices() + 1];
    if !graph.directed() {
        for v in 0..csr.vertices() {
            let smaller = csr
                .neighbours(v as Vertex)
                .partition_point(|&u| (u as usize) < v);
            skipped[v + 1] = skipped[v] + smaller;
        }
    }
    let mut back = vec![0.0; scores.len()];
    let mut remaining = scores.iter();
    searched.for_each_edge(|tail, head| {
        let (tail, head) = (order[tail as usize], order[head as usize]);
        let (tail, head) = match graph.directed() {
            true => (tail, head),
            false => (tail.min(head), tail.max(head)),
        };
        let place = csr.arc(tail, head) - skipped[tail as usize + usize::from(!graph.directed())];
        if let (Some(place), Some(&score)) = (back.get_mut(place), remaining.next()) {
            *place = score;
        }
    });
    back
}

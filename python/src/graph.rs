//! Graphs as Python objects. A graph is built from arrays or read from a file once, and can be
//! searched any number of times.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use brandes::graph::{
    self, Column, Columns, EdgeListOptions, LabelChoice, Labels, NamedScores, ReadOptions, Source,
    Vertex, WeightChoice, WeightIs, WeightOptions, read,
};
use brandes::output::Output;
use brandes::{CancelToken, Estimate, Part};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{ids, positions, weights as read_weights};
use crate::errors::{Error, arrays_error, check_memory, in_python, search_error};
use crate::labels::labels;
use crate::numbering::{EndLabels, number};
use crate::query::{EstimateItems, QueryItems};
use crate::running::{Size, interruptible};
use crate::search::SearchReport;

/// A graph that can be searched.
#[pyclass(frozen, module = "brandes._core")]
pub struct Graph {
    pub graph: Arc<graph::Graph>,
    /// The file that the graph was read from; `None` for graphs from arrays.
    pub source: Option<Arc<Source>>,
}

/// The vertices of a graph, as the caller declared them.
enum Vertices {
    /// The graph has this many vertices. Their labels are their numbers, from 0.
    Count(usize),
    /// The vertices have these labels, in this order.
    Listed(Vec<u64>),
    /// The vertices are those that edges name, in ascending order of their labels.
    Named,
}

/// The properties of a graph, except its vertices and entries.
struct Kind {
    directed: bool,
    weights: Option<(Vec<f64>, WeightIs)>,
}

/// Parses the argument `weight_is`.
fn meaning(name: &str) -> PyResult<WeightIs> {
    match name {
        "length" => Ok(WeightIs::Length),
        "similarity" => Ok(WeightIs::Similarity),
        other => Err(PyValueError::new_err(format!(
            "weight_is is {other:?}, but has to be 'length' or 'similarity'"
        ))),
    }
}

/// The columns of a file that are read.
#[derive(FromPyObject)]
pub enum ChosenColumns {
    /// Assignments as on the command line.
    Text(String),
    /// The sources, the targets and perhaps the weights.
    List(Vec<ChosenColumn>),
}

/// A column of a file: its number from 1, or its name.
#[derive(FromPyObject)]
pub enum ChosenColumn {
    Number(usize),
    Name(String),
}

impl ChosenColumns {
    fn columns(self) -> PyResult<Columns> {
        let list = match self {
            ChosenColumns::Text(text) => return parsed("columns", &text),
            ChosenColumns::List(list) => list,
        };
        let mut list = list.into_iter().map(|column| match column {
            ChosenColumn::Number(number) => Column::Number(number),
            ChosenColumn::Name(name) => Column::Name(name),
        });
        match (list.next(), list.next(), list.next(), list.next()) {
            (Some(source), Some(target), weight, None) => Ok(Columns {
                source,
                target,
                weight,
            }),
            _ => Err(PyValueError::new_err(
                "columns has to be the columns of sources, of targets and perhaps of weights",
            )),
        }
    }
}

/// Finds the columns of sources, targets and weights in a table of CSV with a header, and what may
/// be wrong about them.
#[pyfunction]
#[pyo3(signature = (table, columns))]
pub fn find_ends(
    table: &[u8],
    columns: Option<ChosenColumns>,
) -> PyResult<(Vec<usize>, Vec<String>)> {
    let columns = columns.map(ChosenColumns::columns).transpose()?;
    let found = graph::find_ends(table, columns);
    let ([source, target], weight, warnings) =
        found.map_err(|error| PyValueError::new_err(in_python(&error.to_string())))?;
    let found = [source, target].into_iter().chain(weight);
    let warnings = warnings.iter().map(|text| in_python(text));
    Ok((found.collect(), warnings.collect()))
}

/// Parses the text of the argument `name`.
fn parsed<T: FromStr<Err = String>>(name: &str, text: &str) -> PyResult<T> {
    let parsed = text.parse();
    parsed.map_err(|reason| PyValueError::new_err(format!("{name}: {reason}")))
}

/// Parses the argument `vertices`: `None`, the number of vertices, or an array of their labels.
fn vertices(declared: Option<&Bound<'_, PyAny>>) -> PyResult<Vertices> {
    let Some(declared) = declared else {
        return Ok(Vertices::Named);
    };
    if declared.hasattr("dtype")? {
        return Ok(Vertices::Listed(match ids("vertices", declared)? {
            EndLabels::Narrow(labels) => labels.into_iter().map(u64::from).collect(),
            EndLabels::Wide(labels) => labels,
        }));
    }
    if let Ok(count) = declared.extract() {
        return Ok(Vertices::Count(count));
    }
    let text = format!("{declared} is not a number of vertices that a graph can have");
    Err(PyValueError::new_err(text))
}

/// The largest number of vertices, and of edges or arcs, of a small graph.
const MAX_SMALL: usize = 1 << 15;

/// Returns the size of the work on a graph with this many vertices and arcs.
pub fn size(vertices: usize, arcs: usize) -> Size {
    match vertices.max(arcs) <= MAX_SMALL {
        true => Size::Small,
        false => Size::Any,
    }
}

/// Returns both ends of each edge.
fn zipped(tails: Vec<Vertex>, heads: Vec<Vertex>) -> PyResult<Vec<[Vertex; 2]>> {
    if tails.len() != heads.len() {
        let text = "there are more sources or more targets (give each edge one of each)";
        return Err(PyValueError::new_err(text));
    }
    let ends = tails.into_iter().zip(heads);
    Ok(ends.map(|(tail, head)| [tail, head]).collect())
}

/// Builds a graph of `count` edges on a separate thread, which calls `entries` for the entries and
/// the vertex labels. `vertices` is the declared number of vertices, or 0.
fn build(
    py: Python<'_>,
    (vertices, count): (usize, usize),
    kind: Kind,
    entries: impl FnOnce() -> PyResult<(Vec<[Vertex; 2]>, Labels)> + Send + 'static,
) -> PyResult<Graph> {
    // At its peak, building holds the list of edges, both arcs of each, and weights as decimals.
    let weight = if kind.weights.is_some() { 56 } else { 0 };
    check_memory(count.saturating_mul(16 + weight))?;
    let make = move || {
        let (entries, labels) = entries()?;
        let Kind { directed, weights } = kind;
        let graph = graph::Graph::from_arrays(labels.len(), entries, weights, directed);
        let graph = graph.map_err(|error| arrays_error(&error))?;
        Ok(Graph {
            graph: Arc::new(graph.labelled(labels)),
            source: None,
        })
    };
    let size = size(vertices, count);
    let work = move || (make(), || ());
    interruptible(py, size, &CancelToken::default(), |_| Ok(()), work)?
}

#[pymethods]
impl Graph {
    /// Builds a graph from both ends of each edge. If `vertices` is a number, the ends are numbers
    /// below it; if it is an array of all labels, or `None`, they are labels.
    #[staticmethod]
    #[pyo3(signature = (tails, heads, weights, *, vertices, directed, weight_is))]
    fn pairs(
        tails: &Bound<'_, PyAny>,
        heads: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        vertices: Option<&Bound<'_, PyAny>>,
        directed: bool,
        weight_is: &str,
    ) -> PyResult<Graph> {
        let meaning = meaning(weight_is)?;
        let py = tails.py();
        let vertices = self::vertices(vertices)?;
        let weights = weights.map(read_weights).transpose()?;
        let kind = Kind {
            directed,
            weights: weights.map(|list| (list, meaning)),
        };
        if let Vertices::Count(count) = vertices {
            let tails = positions("sources", tails)?;
            let heads = positions("targets", heads)?;
            return build(py, (count, tails.len()), kind, move || {
                Ok((zipped(tails, heads)?, Labels::consecutive(0, count)))
            });
        }
        let listed = match vertices {
            Vertices::Listed(labels) => Some(labels),
            Vertices::Count(_) | Vertices::Named => None,
        };
        let (tails, heads) = (ids("sources", tails)?, ids("targets", heads)?);
        let declared = listed.as_ref().map_or(0, Vec::len);
        build(py, (declared, tails.len()), kind, move || {
            let (tails, heads, labels) = number(tails, heads, listed)?;
            Ok((zipped(tails, heads)?, labels))
        })
    }

    /// Reads a graph from a file. `weight` is `None`, `True` (the format's usual place), the number
    /// of a column from 1, or the name of a column or attribute. `labels` is `None`, "id" or the
    /// name of an attribute of vertices. `vertex_weights` names the attribute of their weights. All
    /// other arguments are those of the command line.
    #[staticmethod]
    #[pyo3(signature = (path, *, directed, weight, weight_is, default_weight, labels,
        vertex_weights, format, columns, header, delimiter, vertices))]
    #[expect(
        clippy::too_many_arguments,
        reason = "these are the arguments of the Python function"
    )]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        directed: bool,
        weight: Option<&Bound<'_, PyAny>>,
        weight_is: &str,
        default_weight: Option<f64>,
        labels: Option<&str>,
        vertex_weights: Option<String>,
        format: &str,
        columns: Option<ChosenColumns>,
        header: Option<bool>,
        delimiter: Option<&str>,
        vertices: Option<u64>,
    ) -> PyResult<Graph> {
        let meaning = meaning(weight_is)?;
        let choice = |weight: &Bound<'_, PyAny>| -> PyResult<Option<WeightChoice>> {
            if let Ok(usual) = weight.extract::<bool>() {
                return Ok(usual.then_some(WeightChoice::Usual));
            }
            let column = weight.extract::<usize>().map(WeightChoice::Column);
            column
                .or_else(|_| weight.extract::<String>().map(WeightChoice::Named))
                .map(Some)
        };
        let choice = weight.map(choice).transpose()?.flatten();
        let options = ReadOptions {
            directed,
            weights: choice.map(|choice| WeightOptions {
                choice,
                meaning,
                default: default_weight,
            }),
            labels: match labels {
                None => LabelChoice::Usual,
                Some("id") => LabelChoice::Id,
                Some(name) => LabelChoice::Named(name.into()),
            },
            vertex_weights,
            format: serde_json::from_value(format.into())
                .map_err(|error| PyValueError::new_err(format!("format: {error}")))?,
            edge_list: EdgeListOptions {
                delimiter: delimiter
                    .map(|text| parsed("delimiter", text))
                    .transpose()?,
                header,
                columns: columns.map(ChosenColumns::columns).transpose()?,
                vertices,
            },
            ..ReadOptions::default()
        };
        let work = move || (read(&path, &options), || ());
        let result = interruptible(py, Size::Any, &CancelToken::default(), |_| Ok(()), work)?;
        match result {
            Ok((graph, source)) => Ok(Graph {
                graph: Arc::new(graph),
                source: Some(Arc::new(source)),
            }),
            Err(error) => Err(search_error(&error.into())),
        }
    }

    /// Copies the GraphML or GEXF file that the graph was read from to `path`, and adds these
    /// scores to vertices and edges as an attribute of this name.
    #[pyo3(signature = (path, name, vertices, edges))]
    fn write_scored(
        &self,
        py: Python<'_>,
        path: PathBuf,
        name: &str,
        vertices: PyReadonlyArray1<'_, f64>,
        edges: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let Some(source) = self.source.as_ref().filter(|s| s.can_be_copied()) else {
            return Err(PyValueError::new_err(
                "the graph was not read from a GraphML or GEXF file, so there is no file to copy",
            ));
        };
        // Other Python threads may write to the arrays while this one is detached.
        let vertices = vertices.to_vec()?;
        let edges = edges.map(|edges| edges.to_vec()).transpose()?;
        let written = py.detach(|| {
            let named = |scores| (name.to_string(), scores);
            let vertices = [named(vertices.as_slice())];
            let edges: Vec<NamedScores> = edges.iter().map(|edges| named(edges)).collect();
            let mut out = Output::open(&path)?;
            out.write(|out| source.write_scored(&self.graph, (&vertices, &edges), out))?;
            out.finish()
        });
        written.map_err(|error| Error::new_err(error.to_string()))
    }

    /// Returns the vertex labels as a range, an array or a list.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        labels(py, self.graph.labels())
    }

    /// Returns the tails and the heads of all edges, as two arrays of int64 that are sorted by
    /// tail, then by head. In undirected graphs the tail is the smaller end.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (mut tails, mut heads) = (Vec::new(), Vec::new());
        let count = self.graph.edges();
        let room = tails.try_reserve_exact(count);
        if room.and_then(|()| heads.try_reserve_exact(count)).is_err() {
            return Err(PyMemoryError::new_err("there is no memory for the edges"));
        }
        self.graph.for_each_edge(|tail, head| {
            tails.push(i64::from(tail));
            heads.push(i64::from(head));
        });
        PyTuple::new(py, [tails.into_pyarray(py), heads.into_pyarray(py)])
    }

    #[getter]
    fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    #[getter]
    fn directed(&self) -> bool {
        self.graph.directed()
    }

    /// The assumptions of the reader of the file, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let source = self.source.iter();
        let notes = source.flat_map(|source| {
            let texts = source.warnings.iter().chain(&source.notes);
            texts.map(move |text| (source, text))
        });
        notes
            .map(|(source, note)| format!("{}: {}", source.path, in_python(note)))
            .collect()
    }

    /// Whether the file states weights that the graph ignores.
    #[getter]
    fn weights_dropped(&self) -> bool {
        self.graph.simplified().weights_dropped
    }

    /// Whether the input states directions that the graph ignores.
    #[getter]
    fn symmetrised(&self) -> bool {
        self.graph.simplified().symmetrised
    }

    /// The weights of vertices in the file, in the order of the labels.
    #[getter]
    fn vertex_weights<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let weights = self.source.as_ref()?.vertex_weights.as_ref()?;
        Some(PyArray1::from_slice(py, weights))
    }

    #[getter]
    fn weighted(&self) -> bool {
        self.graph.lengths().is_some()
    }

    /// Searches the graph (`search.rs`). Returns the columns of vertices, the columns of edges or
    /// `None`, a function that returns the report as JSON, and the warnings. A column is a pair of a name and an array.
    #[pyo3(signature = (*, endpoints, edges, sources, query, estimate, device, cpu_workers,
        strategy, precision, verify, device_timeout, reproducible, reduce, checkpoint, progress, part))]
    #[expect(
        clippy::too_many_arguments,
        reason = "these are the arguments of the Python function"
    )]
    fn search<'py>(
        &self,
        py: Python<'py>,
        endpoints: bool,
        edges: bool,
        sources: Option<&Bound<'py, PyAny>>,
        query: Option<QueryItems<'py>>,
        estimate: Option<EstimateItems>,
        device: &str,
        cpu_workers: Option<usize>,
        strategy: &str,
        precision: &str,
        verify: u32,
        device_timeout: Option<u32>,
        reproducible: bool,
        reduce: &str,
        checkpoint: Option<(PathBuf, f64)>,
        progress: Option<&Bound<'py, PyAny>>,
        part: Option<(u32, u32, PathBuf)>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let part = part.map(|(number, of, path)| {
            let part = Part::new(number, of)
                .ok_or_else(|| PyValueError::new_err(format!("there is no part {number} of {of}")));
            part.map(|part| (part, path))
        });
        let checkpoint = checkpoint.map(|(path, seconds)| {
            let every = Duration::try_from_secs_f64(seconds).ok();
            let every = every.filter(|every| !every.is_zero());
            every.map(|every| (path, every)).ok_or_else(|| {
                let text = format!("checkpoint_every is {seconds}, but has to be above 0");
                PyValueError::new_err(text)
            })
        });
        let estimate = estimate.map(|(epsilon, confidence, seed, draws, top, seconds)| {
            let draws = draws.map(|text| {
                let unknown = format!("'{text}' cannot be drawn; use sources or paths");
                serde_json::from_value(text.into()).map_err(|_| PyValueError::new_err(unknown))
            });
            let time = seconds.map(|seconds| {
                Duration::try_from_secs_f64(seconds).map_err(|_| {
                    let text = format!("time is {seconds}, but has to be a number of seconds");
                    PyValueError::new_err(text)
                })
            });
            PyResult::Ok(Estimate {
                epsilon,
                confidence,
                seed,
                draws: draws.transpose()?,
                top,
                time: time.transpose()?,
            })
        });
        let request = crate::search::SearchRequest {
            estimate: estimate.transpose()?,
            reproducible,
            reduce: reduce.parse().map_err(PyValueError::new_err::<String>)?,
            checkpoint: checkpoint.transpose()?,
            endpoints,
            edges,
            sources: sources.map(|list| positions("sources", list)).transpose()?,
            query: query.as_ref().map(QueryItems::query).transpose()?,
            device,
            cpu_workers,
            strategy,
            precision,
            verify,
            device_timeout,
            part: part.transpose()?,
        };
        let found = request.search(py, self, progress)?;
        let arrays = |columns: Vec<(String, Vec<f64>)>| -> Vec<_> {
            let columns = columns.into_iter();
            columns
                .map(|(name, values)| (name, values.into_pyarray(py)))
                .collect()
        };
        let columns = arrays(found.columns);
        let edges = found.edges.map(arrays);
        let warnings = found.report.checks.warnings.iter();
        let warnings: Vec<String> = warnings.map(|text| in_python(text)).collect();
        (columns, edges, SearchReport(found.report), warnings).into_pyobject(py)
    }
}

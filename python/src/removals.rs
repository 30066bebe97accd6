//! Removals with the arguments of the Python functions.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use brandes::{Betweenness, CancelToken, CpuWorkers, DeviceSelection, RemovalOptions, RemoveBy};
use numpy::{PyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{Error, in_python, search_error};
use crate::graph::{Graph, size};
use crate::running::interruptible;
use crate::threads::forked;

/// The time after which removals are handed to Python.
const PERIOD: Duration = Duration::from_millis(20);

/// Both ends of an edge, or a vertex twice; then the score, the number of components, the size of
/// the largest one, and modularity.
type Row = ((u32, u32), f64, usize, usize, Option<f64>);

/// Removals from a graph.
#[pyclass(frozen, module = "brandes._core")]
pub struct Removals {
    /// `None` after an error.
    removals: Mutex<Option<brandes::Removals>>,
    cancel: CancelToken,
    /// The numbers of vertices and arcs.
    size: (usize, usize),
}

#[pymethods]
impl Removals {
    #[new]
    #[pyo3(signature = (graph, *, edges, batch, steps, until, device, cpu_workers))]
    fn new(
        graph: &Graph,
        edges: bool,
        batch: usize,
        steps: Option<usize>,
        until: Option<usize>,
        device: &str,
        cpu_workers: Option<usize>,
    ) -> PyResult<Removals> {
        let device = device.parse().map_err(PyValueError::new_err::<String>)?;
        let device = match device {
            DeviceSelection::Auto if forked() => DeviceSelection::None,
            device => device,
        };
        let cancel = CancelToken::default();
        let search = Betweenness::new().devices(device).cancel(&cancel);
        let search = search.cpu_workers(cpu_workers.map_or(CpuWorkers::Auto, CpuWorkers::Count));
        let options = RemovalOptions {
            by: [RemoveBy::Vertices, RemoveBy::Edges][usize::from(edges)],
            batch: Some(batch),
            steps,
            until,
            ..RemovalOptions::default()
        };
        let removals = search.removals(graph.graph.clone(), options);
        Ok(Removals {
            removals: Mutex::new(Some(removals.map_err(|error| search_error(&error))?)),
            cancel,
            size: (graph.graph.vertices(), graph.graph.csr().arcs()),
        })
    }

    /// Makes removals for some milliseconds, at least one, and returns them; none at the end.
    fn some(&self, py: Python<'_>) -> PyResult<Vec<Row>> {
        let began = Instant::now();
        let rows = self.make(py, move |_, _| began.elapsed() < PERIOD)?;
        Ok(rows)
    }

    /// Makes removals until there are more components, and returns the component of each vertex;
    /// `None` at the end.
    fn split<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let rows = self.make(py, |before, now| now <= before)?;
        let guard = self.removals.lock().unwrap_or_else(PoisonError::into_inner);
        let communities = guard.as_ref().filter(|_| !rows.is_empty());
        Ok(communities.map(|removals| removals.communities().to_pyarray(py)))
    }

    /// The warnings of all searches so far.
    fn warnings(&self) -> Vec<String> {
        let guard = self.removals.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = guard.iter().flat_map(|removals| &removals.warnings);
        texts.map(|text| in_python(text)).collect()
    }
}

impl Removals {
    /// Makes removals while `goes_on` returns true for the number of components before all of them
    /// and the present one.
    fn make(
        &self,
        py: Python<'_>,
        goes_on: impl Fn(usize, usize) -> bool + Send + 'static,
    ) -> PyResult<Vec<Row>> {
        let held = self.removals.lock();
        let taken = held.unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut removals) = taken else {
            return Err(Error::new_err("these removals were interrupted"));
        };
        let work = move || {
            let (mut rows, before) = (Vec::new(), removals.components());
            let mut result = Ok(());
            for step in &mut removals {
                match step {
                    Ok(step) => rows.push(step),
                    Err(error) => result = Err(error),
                }
                if !rows
                    .last()
                    .is_some_and(|last| goes_on(before, last.components))
                {
                    break;
                }
            }
            ((removals, result.map(|()| rows)), || ())
        };
        let size = size(self.size.0, self.size.1);
        let (removals, rows) = interruptible(py, size, &self.cancel, |_| Ok(()), work)?;
        *self.removals.lock().unwrap_or_else(PoisonError::into_inner) = Some(removals);
        let rows = rows.map_err(|error| search_error(&error))?.into_iter();
        let rows = rows.map(|step| {
            let [components, largest] = [step.components, step.largest];
            let ends = step.ends.into();
            (ends, step.score, components, largest, step.modularity)
        });
        Ok(rows.collect())
    }
}

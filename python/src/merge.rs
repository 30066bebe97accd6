//! Merges the parts of a search.

use std::path::PathBuf;

use brandes::{Merged, Scale};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::errors::search_error;
use crate::labels::labels;

/// Adds up the sums in the files of all parts.
///
/// Returns the vertex labels, the scores of vertices, a tuple of tails, heads and scores of edges
/// or `None`, and a report as JSON.
#[pyfunction]
pub fn merge(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    normalized: bool,
) -> PyResult<Bound<'_, PyTuple>> {
    let merged = py.detach(|| Merged::read(&paths));
    let merged = merged.map_err(|error| search_error(&error))?;
    let scale = match normalized {
        true => Scale::Normalized,
        false => Scale::Pairs,
    };
    let edges = merged.edges(scale).map(|edges| {
        let (mut tails, mut heads, mut scores) = (Vec::new(), Vec::new(), Vec::new());
        for ([tail, head], score) in edges {
            tails.push(i64::from(tail));
            heads.push(i64::from(head));
            scores.push(score);
        }
        let array = |ends: Vec<i64>| ends.into_pyarray(py);
        (array(tails), array(heads), scores.into_pyarray(py))
    });
    let vertices = merged.vertices(scale).into_pyarray(py);
    let report = format!(
        r#"{{"parts": {}, "sources": {}}}"#,
        merged.parts(),
        merged.sources()
    );
    let labels: Bound<'_, PyAny> = labels(py, merged.labels())?;
    (labels, vertices, edges, report).into_pyobject(py)
}

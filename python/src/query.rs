//! Converts the queries that Python passes as dicts.

use std::sync::Arc;

use brandes::graph::{Graph, Vertex};
use brandes::{ClosenessScaling, Measure, Query};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An array of weights of vertices.
type Weights<'py> = PyReadonlyArray1<'py, f64>;

/// The sources, the targets and the trips of a demand.
type Demand<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    Weights<'py>,
);

/// The epsilon, confidence, seed, kind of draws, number of highest scores, and seconds of an
/// estimate.
pub type EstimateItems = (f64, f64, u64, Option<String>, Option<usize>, Option<f64>);

/// The items of a dict that describes a query.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct QueryItems<'py> {
    measures: Vec<String>,
    radii: Vec<f64>,
    decay: Option<f64>,
    sources: Option<Weights<'py>>,
    targets: Option<Weights<'py>>,
    demand: Option<Demand<'py>>,
    closeness_scaling: String,
}

impl QueryItems<'_> {
    /// Returns the query.
    ///
    /// # Errors
    /// Returns a `ValueError` if a name is unknown.
    pub fn query(&self) -> PyResult<Query> {
        let measures = self.measures.iter().map(|name| name.parse::<Measure>());
        let mut measures = measures
            .collect::<Result<Vec<_>, String>>()
            .map_err(PyValueError::new_err)?;
        measures.sort_unstable();
        measures.dedup();
        let weights = |weights: &Option<Weights<'_>>| -> PyResult<Option<Arc<[f64]>>> {
            let slice = weights.as_ref().map(|weights| weights.as_slice());
            Ok(slice.transpose()?.map(Arc::from))
        };
        let demand = self.demand.as_ref().map(|(sources, targets, trips)| {
            let ends = sources.as_slice()?.iter().zip(targets.as_slice()?);
            let trips = ends.zip(trips.as_slice()?);
            PyResult::Ok(
                trips
                    .map(|((&s, &t), &trips)| (s as Vertex, t as Vertex, trips))
                    .collect(),
            )
        });
        Ok(Query {
            measures,
            radii: self.radii.clone(),
            decay: self.decay,
            sources: weights(&self.sources)?,
            targets: weights(&self.targets)?,
            demand: demand.transpose()?,
            closeness_scaling: match self.closeness_scaling.as_str() {
                "improved" => ClosenessScaling::Improved,
                "component" => ClosenessScaling::Component,
                other => {
                    let text = format!(
                        "closeness_scaling is {other:?}, but has to be 'improved' or 'component'"
                    );
                    return Err(PyValueError::new_err(text));
                }
            },
        })
    }
}

/// Returns the number of vertices that a query searches from, or an upper bound for a demand.
pub fn source_count(query: &Query, graph: &Graph) -> usize {
    let weights = match (&query.sources, &query.targets) {
        (None, Some(targets)) if !graph.directed() => Some(targets),
        (sources, _) => sources.as_ref(),
    };
    match (weights, &query.demand) {
        (Some(weights), _) => weights.iter().filter(|&&weight| weight > 0.0).count(),
        (None, Some(trips)) => trips.len().min(graph.vertices()),
        (None, None) => graph.vertices(),
    }
}

//! Converts vertex labels to Python objects.

use brandes::graph::Labels;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyRange};

/// Returns the labels as a range, an array of uint64, or a list of strings.
pub fn labels<'py>(py: Python<'py>, labels: &Labels) -> PyResult<Bound<'py, PyAny>> {
    Ok(match labels {
        Labels::Consecutive { first, count } => {
            // Labels of files may exceed the largest number that `PyRange` takes.
            let range = |first: isize, count: usize| {
                let end = first.checked_add_unsigned(count)?;
                PyRange::new(py, first, end).ok()
            };
            match isize::try_from(*first).ok().and_then(|f| range(f, *count)) {
                Some(range) => range.into_any(),
                None => {
                    let numbers = (0..*count).map(|v| first.saturating_add(v as u64));
                    numbers.collect::<Vec<u64>>().into_pyarray(py).into_any()
                }
            }
        }
        Labels::Numbers(numbers) => numbers.clone().into_pyarray(py).into_any(),
        Labels::Names { .. } => {
            let names = (0..labels.len()).map(|v| labels.display(v as u32).to_string());
            PyList::new(py, names.collect::<Vec<_>>())?.into_any()
        }
    })
}

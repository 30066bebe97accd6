//! The extension module of the Python package `brandes`: graphs from arrays and files, searches,
//! and devices. The Python code in `brandes/` beside it handles other Python libraries.

mod arrays;
mod devices;
mod errors;
mod graph;
mod labels;
mod merge;
mod numbering;
mod outstanding;
mod query;
mod removals;
mod running;
mod search;
mod threads;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::devices::devices;
    #[pymodule_export]
    use crate::errors::{Error, WeightError};
    #[pymodule_export]
    use crate::graph::{Graph, find_ends};
    #[pymodule_export]
    use crate::merge::merge;
    #[pymodule_export]
    use crate::outstanding::wait;
    #[pymodule_export]
    use crate::removals::Removals;
}

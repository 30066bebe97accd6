//! Errors of the library as Python exceptions.

use brandes::graph::{ArraysError, BuildError};
use brandes::memory;
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};

create_exception!(
    brandes,
    Error,
    PyException,
    "A search failed, or a device that was asked for is not there."
);

/// What a defect of this package becomes.
pub fn defect() -> PyErr {
    Error::new_err("a thread of the search stopped unexpectedly; please report this defect")
}

/// What is wrong with the settings or the graph is a `ValueError`.
pub fn of_search(error: &brandes::Error) -> PyErr {
    let text = in_python(&error.to_string());
    match error {
        brandes::Error::Settings(_)
        | brandes::Error::Read(_)
        | brandes::Error::LengthLost { .. } => PyValueError::new_err(text),
        _ => Error::new_err(text),
    }
}

/// Too little memory is a `MemoryError`.
pub fn of_arrays(error: &ArraysError) -> PyErr {
    let text = error.to_string();
    match error {
        ArraysError::Build(BuildError::Memory { .. }) => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Refuses what needs more bytes than there are: an allocation that fails would end the process.
pub fn check_memory(bytes: usize) -> PyResult<()> {
    if memory::available().is_some_and(|available| bytes > available) {
        return Err(PyMemoryError::new_err(format!(
            "this needs {bytes} bytes of memory, more than there are"
        )));
    }
    Ok(())
}

/// Names of settings, which stand in backticks, with underscores.
fn in_python(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let spelled = parts.map(|(part, words)| match part % 2 {
        1 => words.replace('-', "_"),
        _ => words.to_string(),
    });
    spelled.collect::<Vec<_>>().join("`")
}

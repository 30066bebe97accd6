//! Converts errors of the library to Python exceptions.

use brandes::graph::{ArraysError, BuildError};
use brandes::memory;
use brandes::report::words;
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::{PyErr, PyResult, create_exception};

create_exception!(
    brandes,
    Error,
    PyException,
    "A search failed, or the named device does not exist."
);

create_exception!(
    brandes,
    WeightError,
    PyValueError,
    "The weight of an edge was rejected; `args` are the edge's position and the reason."
);

/// Returns the exception for a panic, which is a defect of this package.
pub fn defect() -> PyErr {
    Error::new_err("a thread of the search stopped unexpectedly; please report this defect")
}

/// Converts an error of a search: wrong settings and wrong graphs become a `ValueError`, everything
/// else an `Error`.
pub fn search_error(error: &brandes::Error) -> PyErr {
    let text = in_python(&error.to_string());
    match error {
        brandes::Error::Settings(_)
        | brandes::Error::Read(_)
        | brandes::Error::LengthLost { .. } => PyValueError::new_err(text),
        _ => Error::new_err(text),
    }
}

/// Converts an error of building a graph: a rejected weight becomes a `WeightError`, too little
/// memory a `MemoryError`, everything else a `ValueError`.
pub fn arrays_error(error: &ArraysError) -> PyErr {
    match error {
        ArraysError::Weight { entry, problem, .. } => {
            WeightError::new_err((*entry, in_python(&problem.to_string())))
        }
        ArraysError::Build(BuildError::Memory(_)) => PyMemoryError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Returns the `MemoryError` for a failed allocation of `bytes` bytes.
pub fn too_little_memory(bytes: usize) -> PyErr {
    PyMemoryError::new_err(format!("{bytes} bytes of memory could not be allocated"))
}

/// Returns a `MemoryError` if `bytes` is more than the free memory. Call this before the library
/// allocates, because a failed allocation inside the library ends the process.
pub fn check_memory(bytes: usize) -> PyResult<()> {
    if memory::available().is_some_and(|available| bytes > available) {
        return Err(PyMemoryError::new_err(format!(
            "this needs {} of memory, more than is free (close other programs, or use a machine \
             with more)",
            words::size(bytes as u64)
        )));
    }
    Ok(())
}

/// The advice in messages about a file whose layout only options of the command line can describe.
const AS_COLUMNS: &str = "read the table with pandas, and give the columns a and b of the ends: \
    brandes.betweenness((table[a], table[b]))";

/// Options of the command line about the layout of a file, for which Python has no arguments.
const LAYOUT: [&str; 5] = [
    "--format",
    "--columns",
    "--header",
    "--delimiter",
    "--vertices",
];

/// Options of the command line and the Python arguments that replace them in messages. An option
/// that is a prefix of another one comes after it.
const ARGUMENTS: [(&str, &str); 22] = [
    ("--default-weight", "default_weight"),
    ("--labels", "labels"),
    ("'brandes devices'", "brandes.devices()"),
    ("--weighted without a column", "weight=True"),
    ("--weighted", "weight"),
    ("--device none", "device=None"),
    ("--device NAME", "device=\"NAME\""),
    ("--device-timeout", "device_timeout"),
    ("--device", "device"),
    ("--precision f32", "precision=\"f32\""),
    ("--precision", "precision"),
    ("--cpu-workers", "cpu_workers"),
    ("--strategy", "strategy"),
    ("--directed", "directed"),
    ("--reduce", "reduce"),
    ("--radius", "radius"),
    ("--decay", "decay"),
    ("--sources", "sources"),
    ("--targets", "targets"),
    ("--vertex-weights", "vertex_weights"),
    ("--demand", "demand"),
    ("--measures", "measures"),
];

/// Returns a message of the library with Python's arguments in place of command-line options.
/// `AS_COLUMNS` replaces advice about options in `LAYOUT`.
pub fn in_python(text: &str) -> String {
    let first = LAYOUT.iter().filter_map(|option| text.find(option)).min();
    if let Some(advice) = first.and_then(|option| text[..option].rfind(" (")) {
        return format!("{} ({AS_COLUMNS})", &text[..advice]);
    }
    let rename = |text: String, &(option, argument): &(&str, &str)| text.replace(option, argument);
    let text = ARGUMENTS.iter().fold(text.to_string(), rename);
    // Messages quote names of settings in backticks.
    let parts = text.split('`').enumerate();
    let renamed = parts.map(|(part, words)| match part % 2 {
        // Values may follow the name.
        1 => {
            let (name, values) = words.split_at(words.find(' ').unwrap_or(words.len()));
            name.replace('-', "_") + values
        }
        _ => words.to_string(),
    });
    renamed.collect::<Vec<_>>().join("`")
}

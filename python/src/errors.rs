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
        ArraysError::Weight(entry, problem) => {
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
    if memory::exceeded_by(bytes) {
        return Err(PyMemoryError::new_err(format!(
            "this needs {} of memory, more than is free (close other programs, or use a machine \
             with more)",
            words::size(bytes as u64)
        )));
    }
    Ok(())
}

/// Options of the command line that are arguments of Python too. `weighted` is `weight` there.
const OPTIONS: [&str; 24] = [
    "checkpoint",
    "columns",
    "cpu-workers",
    "decay",
    "default-weight",
    "delimiter",
    "demand",
    "device",
    "device-timeout",
    "directed",
    "format",
    "header",
    "labels",
    "measures",
    "precision",
    "radius",
    "reduce",
    "sources",
    "strategy",
    "targets",
    "vertex-weights",
    "vertices",
    "weight-is",
    "weighted",
];

/// Options that messages name together with a value, which may be any word.
const WITH_WORD: [&str; 4] = ["delimiter", "device", "format", "precision"];

/// Returns a message of the library with Python's arguments in place of command-line options:
/// `--header no` becomes `header=False`.
pub fn in_python(text: &str) -> String {
    let text = text.replace("'brandes devices'", "brandes.devices()");
    let text = text.replace("--weighted without a column", "weight=True");
    let mut parts = text.split("--");
    let mut message = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_inside = |c: char| c.is_ascii_lowercase() || c == '-';
        let (option, rest) = part.split_at(part.find(|c| !is_inside(c)).unwrap_or(part.len()));
        if !OPTIONS.contains(&option) {
            message.extend(["--", part]);
            continue;
        }
        message += &option.replace("weighted", "weight").replace('-', "_");
        let end = |rest: &str| rest.find([' ', ')', ';']).unwrap_or(rest.len());
        let word = rest.strip_prefix(' ').map(|rest| &rest[..end(rest)]);
        let word = word.map(|word| word.trim_end_matches([',', '.']));
        match word.and_then(|word| Some((word, value(option, word)?))) {
            Some((word, value)) => message.extend(["=", &value, &rest[1 + word.len()..]]),
            None => message += rest,
        }
    }
    // Messages quote a setting, perhaps with its value, in backticks.
    let parts = message.split('`').enumerate();
    let renamed = parts.map(|(part, words)| match (part % 2, words.split_once(' ')) {
        (0, _) => words.to_string(),
        (_, Some((name, value))) => format!("{} {value}", name.replace('-', "_")),
        (_, None) => words.replace('-', "_"),
    });
    renamed.collect::<Vec<_>>().join("`")
}

/// Returns the word after an option as a value of Python, or `None` if it is not the option's value.
fn value(option: &str, word: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_uppercase() || "=,'".contains(c);
    match word {
        "yes" => Some("True".into()),
        "no" => Some("False".into()),
        "none" => Some("None".into()),
        _ if word.parse::<f64>().is_ok() => Some(word.into()),
        _ if word == "id" || word.contains(is_name) || WITH_WORD.contains(&option) => {
            Some(format!("{:?}", word.trim_matches('\'')))
        }
        _ => None,
    }
}

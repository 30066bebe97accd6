//! Errors of outputs.

use std::io::{self, ErrorKind};

/// The reason why an output was not written. It prints as one line that names the file.
#[derive(Debug, thiserror::Error)]
#[error("{file}: cannot be written: {}", explained(.error))]
pub struct OutputError {
    file: String,
    error: io::Error,
}

impl OutputError {
    /// Makes an error of `file`, where `-` is standard output.
    pub fn new(file: &str, error: io::Error) -> Self {
        let file = match file {
            "-" => "standard output".into(),
            _ => file.into(),
        };
        OutputError { file, error }
    }

    /// Returns the kind of the system's error.
    pub fn kind(&self) -> ErrorKind {
        self.error.kind()
    }
}

/// Explains an error: what is wrong and, in parentheses, what to do.
fn explained(error: &io::Error) -> String {
    let system = error.to_string();
    match error.kind() {
        ErrorKind::NotFound => "there is no such folder (make it, or write elsewhere)".into(),
        ErrorKind::IsADirectory => "it is a folder (name a file in it)".into(),
        // Errors of this crate say what to do themselves.
        _ if error.raw_os_error().is_none() => system,
        _ => {
            let text = system.split(" (os error").next().unwrap_or(&system);
            let text = text.trim_end_matches('.').to_lowercase();
            format!(
                "{text} (free some space, make the file writable, close it in other programs, or \
                 write elsewhere)"
            )
        }
    }
}

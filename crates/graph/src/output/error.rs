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
    let (space, elsewhere) = ("free some space, or write elsewhere", "write elsewhere");
    let (problem, remedy) = match error.kind() {
        ErrorKind::NotFound => ("there is no such folder", "make it, or write elsewhere"),
        ErrorKind::NotADirectory => ("a part of the path is a file, not a folder", elsewhere),
        ErrorKind::IsADirectory => ("it is a folder", "name a file in it"),
        ErrorKind::PermissionDenied => (
            "permission denied",
            "make the folder writable, and the file if it exists",
        ),
        ErrorKind::ReadOnlyFilesystem => ("the file system is read-only", elsewhere),
        ErrorKind::StorageFull => ("no space left on device", space),
        ErrorKind::QuotaExceeded => ("disk quota exceeded", space),
        ErrorKind::FileTooLarge => (
            "the file is larger than the system allows",
            "write elsewhere, or on Unix raise the limit: ulimit -f",
        ),
        // Errors of this crate say what to do themselves.
        _ if error.raw_os_error().is_none() => return system,
        _ => {
            let text = system.split(" (os error").next();
            (
                text.unwrap_or(&system),
                "check the path, the disk, and programs that have the file open",
            )
        }
    };
    format!("{problem} ({remedy})")
}

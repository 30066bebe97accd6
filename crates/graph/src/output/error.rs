//! Errors of outputs.

use std::fmt;
use std::io::{self, ErrorKind};

/// The reason why an output was not written. It prints as one line that names the file.
#[derive(Debug)]
pub struct OutputError {
    file: String,
    error: io::Error,
}

impl OutputError {
    pub(super) fn new(file: &str, error: io::Error) -> Self {
        let file = match file {
            "-" => "standard output",
            _ => file,
        };
        OutputError {
            file: file.to_string(),
            error,
        }
    }

    /// Makes an error of standard output.
    pub fn of_standard_output(error: io::Error) -> Self {
        OutputError::new("-", error)
    }

    /// Returns the kind of the system's error.
    pub fn kind(&self) -> ErrorKind {
        self.error.kind()
    }
}

impl std::error::Error for OutputError {}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let system = self.error.to_string();
        let (space, elsewhere) = ("free some space, or write elsewhere", "write elsewhere");
        let (problem, remedy) = match self.kind() {
            ErrorKind::NotFound => ("there is no such folder", "make it, or write elsewhere"),
            ErrorKind::NotADirectory => ("a part of the path is a file, not a folder", elsewhere),
            ErrorKind::IsADirectory => ("is a folder", "name a file in it"),
            ErrorKind::PermissionDenied => (
                "permission denied",
                "the file, if it is there, and its folder have to be writable",
            ),
            ErrorKind::ReadOnlyFilesystem => ("the file system is read-only", elsewhere),
            ErrorKind::StorageFull => ("no space left on device", space),
            ErrorKind::QuotaExceeded => ("disk quota exceeded", space),
            ErrorKind::FileTooLarge => (
                "the file grows larger than it may",
                "raise the limit, ulimit -f, or write elsewhere",
            ),
            // Errors of this crate say what to do themselves.
            _ if self.error.raw_os_error().is_none() => {
                return write!(f, "{}: cannot be written: {system}", self.file);
            }
            _ => {
                let text = system.split(" (os error").next();
                (text.unwrap_or(&system), "check the path and the disk")
            }
        };
        write!(f, "{}: cannot be written: {problem} ({remedy})", self.file)
    }
}

//! What is said when something cannot be written.

use std::fmt;
use std::io::{self, ErrorKind};

/// Why an output was not written. It prints as one line that names the wanted file.
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

    /// What the system says.
    pub fn kind(&self) -> ErrorKind {
        self.error.kind()
    }
}

impl std::error::Error for OutputError {}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (what, remedy) = match self.kind() {
            ErrorKind::NotFound => ("there is no such folder", "make it, or write elsewhere"),
            ErrorKind::NotADirectory => (
                "a part of the path is a file, not a folder",
                "write elsewhere",
            ),
            ErrorKind::IsADirectory => ("is a folder", "name a file in it"),
            ErrorKind::PermissionDenied => (
                "permission denied",
                "the file, if it is there, and its folder have to be writable",
            ),
            ErrorKind::ReadOnlyFilesystem => ("the file system is read-only", "write elsewhere"),
            ErrorKind::StorageFull => (
                "no space left on device",
                "free some space, or write elsewhere",
            ),
            ErrorKind::QuotaExceeded => {
                ("disk quota exceeded", "free some space, or write elsewhere")
            }
            ErrorKind::FileTooLarge => (
                "the file grows larger than it may",
                "raise the limit, ulimit -f, or write elsewhere",
            ),
            _ => ("", ""),
        };
        write!(f, "{}: cannot be written: ", self.file)?;
        if !what.is_empty() {
            return write!(f, "{what} ({remedy})");
        }
        // Errors of our own say what to do themselves.
        match self.error.raw_os_error() {
            Some(_) => {
                let text = self.error.to_string();
                let text = text.split(" (os error").next().unwrap_or(&text);
                write!(f, "{text} (check the path and the disk)")
            }
            None => write!(f, "{}", self.error),
        }
    }
}

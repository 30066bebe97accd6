//! Errors of inputs, whose messages are one line each.

use std::fmt::{self, Display};
use std::io;

use thiserror::Error;

use super::os::MORE_MEMORY;
use super::tokens::{printable, shown};

/// The reason why a list of edges cannot become a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BuildError {
    /// There are more vertices, or more arcs after parallel ones are merged, than 32 bits can
    /// count: their number, and the word `vertices` or `arcs`. An undirected edge is two arcs.
    #[error("{0} {1} are more than the 4294967295 a graph can have (use a smaller graph)")]
    TooMany(usize, &'static str),
    /// There is too little memory for this number of bytes, which are needed at the same time.
    #[error(
        "this needs {:.1} MiB of memory, more than is free (use a machine with more memory, or \
         {more})", *.0 as f64 / f64::from(1 << 20), more = MORE_MEMORY
    )]
    Memory(u64),
    /// This number of lengths are zero, and the others are not multiples of a common unit, or their
    /// sums do not leave room in 63 bits for the fractions of a unit that stand for zeros.
    #[error(
        "lengths of 0 ({0} of them) need others that are multiples of a common unit, with sums far \
         below 2^63 units (round the lengths to fewer digits)"
    )]
    ZeroLengths(usize),
}

/// Makes a [`Problem`] in the current line of the reader. The arguments are those of `format!`: a
/// text that says what is wrong and, in parentheses, what to do.
macro_rules! malformed {
    ($($text:tt)+) => { $crate::error::Problem::new(format!($($text)+)) };
}

/// Makes a [`Problem`] of the file as a whole. The arguments are those of [`malformed!`].
macro_rules! unfit {
    ($($text:tt)+) => { $crate::error::Problem::new(format!($($text)+)).at(0) };
}

/// Returns the error of [`malformed!`].
macro_rules! refuse {
    ($($text:tt)+) => { return Err(malformed!($($text)+)) };
}

/// The reason why a graph could not be read. It prints as `FILE:LINE: what is wrong (what to do)`,
/// without the line if the problem is not in one.
#[derive(Debug, Error)]
#[error("{file}{}: {problem}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ReadError {
    /// The path as given, or `<stdin>`.
    pub file: String,
    /// The line of the decompressed text, from 1; `None` if the problem is in the file as a whole.
    pub line: Option<u64>,
    /// The problem, without the file and the line.
    pub problem: Problem,
}

/// A problem of an input: one line of text that says what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Problem {
    text: String,
    /// The line, from 1, or 0 if the problem is in the file as a whole. `None` if it is in the
    /// current line of the reader, which [`Self::in_file`] adds.
    line: Option<u64>,
}

impl Display for Problem {
    /// Writes the text without line ends and other control characters, which parsers of libraries
    /// quote from the input.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts = self.text.chars().map(printable);
        texts.try_for_each(|text| f.write_str(&text))
    }
}

impl From<BuildError> for Problem {
    fn from(error: BuildError) -> Problem {
        unfit!("{error}")
    }
}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> io::Error {
        io::Error::other(problem)
    }
}

impl Problem {
    /// Makes a problem in the current line of the reader; [`malformed!`] formats the text.
    pub(super) fn new(text: String) -> Problem {
        Problem { text, line: None }
    }

    /// Sets the line of the problem if it has none yet.
    pub(super) fn at(mut self, line: u64) -> Problem {
        self.line.get_or_insert(line);
        self
    }

    /// Converts the line of a problem in a text to the line in the file, where `lines` lines
    /// precede the text.
    pub(super) fn after(mut self, lines: u64) -> Problem {
        self.line = self.line.map(|line| line + lines * u64::from(line > 0));
        self
    }

    /// Puts the row that has the problem in front of the message, unless the row is blank.
    pub(super) fn in_row(mut self, row: &[u8]) -> Problem {
        let row = row.trim_ascii();
        if !row.is_empty() {
            self.text = format!("{}: {}", shown(row), self.text);
        }
        self
    }

    /// Adds the name of the file, and the line of the problem if it has none: `line`, the current
    /// one of the reader, from 1, or 0 before the first.
    pub(super) fn in_file(self, name: &str, line: u64) -> ReadError {
        ReadError {
            file: name.into(),
            line: Some(self.line.unwrap_or(line)).filter(|&line| line > 0),
            problem: self,
        }
    }

    /// The input has zero bytes where text is expected.
    pub(super) fn binary() -> Problem {
        malformed!(
            "this is binary, not text (give an edge list, GraphML, GML, .mtx, .graph, .gr or SciPy \
             .npz file)"
        )
    }

    /// A line is too long.
    pub(super) fn line_too_long(limit: usize) -> Problem {
        malformed!(
            "the line has more than {limit} bytes (this is no line of a graph: check the file and \
             --format)"
        )
    }

    /// The user asked for weights, but the file has none.
    pub(super) fn no_weights() -> Problem {
        unfit!("the file has no weights (leave --weighted out)")
    }

    /// The user chose a column of weights in a format that has another place for them.
    pub(super) fn weight_column() -> Problem {
        unfit!(
            "only edge lists have a column of weights to choose (give --weighted without a column)"
        )
    }

    /// An edge lacks the attribute or the column that should be its weight.
    pub(super) fn weight_missing(name: &str, place: &str) -> Problem {
        malformed!(
            "the edge has no {name} (give every edge one, add --default-weight 1 for the others, \
             name another {place}, or leave --weighted out)"
        )
    }

    /// The file has more or fewer entries than it declares. `entries` is the word for them.
    pub(super) fn count(entries: &str, declared: u64, found: u64) -> Problem {
        unfit!(
            "{declared} {entries} are declared, but the file holds {found} (correct the \
             declaration, or fetch the file again)"
        )
    }

    /// A matrix is not square.
    pub(super) fn not_square(rows: u64, columns: u64) -> Problem {
        malformed!(
            "a matrix of {rows} rows and {columns} columns is not a graph (use a square adjacency \
             matrix)"
        )
    }

    /// A stream in the compressed format `kind` is not valid.
    pub(super) fn damaged(kind: &str, reason: impl Display) -> Problem {
        unfit!("the {kind} data is damaged: {reason} (fetch or compress the file again)")
    }

    /// Explains an error of a stream that may be decompressed.
    pub(super) fn of_stream(error: &io::Error) -> Self {
        Self::of_decoder(error, "compressed")
    }

    /// Explains an error of a stream in the compressed format `kind`.
    pub(super) fn of_decoder(error: &io::Error, kind: &'static str) -> Self {
        // A reader between the decompressor and the file may have explained the error already.
        if let Some(problem) = error.get_ref().and_then(|e| e.downcast_ref::<Problem>()) {
            return problem.clone();
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                unfit!("the {kind} data ends early (fetch or compress the file again)")
            }
            io::ErrorKind::IsADirectory => unfit!("this is a directory (give one file in it)"),
            // Errors without a system code come from the decompressors.
            _ if error.raw_os_error().is_none() => Problem::damaged(kind, error),
            reason => unfit!("reading failed: {reason} (check the disk or the connection)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_stated_in_mib() {
        let error = BuildError::Memory(3_820_016);
        let text = error.to_string();
        assert!(text.starts_with("this needs 3.6 MiB of memory, more than is free (use "));
    }
}

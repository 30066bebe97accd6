//! Functions that several commands use: usage errors, messages, JSON, and checks of output paths.

use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::app::progress::ProgressMode;
use brandes::graph::{Graph, WriteFormat, write_graph_as};
use brandes::output::{
    Named, Output, OutputError, SUFFIXES, Sink, check_distinct, decompressed, read_back, suffix,
};
use brandes::report::words::counted;

/// A command line that parses but is contradictory or impossible; the exit code is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

/// Returns a [`UsageError`] with this text.
pub(super) fn refuse<T, E: From<UsageError>>(text: impl Into<String>) -> Result<T, E> {
    Err(UsageError(text.into()).into())
}

impl From<brandes::Error> for UsageError {
    fn from(error: brandes::Error) -> Self {
        UsageError(with_dashes(&error.to_string()))
    }
}

/// Returns an error of the library as one of the program: wrong settings become a [`UsageError`].
pub(super) fn library_error(error: brandes::Error) -> anyhow::Error {
    match error {
        brandes::Error::Settings(_) => UsageError::from(error).into(),
        other => anyhow!(with_dashes(&other.to_string())),
    }
}

/// Returns the format that the suffix of an output path names.
pub(super) fn format_of(output: &Path) -> Result<WriteFormat, UsageError> {
    let format = WriteFormat::from_name(&output.display().to_string());
    format.map_err(|error| UsageError(error.to_string()))
}

/// Replaces the backticks around settings of the library by the dashes of options: `` `part` ``
/// becomes `--part`.
pub(super) fn with_dashes(text: &str) -> String {
    // An odd number of backticks precedes the name of a setting.
    let parts = text.split('`').enumerate();
    let with_dashes = |(i, part): (usize, &str)| ["", "--"][i % 2].to_string() + part;
    parts.map(with_dashes).collect()
}

/// Returns how to show progress: as `--progress` says, or never with `--quiet`.
pub(super) fn progress_mode(quiet: bool, progress: ProgressMode) -> ProgressMode {
    match quiet {
        true => ProgressMode::Never,
        false => progress,
    }
}

/// Writes a line to standard error, and ignores errors of doing so.
pub(super) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "brandes: {text}");
}

/// Writes a warning to standard error.
pub(super) fn warn(text: impl Display) {
    say(format_args!("warning: {text}"));
}

/// Returns the decompressed bytes of a file, or of standard input for `-`.
pub(super) fn read_all(path: &Path) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return read_back(path);
    }
    let mut bytes = Vec::new();
    decompressed(io::stdin())?.0.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a value as indented JSON.
pub(super) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes a graph to a file, and its size and format to standard error.
pub(super) fn write_graph(graph: &Graph, output: &Path, format: WriteFormat) -> Result<()> {
    write_graph_as(graph, output, format)?;
    let path = match output == Path::new("-") {
        true => "<stdout>".into(),
        false => output.display().to_string(),
    };
    let kind = if graph.directed() { "arc" } else { "edge" };
    let lengths = graph.lengths().map_or("", |_| " with lengths");
    let edges = counted(graph.edges(), kind) + lengths;
    let (vertices, format) = (counted(graph.vertices(), "vertex"), format.name());
    say(format_args!("{path}: {vertices}, {edges}, as {format}"));
    Ok(())
}

/// Writes an output by `fill`, and completes it; does nothing without an output.
pub(super) fn write_output(
    out: Option<Output>,
    fill: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> Result<(), OutputError> {
    let Some(mut out) = out else { return Ok(()) };
    out.write(fill)?;
    out.finish()
}

/// An option that names an output, and the path, if the option is given.
pub(super) type OutputOption<'a> = (&'static str, Option<&'a Path>);

/// Returns an error if two inputs are standard input, if an output would overwrite an input or
/// another output, or if its path has the suffix of another format.
pub(super) fn check_outputs(inputs: &[Named], outputs: &[OutputOption]) -> Result<(), UsageError> {
    let mut readers = inputs.iter().filter(|(_, path)| *path == Path::new("-"));
    if let (Some((first, _)), Some((second, _))) = (readers.next(), readers.next()) {
        return refuse(format!(
            "standard input can be read only once, not for {first} and {second}; name a file for \
             one of them"
        ));
    }
    let given = outputs.iter();
    let given = given.filter_map(|&(option, path)| Some((option, path?)));
    let outputs: Vec<Named> = given.collect();
    for (option, path) in &outputs {
        let (format, expected) = match *option {
            "--report" | "--profile" | "--json" => ("JSON", "json"),
            "--edges" | "--output" | "--communities" => ("CSV", "csv"),
            "-o" => ("HTML", "html"),
            _ => continue,
        };
        // A file with the suffix of another format is not replaced: arguments are probably in the
        // wrong order.
        let is_other =
            |suffix: &String| suffix != expected && OTHER_FORMATS.contains(&suffix.as_str());
        if let Some(other) = suffix(path).filter(is_other) {
            return refuse(format!(
                "{}: {option} writes {format}, not .{other}; use .{expected}, alone or with \
                 {SUFFIXES} after it",
                path.display()
            ));
        }
    }
    check_distinct(inputs, &outputs).map_err(UsageError)
}

/// Suffixes of formats that a user may expect in place of the JSON or CSV that is written.
const OTHER_FORMATS: [&str; 14] = [
    "csv", "tsv", "json", "npy", "graphml", "gexf", "html", "md", "pdf", "svg", "png", "xlsx",
    "yaml", "toml",
];

/// Returns whether one of the outputs is standard output.
pub(super) fn writes_standard_output(outputs: &[OutputOption]) -> bool {
    let dash = Some(Path::new("-"));
    outputs.iter().any(|(_, path)| *path == dash)
}

//! Functions that several commands use: usage errors, messages, JSON, and checks of output paths.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use brandes::graph::WriteFormat;
use brandes::output::{Named, SUFFIXES, check_distinct, suffix};

/// A command line that parses but is contradictory or impossible; the exit code is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

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
    let mut all = String::new();
    for (i, part) in text.split('`').enumerate() {
        all.push_str(if i % 2 == 1 { "--" } else { "" });
        all.push_str(part);
    }
    all
}

/// Writes a line to standard error, and ignores errors of doing so.
pub(super) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "brandes: {text}");
}

/// Writes a warning to standard error.
pub(super) fn warn(text: impl Display) {
    say(format_args!("warning: {text}"));
}

/// Writes a value as indented JSON.
pub(super) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// An option that names an output, and the path, if the option is given.
pub(super) type OutputOption<'a> = (&'static str, &'a Option<PathBuf>);

/// Returns an error if two inputs are standard input.
pub(super) fn check_inputs(inputs: &[Named]) -> Result<(), UsageError> {
    let mut readers = inputs.iter().filter(|(_, path)| *path == Path::new("-"));
    match (readers.next(), readers.next()) {
        (Some((first, _)), Some((second, _))) => Err(UsageError(format!(
            "standard input can be read only once, not for {first} and {second}; name a file for \
             one of them"
        ))),
        _ => Ok(()),
    }
}

/// Returns an error if two inputs are standard input, if an output would overwrite an input or
/// another output, or if JSON would be written to a path with the suffix of another format.
pub(super) fn check_outputs<'a>(
    inputs: &[Named],
    outputs: impl IntoIterator<Item = OutputOption<'a>>,
) -> Result<(), UsageError> {
    check_inputs(inputs)?;
    let given = outputs.into_iter();
    let outputs: Vec<Named> = given
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    for (option, path) in &outputs {
        let other = suffix(path).filter(|suffix| OTHER_THAN_JSON.contains(&suffix.as_str()));
        if let ("--report" | "--trace" | "--profile" | "--json", Some(other)) = (*option, other) {
            let instead = match *option {
                "--json" => "bench --csv writes CSV",
                _ => "--scores writes scores",
            };
            return Err(UsageError(format!(
                "{}: {option} writes JSON, not .{other}; use .json, alone or with {SUFFIXES} \
                 after it (brandes report makes a page of a report; {instead})",
                path.display()
            )));
        }
    }
    check_distinct(inputs, &outputs).map_err(UsageError)
}

/// Suffixes of other formats, which users may expect where JSON is written.
const OTHER_THAN_JSON: [&str; 11] = [
    "csv", "tsv", "html", "htm", "md", "pdf", "svg", "png", "xlsx", "yaml", "toml",
];

/// Returns whether one of the outputs is standard output.
pub(super) fn writes_standard_output<'a>(
    outputs: impl IntoIterator<Item = OutputOption<'a>>,
) -> bool {
    let dash = Some(Path::new("-"));
    outputs.into_iter().any(|(_, path)| path.as_deref() == dash)
}

//! What commands have in common: errors of use, messages, JSON, and the check of outputs.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use brandes::graph::{WriteError, WriteFormat};
use brandes::output::{Named, SUFFIXES, check_distinct, suffix};

/// A command line that parses but makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub(super) String);

impl From<brandes::Error> for UsageError {
    fn from(error: brandes::Error) -> Self {
        UsageError(with_dashes(&error.to_string()))
    }
}

/// An error of the library as one of the command line.
pub(super) fn of_library(error: brandes::Error) -> anyhow::Error {
    match error {
        brandes::Error::Settings(_) => UsageError::from(error).into(),
        other => anyhow!(with_dashes(&other.to_string())),
    }
}

/// The format that the suffix of an output stands for.
pub(super) fn format_of(output: &Path) -> Result<WriteFormat, UsageError> {
    let format = WriteFormat::from_name(&output.display().to_string());
    format.map_err(|error| UsageError(error.to_string()))
}

/// An error of writing a graph; that of the output itself, which may be a pipe that is closed.
pub(super) fn of_writing(error: WriteError) -> anyhow::Error {
    match error {
        WriteError::Output(error) => error.into(),
        other => other.into(),
    }
}

/// The same text with settings, which stand in backticks, as options.
pub(super) fn with_dashes(text: &str) -> String {
    let mut all = String::new();
    for (i, part) in text.split('`').enumerate() {
        all.push_str(if i % 2 == 1 { "--" } else { "" });
        all.push_str(part);
    }
    all
}

/// Tells the user something, if anybody is there to read it.
pub(super) fn say(text: impl Display) {
    let _ = writeln!(io::stderr(), "brandes: {text}");
}

/// The same of something that may not be as the user thinks.
pub(super) fn warn(text: impl Display) {
    say(format_args!("warning: {text}"));
}

/// Writes what people may read as well.
pub(super) fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// An option that names an output, and what it names, if it is given.
pub(super) type Wanted<'a> = (&'static str, &'a Option<PathBuf>);

/// Refuses outputs that would overwrite what is read, or each other.
pub(super) fn check_outputs<'a>(
    inputs: &[Named],
    outputs: impl IntoIterator<Item = Wanted<'a>>,
) -> Result<(), UsageError> {
    let given = outputs.into_iter();
    let outputs: Vec<Named> = given
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
        .collect();
    for (option, path) in &outputs {
        let other = suffix(path).filter(|suffix| OTHER_THAN_JSON.contains(&suffix.as_str()));
        if let ("--report" | "--trace" | "--profile", Some(other)) = (*option, other) {
            return Err(UsageError(format!(
                "{}: {option} writes JSON, not .{other}; use .json, alone or with {SUFFIXES} \
                 behind it (brandes report makes a page of a report, --scores writes scores)",
                path.display()
            )));
        }
    }
    check_distinct(inputs, &outputs).map_err(UsageError)
}

/// Formats that a user may expect of what is JSON whatever else its suffix.
const OTHER_THAN_JSON: [&str; 11] = [
    "csv", "tsv", "html", "htm", "md", "pdf", "svg", "png", "xlsx", "yaml", "toml",
];

/// Whether one of these outputs is standard output.
pub(super) fn standard_output<'a>(outputs: impl IntoIterator<Item = Wanted<'a>>) -> bool {
    let dash = Some(Path::new("-"));
    outputs.into_iter().any(|(_, path)| path.as_deref() == dash)
}

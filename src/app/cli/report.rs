//! `brandes report`: JSON files made into a page.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::UsageError;
use super::report_args::ReportArgs;
use crate::app::page::{Document, chart, page};
use brandes::output::{Output, SUFFIXES, check_distinct, read_back, suffix};

/// Reads all files, then writes the page or the chart.
pub fn report(args: &ReportArgs) -> Result<i32> {
    check(args)?;
    let mut out = Output::open(&args.output)?;
    let documents = args.files.iter().map(|path| read(path));
    let documents = documents.collect::<Result<Vec<_>>>()?;
    let text = match args.chart {
        None => page(&documents),
        Some(kind) => chart(&documents, kind)?,
    };
    out.write(|out| out.write_all(text.as_bytes()))?;
    out.finish()?;
    Ok(0)
}

fn check(args: &ReportArgs) -> Result<(), UsageError> {
    let stdin = args.files.iter().filter(|path| *path == Path::new("-"));
    if stdin.count() > 1 {
        let text = "standard input can be read only once; give - once";
        return Err(UsageError(text.into()));
    }
    let (what, known) = match args.chart {
        None => ("a page", &["html", "htm"][..]),
        Some(_) => ("a chart", &["svg"][..]),
    };
    if let Some(other) = suffix(&args.output).filter(|other| !known.contains(&other.as_str())) {
        return Err(UsageError(format!(
            "{}: {what} has no format .{other}; use .{}, alone or with {SUFFIXES} behind it",
            args.output.display(),
            known[0]
        )));
    }
    let inputs = args.files.iter();
    let inputs: Vec<_> = inputs
        .map(|path| ("what it is made of", path.as_path()))
        .collect();
    check_distinct(&inputs, &[("--output", &args.output)]).map_err(UsageError)
}

fn read(path: &Path) -> Result<Document> {
    let shown = || format!("{}: cannot be read", path.display());
    let (name, text) = if path == Path::new("-") {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        ("<stdin>".to_string(), text)
    } else {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_string_lossy().into_owned();
        (name, read_back(path).with_context(shown)?)
    };
    Document::read(&name, &text).map_err(|error| match path == Path::new("-") {
        true => anyhow!("standard input: {error}"),
        false => anyhow!("{}: {error}", path.display()),
    })
}

//! `brandes report`: makes a page from report files.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use super::UsageError;
use super::common::check_inputs;
use crate::app::page::{Document, page};
use brandes::output::{Named, Output, SUFFIXES, check_distinct, read_back, suffix};

const EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --report run.json
  brandes report run.json -o report.html
      Charts and tables of a run, as one HTML file that loads nothing from anywhere
  brandes report run.json bench.json tune.json -o report.html
      Several kinds of reports on one page
  brandes report d4.json d8.json d16.json -o report.html
      Several runs, compared by what differs between them

Each file was written by 'brandes run --report', 'brandes bench --json' or 'brandes tune --json';
its field `kind` says by which. docs/page.md says more.";

/// Options of `brandes report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// JSON files of run --report, bench --json and tune --json; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write; - writes standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Reads all files, then writes the page.
pub fn report(args: &ReportArgs) -> Result<i32> {
    check(args)?;
    let mut out = Output::open(&args.output)?;
    let documents = args.files.iter().map(|path| read(path));
    let page = page(&documents.collect::<Result<Vec<_>>>()?);
    out.write(|out| out.write_all(page.as_bytes()))?;
    out.finish()?;
    Ok(0)
}

fn check(args: &ReportArgs) -> Result<(), UsageError> {
    let inputs = args.files.iter().map(|path| ("a report", path.as_path()));
    let inputs: Vec<Named> = inputs.collect();
    check_inputs(&inputs)?;
    if let Some(other) = suffix(&args.output).filter(|other| !["html", "htm"].contains(&&**other)) {
        return Err(UsageError(format!(
            "{}: a page has no format .{other}; use .html, alone or with {SUFFIXES} after it",
            args.output.display(),
        )));
    }
    check_distinct(&inputs, &[("--output", &args.output)]).map_err(UsageError)
}

fn read(path: &Path) -> Result<Document> {
    let (name, shown, text) = if path == Path::new("-") {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        ("<stdin>".into(), "standard input".into(), text)
    } else {
        let shown = path.display().to_string();
        let text = read_back(path).with_context(|| format!("{shown}: cannot be read"))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        (name.to_string_lossy(), shown, text)
    };
    Document::read(&name, text).map_err(|error| anyhow!("{shown}: {error}"))
}

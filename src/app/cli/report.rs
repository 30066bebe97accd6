//! `brandes report`: JSON files made into a page.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use super::UsageError;
use crate::app::page::{ChartKind, Document, chart, page};
use brandes::output::{Output, SUFFIXES, check_distinct, read_back, suffix};

const EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --report run.json
  brandes report run.json -o report.html
      Charts and tables of a run, as one HTML file that loads nothing from anywhere
  brandes report run.json bench.json tune.json -o report.html
      Of several files and kinds
  brandes report tune.json --chart degree -o curve.svg
      One chart as an SVG file, for light and dark

Each file is what --report of 'brandes run', 'brandes bench' or 'brandes tune' has written; which of
them is seen from what is in it. docs/page.md says more.";

/// Options of `brandes report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// JSON files written with --report; - reads standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write; - writes standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Write this chart alone, as SVG
    #[arg(long, value_enum, value_name = "CHART")]
    chart: Option<ChartKind>,
}

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
    let inputs = args
        .files
        .iter()
        .map(|path| ("what it is made of", path.as_path()));
    check_distinct(&inputs.collect::<Vec<_>>(), &[("--output", &args.output)]).map_err(UsageError)
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
    Document::read(&name, &text).map_err(|error| anyhow!("{shown}: {error}"))
}

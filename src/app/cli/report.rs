//! `brandes report`: makes a page from report files.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;

use super::{check_outputs, read_all, write_output};
use crate::app::page::{Document, page};
use brandes::output::Output;

const EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --report run.json
  brandes report run.json -o report.html
      Charts and tables of a run, as one HTML file that loads nothing from anywhere
  brandes report d4.json d8.json d16.json -o report.html
      Several runs, compared by what differs between them
  brandes report steps.csv -o report.html
      The components of a graph during removals

Each file was written by 'brandes run --report', 'brandes bench --json' or 'brandes tune --json',
whose field `kind` says by which, or by 'brandes remove -o'. docs/page.md says more.";

/// Options of `brandes report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// JSON files of run --report, bench --json and tune --json, and CSV files of remove; - reads
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write; - writes standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Reads all files, then writes the page.
pub fn report(args: &ReportArgs) -> Result<i32> {
    let inputs = args.files.iter().map(|path| ("a report", path.as_path()));
    check_outputs(&inputs.collect::<Vec<_>>(), &[("-o", Some(&*args.output))])?;
    let out = Output::open(&args.output)?;
    let documents = args.files.iter().map(|path| read(path));
    let page = page(&documents.collect::<Result<Vec<_>>>()?);
    write_output(Some(out), |out| out.write_all(page.as_bytes()))?;
    Ok(0)
}

fn read(path: &Path) -> Result<Document> {
    let (name, file) = match path == Path::new("-") {
        true => ("<stdin>".into(), "standard input".into()),
        false => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            (name.to_string_lossy(), path.display().to_string())
        }
    };
    let text = read_all(path).with_context(|| format!("{file}: cannot be read"))?;
    Document::read(&name, text).map_err(|error| anyhow!("{file}: {error}"))
}

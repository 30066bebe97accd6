//! What can be typed behind `brandes report`.

use std::path::PathBuf;

use clap::Args;

use crate::app::page::ChartKind;

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
    pub files: Vec<PathBuf>,
    /// File to write; - writes standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Write this chart alone, as SVG
    #[arg(long, value_enum, value_name = "CHART")]
    pub chart: Option<ChartKind>,
}

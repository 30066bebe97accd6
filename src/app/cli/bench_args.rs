//! The options of `brandes bench`.

use std::path::PathBuf;

use clap::Args;

use super::input::InputArgs;
use super::measuring::MeasuringArgs;
use super::run_args::{AutoOr, cpu_workers, lanes, positive};
use super::values::{not_negative, one_of};
use crate::app::report::TableStyle;
use brandes::{CpuWorkers, Precision, Reductions, RootSelection};

const EXAMPLES: &str = "\
Examples:
  brandes bench graph.txt.gz
      Every strategy on the best GPU, the device alone, five times each
  brandes bench a.txt b.graph --strategy virtual,lanes,cpu --style markdown
      Three of them on two graphs, as Markdown
  brandes bench a.txt b.graph --strategy virtual --degree 4,8,16,32 --csv times.csv
      Four values of D on two graphs, and all times as a table for pandas or a spreadsheet
  brandes bench graph.txt --ablation --json ablation.json
      The effect of each idea of strategy virtual
  brandes bench road.gr --limit 10 --check
      Estimate what takes more than 10 seconds; compare all scores with the CPU's

The time is that of the search: from the first root to the last sum on the host. Reading, preparing
and making the engine are not in it. Numbers, precisions and workers may be lists with commas: every
combination that a strategy takes is measured. docs/bench.md says more.";

/// Options of `brandes bench`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Graph files, plain or .gz or .zst; - reads standard input
    #[arg(required = true, value_name = "GRAPH")]
    pub graphs: Vec<PathBuf>,

    #[command(flatten)]
    pub input: InputArgs,

    #[command(flatten)]
    pub common: MeasuringArgs,
    /// Measure strategy virtual with each of its ideas switched off; strategies named by --strategy
    /// are measured too
    #[arg(long)]
    pub ablation: bool,
    /// Timed searches of each strategy; the table shows medians
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = positive())]
    pub repeat: u32,
    /// If a search would take longer, estimate it from a sample of the roots and mark it with ~
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = not_negative)]
    pub limit: f64,
    /// Compare all scores with those of the CPU, in place of those of the first strategy
    #[arg(long)]
    pub check: bool,

    /// Style of the tables
    #[arg(long, value_enum, default_value_t = TableStyle::Table)]
    pub style: TableStyle,
    /// Write a row for each graph, strategy and combination of values as CSV; - writes standard
    /// output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Sources, as in 'brandes run'
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub roots: RootSelection,
    /// Reductions of undirected graphs before the search, as in 'brandes run'; if given several
    /// times, all are measured
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub reduce: Vec<Reductions>,

    /// Roots searched together by strategy lanes, multiples of 32; or auto
    #[arg(long = "device-lanes", value_name = "N,...")]
    #[arg(value_delimiter = ',', value_parser = lanes)]
    pub lanes: Vec<AutoOr<u32>>,
    /// Type of numbers on the device; mixed applies to CPU workers too
    #[arg(long, value_delimiter = ',', default_value = "f64")]
    #[arg(value_parser = one_of::<Precision>(&[]))]
    pub precision: Vec<Precision>,
    /// CPU threads that search beside the device, or auto; with 0, strategy cpu uses all cores
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0")]
    #[arg(value_parser = cpu_workers)]
    pub cpu_workers: Vec<CpuWorkers>,
    /// As in 'brandes run'
    #[arg(long, hide = true)]
    pub exact_access: bool,
}

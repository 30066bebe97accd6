//! The commands, and the options of those that have few.

use std::path::PathBuf;

use clap::{Args, Parser};

use super::convert::ConvertArgs;
use super::generate::GenerateArgs;
use super::input::InputArgs;
use super::measuring::BenchArgs;
use super::merge::MergeArgs;
use super::remove::RemoveArgs;
use super::report::ReportArgs;
use super::run_args::{AutoOr, RunArgs, precision};
use super::tune::TuneArgs;
use super::values::not_negative;
use brandes::{DeviceSelection, Precision, Reductions, Strategy};

/// Exact betweenness centrality of large graphs on all the processors of a machine.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub enum Command {
    /// Compute the betweenness centrality of every vertex of a graph
    Run(Box<RunArgs>),
    /// Measure strategies side by side
    Bench(Box<BenchArgs>),
    /// Make a page of charts from report files
    Report(ReportArgs),
    /// Find the best strategy and its numbers for a graph
    Tune(Box<TuneArgs>),
    /// Describe a graph: size, degrees, depth, and the work left to search
    Info(InfoArgs),
    /// List the OpenCL devices of this machine
    Devices(DevicesArgs),
    /// Compare two score files
    Compare(CompareArgs),
    /// Add up the parts of a search that 'brandes run --part' made
    Merge(MergeArgs),
    /// Remove the vertices or edges of the highest scores, and compute the scores again each time
    Remove(Box<RemoveArgs>),
    /// Make a graph
    Generate(GenerateArgs),
    /// Write a graph in another format
    Convert(ConvertArgs),
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write manual pages
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Folder for the pages of all commands; without it, the page of the program goes to
        /// standard output
        #[arg(long, short, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

const EXAMPLES: &str = "\
Examples:
  brandes info graph.txt.gz
      What the graph is like
  brandes run graph.txt.gz --scores scores.csv
      Its scores; 'brandes run --help' has more";

const INFO_EXAMPLES: &str = "\
Examples:
  brandes info bench-graphs/karate.txt
      A table of the graph, and predicted times with and without the best GPU
  brandes info graph.txt --device all --budget 30
      Predictions for all GPUs together, measured for longer
  brandes info graph.txt --budget 0 --json
      The graph only, as JSON (docs/info.md); nothing is measured, and OpenCL is not touched

The memory is that of the arrays that the table names; a whole run needs more.";

/// Options of `brandes info`.
#[derive(Debug, Args)]
#[command(after_help = INFO_EXAMPLES)]
pub struct InfoArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    pub graph: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Seconds of measuring to predict how long runs will take; 0 predicts nothing
    ///
    /// Every configuration searches from at least one root. Building kernels takes extra time,
    /// once.
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = not_negative)]
    pub budget: f64,
    /// Devices to predict runs for, as in 'brandes run'
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    pub device: DeviceSelection,
    /// Reductions of undirected graphs before the search, as in 'brandes run'
    #[arg(long, value_name = "WHAT", default_value = "auto")]
    pub reduce: Reductions,
}

const DEVICES_EXAMPLES: &str = "\
Examples:
  brandes devices
      A table; the number or a part of the name selects a device in 'brandes run --device'
  brandes devices --test all
      Run the self-test of every strategy on every GPU";

/// Options of `brandes devices`.
#[derive(Debug, Args)]
#[command(after_help = DEVICES_EXAMPLES)]
pub struct DevicesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Run the self-test of strategies on devices: all GPUs and accelerators, or those named by
    /// numbers or parts of names
    #[arg(long, value_name = "DEVICE", conflicts_with = "json")]
    pub test: Option<DeviceSelection>,
    /// Test this strategy only
    #[arg(long, requires = "test")]
    pub strategy: Option<Strategy>,
    /// Test with numbers of this type
    #[arg(long, requires = "test", value_parser = precision(), default_value = "auto")]
    pub precision: AutoOr<Precision>,
    /// Test on graphs with lengths
    #[arg(long, requires = "test")]
    pub weighted: bool,
    /// Test with scores of edges
    #[arg(long, requires = "test")]
    pub edges: bool,
    /// Build all kernels again
    #[arg(long, requires = "test")]
    pub no_cache: bool,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  brandes compare scores.csv reference.csv.gz
      Exit code 0 if every score agrees, 1 if one does not
  brandes compare a.csv b.csv --rtol 1e-4
      Allow relative differences up to 1e-4

Scores a and b agree if |a - b| <= ATOL + RTOL * max(|a|, |b|).";

/// Options of `brandes compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// Score file: CSV or TSV with a header; JSON as 'brandes run' writes it; or .npy, which can
    /// only be compared with .npy, because it has no names of vertices
    ///
    /// In CSV and TSV, the scores are in column 'score', else in the columns named after measures,
    /// else in the last column. The columns before them are the name of the vertex or edge.
    pub a: PathBuf,
    /// Score file to compare with the first; - reads standard input, for one of the two
    pub b: PathBuf,
    /// Relative difference allowed
    #[arg(long, value_name = "X", default_value_t = 1e-9, value_parser = not_negative)]
    pub rtol: f64,
    /// Absolute difference allowed
    #[arg(long, value_name = "X", default_value_t = 1e-9, value_parser = not_negative)]
    pub atol: f64,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  brandes completions bash > ~/.local/share/bash-completion/completions/brandes
      For bash, from the next shell on";

const MAN_EXAMPLES: &str = "\
Examples:
  brandes man -o ~/.local/share/man/man1
      Then 'man brandes' and 'man brandes-run' show the pages";

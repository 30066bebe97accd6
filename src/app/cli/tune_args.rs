//! What can be typed behind `brandes tune`.

use std::path::PathBuf;

use clap::Args;

use super::edge_list_args::EdgeListArgs;
use super::measuring::MeasuringArgs;
use super::run_args::{lanes, positive, warp_size};
use brandes::engine::Precision;
use brandes::graph::Format;
use brandes::prepare::Order;

const EXAMPLES: &str = "\
Examples:
  brandes tune graph.txt.gz
      The best setting of the best GPU, in a minute, as a command line; later runs on this graph
      take it from the cache
  brandes tune graph.txt --strategies virtual,lanes --degrees 8,16,32,64 --budget 20
      Two strategies, and D of these only, in twenty seconds
  brandes tune graph.txt --device none --profile best.json
      The best engine of CPU workers; OpenCL is not touched
  brandes tune graph.txt --profile best.json --report tune.json
      The setting as a file for 'brandes run --profile', all times as JSON
  brandes tune graph.txt --strategies lanes --lanes 256,512,1024 --degrees 64,128 --sweep
      All six combinations, none dropped

The setting that 'brandes run' has without options is always measured too, and what is found is
compared with it on other roots. docs/tune.md says more.";

/// Options of `brandes tune`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    /// Graph file, plain or .gz or .zst; - reads standard input
    pub graph: PathBuf,

    #[command(flatten)]
    pub common: MeasuringArgs,
    /// Numbers on the device
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub precision: Precision,
    /// Values of --degree to try [default: by strategy]
    #[arg(long, value_name = "D,...", value_delimiter = ',', value_parser = positive())]
    pub degrees: Vec<u32>,
    /// Values of --lanes to try, multiples of 32 [default: by device]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = lanes_number)]
    pub lanes: Vec<u32>,
    /// Values of --work-group to try [default: by device]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = positive())]
    pub work_groups: Vec<u32>,
    /// Values of --warp-size to try: 4, 8, 16, 32 [default: all of them]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = warp_size_number)]
    pub warp_sizes: Vec<u32>,

    /// Seconds that measuring may take
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = budget)]
    pub budget: f64,
    /// Measure every combination of the numbers given, and drop none
    #[arg(long)]
    pub sweep: bool,

    /// Write what was found, for 'brandes run --profile'; - writes standard output
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// Print nothing but the command line found, errors and warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// Format of the graph file
    #[arg(long, value_enum, default_value_t = Format::Auto)]
    pub format: Format,
    /// Take edges as arcs of one direction
    #[arg(long)]
    pub directed: bool,
    #[command(flatten)]
    pub edge_list: EdgeListArgs,
    /// Numbering of the searched vertices
    #[arg(long, value_enum, default_value_t = Order::Bfs)]
    pub order: Order,
}

const AUTO: &str = "auto is always tried; give numbers";

fn lanes_number(text: &str) -> Result<u32, String> {
    lanes(text)?.0.ok_or(AUTO.into())
}

fn warp_size_number(text: &str) -> Result<u32, String> {
    warp_size(text)?.0.ok_or(AUTO.into())
}

fn budget(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse()
        .ok()
        .filter(|s: &f64| s.is_finite() && *s > 0.0);
    seconds.ok_or_else(|| "not a number of seconds above 0".into())
}

//! What can be typed behind `brandes convert`.

use std::path::PathBuf;

use clap::Args;

use super::input::InputArgs;
use brandes::graph::WriteFormat;

const CONVERT_EXAMPLES: &str = "\
Examples:
  brandes convert graph.txt.gz graph.npz
      For scipy.sparse.load_npz, and the quickest to read again
  brandes convert netscience.gml.gz netscience.csv
      An edge list with commas, for spreadsheets and data frames
  brandes convert roads.gr.gz roads.graphml.gz --weighted
      With its lengths
  brandes convert followers.txt.gz followers.mtx.zst --directed
      A directed graph stays one
  brandes convert - - --format gexf --to graphml
      From standard input to standard output

The format follows the suffix: .csv, .mtx, .graph or .metis, .gr, .graphml, .npz, otherwise an \
edge list; .gz,
.zst, .bz2 and .xz compress. Self-loops and repeated edges are left out, as in every graph that is \
read.";

/// Options of `brandes convert`.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArgs {
    /// Graph file to read, plain or compressed; - reads standard input
    #[arg(value_name = "INPUT")]
    pub graph: PathBuf,
    /// File to write; - writes to standard output, an edge list unless --to says otherwise
    pub output: PathBuf,
    /// Format of the output, if not the one that its suffix stands for
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<WriteFormat>,
    #[command(flatten)]
    pub input: InputArgs,
}

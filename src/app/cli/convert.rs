//! `brandes convert`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::input::InputArgs;
use super::values::one_of;
use super::{check_outputs, format_of, warn, write_graph};
use crate::app::progress::ProgressMode;
use brandes::graph::WriteFormat;

const EXAMPLES: &str = "\
Examples:
  brandes convert graph.txt.gz graph.npz
      For scipy.sparse.load_npz, and the quickest to read again
  brandes convert roads.gr.gz roads.graphml.gz --weighted
      Keep the lengths of edges
  brandes convert - - --format gexf --to graphml
      From standard input to standard output

The format follows the suffix: .txt (an edge list), .csv, .mtx, .graph or .metis, .gr, .graphml,
.gexf, .npz; .gz, .zst, .bz2 and .xz compress. Self-loops and repeated edges are left
out, as in every graph that is read.";

/// Options of `brandes convert`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConvertArgs {
    /// Graph file to read, plain or compressed; - reads standard input
    #[arg(value_name = "INPUT")]
    graph: PathBuf,
    /// File to write; - writes to standard output, an edge list unless --to says otherwise
    output: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// Format of the output [default: by its suffix]
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<WriteFormat>())]
    to: Option<WriteFormat>,
}

/// Reads a graph and writes it in another format.
pub fn convert(args: &ConvertArgs) -> Result<i32> {
    // Rejects an unknown format before the graph is read, which may take long.
    let format = args.to.map_or_else(|| format_of(&args.output), Ok)?;
    let output = [("the output", Some(&*args.output))];
    check_outputs(&[("the graph", &args.graph)], &output)?;
    let (graph, _) = args.input.read(&args.graph, ProgressMode::Auto)?;
    format.losses(&graph).iter().for_each(warn);
    write_graph(&graph, &args.output, format)?;
    Ok(0)
}

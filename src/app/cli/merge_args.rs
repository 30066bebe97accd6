//! What can be typed behind `brandes merge`.

use std::path::PathBuf;

use clap::Args;

use super::score_args::ScoreArgs;

const MERGE_EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --part 1/2 --sums part-1.npz
  brandes run graph.txt --part 2/2 --sums part-2.npz
  brandes merge part-1.npz part-2.npz --scores scores.csv
      Two halves, on two machines perhaps, and the scores that they make together
  brandes merge part-1.npz part-2.npz --scores scores.json.gz --normalized --sort
      The same divided by the number of pairs, the highest first

Parts are added in the order of their numbers, whatever their order here. The graph is not needed.";

/// Options of `brandes merge`.
#[derive(Debug, Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub struct MergeArgs {
    /// Files of sums, one of each part, as 'brandes run --part K/N --sums FILE' writes them
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,
    #[command(flatten)]
    pub output: ScoreArgs,
    /// Write the score of every edge as CSV; - writes standard output. The parts need --sum-edges
    #[arg(long, value_name = "FILE")]
    pub edges: Option<PathBuf>,
    /// Divide scores by the number of pairs that could meet a vertex
    #[arg(long)]
    pub normalized: bool,
    /// Show this many vertices of the highest scores
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub top: usize,
    /// Print nothing but errors and warnings
    #[arg(long, short)]
    pub quiet: bool,
}

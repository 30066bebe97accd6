//! `brandes merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;

use super::scores::{BETWEENNESS, ScoreArgs, ScoresFile, write_edges};
use super::{check_outputs, library_error, writes_standard_output};
use crate::app::report::{Row, top_table};
use brandes::output::{Named, Output};
use brandes::report::top;
use brandes::report::words::{counted, grouped};
use brandes::{Merged, Scale};

const EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --part 1/2 --sums part-1.npz
  brandes run graph.txt --part 2/2 --sums part-2.npz
  brandes merge part-1.npz part-2.npz --scores scores.csv
      The two halves of a search, perhaps on two machines, and the scores of the whole
  brandes merge part-1.npz part-2.npz --scores scores.json.gz --normalized --sort
      The same divided by the number of pairs, the highest first

Parts are added in the order of their numbers, whatever their order here. The graph is not needed.";

/// Options of `brandes merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArgs {
    /// Files of sums, one for each part, as 'brandes run --part K/N --sums FILE' writes them
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: ScoreArgs,
    /// Write the score of every edge as CSV; - writes standard output. The parts need --sum-edges
    #[arg(long, value_name = "FILE")]
    edges: Option<PathBuf>,
    /// Divide scores by the number of pairs of vertices whose paths could contain the vertex
    #[arg(long)]
    normalized: bool,
    /// Show this many vertices of the highest scores
    #[arg(long, value_name = "K", default_value_t = 10)]
    top: usize,
    /// Print nothing but errors and warnings
    #[arg(long, short)]
    quiet: bool,
}

/// Adds up the parts of a search, and writes the scores.
pub fn merge(args: &MergeArgs) -> Result<i32> {
    let parts = args.parts.iter();
    let inputs: Vec<Named> = parts.map(|path| ("a part", path.as_path())).collect();
    let outputs = [("--scores", &args.output.scores), ("--edges", &args.edges)];
    check_outputs(&inputs, outputs)?;
    let mut scores_out = ScoresFile::open(&args.output)?;
    if let Some(out) = &scores_out {
        out.needs_no_graph()?;
    }
    let mut edges_out = args.edges.as_deref().map(Output::open).transpose()?;
    let merged = Merged::read(&args.parts).map_err(library_error)?;
    let labels = merged.labels();
    let scale = match args.normalized {
        true => Scale::Normalized,
        false => Scale::Pairs,
    };
    let scores = &merged.vertices(scale)[..];
    let named = |scores| [(BETWEENNESS.to_string(), scores)];
    if let Some(out) = &mut scores_out {
        out.check(labels)?;
        let normalized = || merged.vertices(Scale::Normalized);
        out.write(labels, None, &named(scores), &[], normalized)?;
    }
    if let Some(out) = &mut edges_out {
        let edges = merged.edges(scale).ok_or_else(|| {
            anyhow!(
                "{}: the parts have no sums of edges; search them with --sum-edges",
                args.parts[0].display()
            )
        })?;
        let (ends, scores): (Vec<_>, Vec<_>) = edges.unzip();
        let (ends, scores) = (ends.into_iter(), named(&scores[..]));
        out.write(|out| write_edges(out, labels, merged.directed(), ends, &scores))?;
    }
    let scores_out = scores_out.map(ScoresFile::into_output);
    [scores_out, edges_out]
        .into_iter()
        .flatten()
        .try_for_each(Output::finish)?;
    if args.quiet || writes_standard_output(outputs) {
        return Ok(0);
    }
    let best = top(scores, args.top).into_iter();
    let rows = best.map(|v| Row {
        vertex: labels.display(v).to_string(),
        score: scores[v as usize],
        interval: None,
        degree: None,
    });
    let mut text = top_table(rows, ["score", "degree"]);
    let vertices = counted(labels.len(), "vertex");
    let parts = counted(merged.parts() as usize, "part");
    text += &format!("{vertices} from {parts}\n");
    if merged.sources() < labels.len() as u64 {
        let sources = grouped(merged.sources());
        text += &format!("partial scores: {sources} of {vertices} are sources\n");
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(0)
}

//! `brandes merge`.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use super::scores::{BETWEENNESS, ScoreArgs, ScoresFile, write_edges};
use super::{check_outputs, refuse, writes_standard_output};
use crate::app::report::top_table;
use brandes::output::{Named, Output};
use brandes::report::words::{counted, grouped};
use brandes::{Merged, Scale};

const EXAMPLES: &str = "\
Examples:
  brandes run graph.txt --part 1/2 --sums part-1.npz
  brandes run graph.txt --part 2/2 --sums part-2.npz
  brandes merge part-1.npz part-2.npz --scores scores.csv
      The two halves of a search, perhaps on two machines, and the scores of the whole

Parts are added in the order of their numbers, whatever their order here. The graph is not needed.";

/// Options of `brandes merge`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MergeArgs {
    /// Files of sums, one for each part, as 'brandes run --part K/N --sums FILE' writes them; with
    /// --sum-edges for scores of edges
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: ScoreArgs,
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
    let (scores, edges) = (args.output.scores.as_deref(), args.output.edges.as_deref());
    let outputs = [("--scores", scores), ("--edges", edges)];
    check_outputs(&inputs, &outputs)?;
    let mut scores_out = ScoresFile::open(&args.output)?;
    if scores_out.as_ref().is_some_and(ScoresFile::is_graph) {
        return refuse(
            "graph formats need the graph, which parts do not have; choose another format of \
             --scores",
        );
    }
    let mut edges_out = edges.map(Output::open).transpose()?;
    let merged = Merged::read(&args.parts)?;
    let labels = merged.labels();
    let scale = match args.output.normalized {
        true => Scale::Normalized,
        false => Scale::Pairs,
    };
    let scores = &merged.vertices(scale)[..];
    let named = |scores| [(BETWEENNESS.to_string(), scores)];
    if let Some(out) = &mut scores_out {
        out.check(labels)?;
        out.write(labels, None, &named(scores), &[])?;
    }
    if let Some(out) = &mut edges_out {
        let (edges, part) = (merged.edges(scale), args.parts[0].display());
        let edges = edges.with_context(|| {
            format!("{part}: the parts have no sums of edges; search them with --sum-edges")
        })?;
        let (ends, scores): (Vec<_>, Vec<_>) = edges.unzip();
        let (ends, scores) = (ends.into_iter(), named(&scores[..]));
        out.write(|out| write_edges(out, labels, merged.directed(), ends, &scores))?;
    }
    let scores_out = scores_out.map(|file| file.out);
    for out in [scores_out, edges_out].into_iter().flatten() {
        out.finish()?;
    }
    if args.quiet || writes_standard_output(&outputs) {
        return Ok(0);
    }
    let mut text = top_table(labels, &[("score".into(), scores)], None, args.top, None);
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

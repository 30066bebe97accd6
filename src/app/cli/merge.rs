//! `brandes merge`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};

use super::merge_args::MergeArgs;
use super::scores::{ScoresFile, write_edges};
use super::{check_outputs, of_library};
use crate::app::report::top_table;
use brandes::output::{Named, Output};
use brandes::report::top;
use brandes::report::words::{counted, grouped};
use brandes::{Merged, Scale};

/// Adds up the parts of a search, and writes their scores.
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
    let merged = Merged::of(&args.parts).map_err(of_library)?;
    let labels = merged.labels();
    if let Some(out) = &scores_out {
        out.check(labels)?;
    }
    let scale = match args.normalized {
        true => Scale::Normalized,
        false => Scale::Pairs,
    };
    let scores = &merged.vertices(scale)[..];
    let wants_normalized = scores_out
        .as_ref()
        .is_some_and(ScoresFile::wants_normalized);
    let normalized = wants_normalized.then(|| merged.vertices(Scale::Normalized));
    let normalized = normalized.unwrap_or_default();
    if let Some(out) = &mut scores_out {
        out.write((labels, None), scores, &normalized)?;
    }
    if let Some(out) = &mut edges_out {
        let edges = merged.edges(scale).ok_or_else(|| {
            anyhow!(
                "{}: the parts have no sums of edges; search them with --sum-edges",
                args.parts[0].display()
            )
        })?;
        out.write(|out| write_edges(out, (labels, merged.directed()), edges))?;
    }
    scores_out.map_or(Ok(()), ScoresFile::finish)?;
    edges_out.map_or(Ok(()), Output::finish)?;
    if args.quiet {
        return Ok(0);
    }
    let best = top(scores, args.top).into_iter();
    let rows = best.map(|v| (labels.display(v).to_string(), scores[v as usize], None));
    let mut text = top_table(rows, "degree");
    if !text.is_empty() {
        text.push('\n');
    }
    let vertices = counted(labels.len(), "vertex");
    text += &format!(
        "{vertices} from {}\n",
        counted(merged.parts() as usize, "part")
    );
    if merged.sources() < labels.len() as u64 {
        let sources = grouped(merged.sources());
        text += &format!("partial scores: {sources} of {vertices} are sources\n");
    }
    let dash = Some(Path::new("-"));
    if outputs.iter().any(|(_, path)| path.as_deref() == dash) {
        return Ok(0);
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(0)
}

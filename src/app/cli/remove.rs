//! `brandes remove`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use super::input::InputArgs;
use super::run_args::{cpu_workers, positive};
use super::scores::{self, write_ends};
use super::values::one_of;
use super::{
    check_outputs, progress_mode, refuse, say, warn, write_output, writes_standard_output,
};
use crate::app::progress::{ProgressMode, Status};
use brandes::graph::{Graph, Shortest, Vertex};
use brandes::output::Output;
use brandes::report::words::{counted, rate, time_left};
use brandes::{
    Betweenness, CancelToken, CpuWorkers, DeviceSelection, Removal, RemovalOptions, RemoveBy, stop,
};

const EXAMPLES: &str = "Examples:
  brandes remove bench-graphs/karate.txt -o steps.csv --communities communities.csv
      Girvan and Newman's communities: those of the largest modularity
  brandes remove graph.txt.gz --steps 5000 --resume attack.csv -o attack.csv
      Continue an attack on vertices; Ctrl-C saves the removals made so far";

/// Options of `brandes remove`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RemoveArgs {
    /// Graph file, plain or compressed; - reads standard input
    graph: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// What to remove [default: vertices; with --communities edges]
    #[arg(long, value_name = "WHAT", value_parser = one_of::<RemoveBy>())]
    by: Option<RemoveBy>,
    /// Remove at most N vertices or edges [default: all]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// End when there are at least N components
    #[arg(long, value_name = "N")]
    until: Option<usize>,
    /// Remove K at a time, before scores are computed again
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = positive())]
    batch: u32,
    /// Write the removals as CSV; - writes standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write the community of each vertex as CSV: with --until the last components, without it
    /// those of the largest modularity
    #[arg(long, value_name = "FILE")]
    communities: Option<PathBuf>,
    /// Repeat the removals of this file without computing them, and continue
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Devices to drive, as in 'brandes run'
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    device: DeviceSelection,
    /// CPU threads that search, as in 'brandes run'
    #[arg(long, value_name = "N", default_value = "auto", value_parser = cpu_workers)]
    cpu_workers: CpuWorkers,
    /// When to show progress
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    progress: ProgressMode,
    /// Print nothing but errors and warnings
    #[arg(long, short)]
    quiet: bool,
}

/// Removes vertices or edges, and writes the removals.
pub fn remove(args: &RemoveArgs) -> Result<i32> {
    let communities = args.communities.as_deref();
    let by = args.by.or(communities.map(|_| RemoveBy::Edges));
    let by = by.unwrap_or_default();
    if by == RemoveBy::Vertices && communities.is_some() {
        return refuse("--communities needs --by edges; leave --by out, or name edges");
    }
    let output = Some(&*args.output);
    let outputs = [("--output", output), ("--communities", communities)];
    // `--resume` is not checked, because `--output` may replace that file.
    check_outputs(&[("the graph", &args.graph)], &outputs)?;
    let steps_out = Output::open(&args.output)?;
    let communities_out = communities.map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, args.progress);
    let graph = Arc::new(args.input.read(&args.graph, mode)?.0);
    let known = (args.resume.iter()).map(|path| read_steps(path, &graph, by, args.batch));
    let known = known.collect::<Result<Vec<_>>>()?.concat();
    let known_steps = known.len();
    let cancel = CancelToken::default();
    let search = Betweenness::new().devices(args.device.clone());
    let search = search.cpu_workers(args.cpu_workers).cancel(&cancel);
    let options = RemovalOptions {
        by,
        batch: Some(args.batch as usize),
        steps: args.steps,
        until: args.until,
        known,
    };
    let mut removals = search.removals(Arc::clone(&graph), options)?;
    let all = args.steps.unwrap_or(usize::MAX).min(by.items(&graph).len());
    stop::set_token(Some(&cancel));
    let (mut steps, status, began) = (Vec::new(), Status::new(mode), Instant::now());
    let result = removals.try_for_each(|step| {
        steps.push(step?);
        status.show(|| {
            let (made, computed) = (steps.len(), steps.len().saturating_sub(known_steps));
            let each = began.elapsed().as_secs_f64() / computed.max(1) as f64;
            let (rate, left) = (rate(each), time_left(each * (all - made) as f64));
            format!("{made} of {all} removals made, {rate}, {left}")
        });
        Ok(())
    });
    stop::set_token(None);
    // Removes the progress line, before warnings are printed.
    drop(status);
    removals.warnings.iter().for_each(warn);
    let (made, has_more) = (counted(steps.len(), "removal"), steps.len() > known_steps);
    let result = match stop::signal() {
        Some((signal, name)) if matches!(result, Err(brandes::Error::Cancelled)) => {
            let next = if has_more { "; --resume continues" } else { "" };
            say(format_args!("stopped by {name}: {made}{next}"));
            Ok(128 + signal)
        }
        _ => result.map(|()| 0).map_err(Into::into),
    };
    // The removals before an error are written, so that they can be resumed.
    if !matches!(result, Ok(0)) && !has_more {
        return result;
    }
    write_output(Some(steps_out), |out| write_csv(out, &graph, by, &steps))?;
    let (last, best) = (removals.communities(), removals.best.as_ref());
    write_output(communities_out, |out| {
        let best = best.filter(|_| args.until.is_none());
        let chosen = best.map_or(last, |(_, communities)| &communities[..]);
        writeln!(out, "vertex,community")?;
        for (v, community) in (0..).zip(chosen) {
            write_ends(out, b',', (graph.labels(), graph.directed()), [v; 2])?;
            writeln!(out, ",{}", community + 1)?;
        }
        Ok(())
    })?;
    if result.is_ok() && !args.quiet && !writes_standard_output(&outputs) {
        let left = counted(removals.components(), "component");
        let best = best.map_or(String::new(), |(value, communities)| {
            let count = communities.iter().max().map_or(0, |&last| last + 1);
            format!("; largest modularity: {value:.4}, of {count} communities")
        });
        writeln!(io::stdout(), "{made}, {left} left{best}")?;
    }
    result
}

/// Writes removals. Column `removed` is the share of the graph's vertices or edges removed so far.
fn write_csv(out: &mut impl Write, graph: &Graph, by: RemoveBy, all: &[Removal]) -> io::Result<()> {
    let (ends, modularity, items) = match by {
        RemoveBy::Vertices => ("vertex", "", graph.vertices()),
        RemoveBy::Edges => ("source,target", ",modularity", graph.edges()),
    };
    writeln!(out, "{ends},score,removed,components,largest{modularity}")?;
    for step in all {
        write_ends(out, b',', (graph.labels(), graph.directed()), step.ends)?;
        let (score, share) = (Shortest(step.score), step.removed as f64 / items as f64);
        let (share, components, largest) = (Shortest(share), step.components, step.largest);
        write!(out, ",{score},{share},{components},{largest}")?;
        if let Some(value) = step.modularity.map(Shortest) {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Removals and their scores, as in [`RemovalOptions::known`].
type Known = Vec<([Vertex; 2], f64)>;

/// Reads the removals of an earlier run with the same batch.
fn read_steps(path: &Path, graph: &Graph, by: RemoveBy, batch: u32) -> Result<Known> {
    let (steps, names) = (scores::read(path)?, (graph.labels(), graph.directed()));
    let file = path.display();
    let [(_, all_scores), (_, removed)] = &steps.columns[..] else {
        bail!("{file}: this is not a file of 'brandes remove'; give one that it wrote");
    };
    let named = |ends: [Vertex; 2]| -> io::Result<_> {
        let mut name = Vec::new();
        match by {
            RemoveBy::Vertices => graph.labels().write(ends[0], &mut name)?,
            RemoveBy::Edges => write_ends(&mut name, b',', names, ends)?,
        }
        Ok((scores::text(&name), ends))
    };
    let all = by.items(graph).into_iter().map(named);
    let all: HashMap<String, [Vertex; 2]> = all.collect::<io::Result<_>>()?;
    let expected = |row: u32| f64::from((row / batch + 1) * batch) / all.len() as f64;
    let mut in_whole_batches = 0..removed.len() as u32 / batch * batch;
    if in_whole_batches.any(|row| removed[row as usize] != expected(row)) {
        bail!("{file}: it was written with another graph, --by or --batch; give the same");
    }
    let rows = steps.labels.iter().zip(all_scores);
    let known = rows.map(|(name, &score)| match all.get(name) {
        Some(&ends) => Ok((ends, score)),
        None => bail!("{file}: {name} is not in the graph; give graph and options as before"),
    });
    known.collect()
}

//! `brandes remove`.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use super::input::{InputArgs, read_with_progress, say_warnings};
use super::run_args::{cpu_workers, positive};
use super::scores::{self, write_ends, write_field};
use super::values::one_of;
use super::{check_outputs, progress_mode, refuse, say, warn, writes_standard_output};
use crate::app::report::{ProgressMode, Status};
use brandes::graph::{Graph, Shortest, Vertex};
use brandes::output::Output;
use brandes::report::words::{counted, rate, time_left};
use brandes::{
    Betweenness, CancelToken, CpuWorkers, DeviceSelection, Error, Removal, RemovalOptions,
    RemoveBy, stop,
};

const EXAMPLES: &str = "\
Examples:
  brandes remove bench-graphs/karate.txt -o steps.csv --communities communities.csv
      Girvan and Newman's communities: those of the largest modularity
  brandes remove graph.txt.gz --steps 1000 -o attack.csv
      An attack on the vertices of the highest scores
  brandes remove graph.txt.gz --steps 5000 --resume attack.csv -o attack.csv
      Continue; Ctrl-C writes the removals so far (docs/removal.md)";

/// Options of `brandes remove`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RemoveArgs {
    /// Graph file, plain or compressed; - reads standard input
    graph: PathBuf,
    #[command(flatten)]
    input: InputArgs,
    /// What to remove [default: vertices; with --communities edges]
    #[arg(long, value_name = "WHAT", value_parser = one_of::<RemoveBy>(&[]))]
    by: Option<RemoveBy>,
    /// Remove at most N vertices or edges [default: all]
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// End when there are N components
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
    let by = match (args.by, &args.communities) {
        (Some(RemoveBy::Vertices), Some(_)) => {
            return refuse("--communities are for --by edges; leave one of the two options out");
        }
        (None, Some(_)) => RemoveBy::Edges,
        (by, _) => by.unwrap_or_default(),
    };
    let output = Some(args.output.clone());
    let outputs = [("--output", &output), ("--communities", &args.communities)];
    check_outputs(&[("the graph", &args.graph)], outputs)?;
    let mut out = Output::open(&args.output)?;
    let mut communities_out = args.communities.as_deref().map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, args.progress);
    let (graph, source) = read_with_progress(&args.graph, &args.input.options(), mode)?;
    say_warnings(&graph, &source);
    let graph = Arc::new(graph);
    let items = match by {
        RemoveBy::Vertices => graph.vertices(),
        RemoveBy::Edges => graph.edges(),
    };
    let known = match &args.resume {
        Some(path) => read_steps(path, &graph, by)?,
        None => Vec::new(),
    };
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
    let mut steps: Vec<Removal> = Vec::new();
    stop::set_token(Some(&cancel));
    let (status, began) = (Status::new(mode), Instant::now());
    let result = removals.try_for_each(|step| {
        steps.push(step?);
        status.tell(|| {
            let (made, all) = (steps.len(), args.steps.unwrap_or(items).min(items));
            let seconds = began.elapsed().as_secs_f64() / made as f64;
            let left = time_left(seconds * (all - made) as f64);
            format!(
                "{made} of {} made, {}, {left}",
                counted(all, "removal"),
                rate(seconds)
            )
        });
        Ok(())
    });
    drop(status);
    stop::set_token(None);
    removals.warnings.iter().for_each(warn);
    let signal = stop::signal().filter(|_| matches!(result, Err(Error::Cancelled)));
    match signal {
        Some((signal, name)) => {
            let made = counted(steps.len(), "removal");
            say(format_args!(
                "stopped by {name}: {made}; --resume continues"
            ));
            if steps.len() <= known_steps {
                return Ok(128 + signal);
            }
        }
        None => result?,
    }
    out.write(|out| write_steps(out, (&graph, items), by, &steps))?;
    let best = removals.best.as_ref();
    if let Some(out) = &mut communities_out {
        let last = removals.communities();
        let best = best.filter(|_| args.until.is_none());
        let chosen = best.map_or(&last, |(_, communities)| communities);
        out.write(|out| write_communities(out, &graph, chosen))?;
    }
    for out in [Some(out), communities_out].into_iter().flatten() {
        out.finish()?;
    }
    if !args.quiet && !writes_standard_output(outputs) {
        let (made, parts) = (counted(steps.len(), "removal"), removals.components());
        let parts = counted(parts, "component");
        let best = best.map(|(value, communities)| {
            let count = communities.iter().max().map_or(0, |&last| last + 1);
            format!("; largest modularity: {value:.4}, of {count} communities")
        });
        writeln!(
            io::stdout(),
            "{made}, {parts} left{}",
            best.unwrap_or_default()
        )?;
    }
    Ok(signal.map_or(0, |(signal, _)| 128 + signal))
}

/// Writes the removals. The first columns are those of a file of scores.
fn write_steps(
    out: &mut impl Write,
    (graph, items): (&Graph, usize),
    by: RemoveBy,
    steps: &[Removal],
) -> io::Result<()> {
    out.write_all(match by {
        RemoveBy::Vertices => b"vertex,score,removed,components,largest\n",
        RemoveBy::Edges => b"source,target,score,removed,components,largest,modularity\n",
    })?;
    for (step, made) in steps.iter().zip(1..) {
        write_name(out, graph, step.ends)?;
        let (score, share) = (Shortest(step.score), Shortest(made as f64 / items as f64));
        write!(out, ",{score},{share},{},{}", step.components, step.largest)?;
        if let Some(modularity) = step.modularity {
            write!(out, ",{}", Shortest(modularity))?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes the name of a vertex, or of both ends of an edge.
fn write_name(out: &mut impl Write, graph: &Graph, ends: [Vertex; 2]) -> io::Result<()> {
    match ends[0] == ends[1] {
        true => write_field(out, b',', graph.labels(), ends[0]),
        false => write_ends(out, graph.labels(), graph.directed(), ends),
    }
}

fn write_communities(out: &mut impl Write, graph: &Graph, communities: &[u32]) -> io::Result<()> {
    out.write_all(b"vertex,community\n")?;
    for (v, community) in communities.iter().enumerate() {
        write_field(out, b',', graph.labels(), v as Vertex)?;
        writeln!(out, ",{}", community + 1)?;
    }
    Ok(())
}

/// Reads the removals of an earlier run, with their scores.
fn read_steps(path: &Path, graph: &Graph, by: RemoveBy) -> Result<Vec<([Vertex; 2], f64)>> {
    let file = scores::read(path)?;
    let name = |ends: [Vertex; 2]| -> io::Result<(String, [Vertex; 2])> {
        let mut name = graph.labels().display(ends[0]).to_string().into_bytes();
        if by == RemoveBy::Edges {
            name.clear();
            write_name(&mut name, graph, ends)?;
        }
        Ok((String::from_utf8_lossy(&name).into_owned(), ends))
    };
    let all: HashMap<String, [Vertex; 2]> = match by {
        RemoveBy::Vertices => (0..graph.vertices() as Vertex)
            .map(|v| name([v; 2]))
            .collect(),
        RemoveBy::Edges => graph.ends().map(name).collect::<io::Result<_>>(),
    }?;
    let rows = file.labels.iter().zip(&file.columns[0].1);
    rows.map(|(label, &score)| match all.get(label) {
        Some(&ends) => Ok((ends, score)),
        None => bail!(
            "{}: '{label}' is not in the graph; give graph and options as before",
            path.display()
        ),
    })
    .collect()
}

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
use super::scores::{self, EDGES, write_edges, write_ends};
use super::values::one_of;
use super::{check_outputs, progress_mode, refuse, say, warn, writes_standard_output};
use crate::app::report::{ProgressMode, Status};
use brandes::graph::{Graph, Vertex};
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

/// The header of the column of vertices.
const VERTICES: &str = "vertex";

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
    let by = args.by.unwrap_or(match args.communities {
        Some(_) => RemoveBy::Edges,
        None => RemoveBy::Vertices,
    });
    if by == RemoveBy::Vertices && args.communities.is_some() {
        return refuse("--communities are for --by edges; leave one of the two options out");
    }
    let output = Some(args.output.clone());
    let outputs = [("--output", &output), ("--communities", &args.communities)];
    check_outputs(&[("the graph", &args.graph)], outputs)?;
    let mut out = Output::open(&args.output)?;
    let mut communities_out = args.communities.as_deref().map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, args.progress);
    let (graph, source) = read_with_progress(&args.graph, &args.input.options(), mode)?;
    say_warnings(&graph, &source);
    let graph = Arc::new(graph);
    let (header, items) = match by {
        RemoveBy::Vertices => (VERTICES, graph.vertices()),
        RemoveBy::Edges => (EDGES, graph.edges()),
    };
    let known = args
        .resume
        .as_ref()
        .map(|path| read_steps(path, &graph, by));
    let known = known.transpose()?.unwrap_or_default();
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
    let all = args.steps.unwrap_or(items).min(items);
    let result = removals.try_for_each(|step| {
        steps.push(step?);
        let (made, seconds) = (steps.len(), began.elapsed().as_secs_f64());
        status.tell(|| {
            let each = seconds / made as f64;
            let (rate, left) = (rate(each), time_left(each * (all - made) as f64));
            format!("{made} of {all} removals made, {rate}, {left}")
        });
        Ok(())
    });
    drop(status);
    stop::set_token(None);
    removals.warnings.iter().for_each(warn);
    let signal = stop::signal().filter(|_| matches!(result, Err(Error::Cancelled)));
    let made = counted(steps.len(), "removal");
    match signal {
        Some((_, name)) => say(format!("stopped by {name}: {made}; --resume continues")),
        None => result?,
    }
    let exit_code = signal.map_or(0, |(signal, _)| 128 + signal);
    if exit_code > 0 && steps.len() <= known_steps {
        return Ok(exit_code);
    }
    let labels = (graph.labels(), graph.directed());
    let ends = steps.iter().map(|step| step.ends);
    let column = |value: &dyn Fn(&Removal) -> f64| steps.iter().map(value).collect::<Vec<f64>>();
    let columns = [
        ("score", column(&|step| step.score)),
        (
            "removed",
            (1..=steps.len())
                .map(|made| made as f64 / items as f64)
                .collect(),
        ),
        ("components", column(&|step| step.components as f64)),
        ("largest", column(&|step| step.largest as f64)),
        (
            "modularity",
            column(&|step| step.modularity.unwrap_or_default()),
        ),
    ];
    let named = columns
        .iter()
        .map(|(name, values)| (name.to_string(), &values[..]));
    let named: Vec<_> = named
        .take(if by == RemoveBy::Edges { 5 } else { 4 })
        .collect();
    out.write(|out| write_edges(out, labels, header, ends, &named))?;
    let best = removals.best.as_ref();
    if let Some(out) = &mut communities_out {
        let last = removals.communities();
        let best = best.filter(|_| args.until.is_none());
        let chosen = best.map_or(&last, |(_, communities)| communities).iter();
        let chosen: Vec<f64> = chosen
            .map(|&community| f64::from(community) + 1.0)
            .collect();
        let (vertices, column) = (0..chosen.len() as Vertex, ("community".into(), &chosen[..]));
        out.write(|out| write_edges(out, labels, VERTICES, vertices.map(|v| [v; 2]), &[column]))?;
    }
    for out in [Some(out), communities_out].into_iter().flatten() {
        out.finish()?;
    }
    if !args.quiet && !writes_standard_output(outputs) {
        let mut text = format!(
            "{made}, {} left",
            counted(removals.components(), "component")
        );
        if let Some((value, communities)) = best {
            let count = communities.iter().max().map_or(0, |&last| last + 1);
            text += &format!("; largest modularity: {value:.4}, of {count} communities");
        }
        writeln!(io::stdout(), "{text}")?;
    }
    Ok(exit_code)
}

/// Reads the removals of an earlier run, with their scores.
fn read_steps(path: &Path, graph: &Graph, by: RemoveBy) -> Result<Vec<([Vertex; 2], f64)>> {
    let file = scores::read(path)?;
    let named = |ends: [Vertex; 2]| -> io::Result<(String, [Vertex; 2])> {
        let mut name = Vec::new();
        match by {
            RemoveBy::Vertices => write!(name, "{}", graph.labels().display(ends[0]))?,
            RemoveBy::Edges => write_ends(&mut name, graph.labels(), graph.directed(), ends)?,
        }
        Ok((String::from_utf8_lossy(&name).into_owned(), ends))
    };
    let all: HashMap<String, [Vertex; 2]> = match by {
        RemoveBy::Vertices => (0..graph.vertices() as Vertex)
            .map(|v| named([v; 2]))
            .collect(),
        RemoveBy::Edges => graph.ends().map(named).collect::<io::Result<_>>(),
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

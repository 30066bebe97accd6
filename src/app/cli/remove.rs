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
use crate::app::report::{Progress, ProgressMode};
use brandes::graph::{Graph, Shortest, Vertex};
use brandes::output::Output;
use brandes::report::words::counted;
use brandes::{
    Betweenness, CancelToken, CpuWorkers, DeviceSelection, Error, Precision, Removal,
    RemovalOptions, RemoveBy, Removed, stop,
};

const EXAMPLES: &str = "\
Examples:
  brandes remove bench-graphs/karate.txt --by edges -o steps.csv --communities communities.csv
      Girvan and Newman's communities: those of the largest modularity
  brandes remove bench-graphs/karate.txt --until 4 --communities four.csv -o steps.csv
      Four communities
  brandes remove graph.txt.gz --steps 1000 -o attack.csv
      An attack on the vertices of the highest scores, one after another
  brandes remove graph.txt.gz --steps 5000 --batch 10 --resume attack.csv -o attack.csv
      Continue; from now on, remove ten vertices before scores are computed again

Ctrl-C writes the removals so far. docs/removal.md says more.";

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
    let communities_out = args.communities.as_deref().map(Output::open).transpose()?;
    let mode = progress_mode(args.quiet, args.progress);
    let (graph, source) = read_with_progress(&args.graph, &args.input.options(), mode)?;
    say_warnings(&graph, &source);
    let graph = Arc::new(graph);
    let known = args
        .resume
        .as_deref()
        .map(|path| read_steps(path, &graph, by));
    let known = known.transpose()?.unwrap_or_default();
    // The last batch is computed again, as a check.
    let batch = args.batch as usize;
    let repeated = known.len().saturating_sub(1) / batch * batch;

    let cancel = CancelToken::default();
    let mut removals = Betweenness::new()
        .devices(args.device.clone())
        .cpu_workers(args.cpu_workers)
        .cancel(&cancel)
        .removals(
            Arc::clone(&graph),
            RemovalOptions {
                by,
                batch,
                steps: args.steps.unwrap_or(usize::MAX),
                until: args.until.unwrap_or(usize::MAX),
                known: known[..repeated].to_vec(),
            },
        )?;
    let all = match by {
        RemoveBy::Vertices => graph.vertices(),
        RemoveBy::Edges => graph.edges(),
    };
    let all = args.steps.unwrap_or(all).min(all);
    let mut steps: Vec<Removal> = Vec::new();
    stop::set_token(Some(&cancel));
    let mut progress = Progress::of(mode, "removal", "removals");
    let began = Instant::now();
    let result = removals.try_for_each(|step| {
        let step = step?;
        if let Some(&(removed, score)) = known.get(steps.len()) {
            let close = (score - step.score).abs() <= Precision::F64.tolerance() * (1.0 + score);
            if removed != step.removed || !close {
                let file = args.resume.as_deref().unwrap_or(Path::new("")).display();
                return Err(Error::Settings(format!(
                    "{file}: removal {} is another one in this graph; give the same graph and \
                     options as before, or leave `resume` out",
                    steps.len() + 1
                )));
            }
        }
        steps.push(step);
        progress.tell(&brandes::Progress {
            done: steps.len(),
            roots: all,
            half_width: None,
            awaits_devices: false,
            began,
            checkpoint: None,
            checkpoint_failure: None,
        });
        Ok(())
    });
    drop(progress);
    stop::set_token(None);
    removals.warnings().iter().for_each(warn);
    let signal = stop::signal().filter(|_| matches!(result, Err(Error::Cancelled)));
    if signal.is_none() {
        result?;
    }
    if let Some((signal, name)) = signal.filter(|_| steps.len() <= known.len()) {
        say(format_args!("stopped by {name}: there are no new removals"));
        return Ok(128 + signal);
    }
    out.write(|out| write_steps(out, &graph, by, &steps))?;
    let best = removals.best();
    let last = removals.communities();
    let communities = match best {
        Some((_, best)) if args.until.is_none() => best,
        _ => &last,
    };
    let communities_out = communities_out.map(|mut written| {
        written.write(|out| write_communities(out, &graph, communities))?;
        Ok::<_, anyhow::Error>(written)
    });
    let communities_out = communities_out.transpose()?;
    for out in [Some(out), communities_out].into_iter().flatten() {
        out.finish()?;
    }
    if let Some((signal, name)) = signal {
        let written = counted(steps.len(), "removal");
        let text = "are written; --resume continues from the file";
        say(format_args!("stopped by {name}: {written} {text}"));
        return Ok(128 + signal);
    }
    if !args.quiet && !writes_standard_output(outputs) {
        let components = steps.last().map_or(0, |step| step.components);
        let (made, components) = (
            counted(steps.len(), "removal"),
            counted(components, "component"),
        );
        let mut text = format!("{made}, {components} at the end\n");
        if let Some((value, best)) = best {
            let count = best.iter().max().map_or(0, |&last| last as usize + 1);
            let count = counted(count, "component");
            text += &format!("largest modularity: {value:.4}, of {count}\n");
        }
        io::stdout().lock().write_all(text.as_bytes())?;
    }
    Ok(0)
}

/// Writes the removals. The first columns are those of a file of scores.
fn write_steps(
    out: &mut impl Write,
    graph: &Graph,
    by: RemoveBy,
    steps: &[Removal],
) -> io::Result<()> {
    out.write_all(match by {
        RemoveBy::Vertices => b"vertex,score,removed,components,largest\n",
        RemoveBy::Edges => b"source,target,score,removed,components,largest,modularity\n",
    })?;
    for step in steps {
        write_removed(out, graph, step.removed)?;
        let Removal {
            components,
            largest,
            ..
        } = step;
        let (score, share) = (Shortest(step.score), Shortest(step.share));
        write!(out, ",{score},{share},{components},{largest}")?;
        if let Some(modularity) = step.modularity {
            write!(out, ",{}", Shortest(modularity))?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_removed(out: &mut impl Write, graph: &Graph, removed: Removed) -> io::Result<()> {
    match removed {
        Removed::Vertex(v) => write_field(out, b',', graph.labels(), v),
        Removed::Edge(ends) => write_ends(out, graph.labels(), graph.directed(), ends),
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
fn read_steps(path: &Path, graph: &Graph, by: RemoveBy) -> Result<Vec<(Removed, f64)>> {
    let file = scores::read(path)?;
    let name = |removed| match removed {
        Removed::Vertex(v) => graph.labels().display(v).to_string(),
        Removed::Edge(_) => {
            let mut name = Vec::new();
            // Writing to memory does not fail.
            let _ = write_removed(&mut name, graph, removed);
            String::from_utf8_lossy(&name).into_owned()
        }
    };
    let all: Vec<Removed> = match by {
        RemoveBy::Vertices => (0..graph.vertices() as Vertex)
            .map(Removed::Vertex)
            .collect(),
        RemoveBy::Edges => graph.ends().map(Removed::Edge).collect(),
    };
    let all: HashMap<String, Removed> = all.into_iter().map(|one| (name(one), one)).collect();
    let scores = file.columns[0].1.iter();
    let rows = file.labels.iter().zip(scores).map(|(label, &score)| {
        let Some(&removed) = all.get(label) else {
            bail!(
                "{}: '{label}' is not in the graph; give the same graph and options as before",
                path.display()
            );
        };
        Ok((removed, score))
    });
    rows.collect()
}

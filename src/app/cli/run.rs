//! `brandes run`: one graph from file to scores.

use std::convert::identity;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::Result;

use super::input::{graph_warnings, say_notes};
use super::run_args::RunArgs;
use super::run_options::{check_files, outputs, search_options};
use super::run_profile::{self, differences};
use super::run_warnings::{unused_options, warn, wide_path_counts};
use super::scores::{LOWER, ScoresFile, UPPER, with_headings, write_edges};
use super::{UsageError, json, progress_mode, say, write_output, writes_standard_output};
use crate::app::progress::{SearchBar, read_with_progress};
use crate::app::report::{summary, top_table};
use crate::app::tune::TunedProfile;
use brandes::device::{DeviceSelection, cache};
use brandes::graph::{Graph, NamedScores, ReadError, Source};
use brandes::output::Output;
use brandes::plan::SearchOptions;
use brandes::report::{Report, Timeline};
use brandes::{Betweenness, CancelToken, Column, PartSums, Scores, Search, World, stop};

/// Runs a search; `start` is the start of the process.
pub fn run(start: Instant, args: &RunArgs) -> Result<i32> {
    check_files(args)?;
    let world = match World::join()?.map(Arc::new) {
        Some(world) if world.rank() > 0 => return run_other_rank(args, &world),
        world => world,
    };
    let mut warnings = Vec::new();
    let (search_options, profile) = options_and_profile(args, &mut warnings)?;
    let outputs = Outputs::open(args)?;
    let report_out = args.report.as_deref().map(Output::open).transpose()?;
    // Devices are initialised while the graph is read.
    let display = Arc::new(Mutex::new(ProgressDisplay::default()));
    let cancel = CancelToken::default();
    let mut search = start_search(args, search_options, &display, &cancel, world.as_ref())?;
    let mut timeline = Timeline::new(start);

    let (graph, source) = timeline.time("read", || read_graph(args))?;
    if let Some(out) = &outputs.scores {
        out.check(graph.labels())?;
        out.check_source(&source)?;
    }
    let query = timeline.time("read", || args.query.read(&graph, &source))?;
    search.set_query(&graph, query.clone())?;
    check_work_group(&search)?;
    let graph = match &world {
        Some(world) => timeline.time("send", || {
            let graph = world.share(Some(graph));
            world.share_query(&graph, query);
            graph
        }),
        None => graph,
    };
    warn(&mut warnings, graph_warnings(&graph, &source));
    let scores = stoppable(args, &cancel, "", || search.run(&graph));
    // This also removes the progress bar.
    warnings.extend(std::mem::take(&mut *lock(&display)).warnings);
    let scores = match scores? {
        Ok(scores) => scores,
        Err(code) => return Ok(code),
    };
    let record = scores.record();
    if let Some(text) = record.resumed.as_ref().filter(|_| !args.quiet) {
        say(text);
    }
    // `warn` leaves out a failure of the checkpoint that was written during the search.
    warn(&mut warnings, record.warnings.iter().cloned());
    let unused = unused_options(search.options(), &record.outcome);
    warn(&mut warnings, unused);
    warn(&mut warnings, wide_path_counts(&record.outcome));
    if let Some(profile) = &profile {
        let precision = args.precision.unwrap_or_default();
        let differences = differences(profile, &graph, precision, &record.outcome);
        warn(&mut warnings, differences);
    }

    let columns = vertex_columns(&scores);
    outputs.write((&graph, &source), &scores, &columns, &mut timeline)?;
    let profile_path = args.profile.as_ref().filter(|_| profile.is_some());
    let profile_path = profile_path.map(|path| path.display().to_string());
    // The highest scores of a part are not shown, because they say little about the whole graph.
    let default_top = if args.part.is_some() { 0 } else { 10 };
    let top = args.top.unwrap_or(default_top);
    let (input, options) = ((&graph, &source), (search.options(), profile_path));
    let report = Report::new(input, options, (&scores, top), timeline, warnings);
    write_output(report_out, |out| json(out, &report))?;
    if let Some(world) = &world {
        world.finish();
    }
    record.remove_checkpoint();
    if !args.quiet {
        let (columns, estimated) = (with_headings(&columns), scores.estimated());
        let table = top_table(graph.labels(), &columns, estimated, top, Some(&graph));
        print(args, table, &report, &source)?;
    }
    if let Some(world) = world {
        world.leave();
    }
    Ok(0)
}

/// The files of scores and sums that the command line names.
struct Outputs {
    scores: Option<ScoresFile>,
    /// The sums of a part.
    sums: Option<Output>,
    edges: Option<Output>,
}

impl Outputs {
    /// Opens all files, so that one that cannot be written is refused before the search.
    fn open(args: &RunArgs) -> Result<Outputs> {
        Ok(Outputs {
            scores: ScoresFile::open(&args.output)?,
            sums: args.sums.as_deref().map(PartSums::create).transpose()?,
            edges: args.output.edges.as_deref().map(Output::open).transpose()?,
        })
    }

    /// Writes the scores of vertices, which are `columns`, and of edges, and sums.
    fn write(
        mut self,
        (graph, source): (&Graph, &Source),
        scores: &Scores,
        columns: &[NamedScores],
        timeline: &mut Timeline,
    ) -> Result<()> {
        let edge_columns = scores.edge_columns().unwrap_or_default();
        let edge_columns: Vec<_> = edge_columns.iter().map(named).collect();
        let (labels, directed) = (graph.labels(), graph.directed());
        if let Some(out) = &mut self.scores {
            timeline.time("write scores", || {
                out.write(labels, Some((graph, source)), columns, &edge_columns)
            })?;
        }
        if let Some(out) = &mut self.edges {
            timeline.time("write edges", || {
                out.write(|out| write_edges(out, labels, directed, graph.ends(), &edge_columns))
            })?;
        }
        if let Some((out, part)) = self.sums.as_mut().zip(scores.part(graph)) {
            timeline.time("write sums", || out.write(|out| part.write_to(out)))?;
        }
        for (step, out) in [
            ("finish sums", self.sums),
            ("finish edges", self.edges),
            ("finish scores", self.scores.map(|file| file.out)),
        ] {
            if let Some(out) = out {
                timeline.time(step, || out.finish())?;
            }
        }
        Ok(())
    }
}

/// Returns the columns of scores of vertices, with the ends of intervals.
fn vertex_columns(scores: &Scores) -> Vec<NamedScores<'_>> {
    let mut columns: Vec<_> = scores.columns().iter().map(named).collect();
    if let Some(estimated) = scores.estimated() {
        let ends = [(LOWER, &estimated.lower[..]), (UPPER, &estimated.upper)];
        columns.extend(ends.map(|(name, scores)| (name.to_string(), scores)));
    }
    columns
}

/// Reads the graph.
fn read_graph(args: &RunArgs) -> Result<(Graph, Source), ReadError> {
    let mut options = args.input.options();
    options.vertex_weights = args.query.attribute();
    let mode = progress_mode(args.quiet, args.progress);
    read_with_progress(&args.graph, &options, mode)
}

/// Returns the name and the scores of a column.
fn named(column: &Column) -> NamedScores<'_> {
    (column.name(), &column.values)
}

/// Searches in an MPI process other than the first. This process writes no outputs.
fn run_other_rank(args: &RunArgs, world: &Arc<World>) -> Result<i32> {
    let (search_options, _) = options_and_profile(args, &mut Vec::new())?;
    let (display, cancel) = (Arc::default(), CancelToken::default());
    let mut quiet = args.clone();
    quiet.quiet = true;
    let mut search = start_search(&quiet, search_options, &display, &cancel, Some(world))?;
    let graph = world.share(None);
    let query = world.share_query(&graph, args.query.query());
    search.set_query(&graph, query)?;
    let rank = format!("rank {} ", world.rank());
    let helped = stoppable(args, &cancel, &rank, || search.help(&graph))?;
    Ok(helped.map_or_else(identity, |()| {
        world.leave();
        0
    }))
}

/// Calls `search`. A signal cancels it with `--checkpoint`, or once a checkpoint was written; the
/// inner error is then the exit code. Messages start with `rank`.
fn stoppable<T>(
    args: &RunArgs,
    cancel: &CancelToken,
    rank: &str,
    search: impl FnOnce() -> Result<T, brandes::Error>,
) -> Result<Result<T, i32>> {
    stop::set_token(args.checkpoint.is_some().then_some(cancel));
    let result = search();
    stop::set_token(None);
    match (result, stop::signal()) {
        (Err(error), Some((signal, name))) if cancel.is_cancelled() => {
            say(format_args!("{rank}stopped by {name}: {error}"));
            Ok(Err(128 + signal))
        }
        (result, _) => Ok(Ok(result?)),
    }
}

/// The state of the progress display.
#[derive(Default)]
struct ProgressDisplay {
    /// The start of the search, and the progress bar.
    progress: Option<(Instant, SearchBar)>,
    /// The warnings that were written during the search, for the report.
    warnings: Vec<String>,
    /// Whether a checkpoint was written without `--checkpoint` and, unless `--quiet` is given,
    /// announced.
    announced_checkpoint: bool,
}

fn lock(display: &Mutex<ProgressDisplay>) -> MutexGuard<'_, ProgressDisplay> {
    display.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the initialisation of devices, and returns the search to run. The search will show its
/// progress.
fn start_search(
    args: &RunArgs,
    search_options: SearchOptions,
    display: &Arc<Mutex<ProgressDisplay>>,
    cancel: &CancelToken,
    world: Option<&Arc<World>>,
) -> Result<Search> {
    let (display, token) = (Arc::clone(display), cancel.clone());
    let mode = progress_mode(args.quiet, args.progress);
    let (quiet, is_automatic) = (args.quiet, args.checkpoint.is_none());
    let search = Betweenness::from(search_options).normalized(args.output.normalized);
    let mut search = search.cancel(cancel);
    if let Some(part) = args.part {
        search = search.part(part);
    }
    if let Some(world) = world {
        search = search.ranks(world);
    }
    if let Some(path) = &args.checkpoint {
        search = search.checkpoint(path, args.checkpoint_every);
    } else if let Some(folder) = cache::folder().filter(|_| !args.no_cache) {
        let times = (args.checkpoint_every, args.checkpoint_after);
        search = search.checkpoint_long_runs(folder.join("checkpoints"), times);
    }
    let search = search.on_progress(move |so_far| {
        let mut display = lock(&display);
        let display = &mut *display;
        // If path counts overflow, a second search begins, which serves no chains.
        let began = so_far.began;
        display.progress.take_if(|(start, _)| *start != began);
        let start = || (began, SearchBar::new(mode));
        let (_, progress) = display.progress.get_or_insert_with(start);
        progress.show(so_far);
        let is_first = is_automatic && !display.announced_checkpoint;
        if let Some(path) = so_far.checkpoint.filter(|_| is_first) {
            display.announced_checkpoint = true;
            // From now on, a signal cancels the search, which can be resumed.
            stop::set_token(Some(&token));
            let text = format!(
                "progress is saved in {}; to resume a run that was stopped, run the same command \
                 again",
                path.display()
            );
            if !quiet {
                progress.status.aside(|| say(text));
            }
        }
        if let Some(failure) = so_far.checkpoint_failure {
            let text = failure.to_string();
            // `aside` redraws the progress.
            if !display.warnings.contains(&text) {
                progress
                    .status
                    .aside(|| warn(&mut display.warnings, [text]));
            }
        }
    });
    let (directed, weighted) = (args.input.directed, args.input.weighted.is_some());
    Ok(search.start(directed, weighted)?)
}

/// Returns the options of the library, and the profile of `--profile`, if it can be used. The
/// profile then completes the options.
fn options_and_profile(
    args: &RunArgs,
    warnings: &mut Vec<String>,
) -> Result<(SearchOptions, Option<TunedProfile>)> {
    let check = |options: SearchOptions| args.input.check(&options).map(|()| options);
    let given = search_options(args)?;
    let Some(path) = &args.profile else {
        return Ok((check(given)?, None));
    };
    let profile = TunedProfile::load(path)?;
    match run_profile::complete(&given, args.strategy, &profile).and_then(|all| Ok(check(all)?)) {
        Ok(search_options) => Ok((search_options, Some(profile))),
        Err(reason) => {
            // If the options are contradictory without the profile too, the command line is wrong.
            let search_options = check(given)?;
            warn(warnings, [format!("the profile is not used: {reason}")]);
            Ok((search_options, None))
        }
    }
}

/// Refuses a work-group that is too large for every device that `--device` names or `all` selects,
/// because then only CPU workers would search.
fn check_work_group(search: &Search) -> Result<(), UsageError> {
    let options = search.options();
    let is_explicit = ![DeviceSelection::Auto, DeviceSelection::None].contains(&options.devices);
    if !is_explicit || options.device.numbers.work_group.is_none() {
        return Ok(());
    }
    let found = search.wait_until_found();
    let accepted = found.iter().map(|info| options.device.for_device(info));
    // An error only if no device accepts the options.
    match accepted.reduce(Result::or) {
        Some(Err(error)) => Err(UsageError(error.to_string())),
        _ => Ok(()),
    }
}

/// Prints `text`, the table of the highest scores, and the summary. If an output goes to standard
/// output, they go to standard error if that is a terminal or `--verbose` is given; otherwise, only
/// the notes on the file go there.
fn print(args: &RunArgs, mut text: String, report: &Report, source: &Source) -> io::Result<()> {
    text += &summary::summary(report);
    if args.verbose {
        text += "\n";
        text += &summary::details(report);
    }
    if !writes_standard_output(&outputs(args)) {
        io::stdout().lock().write_all(text.as_bytes())
    } else if io::stderr().is_terminal() || args.verbose {
        io::stderr().lock().write_all(text.as_bytes())
    } else {
        say_notes(source);
        Ok(())
    }
}

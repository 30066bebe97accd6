//! The command line: one file per command.

mod args;
mod bench;
mod common;
mod compare;
mod convert;
mod devices;
mod generate;
mod headings;
mod info;
mod input;
mod man;
mod measuring;
mod merge;
mod probe;
mod query_args;
mod remove;
mod report;
mod run;
mod run_args;
mod run_options;
mod run_profile;
mod run_warnings;
mod scores;
mod tune;
mod values;

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, FromArgMatches};

use args::Command;
use common::*;

use brandes::memory::{self, MORE_THREADS};
use brandes::output::OutputError;
use brandes::ranks::rank_and_size;
use brandes::stop;

/// Exit code of a run that failed.
const FAILURE: i32 = 1;
/// Exit code of a wrong command line.
const USAGE: i32 = 2;

/// Runs the program; `start` is the start of the process. Returns the exit code.
pub fn main(start: Instant) -> i32 {
    stop::install_handlers();
    match run_command(start) {
        Ok(code) => code,
        // The reader of the output has closed the pipe, which is not a failure.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => say_error(error),
    }
}

fn run_command(start: Instant) -> Result<i32> {
    use Command::{Compare, Completions, Devices, Man, Merge, Report};
    let arguments = parse_command_line()?;
    let command = Command::from_arg_matches(&arguments)?;
    // All other commands read or make a graph.
    if !matches!(
        command,
        Completions { .. } | Man { .. } | Devices(_) | Compare(_) | Merge(_) | Report(_)
    ) {
        start_pool()?;
    }
    let code = match command {
        Command::Run(args) => run::run(start, &args),
        Command::Bench(args) => bench::bench(&args),
        Command::Report(args) => report::report(&args),
        Command::Tune(args) => tune::tune(&args),
        Command::Info(args) => info::info(&args),
        Command::Devices(args) => devices::devices(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Remove(args) => remove::remove(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions { shell } => man::completions(shell),
        Command::Man { output } => man::man(output.as_deref()),
    }?;
    io::stdout().flush()?;
    Ok(code)
}

/// Writes an error to standard error, or the text of `--help` to standard output. Returns the exit
/// code. Processes that MPI started together would repeat messages about the command line, so only
/// the first writes them.
fn say_error(error: anyhow::Error) -> i32 {
    let rank = rank_and_size().map_or(0, |(rank, _)| rank);
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        match hint(error) {
            _ if rank > 0 => {}
            Some(text) => say(text),
            None => _ = error.print(),
        }
        return error.exit_code();
    }
    let error = error.downcast().map_or_else(|error| error, library_error);
    if error.is::<UsageError>() {
        if rank == 0 {
            say(format_args!("{error:#}"));
        }
        return USAGE;
    }
    // Only writes to standard output return an I/O error without the name of a file.
    let error = match error.chain().len() {
        1 => error
            .downcast::<io::Error>()
            .map_or_else(|error| error, |error| OutputError::new("-", error).into()),
        _ => error,
    };
    match rank {
        0 => say(format_args!("{error:#}")),
        _ => say(format_args!("rank {rank}: {error:#}")),
    }
    FAILURE
}

/// Parses the command line. Negative numbers are parsed as values of options, not as unknown
/// options, so that error messages name the option and its value.
fn parse_command_line() -> Result<ArgMatches, clap::Error> {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let numbers = |arg: Arg| {
            let is_value = !arg.is_positional() && arg.get_action().takes_values();
            arg.allow_negative_numbers(is_value)
        };
        command.mut_args(numbers).mut_subcommands(with_numbers)
    }
    with_numbers(headings::command()).try_get_matches_from(env::args_os())
}

/// Returns a clearer message than clap's if the command line has a graph in place of a command, or
/// if `--weighted` took the graph as its optional value.
fn hint(error: &clap::Error) -> Option<String> {
    let args: Vec<_> = env::args_os().skip(1).collect();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let path = Path::new(args.first()?);
            let is_like_a_file =
                path.is_file() || path.components().count() > 1 || path.extension().is_some();
            let graph = path.display();
            is_like_a_file
                .then(|| format!("'{graph}' is not a command; did you mean: brandes run {graph}"))
        }
        ErrorKind::MissingRequiredArgument => {
            let graph = args.iter().skip_while(|arg| *arg != "--weighted").nth(1)?;
            Path::new(graph).is_file().then(|| {
                format!(
                    "--weighted took '{}' for the name of a column; put the graph in front of \
                     --weighted",
                    graph.display()
                )
            })
        }
        _ => None,
    }
}

/// Starts the threads that read and prepare graphs. Without this, rayon starts them on first use,
/// and panics if it cannot.
fn start_pool() -> Result<()> {
    let requested = env::var("RAYON_NUM_THREADS").ok();
    let requested = requested.and_then(|count| count.parse::<NonZeroUsize>().ok());
    let count = requested.map_or_else(num_cpus::get, NonZeroUsize::get);
    let failed = |error: &dyn Error| {
        anyhow!(
            "threads for reading could not be started: {error} (set RAYON_NUM_THREADS=1, or \
             {MORE_THREADS})"
        )
    };
    memory::room_for_threads(count).map_err(|error| failed(&error))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
    pool.build_global().map_err(|error| failed(&error))
}

/// Returns whether an output is a pipe that its reader has closed.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn Error + 'static)| {
        let output = cause.downcast_ref::<OutputError>().map(OutputError::kind);
        output.or_else(|| Some(cause.downcast_ref::<io::Error>()?.kind()))
    };
    let mut kinds = error.chain().filter_map(kind);
    kinds.any(|kind| kind == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// Returns the names and the help texts of a command and of all its subcommands.
    fn helps(command: &clap::Command) -> Vec<(String, String)> {
        let help = command.get_after_long_help().or(command.get_after_help());
        let help = help.map(ToString::to_string);
        let mut all = vec![(command.get_name().to_string(), help.unwrap_or_default())];
        all.extend(command.get_subcommands().flat_map(helps));
        all
    }

    #[test]
    fn every_command_has_examples_and_they_parse() {
        let mut examples = 0;
        for (command, help) in helps(&headings::command()) {
            assert!(help.starts_with("Example"), "{command}");
            for line in help.lines().filter(|line| line.contains("brandes ")) {
                // The test parses the command of a pipeline that runs this program.
                let line = line.split(" | ").find(|part| part.contains("brandes "));
                let Some(line) = line.map(str::trim).filter(|l| l.starts_with("brandes ")) else {
                    continue;
                };
                let line = line.split(" > ").next().unwrap_or(line).replace('\'', "");
                let parsed = Command::try_parse_from(line.split_whitespace());
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
                examples += 1;
            }
        }
        assert!(examples > 30, "{examples}");
    }
}

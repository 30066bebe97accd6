//! The command line: one file per command.

mod args;
mod bench;
mod bench_args;
mod bench_failures;
mod bench_graphs;
mod bench_values;
mod common;
mod compare;
mod completions;
mod convert;
mod devices;
mod estimate_args;
mod generate;
mod headings;
mod info;
mod info_predict;
mod input;
mod input_args;
mod man;
mod measuring;
mod merge;
mod probe;
mod query_args;
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
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, FromArgMatches};

use args::{Cli, Command};
use common::{
    OutputOption, UsageError, check_outputs, json, library_error, say, warn, writes_standard_output,
};

use brandes::memory;
use brandes::output::OutputError;
use brandes::ranks::started;
use brandes::stop;

/// Exit code of a run that failed.
const FAILURE: i32 = 1;
/// Exit code of a wrong command line.
const USAGE: i32 = 2;

/// Runs the program; `start` is the start of the process. Returns the exit code.
pub fn main(start: Instant) -> i32 {
    stop::on_signals();
    let parsed = matches().and_then(|typed| Ok((Cli::from_arg_matches(&typed)?, typed)));
    let (cli, typed) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            if let Some(graph) = instead_of_command(&error) {
                say(format_args!(
                    "'{graph}' is not a command; did you mean: brandes run {graph}"
                ));
                return USAGE;
            }
            match taken_by_weighted(&error) {
                _ if !is_first() => {}
                Some(text) => say(text),
                None => {
                    let _ = error.print();
                }
            }
            return error.exit_code();
        }
    };
    let result = start_pool(&cli.command).and_then(|()| match cli.command {
        Command::Run(args) => run::run(start, &args),
        Command::Bench(args) => bench::bench(&args),
        Command::Report(args) => report::report(&args),
        Command::Tune(args) => {
            let (_, typed) = typed.subcommand().unwrap_or(("", &typed));
            tune::tune(&args, typed)
        }
        Command::Info(args) => info::info(&args),
        Command::Devices(args) => devices::devices(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Convert(args) => convert::convert(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => man::man(&args),
    });
    let result = result.and_then(|code| {
        io::stdout().flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        // The reader of the output has closed the pipe, which is not a failure.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) if error.is::<UsageError>() => {
            if is_first() {
                say(format_args!("{error:#}"));
            }
            USAGE
        }
        Err(error) => {
            // An error of input or output without a context comes from standard output.
            let error = match error.chain().len() {
                1 => error
                    .downcast::<io::Error>()
                    .map_or_else(|error| error, |error| OutputError::new("-", error).into()),
                _ => error,
            };
            match started() {
                Some((rank, _)) if rank > 0 => say(format_args!("rank {rank}: {error:#}")),
                _ => say(format_args!("{error:#}")),
            }
            FAILURE
        }
    }
}

/// Parses the command line. Negative numbers are parsed as values of options, not as unknown
/// options, so that error messages name the option and its value.
fn matches() -> Result<ArgMatches, clap::Error> {
    fn with_numbers(command: clap::Command) -> clap::Command {
        let numbers = |arg: Arg| {
            let is_value = !arg.is_positional() && arg.get_action().takes_values();
            arg.allow_negative_numbers(is_value)
        };
        command.mut_args(numbers).mut_subcommands(with_numbers)
    }
    with_numbers(headings::command()).try_get_matches()
}

/// Returns whether this is the first of the processes that MPI started together. The others would
/// repeat its messages about the command line.
fn is_first() -> bool {
    started().is_none_or(|(rank, _)| rank == 0)
}

/// Returns the path if a graph was given in place of a command.
fn instead_of_command(error: &clap::Error) -> Option<String> {
    let first = env::args_os().nth(1)?;
    let path = Path::new(&first);
    let like_a_file = path.is_file() || path.components().count() > 1 || path.extension().is_some();
    (error.kind() == ErrorKind::InvalidSubcommand && like_a_file)
        .then(|| path.display().to_string())
}

/// Returns a message if the graph was parsed as the optional value of `--weighted`.
fn taken_by_weighted(error: &clap::Error) -> Option<String> {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let at = args.iter().position(|arg| arg == "--weighted")?;
    let graph = args.get(at + 1)?;
    if error.kind() != ErrorKind::MissingRequiredArgument || !Path::new(graph).is_file() {
        return None;
    }
    // At the end, the option cannot take another argument as its value.
    let others = args[..at].iter().chain(&args[at + 1..]);
    let words = others.map(|arg| arg.to_string_lossy());
    let words = words.map(|word| shlex::try_quote(&word).map_or(word.to_string(), Into::into));
    let command = words.collect::<Vec<String>>().join(" ");
    Some(format!(
        "--weighted took '{}' for the name of a column (put the graph in front of it: brandes \
         {command} --weighted)",
        graph.to_string_lossy()
    ))
}

/// Starts the threads that read and prepare graphs. Without this, rayon starts them on first use,
/// and panics if it cannot.
fn start_pool(command: &Command) -> Result<()> {
    use Command::{Bench, Generate, Info, Run, Tune};
    if !matches!(command, Run(_) | Bench(_) | Tune(_) | Info(_) | Generate(_)) {
        return Ok(());
    }
    let asked = env::var("RAYON_NUM_THREADS").ok();
    let asked = asked
        .and_then(|count| count.parse().ok())
        .filter(|&count| count > 0);
    let count = asked.unwrap_or_else(num_cpus::get);
    let failed = |error: &dyn Error| {
        anyhow!(
            "threads for reading could not be started: {error} (raise the limits, ulimit -u and \
             -v, or set RAYON_NUM_THREADS=1)"
        )
    };
    memory::room_for_threads(count).map_err(|error| failed(&error))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
    pool.build_global().map_err(|error| failed(&error))
}

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
                // The part of a pipeline that runs this program is parsed.
                let line = line.split(" | ").find(|part| part.contains("brandes "));
                let Some(line) = line.map(str::trim).filter(|l| l.starts_with("brandes ")) else {
                    continue;
                };
                let line = line.split(" > ").next().unwrap_or(line).replace('\'', "");
                let parsed = Cli::try_parse_from(line.split_whitespace());
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
                examples += 1;
            }
        }
        assert!(examples > 30, "{examples}");
    }
}

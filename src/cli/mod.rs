//! The command line: one file per command.

mod args;
mod bench;
mod bench_args;
mod compare;
mod completions;
mod devices;
mod generate;
mod output;
mod run;
mod scores_file;

use std::io::{self, Write};
use std::time::Instant;

use clap::Parser;

use args::{Cli, Command};

/// Exit code of a run that failed.
const FAILURE: i32 = 1;
/// Exit code of a command line that makes no sense.
const USAGE: i32 = 2;

/// A command line that parses but makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UsageError(String);

/// Runs the program; `start` is the start of the process. Returns the exit code.
pub fn main(start: Instant) -> i32 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return error.exit_code();
        }
    };
    let result = match cli.command {
        Command::Run(args) => run::run(start, &args),
        Command::Bench(args) => bench::bench(&args),
        Command::Devices(args) => devices::devices(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Completions(args) => completions::completions(&args),
    };
    let result = result.and_then(|code| {
        io::stdout().flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => code,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            eprintln!("brandes: {error:#}");
            if error.is::<UsageError>() {
                USAGE
            } else {
                FAILURE
            }
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

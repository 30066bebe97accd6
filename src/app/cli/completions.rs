//! `brandes completions`.

use std::io::{self, Write};

use anyhow::Result;

use super::args::CompletionsArgs;
use super::headings::command;

/// Prints the completion script of a shell.
pub fn completions(args: &CompletionsArgs) -> Result<i32> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "brandes", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(0)
}

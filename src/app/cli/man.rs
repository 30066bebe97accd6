//! `brandes man` and `brandes completions`: manual pages and scripts made of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap_complete::Shell;
use clap_mangen::Man;

use super::headings;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Result<i32> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut headings::command(), "brandes", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(0)
}

/// Writes the page of every command into a folder, or that of the program to standard output.
pub fn man(output: Option<&Path>) -> Result<i32> {
    let command = headings::command().disable_help_subcommand(true);
    let Some(folder) = output else {
        Man::new(command).render(&mut io::stdout().lock())?;
        return Ok(0);
    };
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .with_context(|| format!("{}: cannot be written", folder.display()))?;
    Ok(0)
}

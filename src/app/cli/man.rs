//! `brandes man` and `brandes completions`: manual pages and scripts made of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::headings;

/// The program, at the foot of each page.
const PROGRAM: &str = concat!("brandes ", env!("CARGO_PKG_VERSION"));

/// Prints the completion script of a shell.
pub fn completions(shell: Shell) -> Result<i32> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut headings::command(), "brandes", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(0)
}

/// Writes the page of every command into a folder, or that of the program to standard output.
pub fn man(output: Option<&Path>) -> Result<i32> {
    let mut command = headings::command().disable_help_subcommand(true);
    // Sets the full name of each command.
    command.build();
    let Some(folder) = output else {
        io::stdout().lock().write_all(page(&command)?.as_bytes())?;
        return Ok(0);
    };
    fs::create_dir_all(folder)
        .and_then(|()| write_pages(&command, folder))
        .with_context(|| format!("{}: cannot be written", folder.display()))?;
    Ok(0)
}

/// Writes the pages of a command and of those below it that are not hidden.
fn write_pages(command: &Command, folder: &Path) -> io::Result<()> {
    let mut below = command.get_subcommands().filter(|one| !one.is_hide_set());
    below.try_for_each(|one| write_pages(one, folder))?;
    let file = Man::new(command.clone()).get_filename();
    fs::write(folder.join(file), page(command)?)
}

/// Returns the manual page of a command, as roff.
fn page(command: &Command) -> io::Result<String> {
    // clap_mangen leaves out the text of an option that `-h` hides, unless it has a long help.
    let show = |arg: Arg| arg.hide_short_help(false);
    let command = command.clone().mut_args(show);
    let mut page = Vec::new();
    // An empty date would shift the other fields of the footer.
    let man = Man::new(command).date(PROGRAM).source(PROGRAM);
    man.render(&mut page)?;
    // `.nf` keeps the line breaks of examples.
    let page = String::from_utf8_lossy(&page);
    Ok(page.replace(".SH EXTRA\n", ".SH EXAMPLES\n.nf\n"))
}

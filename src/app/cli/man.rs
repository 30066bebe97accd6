//! `brandes man` and `brandes completions`: manual pages and scripts made of the command line.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::headings;
use brandes::output::Output;

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
        io::stdout().lock().write_all(&page(&command)?)?;
        return Ok(0);
    };
    fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    for command in with_subcommands(&command) {
        let mut out = Output::open(&folder.join(format!("{}.1", name(command))))?;
        let page = page(command)?;
        out.write(|out| out.write_all(&page))?;
        out.finish()?;
    }
    Ok(0)
}

/// Returns the command and all commands below it that are not hidden.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let mut all = vec![command];
    for command in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        all.extend(with_subcommands(command));
    }
    all
}

/// Returns the name of a page, such as `brandes-run`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Returns the manual page of a command, as roff.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    // `Man` would leave out the empty date and put the version in its place.
    let version = env!("CARGO_PKG_VERSION");
    let mut page = format!(
        ".TH {} 1 \"\" \"brandes {version}\" \"User Commands\"\n",
        name(command)
    )
    .into_bytes();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let help = command.get_after_long_help().or(command.get_after_help());
    after_help(&help.map(ToString::to_string).unwrap_or_default()).to_writer(&mut page)?;
    if command.get_name() != env!("CARGO_PKG_NAME") {
        let mut see_also = Roff::new();
        see_also.control("SH", ["SEE ALSO"]);
        see_also.text([roman("brandes(1)")]);
        see_also.to_writer(&mut page)?;
    }
    Ok(page)
}

/// Converts the text below the options in `--help`: examples line by line, then paragraphs.
fn after_help(help: &str) -> Roff {
    let mut roff = Roff::new();
    let (examples, notes) = help.split_once("\n\n").unwrap_or((help, ""));
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    for line in examples.lines().skip(1) {
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    roff.control("fi", []);
    if !notes.is_empty() {
        roff.control("SH", ["NOTES"]);
        for paragraph in notes.split("\n\n") {
            roff.control("PP", []);
            roff.text([roman(paragraph.replace('\n', " "))]);
        }
    }
    roff
}

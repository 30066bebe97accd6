//! The headings under which `--help` lists options, and the common options, the only ones that `-h`
//! shows.

use clap::{Command, CommandFactory};

use super::args::Command as Commands;

/// The commands whose options are under headings.
const COMMANDS: [&str; 6] = ["run", "bench", "tune", "info", "convert", "remove"];

/// The headings and the options under them, separated by blanks. All other options are under the
/// heading [`ADVANCED`].
const HEADINGS: [(&str, &str); 4] = [
    (
        "Input",
        "format directed weighted weight_is default_weight labels delimiter header columns \
         vertices resume",
    ),
    (
        "Output",
        "scores score_format sort edges report kernel_times \
         checkpoint checkpoint_every top quiet verbose progress json to output communities",
    ),
    (
        "What to compute",
        "measures radius decay sources targets vertex_weights demand closeness_scaling epsilon \
         confidence draws seed time roots rescale normalized endpoints tie_tolerance part sums \
         sum_edges strategies budget repeat limit ablation by steps until batch",
    ),
    (
        "Processors",
        "device cpu_workers strategy precision cpu_engine profile",
    ),
];
const ADVANCED: &str = "Advanced";

/// The options that `-h` shows, separated by blanks.
const COMMON: &str = "directed weighted scores edges report checkpoint top quiet verbose \
     json to measures radius sources epsilon roots normalized strategies budget repeat device \
     cpu_workers strategy profile by steps until batch output communities resume";

/// Returns the program with all commands and options. Options of large commands are under headings,
/// and `-h` shows only the common ones.
pub(super) fn command() -> Command {
    let mut program = Commands::command();
    for name in COMMANDS {
        program = program.mut_subcommand(name, |command| {
            let command = command.mut_args(|arg| {
                if arg.is_positional() || arg.is_hide_set() {
                    return arg;
                }
                let option = arg.get_id().as_str();
                let (heading, common) = (heading(name, option), lists(COMMON, option));
                arg.help_heading(heading).hide_short_help(!common)
            });
            let examples = command.get_after_help().cloned().unwrap_or_default();
            let short = format!("'brandes {name} --help' lists all options, with examples.");
            command.after_help(short).after_long_help(examples)
        });
    }
    program
}

/// Returns the heading of an option of a command.
fn heading(command: &str, option: &str) -> &'static str {
    let found = HEADINGS.iter().find(|(_, options)| lists(options, option));
    match (command, option) {
        // In 'run', this option names an input.
        ("tune", "profile") => "Output",
        _ => found.map_or(ADVANCED, |(heading, _)| heading),
    }
}

/// Returns whether `option` is one of the `options`, which are separated by blanks.
fn lists(options: &str, option: &str) -> bool {
    options.split_whitespace().any(|one| one == option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_option_belongs_to_a_command() {
        let program = command();
        let commands = program.get_subcommands();
        let args = commands.flat_map(|command| command.get_arguments());
        let known: Vec<&str> = args.map(|arg| arg.get_id().as_str()).collect();
        let lists = HEADINGS.iter().map(|(_, options)| *options).chain([COMMON]);
        for option in lists.flat_map(str::split_whitespace) {
            assert!(known.contains(&option), "{option}");
        }
    }
}

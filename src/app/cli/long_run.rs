//! What `brandes run` says when it finds that it will take an hour or more.

use crate::app::report::Outlook;
use crate::app::report::predictions::roots_of_a_minute;
use brandes::cpu::CpuEngine;
use brandes::device::DeviceSelection;
use brandes::plan::Wishes;
use brandes::prepare::When;
use brandes::report::words::duration;
use brandes::strategy::Strategy;

/// The warning: how long, and what may be faster than a search by so many devices, which serves
/// sources inside chains or not.
pub(super) fn warning(
    outlook: &Outlook,
    wishes: &Wishes,
    devices: usize,
    serves_chains: bool,
) -> String {
    let left = duration(outlook.left);
    let mut parts = vec![format!(
        "the search will take about {left} more at the present rate"
    )];
    let mut say = |when: bool, text: &str| parts.extend(when.then(|| text.to_string()));
    let none = wishes.devices == DeviceSelection::None;
    say(
        none,
        "a GPU would be faster, if 'brandes devices' lists one",
    );
    say(
        devices == 0 && !none,
        "no device takes part, and a GPU would be faster",
    );
    say(
        devices > 0 && wishes.strategy != Strategy::Auto,
        "--strategy auto may choose a faster one",
    );
    say(
        devices == 0 && wishes.cpu.options.engine != CpuEngine::Auto,
        "--cpu-engine auto may choose a faster one",
    );
    say(
        wishes.prepare.reduce.chains == When::Never,
        "--reduce auto may leave less to search",
    );
    let roots = roots_of_a_minute(outlook.root_seconds, serves_chains);
    say(
        true,
        &format!("--roots {roots} takes about a minute and gives partial scores"),
    );
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::args::{Cli, Command};
    use crate::app::cli::run_options::wishes;
    use clap::Parser;

    fn said(options: &str, devices: usize) -> String {
        let line = format!("brandes run graph.txt {options}");
        let Command::Run(args) = Cli::try_parse_from(line.split_whitespace())
            .unwrap()
            .command
        else {
            panic!("{line}")
        };
        let outlook = Outlook {
            seconds: 18_740.0,
            left: 18_720.0,
            root_seconds: 0.05,
        };
        warning(&outlook, &wishes(&args).unwrap(), devices, false)
    }

    #[test]
    fn what_is_said_depends_on_options() {
        assert_eq!(
            said("", 1),
            "the search will take about 5.2 h more at the present rate; \
             --roots 1200 takes about a minute and gives partial scores"
        );
        for (options, devices, part) in [
            ("--strategy warp", 1, "--strategy auto may choose"),
            ("", 0, "no device takes part"),
            ("--device none", 0, "'brandes devices'"),
            (
                "--device none --cpu-engine plain",
                0,
                "--cpu-engine auto may",
            ),
            ("--reduce fold", 1, "--reduce auto may leave less"),
        ] {
            let text = said(options, devices);
            assert!(text.contains(part), "{options}: {text}");
        }
        assert!(!said("--device none", 0).contains("--cpu-engine"));
    }
}

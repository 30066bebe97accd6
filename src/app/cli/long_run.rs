//! What `brandes run` says when it finds that it will take an hour or more.

use super::with_dashes;
use crate::app::report::Outlook;
use crate::app::report::predictions::roots_of_a_minute;
use brandes::plan::Advice;
use brandes::report::words::duration;

/// The warning: how long, and what would be faster.
pub(super) fn warning(outlook: &Outlook, advice: &Advice) -> String {
    let mut parts = vec![format!(
        "the search will take about {} more at the present rate",
        duration(outlook.left)
    )];
    parts.extend(advice.faster().iter().map(|phrase| with_dashes(phrase)));
    parts.push(format!(
        "--roots {} takes about a minute and gives partial scores",
        roots_of_a_minute(outlook.root_seconds, advice.contracted())
    ));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::args::{Cli, Command};
    use crate::app::cli::run_options::wishes;
    use brandes::graph::{Graph, generate};
    use brandes::prepare::{PrepareOptions, prepare};
    use clap::Parser;

    fn said(graph: &Graph, options: &str, devices: usize) -> String {
        let line = format!("brandes run graph.txt {options}");
        let Command::Run(args) = Cli::try_parse_from(line.split_whitespace())
            .unwrap()
            .command
        else {
            panic!("{line}")
        };
        let prepared = prepare(graph, &PrepareOptions::default()).unwrap();
        let outlook = Outlook {
            seconds: 18_740.0,
            left: 18_720.0,
            root_seconds: 0.05,
        };
        let wishes = wishes(&args).unwrap();
        warning(&outlook, &Advice::new(&wishes, &prepared, devices))
    }

    #[test]
    fn what_is_said_depends_on_options_and_graph() {
        let shallow = generate::erdos_renyi(3000, 20_000, 1).unwrap();
        assert_eq!(
            said(&shallow, "", 1),
            "the search will take about 5.2 h more at the present rate; \
             --roots 1200 takes about a minute and gives partial scores"
        );
        let has = |graph: &Graph, options: &str, devices, part: &str| {
            let text = said(graph, options, devices);
            assert!(text.contains(part), "{options}: {text}");
        };
        has(
            &shallow,
            "--strategy warp",
            1,
            "--strategy auto would choose lanes",
        );
        has(&shallow, "", 0, "no device takes part");
        has(&shallow, "--device none", 0, "'brandes devices'");
        has(
            &shallow,
            "--device none --cpu-engine plain",
            0,
            "--cpu-engine lanes",
        );
        assert!(!said(&shallow, "--device none", 0).contains("--cpu-engine"));
        let ring = generate::cycle(100_000).unwrap();
        has(&ring, "--reduce fold", 1, "chains of degree-2 vertices");
        has(
            &ring,
            "--strategy virtual",
            1,
            "chains of degree-2 vertices",
        );
        assert!(!said(&shallow, "--reduce fold", 1).contains("degree-2"));
    }
}

//! What `brandes run` says when it finds that it will take an hour or more.

use super::run_args::RunArgs;
use crate::app::report::Outlook;
use crate::app::report::predictions::roots_of_a_minute;
use crate::app::report::words::duration;
use brandes::cpu::{self, CpuEngine, CpuOptions, EngineName, Staff};
use brandes::device::DeviceSelection;
use brandes::prepare::{ChainsOption, Outline, Prepared};
use brandes::runner::DeviceRequest;
use brandes::strategy::Strategy;

/// The warning: how long, and what would be faster. `devices`: how many are driven.
pub(super) fn warning(
    outlook: &Outlook,
    args: &RunArgs,
    request: &DeviceRequest,
    prepared: &Prepared,
    devices: usize,
) -> String {
    let mut parts = vec![format!(
        "the search will take about {} more at the present rate",
        duration(outlook.left)
    )];
    parts.extend(faster(args, request, prepared, devices));
    parts.push(format!(
        "--roots {} takes about a minute and gives partial scores",
        roots_of_a_minute(outlook.root_seconds, prepared.chains.is_some())
    ));
    parts.join("; ")
}

/// Options that would make all of it faster.
fn faster(
    args: &RunArgs,
    request: &DeviceRequest,
    prepared: &Prepared,
    devices: usize,
) -> Vec<String> {
    let mut faster = Vec::new();
    if devices == 0 {
        faster.push(match request.selection {
            DeviceSelection::None => {
                "a GPU would be faster, if 'brandes devices' lists one".to_string()
            }
            _ => "no device takes part, and a GPU would be faster".to_string(),
        });
    }
    if contracts(args, prepared, devices > 0) {
        faster.push("chains of degree-2 vertices are many: leave --chains, --strategy and --cpu-engine to auto".into());
        return faster;
    }
    if devices > 0 {
        let auto = Strategy::Auto.likely(prepared);
        if request.strategy != Strategy::Auto && request.strategy != auto {
            faster.push(format!("--strategy auto would choose {}", auto.name()));
        }
        return faster;
    }
    let staff = Staff::of(prepared, num_cpus::get());
    let better = match cpu::plan(prepared, &CpuOptions::default(), staff).engine {
        EngineName::Lanes => "lanes searches from many roots",
        EngineName::Near => "near searches from eight neighbouring roots",
        EngineName::Plain | EngineName::Dijkstra | EngineName::Chains => return faster,
    };
    if args.cpu_engine == CpuEngine::Plain {
        faster.push(format!("--cpu-engine {better} at a time"));
    }
    faster
}

/// Whether chains would be contracted if the options did not forbid it.
fn contracts(args: &RunArgs, prepared: &Prepared, devices: bool) -> bool {
    if args.directed || prepared.chains.is_some() {
        return false;
    }
    let forbidden = args.chains == ChainsOption::Never
        || args.cpu_engine != CpuEngine::Auto
        || matches!(args.strategy(), super::run_args::StrategyArg::Device(s) if !s.takes().contracted);
    let pays = || {
        let outline = Outline::new(&prepared.graph, &prepared.roots);
        if devices {
            outline.for_devices
        } else {
            outline.for_cpu
        }
    };
    forbidden && pays()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::args::{Cli, Command};
    use crate::app::cli::run_options::request;
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
        warning(
            &outlook,
            &args,
            &request(&args).unwrap(),
            &prepared,
            devices,
        )
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
        has(&ring, "--chains never", 1, "chains of degree-2 vertices");
        has(
            &ring,
            "--strategy virtual",
            1,
            "chains of degree-2 vertices",
        );
        assert!(!said(&shallow, "--chains never", 1).contains("degree-2"));
    }
}

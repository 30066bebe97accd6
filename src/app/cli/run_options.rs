//! Converts the options of `brandes run` to those of the library, and checks its files.

use std::path::Path;

use super::probe::probe;
use super::run_args::RunArgs;
use super::{OutputOption, UsageError, check_outputs, refuse};
use crate::app::bench::Subject;
use brandes::cpu::CpuOptions;
use brandes::device::{DeviceOptions, Numbers};
use brandes::plan::SearchOptions;
use brandes::prepare::PrepareOptions;
use brandes::runner::CpuRequest;
use brandes::{DeviceSelection, Strategy};

/// Returns the options of the library, without a check for contradictions.
pub(super) fn search_options(args: &RunArgs) -> Result<SearchOptions, UsageError> {
    let mut search_options = SearchOptions {
        query: args.query.query(),
        estimate: args.estimate.estimate(args.top),
        reproducible: args.reproducible,
        probe: Some(probe),
        devices: args.device.clone(),
        strategy: Strategy::Auto,
        device: DeviceOptions {
            precision: args.precision.unwrap_or_default(),
            no_fallback: args.precision.is_some(),
            numbers: Numbers {
                degree: args.degree,
                lanes: args.lanes,
                searches: args.searches,
                warp_size: args.warp_size,
                work_group: args.work_group,
            },
            cache: !args.no_cache,
            exact_access: args.exact_access,
            wide: args.wide,
            profile: args.kernel_times,
            timeout: args.device_timeout,
            verify: args.verify,
            ..DeviceOptions::default()
        },
        cpu: CpuRequest {
            workers: args.cpu_workers,
            options: CpuOptions {
                engine: args.cpu_engine,
                lanes: args.cpu_lanes,
                simd: args.cpu_simd,
                ..CpuOptions::default()
            },
        },
        prepare: PrepareOptions {
            reduce: args.reduce,
            order: args.order,
            endpoints: args.endpoints,
            roots: args.estimate.roots(args.roots)?,
            tie_tolerance: args.tie_tolerance,
            edges: args.output.edges.is_some() || args.sum_edges,
            more: &[],
        },
    };
    if let Some(strategy) = args.strategy {
        choose(strategy, &mut search_options)?;
    }
    Ok(search_options)
}

/// Sets the strategy of devices, or selects no device for `cpu`.
///
/// # Errors
/// A device is named, and the strategy is `cpu`.
pub(super) fn choose(strategy: Subject, options: &mut SearchOptions) -> Result<(), UsageError> {
    use DeviceSelection::{Auto, None};
    match strategy {
        Subject::Device(strategy) => options.strategy = strategy,
        _ if [Auto, None].contains(&options.devices) => options.devices = None,
        _ => {
            return refuse(
                "--strategy cpu drives no device; leave --device out, or choose another strategy",
            );
        }
    }
    Ok(())
}

/// Returns the options that name outputs, with their paths.
pub(super) fn outputs(args: &RunArgs) -> [OutputOption<'_>; 4] {
    [
        ("--scores", args.output.scores.as_deref()),
        ("--edges", args.output.edges.as_deref()),
        ("--sums", args.sums.as_deref()),
        ("--report", args.report.as_deref()),
    ]
}

/// Refuses outputs that would overwrite an input or each other or that have the suffix of another
/// format, and files that cannot be standard input or output.
pub(super) fn check_files(args: &RunArgs) -> Result<(), UsageError> {
    let mut inputs = vec![("the graph", args.graph.as_path())];
    inputs.extend(args.query.files());
    inputs.extend(args.profile.as_deref().map(|path| ("the profile", path)));
    if args.checkpoint.as_deref() == Some(Path::new("-")) {
        return refuse("--checkpoint needs a file; name one");
    }
    let checkpoint = [("--checkpoint", args.checkpoint.as_deref())];
    check_outputs(&inputs, &[&outputs(args)[..], &checkpoint].concat())
}

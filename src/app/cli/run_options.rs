//! What the options of `brandes run` mean together; refuses what contradicts itself.

use std::path::{Path, PathBuf};

use super::run_args::{RunArgs, StrategyArg};
use super::{UsageError, check_outputs};
use brandes::cpu::{CpuEngine, CpuOptions};
use brandes::device::{DeviceOptions, DeviceSelection, Faults};
use brandes::engine::Precision;
use brandes::prepare::ChainsOption;
use brandes::runner::{CpuRequest, CpuWorkers, DeviceRequest};
use brandes::strategy::{Number, Strategy};

/// What the options mean for the devices; refuses what contradicts itself.
pub(super) fn request(args: &RunArgs) -> Result<DeviceRequest, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    let cpu_only = args.strategy() == StrategyArg::Cpu;
    let named = !matches!(args.device, DeviceSelection::Auto | DeviceSelection::None);
    if cpu_only && named {
        return usage(
            "--strategy cpu drives no device; leave --device out, or choose another strategy",
        );
    }
    let strategy = match args.strategy() {
        StrategyArg::Cpu => Strategy::Auto,
        StrategyArg::Device(strategy) => strategy,
    };
    knobs(args, strategy)?;
    weighted(args, strategy)?;
    edges(args, strategy)?;
    let selection = if cpu_only {
        DeviceSelection::None
    } else {
        args.device.clone()
    };
    if selection == DeviceSelection::None {
        if strategy != Strategy::Auto {
            return usage("this --strategy needs a device; leave --device none out");
        }
        if args.cpu_workers == CpuWorkers::Count(0) {
            return usage("--cpu-workers 0 without a device leaves nobody to search");
        }
        for (option, given) in [
            ("--degree", args.degree.is_some()),
            ("--lanes", args.lanes().is_some()),
            ("--warp-size", args.warp_size().is_some()),
            ("--work-group", args.work_group.is_some()),
            ("--precision", args.precision != Precision::F64),
        ] {
            if given {
                return Err(UsageError(format!(
                    "{option} is for devices; leave it, or --device none and --strategy cpu, out"
                )));
            }
        }
        if args.profile_kernels {
            return usage(
                "--profile-kernels times what devices do; leave it, or --device none and --strategy cpu, out",
            );
        }
    }
    Ok(DeviceRequest {
        selection,
        options: DeviceOptions {
            precision: args.precision,
            work_group: args.work_group.map(|items| items as usize),
            degree: args.degree,
            lanes: args.lanes(),
            warp_size: args.warp_size(),
            weighted: args.weights.weighted.is_some(),
            count_edges: args.edges.is_some(),
            cache: !args.no_cache,
            exact_access: args.exact_access,
            wide: args.wide,
            profile: args.profile_kernels,
            faults: Faults(args.fail_device_at),
        },
        asked: named || strategy != Strategy::Auto || args.profile_kernels,
        strategy,
    })
}

/// What the options mean for the CPU; refuses what contradicts itself.
pub(super) fn cpu_request(args: &RunArgs) -> Result<CpuRequest, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    let laneless = matches!(args.cpu_engine, CpuEngine::Plain | CpuEngine::Near);
    if laneless && args.cpu_lanes.0.is_some() {
        return usage(
            "--cpu-lanes means nothing to --cpu-engine plain and near; it is for auto and lanes",
        );
    }
    let how = args.cpu_engine != CpuEngine::Auto || args.cpu_lanes.0.is_some();
    if how && args.cpu_workers == CpuWorkers::Count(0) {
        return usage(
            "--cpu-engine and --cpu-lanes are for CPU workers; leave them, or --cpu-workers 0, out",
        );
    }
    if args.cpu_simd.is_some_and(|simd| !simd.is_available()) {
        return usage("this machine does not have the instructions of --cpu-simd");
    }
    Ok(CpuRequest {
        workers: args.cpu_workers,
        options: CpuOptions {
            engine: args.cpu_engine,
            lanes: args.cpu_lanes.0,
            simd: args.cpu_simd,
        },
    })
}

/// Refuses what cannot search weighted graphs.
fn weighted(args: &RunArgs, strategy: Strategy) -> Result<(), UsageError> {
    if args.weights.weighted.is_none() {
        return Ok(());
    }
    if args.chains == ChainsOption::Always {
        return Err(UsageError(
            "--weighted does not go with --chains always; leave one of them out".into(),
        ));
    }
    if strategy == Strategy::Auto && (args.degree.is_some() || args.lanes().is_some()) {
        return Err(UsageError(
            "--degree and --lanes mean nothing to strategies for weighted graphs; leave them, or \
             --weighted, out"
                .into(),
        ));
    }
    if !strategy.takes().lengths {
        return Err(UsageError(format!(
            "--strategy {} is for graphs without weights; use {}, or leave --weighted out",
            strategy.name(),
            Strategy::with_lengths()
        )));
    }
    Ok(())
}

/// Refuses what gives no scores of edges.
fn edges(args: &RunArgs, strategy: Strategy) -> Result<(), UsageError> {
    if args.edges.is_none() {
        return Ok(());
    }
    if args.chains == ChainsOption::Always {
        return Err(UsageError(
            "--edges does not go with --chains always; leave one of them out".into(),
        ));
    }
    if !strategy.takes().edges {
        return Err(UsageError(format!(
            "--strategy {} gives no scores of edges; choose another one, or leave --edges out",
            strategy.name()
        )));
    }
    Ok(())
}

/// What is written, by option.
fn outputs(args: &RunArgs) -> [(&'static str, &Option<PathBuf>); 4] {
    [
        ("--scores", &args.scores),
        ("--edges", &args.edges),
        ("--report", &args.report),
        ("--trace", &args.trace),
    ]
}

/// Refuses outputs that would overwrite what is read, or each other.
pub(super) fn files(args: &RunArgs) -> Result<(), UsageError> {
    let mut inputs = vec![("the graph", args.graph.as_path())];
    inputs.extend(args.profile.as_deref().map(|path| ("the profile", path)));
    check_outputs(&inputs, outputs(args))
}

/// Whether an output is standard output.
pub(super) fn takes_standard_output(args: &RunArgs) -> bool {
    let dash = Some(Path::new("-"));
    outputs(args)
        .iter()
        .any(|(_, path)| path.as_deref() == dash)
}

/// Refuses options that the strategy would ignore.
fn knobs(args: &RunArgs, strategy: Strategy) -> Result<(), UsageError> {
    let cpu = args.strategy() == StrategyArg::Cpu;
    let asked = if cpu { "cpu" } else { strategy.name() };
    for number in Number::ALL {
        let given = match number {
            Number::Degree => args.degree.is_some(),
            Number::Lanes => args.lanes().is_some(),
            Number::WarpSize => args.warp_size().is_some(),
        };
        if given && (cpu || !strategy.has(number)) {
            return Err(UsageError(format!(
                "{} means nothing to --strategy {asked}; it is for {}",
                number.option(),
                number.strategies()
            )));
        }
    }
    if let (Some(size), Some(group)) = (args.warp_size(), args.work_group)
        && !group.is_multiple_of(size)
    {
        return Err(UsageError(format!(
            "--warp-size {size} does not divide --work-group {group}"
        )));
    }
    Ok(())
}

/// Whether chains may be contracted: only if everybody who may take roots can search from
/// junctions, which is decided before it is known whether there is a device.
pub(super) fn contraction(
    args: &RunArgs,
    request: &DeviceRequest,
) -> Result<ChainsOption, UsageError> {
    let usage = |text: &str| Err(UsageError(text.into()));
    if args.chains == ChainsOption::Always && args.directed {
        return usage("--chains always is for undirected graphs; leave --directed or it out");
    }
    let contracts = args.chains == ChainsOption::Always || request.strategy == Strategy::Chains;
    if args.cpu_engine != CpuEngine::Auto {
        if contracts {
            return usage(
                "--cpu-engine plain, lanes and near do not search from junctions; leave it, or --chains \
                 always and --strategy chains, out",
            );
        }
        return Ok(ChainsOption::Never);
    }
    if request.strategy == Strategy::Chains {
        if args.directed {
            return usage("--strategy chains is for undirected graphs; leave --directed or it out");
        }
        if args.chains == ChainsOption::Never {
            return usage("--strategy chains contracts chains; leave --chains never or it out");
        }
        return Ok(ChainsOption::Always);
    }
    let able = request.selection == DeviceSelection::None || request.strategy.takes().contracted;
    match args.chains {
        option if able => Ok(option),
        ChainsOption::Always => Err(UsageError(format!(
            "--chains always needs --strategy chains, auto or cpu: {} does not search from junctions",
            request.strategy.name()
        ))),
        ChainsOption::Auto | ChainsOption::Never => Ok(ChainsOption::Never),
    }
}

//! What `brandes bench` measures: strategies in every combination of the values asked for.

use super::UsageError;
use super::bench_args::BenchArgs;
use crate::app::bench::Subject;
use crate::app::bench::results::Asked;
use brandes::device::DeviceOptions;
use brandes::prepare::Reductions;
use brandes::runner::CpuWorkers;
use brandes::strategy::{Number, Strategy, Takes};

/// A strategy with its values.
#[derive(Debug, Clone)]
pub(super) struct Combination {
    pub(super) asked: Asked,
    pub(super) subject: Subject,
    pub(super) workers: CpuWorkers,
    pub(super) reduce: Reductions,
}

/// The first of all values.
pub(super) fn first(args: &BenchArgs) -> Asked {
    Asked {
        precision: args.precision.first().copied(),
        degree: args.degree.first().copied(),
        lanes: args.lanes.first().and_then(|lanes| lanes.0),
        warp_size: args.warp_size.first().and_then(|size| size.0),
        work_group: args.work_group.first().copied(),
        ..Asked::default()
    }
}

/// A device with these values.
pub(super) fn device_options(args: &BenchArgs, asked: &Asked) -> DeviceOptions {
    DeviceOptions {
        precision: asked.precision.unwrap_or_default(),
        work_group: asked.work_group.map(|items| items as usize),
        degree: asked.degree,
        lanes: asked.lanes,
        warp_size: asked.warp_size,
        weighted: args.input.weights.weighted.is_some(),
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    }
}

/// All combinations of what was asked for, or of all strategies there are; with `cpu_only`, without
/// a device. Values that a strategy does not take are left out of its combinations.
pub(super) fn combinations(
    args: &BenchArgs,
    cpu_only: bool,
) -> Result<Vec<Combination>, UsageError> {
    contradictions(args, cpu_only)?;
    let subjects = subjects(args, cpu_only)?;
    let takes = |subject: &Subject, number: Number| matches!(subject, Subject::Device(strategy) if strategy.has(number));
    for (number, given) in [
        (Number::Degree, !args.degree.is_empty()),
        (Number::Lanes, !args.lanes.is_empty()),
        (Number::WarpSize, !args.warp_size.is_empty()),
    ] {
        let used = args.ablation && number == Number::Degree;
        if given && !used && !subjects.iter().any(|subject| takes(subject, number)) {
            let device = if number == Number::Lanes {
                "device-"
            } else {
                ""
            };
            let (name, able) = (number.name(), number.strategies());
            let text =
                format!("--{device}{name} is for {able}; name one of them behind --strategy");
            return Err(UsageError(text));
        }
    }
    let any_device = args.ablation || subjects.iter().any(|subject| !subject.is_cpu());
    if !args.work_group.is_empty() && !any_device {
        let text = "--work-group is for strategies on devices; name one of them behind --strategy";
        return Err(UsageError(text.into()));
    }
    let mut all = Vec::new();
    let any = !subjects.is_empty();
    for subject in subjects {
        let on_device = !subject.is_cpu();
        let plain = Combination {
            asked: Asked {
                strategy: subject.name().into(),
                ..Asked::default()
            },
            subject,
            workers: CpuWorkers::Count(0),
            reduce: Reductions::default(),
        };
        let mut some = vec![plain];
        each(&mut some, true, &args.precision, |one, &precision| {
            one.asked.precision = Some(precision);
        });
        // What `auto` chooses takes a value as in a run, where there is no choice of several.
        let auto = subject == Subject::Device(Strategy::Auto);
        let has = |number, count: usize| takes(&subject, number) && (count < 2 || !auto);
        let has_degree = has(Number::Degree, args.degree.len());
        each(&mut some, has_degree, &args.degree, |one, &degree| {
            one.asked.degree = Some(degree);
        });
        let has_lanes = has(Number::Lanes, args.lanes.len());
        each(&mut some, has_lanes, &args.lanes, |one, lanes| {
            one.asked.lanes = lanes.0;
        });
        let has_warps = has(Number::WarpSize, args.warp_size.len());
        each(&mut some, has_warps, &args.warp_size, |one, size| {
            one.asked.warp_size = size.0;
        });
        let has_groups = on_device && (args.work_group.len() < 2 || !auto);
        each(&mut some, has_groups, &args.work_group, |one, &items| {
            one.asked.work_group = Some(items);
        });
        each(&mut some, true, &args.cpu_workers, |one, &workers| {
            one.workers = workers;
            one.asked.workers = match workers {
                CpuWorkers::Count(0) => None,
                CpuWorkers::Auto => on_device.then(num_cpus::get),
                CpuWorkers::Count(count) => Some(count),
            };
        });
        each(&mut some, true, &args.reduce, |one, &reduce| {
            one.reduce = reduce;
            one.asked.reduce = (reduce != Reductions::default()).then(|| reduce.to_string());
        });
        all.extend(some);
    }
    // A virtual warp lies within a work-group.
    all.retain(|one| {
        let (warp, group) = (one.asked.warp_size, one.asked.work_group);
        warp.zip(group)
            .is_none_or(|(warp, group)| group.is_multiple_of(warp))
    });
    if any && all.is_empty() {
        let text = "no value of --warp-size divides one of --work-group; change one of the two";
        return Err(UsageError(text.into()));
    }
    Ok(all)
}

/// Every one of `all` with every one of `values`, if there are any and it takes them.
fn each<T>(
    all: &mut Vec<Combination>,
    takes: bool,
    values: &[T],
    set: impl Fn(&mut Combination, &T),
) {
    if !takes || values.is_empty() {
        return;
    }
    let with = |one: &Combination, value: &T| {
        let mut one = one.clone();
        set(&mut one, value);
        one
    };
    let every = all
        .iter()
        .flat_map(|one| values.iter().map(move |value| with(one, value)));
    *all = every.collect();
}

/// Refuses values that contradict each other or the kind of graph.
fn contradictions(args: &BenchArgs, cpu_only: bool) -> Result<(), UsageError> {
    let refuse = |text: &str| Err(UsageError(text.into()));
    let weighted = args.input.weights.weighted.is_some();
    let kind = (args.input.directed, weighted);
    for &precision in &args.precision {
        let asked = Asked {
            precision: Some(precision),
            // Rules about these two are those of `combinations`.
            warp_size: None,
            work_group: None,
            ..first(args)
        };
        let options = device_options(args, &asked);
        for &reduce in &args.reduce {
            args.common.check(options, reduce, kind)?;
        }
    }
    if cpu_only && args.ablation {
        return refuse("--ablation needs a device; leave --device none out");
    }
    if weighted && args.ablation {
        return refuse(
            "--ablation is about strategy virtual, which takes no weights; leave --weighted or it \
             out",
        );
    }
    Ok(())
}

/// What was asked for, or all there is, each once.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    let strategies = &args.common.strategies;
    if strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    let needed = Takes {
        lengths: args.input.weights.weighted.is_some(),
        ..Takes::default()
    };
    let lacks = |subject: &Subject| match subject {
        Subject::Device(strategy) => strategy.takes().lacks(needed),
        _ => None,
    };
    for subject in strategies {
        if let Some(reason) = lacks(subject) {
            return Err(UsageError(format!("strategy {} {reason}", subject.name())));
        }
    }
    let takes = |subject: &Subject| lacks(subject).is_none();
    // What a run would choose comes last: it is one of the others.
    let choice = [Subject::Cpu, Subject::Device(Strategy::Auto)];
    args.common
        .subjects(cpu_only, takes, |subject| choice.contains(subject))
}

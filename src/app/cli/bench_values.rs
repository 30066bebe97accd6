//! What `brandes bench` measures: strategies in every combination of the values asked for.

use super::UsageError;
use super::bench_args::BenchArgs;
use crate::app::bench::Subject;
use crate::app::bench::results::Asked;
use brandes::device::DeviceOptions;
use brandes::prepare::Reductions;
use brandes::runner::CpuWorkers;
use brandes::strategy::{Number, Strategy};

/// A strategy with its values.
#[derive(Debug, Clone)]
pub(super) struct Combination {
    pub(super) asked: Asked,
    pub(super) subject: Subject,
    pub(super) workers: CpuWorkers,
    pub(super) reduce: Reductions,
}

impl Combination {
    /// A subject whose values are left to the program.
    pub(super) fn plain(subject: Subject) -> Combination {
        Combination {
            asked: Asked {
                strategy: subject.name().into(),
                ..Asked::default()
            },
            subject,
            workers: CpuWorkers::Count(0),
            reduce: Reductions::default(),
        }
    }
}

/// The values of all numbers.
fn numbers(args: &BenchArgs) -> [(Number, Vec<Option<u32>>); 4] {
    let some = |values: &[u32]| values.iter().copied().map(Some).collect();
    let lanes = args.lanes.iter().map(|lanes| lanes.0);
    let sizes = args.warp_size.iter().map(|size| size.0);
    [
        (Number::Degree, some(&args.degree)),
        (Number::Lanes, lanes.collect()),
        (Number::WarpSize, sizes.collect()),
        (Number::WorkGroup, some(&args.work_group)),
    ]
}

fn set(asked: &mut Asked, number: Number, value: Option<u32>) {
    *match number {
        Number::Degree => &mut asked.degree,
        Number::Lanes => &mut asked.lanes,
        Number::WarpSize => &mut asked.warp_size,
        Number::WorkGroup => &mut asked.work_group,
    } = value;
}

fn takes(subject: Subject, number: Number) -> bool {
    match subject {
        Subject::Device(strategy) => strategy.has(number),
        Subject::Ablation(_) => [Number::Degree, Number::WorkGroup].contains(&number),
        _ => false,
    }
}

/// Whether there are numbers that only strategies for devices have.
pub(super) fn has_numbers(args: &BenchArgs) -> bool {
    numbers(args).iter().any(|(_, values)| !values.is_empty())
}

/// Strategy `virtual` with the first of all values that it takes, for `--ablation`.
pub(super) fn ablation(args: &BenchArgs) -> Combination {
    let mut one = Combination::plain(Subject::Ablation(None));
    one.asked.precision = args.precision.first().copied();
    for (number, values) in numbers(args) {
        let value = values.first().copied().flatten();
        set(
            &mut one.asked,
            number,
            value.filter(|_| takes(one.subject, number)),
        );
    }
    one
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
    for (number, values) in numbers(args) {
        let ablation = args.ablation.then_some(Subject::Ablation(None));
        let mut all = subjects.iter().copied().chain(ablation);
        if !values.is_empty() && !all.any(|subject| takes(subject, number)) {
            let name = match number {
                Number::Lanes => "device-lanes",
                _ => number.name(),
            };
            let able = number.strategies();
            let text = format!("--{name} is for {able}; name one of them behind --strategy");
            return Err(UsageError(text));
        }
    }
    let all = subjects
        .iter()
        .flat_map(|&subject| with_all_values(args, subject));
    // A virtual warp lies within a work-group.
    let all = all.filter(|one| {
        let sizes = one.asked.warp_size.zip(one.asked.work_group);
        sizes.is_none_or(|(warp, group)| group.is_multiple_of(warp))
    });
    let all: Vec<Combination> = all.collect();
    if all.is_empty() && !subjects.is_empty() {
        let text = "no value of --warp-size divides one of --work-group; change one of the two";
        return Err(UsageError(text.into()));
    }
    Ok(all)
}

/// A subject with every combination of the values that it takes.
fn with_all_values(args: &BenchArgs, subject: Subject) -> Vec<Combination> {
    let mut all = vec![Combination::plain(subject)];
    each(&mut all, &args.precision, |one, precision| {
        one.asked.precision = Some(precision);
    });
    for (number, values) in numbers(args) {
        // What `auto` chooses takes a number as in a run, where there is no choice of several.
        let choice = values.len() > 1 && subject == Subject::Device(Strategy::Auto);
        if takes(subject, number) && !values.is_empty() && !choice {
            each(&mut all, &values, |one, value| {
                set(&mut one.asked, number, value)
            });
        }
    }
    each(&mut all, &args.cpu_workers, |one, workers| {
        one.workers = workers;
        one.asked.workers = match workers {
            CpuWorkers::Count(0) => None,
            CpuWorkers::Count(count) => Some(count),
            CpuWorkers::Auto => (!subject.is_cpu()).then(num_cpus::get),
        };
    });
    each(&mut all, &args.reduce, |one, reduce| {
        one.reduce = reduce;
        one.asked.reduce = (reduce != Reductions::default()).then(|| reduce.to_string());
    });
    all
}

/// Every one of `all` with every one of `values`.
fn each<T: Copy>(all: &mut Vec<Combination>, values: &[T], set: impl Fn(&mut Combination, T)) {
    let with = |(one, &value): (&Combination, &T)| {
        let mut one = one.clone();
        set(&mut one, value);
        one
    };
    let pairs = all
        .iter()
        .flat_map(|one| values.iter().map(move |value| (one, value)));
    *all = pairs.map(with).collect();
}

/// Refuses values that contradict each other or the kind of graph.
fn contradictions(args: &BenchArgs, cpu_only: bool) -> Result<(), UsageError> {
    let weighted = args.input.weights.weighted.is_some();
    let kind = (args.input.directed, weighted);
    for &precision in &args.precision {
        // Rules about the other numbers are those of `combinations`.
        let asked = Asked {
            precision: Some(precision),
            degree: args.degree.first().copied(),
            lanes: args.lanes.first().and_then(|lanes| lanes.0),
            ..Asked::default()
        };
        for &reduce in &args.reduce {
            args.common
                .check(device_options(args, &asked), reduce, kind)?;
        }
    }
    let text = match args.ablation {
        true if cpu_only => "--ablation needs a device; leave --device none out",
        true if weighted => {
            "--ablation is about strategy virtual, which takes no weights; leave --weighted or it \
             out"
        }
        _ => return Ok(()),
    };
    Err(UsageError(text.into()))
}

/// What was asked for, or all there is, each once.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    if args.common.strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    // What a run would choose comes last: it is one of the others.
    let choice = [Subject::Cpu, Subject::Device(Strategy::Auto)];
    let weighted = args.input.weights.weighted.is_some();
    args.common
        .subjects(cpu_only, weighted, |subject| choice.contains(subject))
}

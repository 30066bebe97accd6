//! What `brandes bench` measures: strategies in every combination of the values asked for.

use super::UsageError;
use super::bench_args::BenchArgs;
use crate::app::bench::{Numbers, Setting, Subject};
use brandes::device::DeviceOptions;
use brandes::prepare::{Order, Reductions};
use brandes::strategy::{Number, Strategy};

/// The values of all numbers, which only strategies for devices have.
pub(super) fn numbers(args: &BenchArgs) -> [(Number, Vec<Option<u32>>); 4] {
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

fn takes(subject: Subject, number: Number) -> bool {
    match subject {
        Subject::Device(strategy) => strategy.has(number),
        Subject::Ablation(_) => [Number::Degree, Number::WorkGroup].contains(&number),
        _ => false,
    }
}

/// Strategy `virtual` with the first of all values that it takes, for `--ablation`.
pub(super) fn ablation(args: &BenchArgs) -> Setting {
    let mut one = Setting::plain(Subject::Ablation(None));
    one.precision = args.precision.first().copied().unwrap_or_default();
    for (number, values) in numbers(args) {
        if takes(one.subject, number) {
            one = one.with(number, values.first().copied().flatten());
        }
    }
    one
}

/// A device with these values.
pub(super) fn device_options(args: &BenchArgs, setting: &Setting) -> DeviceOptions {
    setting.device_options(DeviceOptions {
        weighted: args.input.weights.weighted.is_some(),
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    })
}

/// All combinations of what was asked for, or of all strategies there are; with `cpu_only`, without
/// a device. Values that a strategy does not take are left out of its combinations.
pub(super) fn combinations(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Setting>, UsageError> {
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
            let text = match cpu_only {
                true => format!("--{name} needs a device; remove --device none"),
                false => format!("--{name} is for {able}; add one of them to --strategy"),
            };
            return Err(UsageError(text));
        }
    }
    let all = subjects
        .iter()
        .flat_map(|&subject| with_all_values(args, subject));
    let all: Vec<Setting> = all.filter(Setting::is_whole).collect();
    if all.is_empty() && !subjects.is_empty() {
        let text = "no value of --warp-size divides one of --work-group; change one of the two";
        return Err(UsageError(text.into()));
    }
    Ok(all)
}

/// A subject with every combination of the values that it takes.
fn with_all_values(args: &BenchArgs, subject: Subject) -> Vec<Setting> {
    let mut all = vec![Setting::plain(subject)];
    Setting::each(&mut all, &args.precision, |one, value| {
        one.precision = value
    });
    for (number, values) in numbers(args) {
        // `auto` gets a number only if exactly one value was given, as in a run.
        let choice = values.len() > 1 && subject == Subject::Device(Strategy::Auto);
        if takes(subject, number) && !choice {
            Setting::each(&mut all, &values, |one, value| {
                *one.numbers.place(number) = value;
            });
        }
    }
    Setting::each(&mut all, &args.cpu_workers, |one, value| {
        one.workers = value
    });
    Setting::each(&mut all, &args.reduce, |one, value| one.reduce = value);
    all
}

/// Refuses values that contradict each other or the kind of graph.
fn contradictions(args: &BenchArgs, cpu_only: bool) -> Result<(), UsageError> {
    let weighted = args.input.weights.weighted.is_some();
    let kind = (args.input.directed, weighted);
    for &precision in &args.precision {
        // Rules about the other numbers are those of `combinations`.
        let first = Setting {
            precision,
            numbers: Numbers {
                degree: args.degree.first().copied(),
                lanes: args.lanes.first().and_then(|lanes| lanes.0),
                ..Numbers::default()
            },
            ..Setting::plain(Subject::Cpu)
        };
        for &reduce in &args.reduce {
            args.common
                .check(device_options(args, &first), reduce, Order::default(), kind)?;
        }
    }
    let text = match args.ablation {
        true if cpu_only => "--ablation needs a device; remove --device none",
        true if weighted => {
            "--ablation measures strategy virtual, which takes no weights; remove --weighted or \
             --ablation"
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
        .subjects(cpu_only, (weighted, Reductions::default()), |subject| {
            choice.contains(subject)
        })
}

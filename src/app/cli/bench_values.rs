//! The settings that `brandes bench` measures: strategies with every combination of the values
//! given.

use super::bench_args::BenchArgs;
use super::run_args::AutoOr;
use super::{UsageError, refuse};
use crate::app::bench::{Setting, Subject};
use brandes::device::DeviceOptions;
use brandes::plan::SearchOptions;
use brandes::strategy::NumericOption;
use brandes::{CpuWorkers, Reductions, Strategy};

/// Returns the values given for each numeric option of device strategies.
pub(super) fn values_given(args: &BenchArgs) -> [(NumericOption, Vec<AutoOr<u32>>); 5] {
    args.common.numbers(&args.lanes)
}

/// Returns whether the subject can be measured with several values of the option.
fn uses(subject: Subject, option: NumericOption) -> bool {
    match subject {
        Subject::Device(strategy) => strategy.has(option),
        Subject::Ablation(_) => Strategy::Virtual.has(option),
        _ => false,
    }
}

/// Returns the setting of strategy `virtual` that `--ablation` varies. It has the first of the
/// values given for each option.
pub(super) fn ablation(args: &BenchArgs) -> Setting {
    let complete = Subject::Ablation(None);
    Setting {
        workers: CpuWorkers::Count(0),
        reduce: Reductions::default(),
        ..with_all_values(args, complete)[0]
    }
}

/// Returns the options of the device that all settings have in common.
pub(super) fn device_options(args: &BenchArgs) -> DeviceOptions {
    DeviceOptions {
        weighted: args.input.weighted.is_some(),
        exact_access: args.exact_access,
        ..DeviceOptions::default()
    }
}

/// The strategy `auto`, which chooses one of the others. Like a run, it takes one value of each
/// option, not a list.
pub(super) const AUTO: Subject = Subject::Device(Strategy::Auto);

/// Returns a note about lists of values that strategy `auto` is measured without.
pub(super) fn auto_note(args: &BenchArgs) -> Option<String> {
    let lists = values_given(args).into_iter();
    let lists = lists.filter(|(option, values)| uses(AUTO, *option) && values.len() > 1);
    let lists = lists.map(|(option, _)| format!("--{}", option.name()));
    let lists = lists.collect::<Vec<_>>().join(" and ");
    (!lists.is_empty()).then(|| {
        format!(
            "note: strategy auto takes no list of values and is measured without {lists}; give one \
             value"
        )
    })
}

/// Returns each of the [`subjects`] with all combinations of the values given for the options that
/// it uses.
///
/// # Errors
/// [`UsageError`] if options contradict each other, or if none of the subjects uses an option that
/// is given.
pub(super) fn combinations(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Setting>, UsageError> {
    refuse_contradictions(args, cpu_only)?;
    let subjects = subjects(args, cpu_only)?;
    for (option, values) in values_given(args) {
        let ablation = args.ablation.then_some(Subject::Ablation(None));
        let mut all = subjects.iter().copied().chain(ablation);
        if !values.is_empty() && !all.any(|subject| uses(subject, option)) {
            let name = option.name();
            let strategies = option.strategies();
            return refuse(match cpu_only {
                true => format!("--{name} needs a device; remove --device none"),
                false => format!("--{name} is for {strategies}; add one of them to --strategy"),
            });
        }
    }
    let mut all = Vec::new();
    for subject in subjects {
        let mut settings = with_all_values(args, subject);
        settings.retain(Setting::has_whole_warps);
        if settings.is_empty() {
            return refuse(
                "no value of --warp-size divides one of --work-group; change one of the two",
            );
        }
        all.extend(settings);
    }
    Ok(all)
}

/// Returns a subject with every combination of the values given for its options.
fn with_all_values(args: &BenchArgs, subject: Subject) -> Vec<Setting> {
    let mut all = vec![Setting::plain(subject)];
    Setting::expand(&mut all, &args.precision, |one, value| {
        one.precision = value
    });
    for (option, values) in values_given(args) {
        if uses(subject, option) && !(subject == AUTO && values.len() > 1) {
            Setting::expand(&mut all, &values, |one, value| {
                *one.numbers.get_mut(option) = value;
            });
        }
    }
    Setting::expand(&mut all, &args.cpu_workers, |one, value| {
        one.workers = value
    });
    Setting::expand(&mut all, &args.reduce, |one, value| one.reduce = value);
    all
}

/// Refuses values that contradict each other or the kind of graph.
fn refuse_contradictions(args: &BenchArgs, cpu_only: bool) -> Result<(), UsageError> {
    let (directed, weighted) = (args.input.directed, args.input.weighted.is_some());
    for &precision in &args.precision {
        for &reduce in &args.reduce {
            // `combinations` checks all other options.
            let mut device = DeviceOptions {
                precision,
                ..device_options(args)
            };
            device.numbers.degree = args.common.degree.first().copied();
            device.numbers.lanes = args.lanes.first().copied().flatten();
            let mut run = SearchOptions {
                devices: args.common.device.clone(),
                device,
                ..SearchOptions::default()
            };
            run.prepare.reduce = reduce;
            run.check(directed, weighted)?;
        }
    }
    refuse(match args.ablation {
        true if cpu_only => "--ablation needs a device; remove --device none",
        true if weighted => {
            "--ablation measures strategy virtual, which takes no weights; remove --weighted or \
             --ablation"
        }
        _ => return Ok(()),
    })
}

/// Returns the strategies and engines to measure, each once: those given, or else none with
/// `--ablation`, all CPU engines with `cpu_only`, and all device strategies that can search the
/// graph otherwise.
fn subjects(args: &BenchArgs, cpu_only: bool) -> Result<Vec<Subject>, UsageError> {
    if args.common.strategies.is_empty() && args.ablation {
        return Ok(Vec::new());
    }
    // `cpu` and `auto`, which choose one of the others, come last: `false` sorts before `true`.
    let weighted = args.input.weighted.is_some();
    let rank = |subject: &Subject| [Subject::Cpu, AUTO].contains(subject);
    args.common
        .subjects(cpu_only, weighted, Reductions::default(), rank)
}

//! What `brandes run` warns of.

use super::run_args::RunArgs;
use super::say;
use brandes::cpu::EngineName;
use brandes::engine::Precision;
use brandes::report::words::counted;
use brandes::runner::Outcome;
use brandes::strategy::{Number, Strategy};

/// Tells the user, and keeps the text for the report.
pub(super) fn warn(warnings: &mut Vec<String>, text: impl Into<String>) {
    let text = text.into();
    say(format_args!("warning: {text}"));
    warnings.push(text);
}

/// Options for devices that meant nothing to those that searched.
pub(super) fn of_options(warnings: &mut Vec<String>, args: &RunArgs, outcome: &Outcome) {
    let drivers = outcome.drivers.iter().filter(|driver| driver.roots > 0);
    let plans = drivers.filter_map(|driver| driver.plan.as_ref());
    let searched: Vec<Strategy> = plans.map(|plan| plan.strategy).collect();
    let mixed = args.precision == Precision::Mixed;
    let workers = || outcome.workers.iter().filter(|worker| worker.roots > 0);
    let mixed_lanes = workers().any(|worker| worker.plan.mixed);
    let lanes = workers().any(|worker| worker.plan.engine == EngineName::Lanes);
    for (option, given, number) in [
        ("--degree", args.degree.is_some(), Some(Number::Degree)),
        ("--lanes", args.lanes().is_some(), Some(Number::Lanes)),
        ("--work-group", args.work_group.is_some(), None),
        // Others than lanes compute in f64 with mixed.
        ("--precision", mixed, Some(Number::Lanes)),
        ("--precision", args.precision == Precision::F32, None),
    ] {
        let takes = |strategy: &Strategy| number.is_none_or(|number| strategy.has(number));
        if !given || searched.iter().any(takes) || (option == "--precision" && mixed_lanes) {
            continue;
        }
        let why = match searched.first() {
            Some(strategy) => format!(
                "it means nothing to strategy {}, which was chosen for this graph",
                strategy.name()
            ),
            None if mixed && option == "--precision" && lanes => {
                "lanes of cores compute in f64 without AVX2".into()
            }
            None if mixed && option == "--precision" => {
                "neither a device nor lanes of a core searched".into()
            }
            None => "no device searched".into(),
        };
        warn(warnings, format!("{option} had no effect: {why}"));
    }
}

/// Roots that no engine could search as fast as others.
pub(super) fn of_path_counts(warnings: &mut Vec<String>, outcome: &Outcome) {
    let roots = outcome.wide_roots();
    if roots > 0 {
        let have = if roots == 1 { "has" } else { "have" };
        let text = format!(
            "{} {have} more shortest paths than {} can count: CPU workers searched with wider \
             numbers there",
            counted(roots, "root"),
            Precision::F64.paths()
        );
        warn(warnings, text);
    }
}

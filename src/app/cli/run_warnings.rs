//! What `brandes run` warns of.

use super::run_args::RunArgs;
use super::say;
use crate::app::report::words::counted;
use brandes::engine::Precision;
use brandes::plan::Wishes;
use brandes::runner::{DriverState, Outcome};
use brandes::strategy::{Number, Strategy};

/// Tells the user, and keeps the text for the report.
pub(super) fn warn(warnings: &mut Vec<String>, text: impl Into<String>) {
    let text = text.into();
    say(format_args!("warning: {text}"));
    warnings.push(text);
}

/// Devices that did not do what was asked of them.
pub(super) fn of_devices(warnings: &mut Vec<String>, wishes: &Wishes, outcome: &Outcome) {
    if let Some(error) = &outcome.no_device {
        // Without being asked for, a device that is not there is nothing to worry about.
        if wishes.insists() || !error.is_absence() {
            warn(warnings, format!("{error}; the CPU did all the work"));
        }
    }
    // As above. One that may have been meant is what `no_device` says already.
    for failure in &outcome.left_out {
        let known = outcome.no_device.as_ref() == Some(failure);
        if !known && (wishes.insists() || outcome.drivers.is_empty()) {
            warn(warnings, failure.to_string());
        }
    }
    for driver in &outcome.drivers {
        let name = &driver.info.name;
        if let Some(error) = &driver.error {
            let text = format!(
                "device {name} failed: {error}; CPU workers finished its {}",
                counted(driver.returned, "unfinished root")
            );
            warn(warnings, text);
        }
        let stopped = driver.state == DriverState::PathCounts;
        // Where nothing was unfinished, the whole search was made again, of which there is a
        // warning.
        if stopped && driver.returned > 0 {
            let text = format!(
                "device {name} stopped: there are more shortest paths than {} can count; \
                 CPU workers finished its {}",
                wishes.device.precision.paths(),
                counted(driver.returned, "unfinished root")
            );
            warn(warnings, text);
        }
        match &driver.profile {
            Some(Err(error)) => {
                warn(
                    warnings,
                    format!("there are no kernel times of {name}: {error}"),
                );
            }
            None if wishes.device.profile && driver.error.is_none() => {
                let why = if stopped {
                    "it did not work to the end"
                } else {
                    "all was done before anything it did counted; --cpu-workers 0 waits for it"
                };
                let text = format!("there are no kernel times of {name}: {why}");
                warn(warnings, text);
            }
            _ => {}
        }
    }
}

/// Options for devices that meant nothing to those that searched.
pub(super) fn of_options(warnings: &mut Vec<String>, args: &RunArgs, outcome: &Outcome) {
    let plans = outcome.drivers.iter().filter_map(|d| d.plan.as_ref());
    let searched: Vec<Strategy> = plans.map(|plan| plan.strategy).collect();
    for (option, given, number) in [
        ("--degree", args.degree.is_some(), Some(Number::Degree)),
        ("--lanes", args.lanes().is_some(), Some(Number::Lanes)),
        ("--work-group", args.work_group.is_some(), None),
        ("--precision", args.precision != Precision::F64, None),
    ] {
        let takes = |strategy: &Strategy| number.is_none_or(|number| strategy.has(number));
        if !given || searched.iter().any(takes) {
            continue;
        }
        let why = match searched.first() {
            Some(strategy) => format!(
                "it means nothing to strategy {}, which was chosen for this graph",
                strategy.name()
            ),
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

//! Warnings about the participants of a search.

use crate::plan::SearchOptions;
use crate::runner::{CpuWorkers, DriverState, Outcome};

/// Returns a warning about workers that panicked.
pub(super) fn lost_workers(outcome: &Outcome) -> Option<String> {
    let (workers, whose) = match outcome.lost_workers {
        0 => return None,
        1 => ("a CPU worker".into(), "its"),
        many => (format!("{many} CPU workers"), "their"),
    };
    Some(format!(
        "{workers} stopped unexpectedly, and others searched from {whose} roots again; please \
         report this defect"
    ))
}

/// Returns warnings about devices that failed or did not search.
pub(super) fn of_devices(options: &SearchOptions, outcome: &Outcome) -> Vec<String> {
    // A missing device causes a warning only if the user asked for a device.
    let absent = outcome.no_device.iter();
    let absent = absent.filter(|error| options.asks_for_device() || !error.is_absence());
    let absent = absent.map(|error| format!("{error}; the CPU did all the work"));
    let mut warnings: Vec<String> = absent.collect();
    // Platforms and devices that were left out cause warnings if the user asked for a device or
    // there is none. The error above is not repeated.
    if options.asks_for_device() || outcome.drivers.is_empty() {
        let others = outcome.left_out.iter();
        let others = others.filter(|error| outcome.no_device.as_ref() != Some(error));
        warnings.extend(others.map(ToString::to_string));
    }
    let workers_searched = outcome.workers.iter().any(|worker| worker.roots > 0);
    let remedy = match options.cpu.workers {
        CpuWorkers::Count(0) => "",
        _ => "; --cpu-workers 0 leaves all roots to devices",
    };
    let none_found = outcome.drivers.is_empty() && outcome.no_device.is_none();
    if options.asks_for_device() && workers_searched && none_found {
        warnings.push(format!(
            "no device searched: CPU workers finished all roots before devices were found{remedy}"
        ));
    }
    let any_searched = workers_searched || outcome.drivers.iter().any(|driver| driver.roots > 0);
    for driver in &outcome.drivers {
        let name = &driver.info.name;
        let late = matches!(driver.state, DriverState::Starting | DriverState::Idle);
        if options.asks_for_device() && late && driver.roots == 0 && any_searched {
            warnings.push(format!(
                "device {name} searched nothing: others finished all roots before its first \
                 results{remedy}"
            ));
        }
        if driver.fell_back(options.device.precision) {
            warnings.push(format!(
                "device {name} has no 64-bit floats and computed in 32 bits, which gives about six \
                 digits; --precision f64 leaves it out"
            ));
        }
        let taken_over = match driver.returned {
            0 => "",
            _ => "; others searched from the roots that it had not finished",
        };
        if let Some(error) = &driver.error {
            warnings.push(format!("device {name} failed: {error}{taken_over}"));
        }
        let stopped = driver.state == DriverState::PathCounts;
        // If no root was given back, the whole search was repeated, and another warning says so.
        if stopped && driver.returned > 0 {
            warnings.push(format!(
                "device {name} stopped: there are more shortest paths than {} can \
                 count{taken_over}",
                driver.precision(options.device.precision).paths()
            ));
        }
        let why = match &driver.profile {
            Some(Err(error)) => error.to_string(),
            None if options.device.profile && driver.error.is_none() => {
                format!("it did not search to the end{remedy}")
            }
            _ => continue,
        };
        warnings.push(format!("there are no kernel times of {name}: {why}"));
    }
    warnings
}

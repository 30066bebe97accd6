//! Warnings of `brandes run` about a finished search.

use brandes::plan::SearchOptions;
use brandes::report::words::counted;
use brandes::runner::Outcome;
use brandes::strategy::NumericOption;
use brandes::{Precision, Strategy};

/// Writes warnings that are not among those of earlier calls, and keeps them for the report.
pub(super) fn warn(written: &mut Vec<String>, texts: impl IntoIterator<Item = String>) {
    let earlier = written.len();
    for text in texts {
        if !written[..earlier].contains(&text) {
            super::warn(&text);
            written.push(text);
        }
    }
}

/// Returns warnings about options that none of the strategies and engines that searched uses.
pub(super) fn unused_options(search_options: &SearchOptions, outcome: &Outcome) -> Vec<String> {
    let drivers = outcome.drivers.iter().filter(|driver| driver.roots > 0);
    let plans = drivers.filter_map(|driver| driver.plan.as_ref());
    let searched: Vec<Strategy> = plans.map(|plan| plan.strategy).collect();
    let not_used = searched.first().map(|strategy| {
        let name = strategy.name();
        format!("strategy {name}, which searched this graph, does not use it")
    });
    let why = not_used.clone().unwrap_or("no device searched".into());
    let numbers = search_options.device.numbers.given();
    let unused = numbers.filter(|&number| !searched.iter().any(|strategy| strategy.has(number)));
    let unused = unused.map(|number| format!("--{} had no effect: {why}", number.name()));
    let mut unused: Vec<String> = unused.collect();
    if search_options.device.precision == Precision::F32 && searched.is_empty() {
        unused.push(format!("--precision f32 had no effect: {why}"));
    }
    // With `mixed`, strategies `lanes` and `hierarchy` on devices and engine `lanes` on cores store
    // values in 32 bits where they fit; all others compute in f64.
    let is_mixed = search_options.device.precision == Precision::Mixed;
    let mut workers = outcome.workers.iter().filter(|worker| worker.roots > 0);
    let uses_it = |strategy: &Strategy| strategy.has(NumericOption::Lanes);
    if is_mixed && !searched.iter().any(uses_it) && !workers.any(|worker| worker.plan.mixed) {
        let why = not_used.unwrap_or(
            "no device searched, and CPU workers store values in 32 bits only with engine lanes \
             and AVX2, and with none of stress, decay, demand and --targets"
                .into(),
        );
        unused.push(format!("--precision had no effect: {why}"));
    }
    unused
}

/// Returns a warning about roots whose path counts overflow 64-bit floats: CPU workers searched
/// them again, more slowly.
pub(super) fn wide_path_counts(outcome: &Outcome) -> Option<String> {
    let roots = outcome.wide_roots();
    let (have, them) = match roots {
        0 => return None,
        1 => ("has", "it"),
        _ => ("have", "them"),
    };
    Some(format!(
        "{} {have} more shortest paths to some vertex than {} can count: CPU workers searched from \
         {them} with wider numbers",
        counted(roots, "source"),
        Precision::F64.paths()
    ))
}

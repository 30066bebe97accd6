//! The progress line of `brandes tune`, and its table at the end.

use std::collections::BTreeMap;

use super::columns::{Cell, aligned, cell, with_header};
use crate::app::tune::{Adopted, Candidate, Check, Tuning, search};
use brandes::report::words::{self, counted, grouped};

/// Returns a line about the progress after `seconds` of the budget.
pub fn progress_line(candidates: &[Candidate], seconds: f64, budget: f64) -> String {
    let left =
        |candidate: &&Candidate| candidate.dropped_after.is_none() && candidate.failure.is_none();
    let left = candidates.iter().filter(left);
    let fastest = left
        .clone()
        .min_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    let fastest = fastest.map(|candidate| {
        let time = words::seconds(candidate.seconds());
        format!("; {}: ~{time} s", candidate.setting.words())
    });
    let (left, all) = (left.count(), counted(candidates.len(), "setting"));
    let fastest = fastest.unwrap_or_default();
    format!("{seconds:.0} of {budget:.0} s; {left} of {all} left{fastest}")
}

/// Returns the table of candidates: the best, then the others by time, then those dropped.
fn table(candidates: &[Candidate], best: usize, width: Option<u16>) -> String {
    let measured = |&c: &usize| !candidates[c].rounds.is_empty();
    let mut order: Vec<usize> = (0..candidates.len()).filter(measured).collect();
    // Dropped candidates come last, since their times are from smaller samples.
    let group = |c: usize| (c != best, candidates[c].dropped_after.is_some());
    order.sort_by(|&a, &b| {
        let by_time = candidates[a].seconds().total_cmp(&candidates[b].seconds());
        group(a).cmp(&group(b)).then(by_time)
    });
    let rows: Vec<_> = order
        .into_iter()
        .map(|c| row(candidates, c, best))
        .collect();
    aligned(&with_header(&rows), &[0, 6], &[0, 6], width)
}

/// Returns the row of candidate `c`.
fn row(candidates: &[Candidate], c: usize, best: usize) -> Vec<Cell> {
    let candidate = &candidates[c];
    let last = candidate.rounds.last();
    let is_whole = last.map(|round| round.roots) == candidate.last.map(|sample| sample.total);
    let mark = if is_whole { "" } else { "~" };
    let seconds = Some(candidate.seconds()).filter(|seconds| seconds.is_finite());
    let time = seconds.map(|s| format!("{mark}{}", words::seconds(s)));
    let ratio = seconds.map(|s| format!("{:.2}", s / candidates[best].seconds()));
    let median = last.and_then(|round| round.median).map(words::seconds);
    let default = (c == search::DEFAULT).then_some("the default");
    let failed = candidate.failure.as_ref().map(|_| "failed");
    let end = failed.or(candidate.dropped_after.map(|_| "dropped"));
    let notes: Vec<&str> = default.into_iter().chain(end).collect();
    vec![
        cell("setting", candidate.setting.words()),
        cell("time s", time),
        cell("ratio", ratio),
        cell("median s", median),
        cell("roots", last.map(|round| grouped(round.roots as u64))),
        cell("runs", last.map(|round| round.seconds.len().to_string())),
        cell("", notes.join(", ")),
    ]
}

/// Returns the output at the end, without the command that uses the result.
pub fn result(tuning: &Tuning, width: Option<u16>) -> String {
    let mut text = table(&tuning.candidates, tuning.best, width);
    // Settings that failed for the same reason are on one line.
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for candidate in &tuning.candidates {
        if let Some(failure) = &candidate.failure {
            let settings = reasons.entry(failure).or_default();
            settings.push(candidate.setting.words());
        }
    }
    for (reason, all) in reasons {
        text += &format!("{}: {reason}\n", all.join("; "));
    }
    let best = tuning.candidates[tuning.best].setting.words();
    text + "\n" + &verdict(&best, &tuning.check) + "\n"
}

/// Returns the result of the check in words.
fn verdict(best: &str, check: &Check) -> String {
    let is_adopted = check.adopted == Adopted::Best;
    if let Some(failure) = &check.failure {
        return match is_adopted {
            true => format!("{best} is adopted: the default cannot search ({failure})"),
            false => format!("the default is adopted: the check failed ({failure})"),
        };
    }
    let Some((winner, default)) = check.spreads() else {
        return "nothing is faster than the default".into();
    };
    let ratio = winner.median / default.median;
    let [winner, default] = [winner, default].map(|spread| words::seconds(spread.median));
    let searches = counted(check.best_seconds.len(), "search");
    let roots = counted(check.roots, "root");
    let verdict = match is_adopted {
        true => "",
        false => ": not faster beyond noise, so the default is adopted",
    };
    format!(
        "check: {best} took {winner} s, the default {default} s, medians of {searches} from \
         {roots}; ratio {ratio:.3}{verdict}"
    )
}

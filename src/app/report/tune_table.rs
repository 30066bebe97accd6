//! The table of `brandes tune`, while it measures and at the end.

use std::fmt::Write;

use super::columns::{aligned, fit};
use super::words::{counted, grouped};
use crate::app::tune::{Check, Setting, Track, Tuning, search};

/// Stands where there is no figure.
const NONE: &str = "-";

/// Fastest first; those that could not search last. `most` rows at most, no wider than `width`.
pub fn table(tracks: &[Track], best: Option<usize>, most: usize, width: Option<usize>) -> String {
    let seconds = |track: &Track| track.predicted().filter(|_| track.failure.is_none());
    let mut order: Vec<usize> = (0..tracks.len())
        .filter(|&c| !tracks[c].rounds.is_empty())
        .collect();
    // Who searched from more roots is known better: times from few are mostly not what they seem.
    let key = |c: usize| seconds(&tracks[c]).unwrap_or(f64::INFINITY);
    order.sort_by(|&a, &b| {
        let first = |c: usize| (Some(c) != best, tracks[c].dropped_after.is_some());
        first(a).cmp(&first(b)).then(key(a).total_cmp(&key(b)))
    });
    let fastest = best.and_then(|best| seconds(&tracks[best]));
    let header = ["setting", "seconds", "ratio", "median", "roots", "runs", ""];
    let mut rows = vec![header.map(String::from).to_vec()];
    let shown = order.iter().take(most);
    rows.extend(shown.map(|&c| row(c, &tracks[c], seconds(&tracks[c]), fastest).to_vec()));
    fit(&mut rows, &[0, 6], width);
    aligned(&rows, &[0, 6])
}

fn row(c: usize, track: &Track, seconds: Option<f64>, fastest: Option<f64>) -> [String; 7] {
    let figure = |value: Option<String>| value.unwrap_or(NONE.into());
    let last = track.widest();
    let whole = track
        .last
        .zip(last)
        .is_some_and(|(l, r)| l.total == r.roots);
    let estimated = if whole { "" } else { "~" };
    let mut notes = Vec::new();
    if c == search::DEFAULT {
        notes.push("the default".to_string());
    }
    if track.failure.is_some() {
        notes.push("failed".into());
    } else if track.dropped_after.is_some() {
        notes.push("dropped".into());
    }
    [
        track.setting.words(),
        figure(seconds.map(|s| format!("{estimated}{s:.4}"))),
        figure(
            seconds
                .zip(fastest)
                .map(|(s, best)| format!("{:.2}", s / best)),
        ),
        figure(last.map(|round| format!("{:.4}", round.median()))),
        figure(last.map(|round| grouped(round.roots as u64))),
        figure(last.map(|round| round.seconds.len().to_string())),
        notes.join(", "),
    ]
}

/// Everything at the end but the command line.
pub fn result(tuning: &Tuning, width: Option<usize>) -> String {
    let mut text = table(&tuning.tracks, Some(tuning.best), usize::MAX, width);
    // Those of whom one thing is to be said, in one line.
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for track in &tuning.tracks {
        let Some(failure) = track.failure.as_deref() else {
            continue;
        };
        let words = track.setting.words();
        match reasons.iter_mut().find(|(reason, _)| *reason == failure) {
            Some((_, all)) => all.push(words),
            None => reasons.push((failure, vec![words])),
        }
    }
    for (reason, all) in reasons {
        let _ = writeln!(text, "{}: {reason}", all.join("; ")); // to a String: cannot fail
    }
    text.push('\n');
    let _ = writeln!(
        text,
        "{}",
        verdict(&tuning.tracks[tuning.best].setting, &tuning.check)
    );
    text
}

/// The check in words.
fn verdict(best: &Setting, check: &Check) -> String {
    let best_words = best.words();
    match (check.ratio(), &check.failure) {
        (_, Some(failure)) if check.adopted => {
            format!("{best_words} is adopted: the default cannot search ({failure})")
        }
        (_, Some(failure)) => format!("the default is adopted: the check failed ({failure})"),
        (Some(_), None) if check.roots == 0 => "nothing is faster than the default".into(),
        (ratio, None) => {
            let median = |seconds: &[f64]| {
                crate::app::bench::timing::Spread::of(seconds).map_or(f64::NAN, |s| s.median)
            };
            let figures = format!(
                "{:.4} s, the default {:.4} s, medians of {} from {}; ratio {:.3}",
                median(&check.best_seconds),
                median(&check.default_seconds),
                counted(check.best_seconds.len(), "search"),
                counted(check.roots, "root"),
                ratio.unwrap_or(f64::NAN)
            );
            if check.adopted {
                format!("check: {best_words} took {figures}")
            } else {
                format!(
                    "check: {best_words} took {figures}: not faster beyond noise, so the default is \
                     adopted"
                )
            }
        }
    }
}

//! The candidates of a search for the best options.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::{Candidate, Tune, Tuning};
use crate::app::page::number::duration;
use crate::app::page::read::last_part;
use crate::app::page::svg::dots::{Dots, Row};
use crate::app::page::table::{Cell, Table};

const NAMED: usize = 0;
const BEST: usize = 2;
const DEFAULT: usize = 3;

/// What is thought of a candidate: seconds for all roots of the graph.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// As predicted.
    pub seconds: f64,
    /// The shortest and the longest, from the last round.
    pub range: (f64, f64),
    /// Whether it came to the last round.
    pub sure: bool,
}

/// By the prediction of the report; where there is none, by the last round.
pub fn judged(candidate: &Candidate, tuning: &Tuning) -> Option<Judged> {
    let last = candidate.rounds.last();
    let scale = last.map_or(1.0, |round| tuning.roots as f64 / round.roots.max(1) as f64);
    let median = last.and_then(|round| round.median);
    let seconds = candidate.predicted_seconds.or(median.map(|s| s * scale))?;
    let times = || {
        last.iter()
            .flat_map(|round| &round.seconds)
            .map(|s| s * scale)
    };
    Some(Judged {
        seconds,
        range: (
            times().fold(seconds, f64::min),
            times().fold(seconds, f64::max),
        ),
        sure: candidate.dropped_after.is_none(),
    })
}

impl Candidate {
    /// Its options but for D, and for the size of work-groups where all of the strategy have the
    /// same.
    pub fn words_without_degree(&self, tuning: &Tuning) -> String {
        let mut alike = tuning.candidates.iter();
        let alike = alike.all(|c| c.strategy != self.strategy || c.work_group == self.work_group);
        let work_group = self.work_group.filter(|_| !alike);
        let mut words = vec![self.strategy.clone()];
        words.extend(self.lanes.map(|lanes| format!("{lanes} lanes")));
        words.extend(self.warp_size.map(|size| format!("warps of {size}")));
        words.extend(work_group.map(|items| format!("work-groups of {items}")));
        words.join(", ")
    }

    fn words(&self, tuning: &Tuning) -> String {
        let mut words = self.words_without_degree(tuning);
        if let Some(degree) = self.degree {
            words.push_str(&format!(", D {degree}"));
        }
        words
    }
}

pub fn figures(reports: &Reports) -> Vec<Figure> {
    let tunes = reports.tunes.iter();
    let tunes = tunes.filter(|(_, tune)| !tune.tune.candidates.is_empty());
    tunes.map(|(_, tune)| figure(tune)).collect()
}

fn figure(tune: &Tune) -> Figure {
    let tuning = &tune.tune;
    let mut table = Table::new([
        "strategy",
        "D",
        "lanes",
        "warp size",
        "work-group",
        "predicted s",
        "rounds",
        "roots of the last round",
        "its median s",
        "dropped after round",
        "failure",
    ]);
    let mut candidates: Vec<(usize, &Candidate)> = tuning.candidates.iter().enumerate().collect();
    let seconds = |c: &Candidate| judged(c, tuning).map_or(f64::INFINITY, |j| j.seconds);
    candidates.sort_by(|(_, a), (_, b)| seconds(a).total_cmp(&seconds(b)));
    let mut rows = Vec::new();
    for (index, candidate) in candidates {
        rows.push(row(index, candidate, tuning));
        let last = candidate.rounds.last();
        table.row([
            Cell::text(&candidate.strategy),
            Cell::count(candidate.degree),
            Cell::count(candidate.lanes),
            Cell::count(candidate.warp_size),
            Cell::count(candidate.work_group),
            Cell::seconds(candidate.predicted_seconds),
            Cell::count(candidate.rounds.len() as u64),
            Cell::count(last.map(|round| round.roots)),
            Cell::seconds(last.and_then(|round| round.median)),
            Cell::count(candidate.dropped_after),
            candidate.failure.as_ref().map_or(Cell::None, Cell::text),
        ]);
    }
    let mut legend = Vec::new();
    for (index, series, name) in [
        (tuning.best, BEST, "best"),
        (tuning.default, DEFAULT, "default"),
    ] {
        if index.is_some() {
            legend.push((series, false, name.to_string()));
        }
    }
    if tuning.candidates.iter().any(|c| c.dropped_after.is_some()) {
        legend.push((NAMED, true, "dropped early: judged by fewer roots".into()));
    }
    let graph = last_part(&tune.input.path);
    Figure {
        title: format!("{graph} on {}", tune.place()),
        notes: notes(tuning),
        drawing: Drawing::Dots(Dots {
            name: format!("Predicted search time of candidates on {graph}"),
            legend,
            rows,
        }),
        table,
    }
}

fn row(index: usize, candidate: &Candidate, tuning: &Tuning) -> Row {
    let (best, default) = (tuning.best == Some(index), tuning.default == Some(index));
    let judged = judged(candidate, tuning);
    let words = candidate.words(tuning);
    let role = match (best, default) {
        (true, true) => " (best, default)",
        (true, false) => " (best)",
        (false, true) => " (default)",
        (false, false) => "",
    };
    let end = match judged {
        None => "could not search".into(),
        Some(judged) => duration(judged.seconds),
    };
    Row {
        label: format!("{words}{role}"),
        series: match (best, default) {
            (true, _) => BEST,
            (false, true) => DEFAULT,
            (false, false) => NAMED,
        },
        value: judged.map(|judged| judged.seconds),
        range: judged.map_or((0.0, 0.0), |judged| judged.range),
        hollow: judged.is_some_and(|judged| !judged.sure),
        title: format!("{words}{role}: {end}"),
        end,
    }
}

fn notes(tuning: &Tuning) -> Vec<String> {
    let mut searching = format!(
        "{} tried in {}",
        counted(tuning.candidates.len() as u64, "candidate"),
        duration(tuning.seconds)
    );
    if let Some(budget) = tuning.budget_seconds {
        searching.push_str(&format!(" of {} allowed", duration(budget)));
    }
    let mut notes = vec![format!("{searching}.")];
    if let Some(check) = &tuning.check {
        let median = |times: &[f64]| {
            let mut times = times.to_vec();
            times.sort_by(f64::total_cmp);
            times
                .get(times.len() / 2)
                .map_or("no time".into(), |s| duration(*s))
        };
        let ratio = check
            .ratio
            .map_or(String::new(), |ratio| format!(", a ratio of {ratio:.2}"));
        notes.push(format!(
            "In turns over {}: best {}, default {}{ratio}. Adopted: {}.",
            counted(check.roots, "root"),
            median(&check.best_seconds),
            median(&check.default_seconds),
            check.adopted
        ));
    }
    notes
}

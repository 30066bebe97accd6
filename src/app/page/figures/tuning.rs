//! Searches for the best options: all candidates, and their time against D, the most arcs of a
//! virtual vertex or chunk.

use super::Figure;
use crate::app::bench::timing::Spread;
use crate::app::page::number::{duration, short};
use crate::app::page::svg::lines::{self, Axis, Point, Series};
use crate::app::page::svg::rows::{Extent, Row, Rows, Shape};
use crate::app::page::table::{Columns, count, seconds, text};
use crate::app::report::tune_schema::{Candidate, TunePart, TuneReport};
use crate::app::tune::Round;
use brandes::report::words::{counted, last_part, named};

/// Colours and marks of candidates.
const NAMED: usize = 0;
const BEST: usize = 2;
const DEFAULT: usize = 3;

/// Seconds of a candidate for all roots of the graph, with the ends of its last round; and whether
/// it was dropped early. By the prediction of the report; where there is none, by the last round.
fn judged(candidate: &Candidate, tuning: &TunePart) -> Option<(Spread, bool)> {
    let last = candidate.rounds.last();
    let scale = last.map_or(1.0, |round| tuning.roots as f64 / round.roots.max(1) as f64);
    let median = last.and_then(|round| Some(scale * round.median?));
    let median = candidate.predicted_seconds.or(median)?;
    let times = last.iter().flat_map(|round| &round.seconds);
    let mut times: Vec<f64> = times.map(|seconds| scale * seconds).collect();
    times.push(median);
    let seconds = Spread::of(&times)?;
    let early = candidate.dropped_after.is_some();
    Some((Spread { median, ..seconds }, early))
}

/// Its options but for D, and for the size of work-groups where all of the strategy have the same.
fn words(candidate: &Candidate, tuning: &TunePart) -> String {
    let alike =
        |c: &Candidate| c.strategy != candidate.strategy || c.work_group == candidate.work_group;
    let alike = tuning.candidates.iter().all(alike);
    let work_group = candidate.work_group.filter(|_| !alike);
    let mut words = vec![candidate.strategy.clone()];
    words.extend(candidate.lanes.map(|lanes| format!("{lanes} lanes")));
    words.extend(candidate.warp_size.map(|size| format!("warps of {size}")));
    words.extend(work_group.map(|items| format!("work-groups of {items}")));
    words.join(", ")
}

/// The graph and what was tuned for it.
fn title(tune: &TuneReport) -> String {
    let device = tune.device.as_ref();
    let place = device.map_or("CPU workers", |device| &device.name);
    format!("{} on {place}", last_part(tune.input.path()))
}

/// All candidates, fastest first.
pub fn candidates(tune: &TuneReport) -> Option<Figure> {
    let tuning = &tune.tune;
    let mut candidates: Vec<(usize, &Candidate)> = (0..).zip(&tuning.candidates).collect();
    let seconds_of =
        |c: &Candidate| judged(c, tuning).map_or(f64::INFINITY, |(seconds, _)| seconds.median);
    candidates.sort_by(|(_, a), (_, b)| seconds_of(a).total_cmp(&seconds_of(b)));
    let rows = candidates.iter().map(|(index, c)| row(*index, c, tuning));
    let name = format!("Predicted search time of candidates on {}", title(tune));
    let mut chart = Rows::new(name, duration, rows);
    chart.extent = Extent::Log;
    let last = |c: &Candidate, number: fn(&Round) -> Option<f64>| c.rounds.last().and_then(number);
    let table = Columns::of(candidates.into_iter().map(|(_, candidate)| candidate))
        .column("strategy", |c| text(&*c.strategy))
        .column("D", |c| count(c.degree.map(f64::from)))
        .column("lanes", |c| count(c.lanes.map(f64::from)))
        .column("warp size", |c| count(c.warp_size.map(f64::from)))
        .column("work-group", |c| count(c.work_group.map(f64::from)))
        .column("predicted s", |c| seconds(c.predicted_seconds))
        .column("rounds", |c| count(c.rounds.len() as f64))
        .column("roots of the last round", |c| {
            count(last(c, |round| Some(round.roots as f64)))
        })
        .column("its median s", |c| seconds(last(c, |round| round.median)))
        .column("dropped after round", |c| {
            count(c.dropped_after.map(|round| round as f64))
        })
        .column("failure", |c| text(c.failure.as_deref()));
    let any = !tuning.candidates.is_empty();
    any.then(|| table.figure(title(tune), notes(tuning), chart.draw()))
}

fn row(index: usize, candidate: &Candidate, tuning: &TunePart) -> Row {
    let (role, series) = match (tuning.best == index, tuning.default == index) {
        (true, true) => (" (best, default)", BEST),
        (true, false) => (" (best)", BEST),
        (false, true) => (" (default)", DEFAULT),
        (false, false) => ("", NAMED),
    };
    let degree = candidate.degree.map(|degree| format!(", D {degree}"));
    let label = words(candidate, tuning) + &degree.unwrap_or_default() + role;
    let Some((seconds, early)) = judged(candidate, tuning) else {
        return Row::bars(&label, [], "could not search");
    };
    let end = duration(seconds.median);
    let title = format!("{label}: {end}");
    Row {
        label,
        shapes: vec![(Shape::Mark(series, early, seconds), title)],
        end,
    }
}

fn notes(tuning: &TunePart) -> Vec<String> {
    let check = &tuning.check;
    let median = |times: &[f64]| {
        let spread = Spread::of(times);
        spread.map_or("no time".into(), |spread| duration(spread.median))
    };
    let ratio = check.ratio.map(|ratio| format!(", a ratio of {ratio:.2}"));
    let candidates = counted(tuning.candidates.len(), "candidate");
    let (taken, allowed) = (duration(tuning.seconds), duration(tuning.budget_seconds));
    let (best, default) = (median(&check.best_seconds), median(&check.default_seconds));
    let (roots, ratio) = (counted(check.roots, "root"), ratio.unwrap_or_default());
    let adopted = named(check.adopted);
    vec![
        format!("{candidates} tried in {taken} of {allowed} allowed."),
        format!(
            "In turns over {roots}: best {best}, default {default}{ratio}. Adopted: {adopted}."
        ),
    ]
}

/// Time against D: a line for each set of other options; none if no line has two points.
pub fn degree(tune: &TuneReport) -> Option<Figure> {
    type Measured = (String, u32, Spread, bool);
    let of_candidate = |c: &Candidate| {
        let (seconds, early) = judged(c, &tune.tune)?;
        Some((words(c, &tune.tune), c.degree?, seconds, early))
    };
    let candidates = tune.tune.candidates.iter();
    let mut points: Vec<Measured> = candidates.filter_map(of_candidate).collect();
    points.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    let same: Vec<_> = points.chunk_by(|a, b| a.0 == b.0).collect();
    if same.iter().all(|line| line.len() < 2) {
        return None;
    }
    let point = |(name, degree, y, hollow): &Measured| Point {
        x: f64::from(*degree),
        y: *y,
        hollow: *hollow,
        title: format!("{name}, D {degree}: {}", duration(y.median)),
    };
    let series = same.into_iter();
    let series = series.map(|line| (line[0].0.clone(), line.iter().map(point).collect()));
    let series: Vec<Series> = series.collect();
    let mut ticks: Vec<f64> = points.iter().map(|point| f64::from(point.1)).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let name = format!("Time against D, {}", title(tune));
    let y: Axis = ("search of all roots, predicted", duration);
    let chart = lines::draw(&name, ("D, arcs", short), y, &ticks, &series)?;
    let table = Columns::of(points)
        .column("line", |(name, ..)| text(&**name))
        .column("D", |(_, degree, ..)| count(f64::from(*degree)))
        .column("seconds", |(.., time, _)| seconds(time.median))
        .column("min s", |(.., time, _)| seconds(time.min))
        .column("max s", |(.., time, _)| seconds(time.max))
        .column("dropped early", |(.., early)| {
            text(if *early { "yes" } else { "no" })
        });
    Some(table.figure(title(tune), Vec::new(), chart))
}

//! Time against D, the most arcs of a virtual vertex or chunk: from searches for the best options,
//! and from several runs of one graph.

use std::collections::BTreeMap;

use super::candidates::{Judged, judged};
use super::{Drawing, Figure, Reports};
use crate::app::page::files::{Run, Tune};
use crate::app::page::number::duration;
use crate::app::page::read::last_part;
use crate::app::page::svg::Unit;
use crate::app::page::svg::lines::{Lines, Point, Series};
use crate::app::page::table::{Cell, Table};

/// From so many times between the longest and the shortest on, times need a logarithmic axis.
const UNLIKE: f64 = 8.0;

/// A line in the making: its name, and its points with how many times each stands for.
type Line = (String, Vec<(u64, Judged)>);

pub fn figures(reports: &Reports) -> Vec<Figure> {
    let tunes = reports.tunes.iter().filter_map(|(_, tune)| of_tune(tune));
    tunes.chain(of_runs(&reports.runs)).collect()
}

fn of_tune(tune: &Tune) -> Option<Figure> {
    let mut lines: Vec<Line> = Vec::new();
    for candidate in &tune.tune.candidates {
        if let (Some(degree), Some(judged)) = (candidate.degree, judged(candidate, &tune.tune)) {
            let name = candidate.words_without_degree(&tune.tune);
            add(&mut lines, name, degree, judged);
        }
    }
    let graph = last_part(&tune.input.path);
    figure(
        format!("{graph} on {}", tune.place()),
        "search of all roots, predicted",
        lines,
    )
}

/// A figure for each graph that runs of different D searched.
fn of_runs(runs: &[(String, &Run)]) -> Vec<Figure> {
    let mut graphs: BTreeMap<(&str, u64, u64, u64), Vec<&Run>> = BTreeMap::new();
    for (_, run) in runs {
        let input = &run.input;
        // As many roots: a sample of the sources takes less time.
        let graph = (
            input.path.as_str(),
            input.vertices,
            input.edges,
            run.prepared.roots,
        );
        graphs.entry(graph).or_default().push(run);
    }
    let of_graph = |((path, ..), runs): (&(&str, u64, u64, u64), &Vec<&Run>)| {
        let mut times: BTreeMap<(String, u64), Vec<f64>> = BTreeMap::new();
        for run in runs {
            if let Some((name, degree)) = searched(run) {
                let seconds = run.totals.search_seconds;
                times.entry((name, degree)).or_default().push(seconds);
            }
        }
        let mut lines: Vec<Line> = Vec::new();
        for ((name, degree), mut seconds) in times {
            seconds.sort_by(f64::total_cmp);
            let judged = Judged {
                seconds: seconds[seconds.len() / 2],
                range: (seconds[0], seconds[seconds.len() - 1]),
                sure: true,
            };
            add(&mut lines, name, degree, judged);
        }
        figure(last_part(path).to_string(), "search", lines)
    };
    graphs.iter().filter_map(of_graph).collect()
}

/// Who searched how, and with which D; none without a device that has one.
fn searched(run: &Run) -> Option<(String, u64)> {
    let device = run.devices.iter().find(|device| device.state == "worked")?;
    let plan = device.plan.as_ref()?;
    let degree = plan.degree.or(run.plan.degree)?;
    let mut name = plan.strategy.clone();
    if plan.lanes > 1 {
        name.push_str(&format!(", {} lanes", plan.lanes));
    }
    let workers = run.workers.iter().filter(|worker| worker.kind == "cpu");
    match workers.count() {
        0 => {}
        1 => name.push_str(", 1 CPU worker"),
        count => name.push_str(&format!(", {count} CPU workers")),
    }
    Some((format!("{name}, {}", device.info.name), degree))
}

fn add(lines: &mut Vec<Line>, name: String, degree: u64, judged: Judged) {
    match lines.iter_mut().find(|(other, _)| *other == name) {
        Some((_, points)) => points.push((degree, judged)),
        None => lines.push((name, vec![(degree, judged)])),
    }
}

/// None if there is no line of at least two points.
fn figure(title: String, what: &str, mut lines: Vec<Line>) -> Option<Figure> {
    let mut table = Table::new(["line", "D", "seconds", "min s", "max s", "judged by"]);
    for (name, points) in &mut lines {
        points.sort_by_key(|(degree, _)| *degree);
        for (degree, judged) in points {
            table.row([
                Cell::text(name.as_str()),
                Cell::count(*degree),
                Cell::seconds(judged.seconds),
                Cell::seconds(judged.range.0),
                Cell::seconds(judged.range.1),
                Cell::text(if judged.sure {
                    "all rounds"
                } else {
                    "early rounds"
                }),
            ]);
        }
    }
    if !lines.iter().any(|(_, points)| points.len() > 1) {
        return None;
    }
    let times = || {
        lines
            .iter()
            .flat_map(|(_, points)| points)
            .map(|(_, j)| j.seconds)
    };
    let shortest = times().fold(f64::INFINITY, f64::min);
    let log = times().fold(0.0, f64::max) > UNLIKE * shortest;
    let line = |(name, points): Line| Series {
        points: points
            .into_iter()
            .map(|(degree, judged)| Point {
                x: degree as f64,
                y: judged.seconds,
                range: judged.range,
                hollow: !judged.sure,
                title: format!("{name}, D {degree}: {}", duration(judged.seconds)),
            })
            .collect(),
        name,
    };
    Some(Figure {
        notes: Vec::new(),
        drawing: Drawing::Lines(Lines {
            name: format!("Time against D, {title}"),
            x: ("D, arcs".into(), Unit::Count),
            powers_of_two: true,
            y: (what.into(), Unit::Seconds),
            log,
            hollow: "dropped early: judged by fewer roots".into(),
            series: lines.into_iter().map(line).collect(),
        }),
        title,
        table,
    })
}

//! What came out of each run: the highest scores, and scores against degrees.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::Results;
use crate::app::page::number::{grouped, plain};
use crate::app::page::svg::Unit;
use crate::app::page::svg::bars::{Bars, Part, Row};
use crate::app::page::svg::lines::{Lines, Point, Series};
use crate::app::page::table::{Cell, Table};

/// The results of each graph with their names: several runs of one graph have the same to say.
fn of_graphs<'r>(reports: &'r Reports) -> Vec<(&'r str, &'r Results)> {
    let mut all: Vec<(&str, &str, &Results)> = Vec::new();
    for (name, run) in &reports.runs {
        let path = run.input.path.as_str();
        let Some(results) = &run.results else {
            continue;
        };
        let same = |&(_, other, known): &(&str, &str, &Results)| {
            other == path && known.by_degree == results.by_degree
        };
        if !all.iter().any(same) {
            all.push((name, path, results));
        }
    }
    all.into_iter()
        .map(|(name, _, results)| (name, results))
        .collect()
}

pub fn top(reports: &Reports) -> Vec<Figure> {
    let graphs = of_graphs(reports).into_iter();
    let ranked = graphs.filter(|(_, results)| !results.top.is_empty());
    ranked
        .map(|(name, results)| highest(name, results))
        .collect()
}

fn highest(name: &str, results: &Results) -> Figure {
    let mut table = Table::new(["rank", "vertex", "score", "degree"]);
    let mut rows = Vec::new();
    for (index, top) in results.top.iter().enumerate() {
        table.row([
            Cell::count(index as u64 + 1),
            Cell::text(&top.vertex),
            Cell::of(top.score, plain),
            Cell::count(top.degree),
        ]);
        let score = plain(top.score);
        rows.push(Row {
            label: top.vertex.clone(),
            parts: vec![Part {
                colour: 0,
                value: top.score,
                title: format!(
                    "vertex {}: score {score}, degree {}",
                    top.vertex,
                    grouped(top.degree as i64)
                ),
            }],
            end: score,
        });
    }
    Figure {
        title: name.into(),
        notes: Vec::new(),
        drawing: Drawing::Bars(Bars {
            name: format!("The highest scores of {name}"),
            legend: Vec::new(),
            unit: Unit::Number,
            rows,
        }),
        table,
    }
}

pub fn by_degree(reports: &Reports) -> Vec<Figure> {
    let graphs = of_graphs(reports).into_iter();
    graphs
        .filter_map(|(name, results)| against(name, results))
        .collect()
}

fn against(name: &str, results: &Results) -> Option<Figure> {
    let mut table = Table::new([
        "degree from",
        "to",
        "vertices",
        "mean score",
        "highest score",
    ]);
    let (mut mean, mut highest) = (Vec::new(), Vec::new());
    for bin in &results.by_degree {
        table.row([
            Cell::count(bin.from),
            Cell::count(bin.to),
            Cell::count(bin.count),
            Cell::of(bin.mean, plain),
            Cell::of(bin.max, plain),
        ]);
        let degrees = if bin.from == bin.to {
            grouped(bin.from as i64)
        } else {
            format!("{} to {}", grouped(bin.from as i64), grouped(bin.to as i64))
        };
        let of = format!("{} of degree {degrees}", counted(bin.count, "vertex"));
        for (points, y, what) in [
            (&mut highest, bin.max, "highest"),
            (&mut mean, bin.mean, "mean"),
        ] {
            // Logarithmic axes have no place for zero.
            if bin.from > 0 && y > 0.0 {
                points.push(Point {
                    x: (bin.from as f64 * bin.to as f64).sqrt(),
                    y,
                    range: (y, y),
                    hollow: false,
                    title: format!("{of}: {what} score {}", plain(y)),
                });
            }
        }
    }
    let series = [("highest", highest), ("mean", mean)].map(|(name, points)| Series {
        name: name.into(),
        points,
    });
    let series: Vec<Series> = series
        .into_iter()
        .filter(|s| !s.points.is_empty())
        .collect();
    (!series.is_empty()).then(|| Figure {
        title: name.into(),
        notes: Vec::new(),
        drawing: Drawing::Lines(Lines {
            name: format!("Scores against degrees of {name}"),
            x: ("degree".into(), Unit::Count),
            powers_of_two: false,
            y: ("score".into(), Unit::Number),
            log: true,
            hollow: String::new(),
            series,
        }),
        table,
    })
}

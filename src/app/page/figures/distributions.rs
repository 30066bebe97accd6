//! How degrees and scores are spread over the vertices of each graph.

use super::{Drawing, Figure, Reports, counted};
use crate::app::page::files::{Bin, Distributions};
use crate::app::page::number::{grouped, plain};
use crate::app::page::svg::Unit;
use crate::app::page::svg::lines::{Lines, Point, Series};
use crate::app::page::table::{Cell, Table};

/// The bins that a logarithmic axis has a place for, and how many vertices are at zero.
type Bins<'d> = (Vec<&'d Bin>, u64);

pub fn degrees(reports: &Reports) -> Vec<Figure> {
    figure(reports, "degree", Unit::Count, degree_bins)
}

pub fn scores(reports: &Reports) -> Vec<Figure> {
    figure(reports, "score", Unit::Number, score_bins)
}

fn degree_bins(spread: &Distributions) -> Bins<'_> {
    let (zero, bins): (Vec<_>, _) = spread.degree.iter().partition(|bin| bin.from == 0.0);
    (bins, zero.iter().map(|bin| bin.count).sum())
}

fn score_bins(spread: &Distributions) -> Bins<'_> {
    (spread.score.iter().collect(), spread.score_zeros)
}

fn figure(
    reports: &Reports,
    what: &str,
    unit: Unit,
    of: fn(&Distributions) -> Bins<'_>,
) -> Vec<Figure> {
    let mut table = Table::new(["graph", "from", "to", "vertices"]);
    let mut series: Vec<Series> = Vec::new();
    let mut notes = Vec::new();
    let mut seen: Vec<(&str, Bins)> = Vec::new();
    for (name, run) in &reports.runs {
        let Some(spread) = &run.distributions else {
            continue;
        };
        let (bins, zeros) = of(spread);
        // Several runs of one graph have the same to say.
        let told = (run.input.path.as_str(), (bins.clone(), zeros));
        if seen.contains(&told) {
            continue;
        }
        seen.push(told);
        if zeros > 0 {
            let zeros_cell = Cell::of(0.0, plain);
            table.row([
                Cell::text(name),
                zeros_cell.clone(),
                zeros_cell,
                Cell::count(zeros),
            ]);
            notes.push(format!(
                "{name}: {what} 0, for which a logarithmic axis has no place: {} of {}.",
                counted(zeros, "vertex"),
                grouped(run.input.vertices as i64)
            ));
        }
        let mut points = Vec::new();
        for bin in bins {
            table.row([
                Cell::text(name),
                Cell::of(bin.from, |x| unit.show(x)),
                Cell::of(bin.to, |x| unit.show(x)),
                Cell::count(bin.count),
            ]);
            let range = if bin.from == bin.to {
                unit.show(bin.from)
            } else {
                format!("{} to {}", unit.show(bin.from), unit.show(bin.to))
            };
            let count = bin.count as f64;
            points.push(Point {
                // The middle on a logarithmic axis.
                x: (0.5 * (bin.from.ln() + bin.to.ln())).exp(),
                y: count,
                range: (count, count),
                hollow: false,
                title: format!("{name}: {} of {what} {range}", counted(bin.count, "vertex")),
            });
        }
        if !points.is_empty() {
            series.push(Series {
                name: name.clone(),
                points,
            });
        }
    }
    if series.is_empty() {
        return Vec::new();
    }
    vec![Figure {
        title: String::new(),
        notes,
        drawing: Drawing::Lines(Lines {
            name: format!("Vertices by {what}"),
            x: (what.into(), unit),
            powers_of_two: false,
            y: ("vertices".into(), Unit::Count),
            log: true,
            hollow: String::new(),
            series,
        }),
        table,
    }]
}

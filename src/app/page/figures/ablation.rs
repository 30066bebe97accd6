//! What each idea of strategy `virtual` is worth.

use super::Figure;
use crate::app::bench::results::Measured;
use crate::app::bench::timing::Spread;
use crate::app::distinct::distinct;
use crate::app::page::number::{percent, share};
use crate::app::page::svg::rows::{Row, Rows, Shape};
use crate::app::page::table::{Columns, number, seconds, text};
use crate::app::report::bench_schema::BenchReport;
use brandes::report::words::named;
use brandes::strategy::ablation::Switch;

/// Colours and marks: of the mean and of single changes, and of what they are compared with.
const MEAN: usize = 0;
const ORIGINAL: usize = 3;

/// An idea that was switched off on a graph: the name of the graph, times with all on, and times
/// with all but that.
type Part<'b> = (&'b str, &'b Measured, &'b Measured);

fn change((_, on, off): &Part) -> Option<f64> {
    Some(on.median()? / off.median()? - 1.0)
}

/// The ideas on all graphs of a report.
pub fn figure(bench: &BenchReport) -> Option<Figure> {
    let mut parts: Vec<Part> = Vec::new();
    for graph in &bench.graphs {
        let rows = graph.ablation.as_deref().unwrap_or_default();
        if let Some((on, off)) = rows.split_first() {
            parts.extend(off.iter().map(|off| (graph.name(), on, off)));
        }
    }
    // In the order of the first graph; ideas are the same for all.
    let ideas = distinct(parts.iter().filter_map(|(.., off)| off.asked.switch));
    if ideas.is_empty() {
        return None;
    }
    let name = "Change of the search time by each idea of strategy virtual";
    let rows = ideas.iter().map(|&idea| row(idea, &parts));
    let chart = Rows::new(name.into(), percent, rows);
    let names = distinct(parts.iter().map(|(graph, ..)| *graph));
    let device = bench.devices.first();
    let on = device.map_or("no device", |device| &device.name);
    let title = format!("{} on {on}", names.join(", "));
    let idea = |off: &Measured| off.asked.switch.map(words).unwrap_or_default();
    let original = |off: &Measured| off.asked.switch.and_then(Switch::original).unzip();
    let table = Columns::of(parts)
        .column("graph", |(graph, ..)| text(*graph))
        .column("idea", move |(.., off)| text(&*idea(off)))
        .column("off s", |(.., off)| seconds(off.median()))
        .column("all on s", |(_, on, _)| seconds(on.median()))
        .column("change", |part| number(change(part), percent))
        .column("original", move |(.., off)| {
            number(original(off).0, percent)
        })
        .column("original sd", move |(.., off)| {
            number(original(off).1, share)
        })
        .column("failure", |(.., off)| text(off.failure.as_deref()));
    Some(table.figure(title, Vec::new(), chart.draw()))
}

/// A bar to the mean of all graphs, a mark for each if there are several, and the original figure.
fn row(idea: Switch, parts: &[Part]) -> Row {
    let label = words(idea);
    let of_idea = || {
        parts
            .iter()
            .filter(|(.., off)| off.asked.switch == Some(idea))
    };
    let changes = of_idea().filter_map(|part| Some((part.0, change(part)?)));
    let changes: Vec<(&str, f64)> = changes.collect();
    let mean = changes.iter().map(|(_, change)| change).sum::<f64>() / changes.len() as f64;
    let mut shapes = Vec::new();
    let mut end = "not measured".to_string();
    if !changes.is_empty() {
        end = percent(mean);
        let title = format!("{label}: {end}");
        shapes.push((Shape::Bar(MEAN, (0.0, mean), String::new()), title));
    }
    for &(graph, change) in changes.iter().filter(|_| changes.len() > 1) {
        let title = format!("{graph}, {label}: {}", percent(change));
        shapes.push((Shape::Mark(MEAN, true, Spread::one(change)), title));
    }
    if let Some((median, sd)) = idea.original() {
        let (min, max) = (median - sd, median + sd);
        let title = format!("original report: {} ± {}", percent(median), share(sd));
        let mark = Shape::Mark(ORIGINAL, false, Spread { median, min, max });
        shapes.push((mark, title));
    }
    Row { label, shapes, end }
}

/// `structure-of-arrays` as "structure of arrays".
fn words(idea: Switch) -> String {
    named(idea).replace('-', " ")
}

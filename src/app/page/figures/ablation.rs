//! What each idea of strategy `virtual` is worth.

use super::Figure;
use crate::app::bench::results::{Ablation, AblationRow};
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

/// A row of the ablation of a graph, with the name of the graph.
type Part<'b> = (&'b str, &'b Ablation, &'b AblationRow);

/// The ideas on all graphs of a report.
pub fn figure(bench: &BenchReport) -> Option<Figure> {
    let graphs = bench.graphs.iter();
    let graphs = graphs.filter_map(|graph| Some((graph.name(), graph.ablation.as_ref()?)));
    let graphs: Vec<(&str, &Ablation)> = graphs.collect();
    let mut parts: Vec<Part> = Vec::new();
    for &(name, ablation) in &graphs {
        parts.extend(ablation.rows.iter().map(|row| (name, ablation, row)));
    }
    // In the order of the first graph; ideas are the same for all.
    let ideas = distinct(parts.iter().filter_map(|(.., row)| row.off.asked.switch));
    if ideas.is_empty() {
        return None;
    }
    let name = "Change of the search time by each idea of strategy virtual";
    let rows = ideas.iter().map(|&idea| row(idea, &parts));
    let chart = Rows::new(name.into(), percent, rows);
    let names: Vec<&str> = graphs.iter().map(|(name, _)| *name).collect();
    let device = bench.devices.first();
    let on = device.map_or("no device", |device| &device.name);
    let title = format!("{} on {on}", names.join(", "));
    let median = |spread: Option<Spread>| seconds(spread.map(|spread| spread.median));
    let table = Columns::of(parts)
        .column("graph", |(graph, ..)| text(*graph))
        .column("idea", |(.., row)| {
            text(&*row.off.asked.switch.map(words).unwrap_or_default())
        })
        .column("off s", |(.., row)| median(row.off.spread))
        .column("all on s", |(_, all, _)| median(all.all_on.spread))
        .column("change", |(.., row)| number(row.change, percent))
        .column("original", |(.., row)| {
            number(row.original.unzip().0, percent)
        })
        .column("original sd", |(.., row)| {
            number(row.original.unzip().1, share)
        })
        .column("failure", |(.., row)| text(row.off.failure.as_deref()));
    Some(table.figure(title, Vec::new(), chart.draw()))
}

/// A bar to the mean of all graphs, a mark for each if there are several, and the original figure.
fn row(idea: Switch, parts: &[Part]) -> Row {
    let label = words(idea);
    let of_idea = || {
        parts
            .iter()
            .filter(|(.., row)| row.off.asked.switch == Some(idea))
    };
    let changes = of_idea().filter_map(|(graph, _, row)| Some((*graph, row.change?)));
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
    if let Some((median, sd)) = of_idea().find_map(|(.., row)| row.original) {
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

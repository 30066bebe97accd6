//! Strategies side by side, graph by graph.

use super::Figure;
use crate::app::bench::results::Measured;
use crate::app::page::number::duration;
use crate::app::page::svg::rows::{Extent, Row, Rows, Shape};
use crate::app::page::table::{Columns, count, number, seconds, text};
use crate::app::report::bench_schema::{BenchReport, GraphPart};
use brandes::report::words::counted;
use brandes::strategy::EnginePlan;

const NAMED: usize = 0;
const AUTO: usize = 3;

/// A figure for each graph.
pub fn figures(bench: &BenchReport) -> Vec<Figure> {
    let graphs = bench.graphs.iter();
    let measured = graphs.filter(|graph| !graph.strategies.is_empty());
    measured.map(|graph| figure(bench, graph)).collect()
}

fn figure(bench: &BenchReport, graph: &GraphPart) -> Figure {
    let mut measured: Vec<&Measured> = graph.strategies.iter().collect();
    let median = |m: &Measured| m.median().unwrap_or(f64::INFINITY);
    measured.sort_by(|a, b| median(a).total_cmp(&median(b)));
    let fastest = measured.first().map_or(f64::INFINITY, |m| median(m));
    let name = format!("Search time of strategies on {}", graph.name());
    let mut chart = Rows::new(name, duration, measured.iter().map(|m| row(m)));
    chart.extent = Extent::Log;
    let vertices = counted(graph.vertices, "vertex");
    let edges = counted(graph.edges, "edge");
    let roots = counted(graph.roots, "root");
    let mut notes = vec![format!("{vertices}, {edges}, {roots} to search.")];
    let auto = graph.auto.as_ref();
    notes.extend(auto.map(|auto| auto.words(&graph.strategies) + "."));
    let device = bench.devices.first();
    let on = device.map_or("the CPU", |device| &device.name);
    let title = format!("{} on {on}", graph.name());
    let plan = |m: &Measured, number: &dyn Fn(&EnginePlan) -> Option<f64>| {
        count(m.plan.as_ref().and_then(number))
    };
    Columns::of(measured)
        .column("strategy", |m| text(&*m.asked.words()))
        .column("median s", |m| seconds(m.median()))
        .column("min s", |m| seconds(m.spread.map(|s| s.min)))
        .column("max s", |m| seconds(m.spread.map(|s| s.max)))
        .column("times fastest", |m| {
            let times = m.median().map(|median| median / fastest);
            number(times, |times| format!("{times:.2}"))
        })
        .column("estimated", |m| {
            text(if m.estimated { "yes" } else { "no" })
        })
        .column("roots searched", |m| count(m.roots_searched as f64))
        .column("roots", |m| count(m.roots as f64))
        .column("D", |m| plan(m, &|plan| plan.degree.map(f64::from)))
        .column("lanes", |m| plan(m, &|plan| Some(plan.lanes as f64)))
        .column("failure", |m| text(m.failure.as_deref()))
        .figure(title, notes, chart.draw())
}

fn row(m: &Measured) -> Row {
    let Some(spread) = m.spread else {
        return Row::bars(&m.asked.words(), [], "cannot search it");
    };
    let about = if m.estimated { "~" } else { "" };
    let end = format!("{about}{}", duration(spread.median));
    let (min, max) = (duration(spread.min), duration(spread.max));
    let roots = counted(m.roots_searched, "root");
    let label = m.asked.words();
    let title = format!("{label}: median {end}, from {min} to {max}; {roots} searched");
    let series = if m.asked.is_auto() { AUTO } else { NAMED };
    Row {
        label,
        shapes: vec![(Shape::Mark(series, m.estimated, spread), title)],
        end,
    }
}
